/**
 * Who calls with the cookie of a session. A browser sends the cookie wherever the call comes from,
 * so what is changed also needs the token that only pages of this venue can have read, and the
 * browser's own word on where the call comes from.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  FailedChecks,
  type KeyFollower,
  type KeyRegistry,
  networkOf,
  refuseSaying,
  type SessionRequest,
  type Sessions,
} from '#api';
import { accountId, isRefused, type Permission, type Refused, refuse } from '#domain';
import type { ActingOperator, LiveSession, LiveSessions } from '#people';
import { isEndedBy, SessionKey } from './session-key.ts';

export interface SessionOptions {
  readonly sessions: Pick<
    LiveSessions,
    'find' | 'findNow' | 'onEnded' | 'onMakerChanged' | 'follow' | 'makers'
  >;
  readonly cookie: { readonly name: string; readonly isSecure: boolean };
  /** Where people find the venue, in small letters, besides the name in Host. */
  readonly origin: string | undefined;
}

/** What is remembered of a session for a moment, or what is stored now. */
type Look = 'find' | 'findNow';

type Found<T> = T | Refused | Promise<T | Refused>;

const ACCOUNT_HEADER = 'x-outcry-account';
const CSRF_HEADER = 'x-csrf-token';
const ACCOUNT = /^[1-9][0-9]{0,14}$/;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Cookies of one call that are looked up. */
const TOKENS_MAX = 4;
/** Sessions of one network that were not there; beyond that it hears to wait instead. */
const FAILURES_PER_NETWORK = { limit: 50, windowMs: 1_000 };

export class SessionAuth implements Sessions {
  readonly #options: SessionOptions;
  readonly #keys: KeyRegistry;
  readonly #failures: FailedChecks | undefined;

  constructor(options: SessionOptions, keys: KeyRegistry, rateLimits: boolean) {
    this.#options = options;
    this.#keys = keys;
    this.#failures = rateLimits ? new FailedChecks(FAILURES_PER_NETWORK) : undefined;
  }

  onEnded(listener: (isEnded: (key: string) => boolean) => void): void {
    this.#options.sessions.onEnded((end) => listener((key) => isEndedBy(key, end)));
  }

  onMakerChanged(listener: (personId: string) => void): void {
    this.#options.sessions.onMakerChanged(listener);
  }

  follow(follower: KeyFollower): void {
    this.#options.sessions.follow(follower);
  }

  /** Whether the caller shows the cookie of a session, whatever it is worth. */
  isShown(headers: IncomingHttpHeaders): boolean {
    return headers.cookie !== undefined && this.#tokensOf(headers).length > 0;
  }

  /** The account that a session calls for, where it may do this there. */
  trader(request: SessionRequest, permission: Permission, nowMs: number): Found<SessionKey> {
    const named = request.headers[ACCOUNT_HEADER];
    const account = typeof named === 'string' ? named.trim() : '';
    return then(this.person(request, nowMs), (session) => this.#key(session, account, permission));
  }

  /** As trader, for a socket, where a page can set no header: the browser says where it is. */
  connected(
    request: SessionRequest,
    account: string,
    permission: Permission,
    nowMs: number,
  ): Found<SessionKey> {
    return then(this.person({ ...request, method: 'GET' }, nowMs), (session) =>
      this.#key(session, account, permission),
    );
  }

  /** The session of a call, which must be there; what it changes is asked for by its page. */
  person(request: SessionRequest, nowMs: number, look: Look = 'find'): Found<LiveSession> {
    const { method, headers } = request;
    return then(this.visitor(request, nowMs, look), (session) => {
      if (session === undefined) return this.#refuseUnknown(request);
      const isForeign = !SAFE_METHODS.has(method) && !isToken(headers, session.csrfToken);
      return isForeign ? refuseSaying('origin_or_token_wrong', 'X-CSRF-Token') : session;
    });
  }

  /** The operator whose session it is, by what is stored now: a role ends at once. */
  async operator(request: SessionRequest, nowMs: number): Promise<ActingOperator | Refused> {
    const session = await this.person(request, nowMs, 'findNow');
    if (isRefused(session)) return session;
    const { role, email, hasSecondFactor } = session.holder;
    if (role === undefined) return refuse('operator_needed');
    if (!hasSecondFactor) return refuse('operator_factor_needed');
    return { id: session.personId, name: email, role };
  }

  /**
   * The session of a call, if it has one; a page of another venue has none. What others show that
   * is no session keeps none from being found, and costs next to nothing.
   */
  visitor(
    { headers }: SessionRequest,
    nowMs: number,
    look: Look = 'find',
  ): Found<LiveSession | undefined> {
    if (!this.#isOwnPage(headers)) return refuseSaying('origin_or_token_wrong', 'Origin');
    return this.#firstOf(this.#tokensOf(headers), nowMs, look);
  }

  #refuseUnknown({ headers, address }: SessionRequest): Refused {
    if (this.#failures === undefined || !this.isShown(headers)) return refuse('sign_in_needed');
    const network = networkOf(address);
    if (this.#failures.waitMs(network) > 0) {
      return refuseSaying('rate_exceeded', 'sessions that are not there');
    }
    this.#failures.note(network);
    return refuse('sign_in_needed');
  }

  /** The first of these tokens that a session has; at once if it can be. */
  #firstOf(
    [token, ...others]: readonly string[],
    nowMs: number,
    look: Look,
  ): LiveSession | undefined | Promise<LiveSession | undefined> {
    if (token === undefined) return undefined;
    const found = this.#options.sessions[look](token, nowMs);
    if (!(found instanceof Promise)) return found ?? this.#firstOf(others, nowMs, look);
    return found.then((session) => session ?? this.#firstOf(others, nowMs, look));
  }

  /** What an answer sets the cookie with; undefined clears it. */
  cookieOf(token: string | undefined): string {
    const { name, isSecure } = this.#options.cookie;
    const secure = isSecure ? '; Secure' : '';
    const end = token === undefined ? '; Max-Age=0' : '';
    return `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`;
  }

  #key(session: LiveSession, account: string, permission: Permission): SessionKey | Refused {
    if (account === '') {
      return refuse('parameter_missing', { is: 'missing', parameter: 'X-Outcry-Account' });
    }
    const id = ACCOUNT.test(account) ? accountId(Number(account)) : undefined;
    const rights = id && session.rightsOf(id);
    if (id === undefined || rights === undefined) return refuse('account_unknown');
    if (!rights.includes(permission)) return refuseSaying('permission_missing', permission);
    const key = new SessionKey(session, id, permission, this.#keys);
    return permission !== 'read' && key.accountFrozen ? refuse('account_frozen') : key;
  }

  /** A neighbour under the same domain can put cookies of this name in front of ours. */
  #tokensOf({ cookie = '' }: IncomingHttpHeaders): string[] {
    const start = `${this.#options.cookie.name}=`;
    const tokens: string[] = [];
    for (const part of cookie.split(';')) {
      const pair = part.trim();
      const token = pair.startsWith(start) ? pair.slice(start.length) : '';
      if (token !== '') tokens.push(token);
      if (tokens.length === TOKENS_MAX) break;
    }
    return tokens;
  }

  /** Browsers say where a call comes from whenever it changes something; other clients need not. */
  #isOwnPage({ origin, host = '' }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return true;
    const from = origin.toLowerCase();
    if (from === this.#options.origin) return true;
    return from === `http://${host.toLowerCase()}` || from === `https://${host.toLowerCase()}`;
  }
}

function isToken(headers: IncomingHttpHeaders, csrfToken: string): boolean {
  const given = headers[CSRF_HEADER];
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  const wanted = Buffer.from(csrfToken);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

/** At once if it can be. */
function then<T, U>(found: Found<T>, next: (value: T) => U | Refused): Found<U> {
  if (found instanceof Promise) {
    return found.then((value) => (isRefused(value) ? value : next(value)));
  }
  return isRefused(found) ? found : next(found);
}
