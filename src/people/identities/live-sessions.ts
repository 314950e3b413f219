/**
 * Sessions as every call needs them: looked up by the hash of their token, remembered for a moment,
 * and asked for again in the store, where other processes may have ended them. Whoever holds one, a
 * stream, hears when it ends or loses an account.
 */
import { createHmac } from 'node:crypto';
import type { AccountId } from '#domain';
import { Makers } from '../access/makers.ts';
import type { AccessRight } from '../access/port.ts';
import type { LazyPeople } from '../open.ts';
import { SessionTokens } from '../secrets/session-tokens.ts';
import { tokenHash } from '../secrets/tokens.ts';
import type { PeopleSettings } from '../settings.ts';
import type { OpenSession, SessionHolder, SessionRecord } from './port.ts';

/** How often the use of a session is written down. */
const SEEN_EVERY_MS = 60_000;
const SESSIONS_MAX = 50_000;
const CHECKED_AT_ONCE = 500;
/** Ended sessions whose tokens are still shown; they are not asked for again. */
const GONE_MAX = 50_000;

/** A session has ended, or lost an account. */
export interface SessionEnd {
  readonly sessionId: string;
  readonly accountId: AccountId | undefined;
}

/** Somebody who follows by keys of persons: asked who made them, and told to look at them again. */
export interface KeyFollower {
  makers(): readonly string[];
  recheck(): void;
}

export class LiveSession {
  tokenHash: string;
  csrfToken: string;
  #record: SessionRecord;
  #holder: SessionHolder;
  #rights: ReadonlyMap<AccountId, readonly AccessRight[]> = new Map();
  isLive = true;
  /** When it was last found in the store, on a clock that never goes back. */
  checkedMs: number;
  lastSeenMs: number;

  constructor(token: string, open: OpenSession, checkedMs: number) {
    const { session } = open;
    this.tokenHash = session.tokenHash;
    this.csrfToken = csrfTokenOf(token);
    this.#record = session;
    this.#holder = open.holder;
    this.lastSeenMs = session.lastSeenMs;
    this.checkedMs = checkedMs;
    this.take(open, checkedMs);
  }

  get sessionId(): string {
    return this.#record.sessionId;
  }

  get personId(): string {
    return this.#record.personId;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get holder(): SessionHolder {
    return this.#holder;
  }

  get confirmedMs(): number {
    return this.#record.confirmedMs;
  }

  /** It has another token from now on; its streams stay. */
  renew(token: string, confirmedMs: number | undefined): void {
    this.tokenHash = tokenHash(token);
    this.csrfToken = csrfTokenOf(token);
    const confirmed = confirmedMs === undefined ? {} : { confirmedMs };
    this.#record = { ...this.#record, tokenHash: this.tokenHash, ...confirmed };
  }

  /** The accounts that the person manages. */
  get managed(): readonly AccountId[] {
    if (!this.isLive) return [];
    return [...this.#rights].flatMap(([one, rights]) => (rights.includes('manage') ? [one] : []));
  }

  rightsOf(accountId: AccountId): readonly AccessRight[] | undefined {
    return this.isLive ? this.#rights.get(accountId) : undefined;
  }

  /** Takes over what the store says: the accounts that it has lost. */
  take({ session, holder, access }: OpenSession, checkedMs: number): AccountId[] {
    const before = this.#rights;
    this.#record = session;
    this.#holder = holder;
    this.#rights = new Map(access.map(({ accountId, rights }) => [accountId, rights]));
    this.lastSeenMs = Math.max(this.lastSeenMs, session.lastSeenMs);
    this.checkedMs = checkedMs;
    return [...before].flatMap(([accountId, rights]) =>
      rights.includes('read') && this.rightsOf(accountId)?.includes('read') !== true
        ? [accountId]
        : [],
    );
  }
}

/** What a page has to show besides the cookie: only who has the token can make it. */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

export interface LiveSessionsOptions {
  readonly people: LazyPeople;
  readonly settings: Pick<PeopleSettings, 'sessionIdleMs'>;
  /** Tokens are made under it, the same in every process. */
  readonly masterKey: Uint8Array;
  readonly nowMs: () => number;
  /** For how long the store is not asked again. */
  readonly freshMs: number;
  readonly onFault: (error: unknown) => void;
}

export class LiveSessions {
  readonly #options: LiveSessionsOptions;
  readonly #tokens: SessionTokens;
  readonly #live = new Map<string, LiveSession>();
  /** By the hashes of their tokens: a session that has ended does not come back. */
  readonly #gone = new Set<string>();
  readonly #asking = new Map<string, Promise<LiveSession | undefined>>();
  readonly #listeners: ((end: SessionEnd) => void)[] = [];
  readonly #ofMakers: ((personId: string) => void)[] = [];
  readonly #followers: KeyFollower[] = [];
  /** Their keys are bounded by what they may do now. */
  readonly makers: Makers;
  readonly #timer: NodeJS.Timeout;
  /** Counts what was ended or changed here: an answer from before may show what is no more. */
  #changes = 0;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
    this.#tokens = new SessionTokens(options.masterKey);
    this.makers = new Makers(options.people, options.freshMs);
    this.#timer = setInterval(() => void this.#sweep(), options.freshMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** What a person who may have made keys may do has changed. */
  onMakerChanged(listener: (personId: string) => void): void {
    this.#ofMakers.push(listener);
  }

  /** Other processes may change what a maker may do: it is asked for as sessions are. */
  follow(follower: KeyFollower): void {
    this.#followers.push(follower);
  }

  onEnded(listener: (end: SessionEnd) => void): void {
    this.#listeners.push(listener);
  }

  /** For a session that begins, or goes on by another one. */
  newToken(): string {
    return this.#tokens.make();
  }

  /**
   * The session of a token, and that it is used; at once where it is known. Made-up tokens cost no
   * look into the store, and those of ended sessions one each.
   */
  find(token: string, nowMs: number): LiveSession | undefined | Promise<LiveSession | undefined> {
    const hash = this.#hashOf(token);
    if (hash === undefined) return undefined;
    const known = this.#live.get(hash);
    if (known !== undefined && monotonicMs() - known.checkedMs < this.#options.freshMs) {
      return this.#used(known, nowMs);
    }
    const asked = this.#asking.get(hash) ?? this.#ask(token, hash);
    return asked.then((found) => found && this.#used(found, nowMs));
  }

  /** As find, by what the store says now: for calls that must end with a role, in every process. */
  async findNow(token: string, nowMs: number): Promise<LiveSession | undefined> {
    const hash = this.#hashOf(token);
    if (hash === undefined) return undefined;
    const found = await this.#load(token, hash);
    return found && this.#used(found, nowMs);
  }

  /** Undefined where no session can be found by the token. */
  #hashOf(token: string): string | undefined {
    if (!this.#tokens.isOurs(token)) return undefined;
    const hash = tokenHash(token);
    return this.#gone.has(hash) ? undefined : hash;
  }

  /** It has ended here; other processes find out by themselves. */
  ended(sessionIds: readonly string[]): void {
    this.#changes += 1;
    for (const session of [...this.#live.values()]) {
      if (sessionIds.includes(session.sessionId)) this.#end(session);
    }
  }

  /** It goes by another token: the one before is worth nothing from now on. */
  renewed(session: LiveSession, token: string, confirmedMs: number | undefined): void {
    this.#changes += 1;
    this.#live.delete(session.tokenHash);
    session.renew(token, confirmedMs);
    if (session.isLive) this.#live.set(session.tokenHash, session);
  }

  /** The rights of a person have changed: its sessions are looked up anew, now, and its keys. */
  async changed(personId: string): Promise<void> {
    this.makers.forget(personId);
    for (const listener of this.#ofMakers) listener(personId);
    this.#changes += 1;
    await this.#check([...this.#live.values()].filter((one) => one.personId === personId));
  }

  #ask(token: string, hash: string): Promise<LiveSession | undefined> {
    const asked = this.#load(token, hash).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asked);
    return asked;
  }

  async #load(token: string, hash: string): Promise<LiveSession | undefined> {
    const found = await this.#stored(hash);
    const known = this.#live.get(hash);
    if (found === undefined) {
      if (known !== undefined) this.#end(known);
      this.#forget(hash);
      return undefined;
    }
    if (known !== undefined) {
      this.#refresh(known, found);
      return known;
    }
    const session = new LiveSession(token, found, monotonicMs());
    if (this.#isOver(session, this.#options.nowMs())) {
      this.#forget(hash);
      return undefined;
    }
    this.#makeRoom();
    this.#live.set(hash, session);
    return session;
  }

  #forget(hash: string): void {
    const [oldest] = this.#gone;
    if (this.#gone.size >= GONE_MAX && oldest !== undefined) this.#gone.delete(oldest);
    this.#gone.add(hash);
  }

  async #stored(hash: string): Promise<OpenSession | undefined> {
    const store = await this.#options.people.get();
    for (;;) {
      const changes = this.#changes;
      const [found] = await store.openSessions([hash]);
      if (changes === this.#changes) return found;
    }
  }

  #makeRoom(): void {
    const [oldest] = this.#live.values();
    if (this.#live.size >= SESSIONS_MAX && oldest !== undefined) this.#end(oldest);
  }

  #refresh(session: LiveSession, found: OpenSession): void {
    const { sessionId } = session;
    for (const accountId of session.take(found, monotonicMs()))
      this.#tell({ sessionId, accountId });
  }

  #used(session: LiveSession, nowMs: number): LiveSession | undefined {
    if (!session.isLive) return undefined;
    if (this.#isOver(session, nowMs)) {
      this.#end(session);
      return undefined;
    }
    if (nowMs - session.lastSeenMs < SEEN_EVERY_MS) return session;
    session.lastSeenMs = nowMs;
    void this.#options.people
      .get()
      .then((store) => store.touchSession(session.sessionId, nowMs))
      .catch(this.#options.onFault);
    return session;
  }

  #isOver({ record, lastSeenMs }: LiveSession, nowMs: number): boolean {
    return nowMs >= record.expiresMs || nowMs - lastSeenMs >= this.#options.settings.sessionIdleMs;
  }

  #end(session: LiveSession): void {
    session.isLive = false;
    this.#live.delete(session.tokenHash);
    this.#tell({ sessionId: session.sessionId, accountId: undefined });
  }

  #tell(end: SessionEnd): void {
    for (const listener of this.#listeners) listener(end);
  }

  async #sweep(): Promise<void> {
    const nowMs = this.#options.nowMs();
    const open: LiveSession[] = [];
    for (const session of [...this.#live.values()]) {
      if (this.#isOver(session, nowMs)) this.#end(session);
      else open.push(session);
    }
    await this.#check(open).catch(this.#options.onFault);
    await this.#checkMakers().catch(this.#options.onFault);
  }

  async #checkMakers(): Promise<void> {
    const makers = new Set(this.#followers.flatMap((one) => one.makers()));
    if (makers.size === 0) return;
    await this.makers.refresh([...makers]);
    for (const follower of this.#followers) follower.recheck();
  }

  async #check(sessions: readonly LiveSession[]): Promise<void> {
    if (sessions.length === 0) return;
    const store = await this.#options.people.get();
    for (let at = 0; at < sessions.length; at += CHECKED_AT_ONCE) {
      const asked = new Map(
        sessions.slice(at, at + CHECKED_AT_ONCE).map((one) => [one.tokenHash, one]),
      );
      const found = await store.openSessions([...asked.keys()]);
      const byHash = new Map(found.map((one) => [one.session.tokenHash, one]));
      for (const [hash, session] of asked) {
        const now = byHash.get(hash);
        // It has been given another token since it was asked for.
        if (session.tokenHash !== hash) continue;
        if (now === undefined) this.#end(session);
        else this.#refresh(session, now);
      }
    }
  }
}

function monotonicMs(): number {
  return performance.now();
}
