/**
 * Calls with the cookie of a person's session. The browser sends the cookie, no script sees it; the
 * CSRF token shows that the call comes from a page of the venue.
 */
import type { people } from '#client';
import { VenueError } from './failure.ts';
import { type Method, send, targetOf } from './http.ts';

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

export interface PersonCall {
  readonly method: Method;
  readonly path: string;
  /** The query of a GET, else the JSON body. */
  readonly input?: object | undefined;
  /** Undefined before there is a session. */
  readonly csrfToken?: string | undefined;
  /** For calls of the trading interfaces. */
  readonly accountId?: string | undefined;
}

export async function byPerson<Data>(call: PersonCall): Promise<Data> {
  const { method, path, input = {}, csrfToken, accountId } = call;
  const headers = {
    ...(accountId === undefined ? {} : { 'x-outcry-account': accountId }),
    ...(csrfToken === undefined || method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
  };
  const isGet = method === 'GET';
  const target = isGet ? targetOf(path, { ...input }) : path;
  const isEmpty = isGet || (method === 'DELETE' && Object.keys(input).length === 0);
  const body = isEmpty ? undefined : JSON.stringify(input);
  return (await send({ method, target, body, headers, hasCookie: true })) as Data;
}

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
