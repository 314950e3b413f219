/**
 * What an error of a call means. Only what etcd itself says, in its own words, tells that a write
 * has not happened; everything else, any text of the transport included, leaves it open. Neither
 * does `full`: the write that fills the store is done and refused.
 */
import { type ServiceError, status } from '@grpc/grpc-js';
import { StoreFault, type StoreFaultKind } from '../shared/store.ts';

/** By the beginning of the details of an error. */
const SAID: readonly (readonly [string, StoreFaultKind])[] = [
  ['etcdserver: mvcc: database space exceeded', 'full'],
  ['etcdserver: mvcc: required revision has been compacted', 'compacted'],
  ['etcdserver: permission denied', 'denied'],
  ['etcdserver: authentication failed', 'denied'],
  ['etcdserver: authentication is not enabled', 'denied'],
  ['etcdserver: user name is empty', 'denied'],
  ['etcdserver: user name not found', 'denied'],
  ['etcdserver: request is too large', 'denied'],
  ['etcdserver: too many operations', 'denied'],
];
/** The call was refused before it did anything, and is not with a new token. */
const TOKEN_ENDED: readonly string[] = [
  'etcdserver: invalid auth token',
  'etcdserver: auth: revision in header is old',
];

export function isTokenEnded({ details }: ServiceError): boolean {
  return TOKEN_ENDED.some((text) => details.startsWith(text));
}

export function storeFault(error: ServiceError, endpoint: string): StoreFault {
  return new StoreFault(kindOf(error.details), `${endpoint}: ${error.message}`, { cause: error });
}

/** Of the details of an error, or the reason of a watch that was cancelled. */
export function kindOf(details: string): StoreFaultKind {
  return SAID.find(([text]) => details.startsWith(text))?.[1] ?? 'unknown';
}

/** Whether there is no lease of this number. */
export function isLeaseGone({ code, details }: ServiceError): boolean {
  return code === status.NOT_FOUND && details.startsWith('etcdserver: requested lease not found');
}
