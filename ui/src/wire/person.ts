/** A person's session: who it is, and what refusals of its calls mean. */
import type { people } from '#client';
import { VenueError } from './failure.ts';

export type PersonSession = people.SessionAnswer;
/** An account that the person may use. */
export type Access = PersonSession['accounts'][number];
/** What a person may do in an account. */
export type AccessRight = Access['permissions'][number];
export const ACCESS_RIGHTS = [
  'read',
  'trade',
  'transfer',
  'withdraw',
  'manage',
] as const satisfies readonly AccessRight[];

export const SIGN_IN_NEEDED = '60801';
export const SECOND_FACTOR_NEEDED = '60803';
export const CONFIRMATION_NEEDED = '60804';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** The session may be over: 401, whichever interface words it. */
export function mayBeOver(error: unknown): boolean {
  return error instanceof VenueError && error.status === UNAUTHORIZED;
}

/** Another page of the browser may have renewed the session since its token was read. */
export function mayBeRenewed(error: unknown): boolean {
  return error instanceof VenueError && error.status === FORBIDDEN;
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof VenueError && error.code === code;
}
