/**
 * Calls with the cookie of a person's session. The browser sends the cookie, no script sees it; the
 * CSRF token shows that the call comes from a page of the venue.
 */
import { VenueError } from './failure.ts';
import { type Method, send, targetOf } from './http.ts';

/** What a person may do in an account. */
export const ACCESS_RIGHTS = ['read', 'trade', 'transfer', 'withdraw', 'manage'] as const;
export type AccessRight = (typeof ACCESS_RIGHTS)[number];

export interface Access {
  readonly accountId: string;
  /** What the person calls it; may be empty. */
  readonly label: string;
  readonly permissions: readonly AccessRight[];
}

export interface PersonRow {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  /** What mails are written in. */
  readonly language: 'en' | 'zh';
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly cTime: string;
}

export interface PersonSession {
  readonly sessionId: string;
  readonly csrfToken: string;
  readonly confirmedTime: string;
  readonly expiresTime: string;
  readonly person: PersonRow;
  readonly accounts: readonly Access[];
}

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
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly answerMaxMs?: number | undefined;
}

export async function byPerson<Data>(call: PersonCall): Promise<Data> {
  const { method, path, input = {}, csrfToken, accountId, answerMaxMs } = call;
  const headers = {
    ...call.headers,
    ...(accountId === undefined ? {} : { 'x-outcry-account': accountId }),
    ...(csrfToken === undefined || method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
  };
  const isGet = method === 'GET';
  const target = isGet ? targetOf(path, { ...input }) : path;
  const isEmpty = isGet || (method === 'DELETE' && Object.keys(input).length === 0);
  const body = isEmpty ? undefined : JSON.stringify(input);
  return (await send({ method, target, body, headers, answerMaxMs, hasCookie: true })) as Data;
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
