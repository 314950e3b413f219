/**
 * The stream of a venue (`/v1/ws`): market data, the account and calls over one socket, which is
 * opened while somebody listens and again when it breaks. Every listener gets a snapshot first; of
 * the account what happened during a break follows, where the venue still has it.
 */
import type { Channel, DataOf } from './channels.ts';
import { Connection, type StreamState } from './connection.ts';
import { type Endpoint, placedIn } from './endpoint.ts';
import { FollowedChannels, type Pushed, type StreamListener } from './followed.ts';
import type { Signer } from './signing.ts';
import { NO_ANSWER, VenueError } from './venue-error.ts';

/** Whose account it is: of a key, or on a page of the venue that of a person who has signed in. */
export type StreamLogin =
  | { readonly sign: Signer }
  | {
      readonly account: string;
      /** The venue ended the connection or did not open it: the session may be over. */
      onEnded?(): void;
    };

export interface StreamOptions {
  /** As in http://127.0.0.1:8787. */
  readonly url: string;
  onState?(state: StreamState): void;
  /** A channel was refused, on this connection; or the login, which is given up. */
  onRefused?(refused: VenueError, what: 'login' | Channel): void;
}

interface Answer {
  readonly id?: number;
  readonly data?: unknown;
  readonly error?: Failure;
  readonly retryAfter?: number;
}

interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly hint: string;
}

interface Waiting {
  done(data: unknown): void;
  failed(error: VenueError): void;
}

const PATH = '/v1/ws';
const ACCOUNT = 'account';
const CHANNELS_MAX = 200;
const LOGIN_FAILURES_MAX = 2;
const CALL_MAX_MS = 10_000;
const SECOND_MS = 1_000;
/** Nothing is wrong with what was asked: it is asked again later. */
const LATER: readonly string[] = ['rate_exceeded', 'maintenance', 'venue_busy', 'venue_halted'];

export class VenueStream {
  readonly #options: StreamOptions;
  readonly #connection: Connection;
  readonly #followed = new FollowedChannels();
  /** Channels asked for on this socket. */
  readonly #joined = new Set<string>();
  readonly #toJoin = new Set<string>();
  readonly #toLeave = new Set<string>();
  readonly #waiting = new Map<number, Waiting>();
  /** Calls that wait for the login. */
  readonly #early = new Set<() => void>();
  #lastId = 0;
  #login: StreamLogin | undefined;
  #isLoggedIn = false;
  #loginFailures = 0;
  #isFlushDue = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#connection = new Connection({
      address: () => this.#address(),
      isNeeded: () => this.#followed.names.length + this.#early.size > 0,
      onState: (state) => options.onState?.(state),
      onOpen: () => this.#opened(),
      onText: (text) => this.#hear(JSON.parse(text)),
      onBroken: (isOurs) => this.#broken(isOurs),
      ping: () => this.#frame('ping', {}),
    });
  }

  /** Listens to a channel until the returned function is called; `account` waits for a login. */
  follow<C extends Channel>(channel: C, listener: StreamListener<DataOf<C>>): () => void {
    // The messages of a channel have what its name says: the venue's tests hold it to that.
    const own: StreamListener<unknown> = {
      onMessage: (message) => listener.onMessage({ ...message, data: message.data as DataOf<C> }),
      onLost: () => listener.onLost?.(),
    };
    this.#followed.add(channel, own);
    // Also when it is followed already: only a new snapshot is complete for the new listener.
    this.refresh(channel);
    return () => {
      if (!this.#followed.remove(channel, own)) return;
      this.#toJoin.delete(channel);
      this.#toLeave.add(channel);
      this.#flushSoon();
    };
  }

  /** Asks for a new snapshot, as when a checksum does not match. */
  refresh(channel: Channel): void {
    if (!this.#followed.has(channel)) return;
    this.#toJoin.add(channel);
    this.#connection.open();
    this.#flushSoon();
  }

  /** Whose account it is from now on; undefined for nobody's. */
  login(login: StreamLogin | undefined): void {
    if (login === this.#login) return;
    const isFirst = this.#login === undefined && login !== undefined && 'sign' in login;
    this.#login = login;
    this.#loginFailures = 0;
    this.#followed.lose(ACCOUNT);
    // A connection keeps the login it had, and a session is shown while it is opened.
    if (!isFirst) this.#connection.renew();
    else if (this.#connection.isOpen) this.#showKey();
  }

  /** A call over the socket, by its login. Rejects with VenueError, as one over HTTP. */
  call<Input, Data>(endpoint: Endpoint<Input, Data>, input: NoInfer<Input>): Promise<Data> {
    const { path, fields } = placedIn(endpoint, input);
    const called = { method: endpoint.method, path, input: Object.fromEntries(fields) };
    return new Promise((resolve, reject) => {
      const failed = (error: VenueError): void => {
        clearTimeout(timer);
        this.#early.delete(send);
        reject(error);
      };
      const done = (data: unknown): void => {
        clearTimeout(timer);
        // As over HTTP: the venue's tests hold it to that.
        resolve(data as Data);
      };
      const send = () => this.#ask('call', called, { done, failed });
      const timer = setTimeout(() => failed(noAnswer('no answer in time')), CALL_MAX_MS);
      this.#early.add(send);
      this.#connection.open();
      this.#flushSoon();
    });
  }

  /** Whether there is a network, when that may have changed: a break is noticed sooner. */
  look(isOnline: boolean): void {
    this.#connection.look(isOnline);
  }

  /** Nobody is told anything any more. */
  close(): void {
    for (const channel of this.#followed.names) this.#followed.forget(channel);
    this.#connection.close();
  }

  #address(): string {
    const url = new URL(PATH, this.#options.url);
    url.protocol = url.protocol.replace('http', 'ws');
    const login = this.#login;
    if (login !== undefined && 'account' in login) url.searchParams.set('account', login.account);
    return url.href;
  }

  #opened(): void {
    this.#isLoggedIn = this.#login !== undefined && 'account' in this.#login;
    this.#toLeave.clear();
    for (const channel of this.#followed.names) this.#toJoin.add(channel);
    if (!this.#isLoggedIn) this.#showKey();
    this.#flush();
  }

  /** Everything but the account begins anew: the venue may still have what comes after its seq. */
  #broken(isOurs: boolean): void {
    this.#isLoggedIn = false;
    this.#joined.clear();
    for (const { failed } of [...this.#waiting.values()]) failed(noAnswer('connection is broken'));
    this.#waiting.clear();
    for (const channel of this.#followed.names) {
      if (channel !== ACCOUNT) this.#followed.lose(channel);
    }
    const login = this.#login;
    if (!isOurs && login !== undefined && 'account' in login) login.onEnded?.();
  }

  /** By the clock of the venue, which is asked first. */
  #showKey(): void {
    const login = this.#login;
    if (login === undefined || !('sign' in login)) return;
    this.#ask(
      'ping',
      {},
      {
        done: (data) => void this.#sign(login, Number(Object(data).time)),
        failed: () => undefined,
      },
    );
  }

  async #sign(login: { readonly sign: Signer }, timeMs: number): Promise<void> {
    const unsigned = { method: 'LOGIN', target: PATH, body: '', timeMs };
    const shown = await Promise.resolve(login.sign.headers(unsigned)).catch(() => undefined);
    if (shown === undefined) this.#connection.reopen();
    if (shown === undefined || this.#login !== login || !this.#connection.isOpen) return;
    const fields = ['key', 'passphrase', 'time', 'signature'].map((name) => [
      name,
      shown[`x-outcry-${name}`],
    ]);
    this.#ask('login', Object.fromEntries(fields), {
      done: () => {
        this.#loginFailures = 0;
      },
      failed: (error) => this.#loginRefused(error),
    });
    // What is sent behind a login waits for it.
    this.#isLoggedIn = true;
    this.#flush();
  }

  /** The venue closes the connection, and the next one tries again; the second time is the last. */
  #loginRefused(error: VenueError): void {
    if (error.code === NO_ANSWER) return;
    this.#loginFailures += 1;
    if (this.#loginFailures < LOGIN_FAILURES_MAX) return;
    this.#login = undefined;
    this.#options.onRefused?.(error, 'login');
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    queueMicrotask(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (!this.#connection.isOpen) return;
    const isReady = this.#login === undefined || this.#isLoggedIn;
    if (isReady) this.#sendEarly();
    const joins = [...this.#toJoin].filter((channel) => channel !== ACCOUNT || this.#isLoggedIn);
    // A channel that is followed already brings no snapshot.
    const leaves = [...this.#toLeave, ...joins].filter((channel) => this.#joined.delete(channel));
    this.#toLeave.clear();
    for (const some of parts(leaves)) this.#ask('unsubscribe', { channels: some });
    for (const channel of joins) this.#toJoin.delete(channel);
    for (const some of parts(joins.filter((channel) => channel !== ACCOUNT))) this.#join(some);
    if (joins.includes(ACCOUNT)) this.#joinAccount(leaves.includes(ACCOUNT));
  }

  #sendEarly(): void {
    for (const send of this.#early) send();
    this.#early.clear();
  }

  #join(channels: readonly string[], since?: number): void {
    for (const channel of channels) this.#joined.add(channel);
    this.#ask(
      'subscribe',
      { channels, since },
      {
        done: (data) => {
          if (since !== undefined && Object(data).resumed === false) this.#followed.lose(ACCOUNT);
        },
        failed: (error) => this.#joinRefused(channels, error),
      },
    );
  }

  /** After a break it goes on; who has left it and asks again wants a snapshot. */
  #joinAccount(isAgain: boolean): void {
    const isNew = this.#followed.hasNewcomer(ACCOUNT);
    this.#join([ACCOUNT], isAgain || isNew ? undefined : this.#followed.seqOf(ACCOUNT));
  }

  /** A frame is done as a whole or not at all: then each channel is asked for by itself. */
  #joinRefused(channels: readonly string[], error: VenueError): void {
    if (error.code === NO_ANSWER) return;
    for (const channel of channels) this.#joined.delete(channel);
    if (LATER.includes(error.code)) this.#connection.reopen();
    else if (channels.length > 1) for (const channel of channels) this.#join([channel]);
    else for (const channel of channels) this.#options.onRefused?.(error, channel as Channel);
  }

  #hear(message: Answer | Pushed): void {
    if ('channel' in message) {
      if (!this.#followed.take(message)) {
        this.#toJoin.add(message.channel);
        this.#flush();
      }
      return;
    }
    const { id = 0, data, error, retryAfter } = message;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.done(data);
    else waiting?.failed(refusalOf(error, retryAfter));
  }

  #ask(op: string, fields: object, waiting?: Waiting): void {
    this.#connection.send(this.#frame(op, fields, waiting));
  }

  #frame(op: string, fields: object, waiting?: Waiting): string {
    this.#lastId += 1;
    if (waiting !== undefined) this.#waiting.set(this.#lastId, waiting);
    return JSON.stringify({ id: this.#lastId, op, ...fields });
  }
}

function parts(channels: readonly string[]): string[][] {
  const all: string[][] = [];
  for (let from = 0; from < channels.length; from += CHANNELS_MAX) {
    all.push(channels.slice(from, from + CHANNELS_MAX));
  }
  return all;
}

function noAnswer(why: string): VenueError {
  return new VenueError(NO_ANSWER, why, 0);
}

function refusalOf(failure: Failure, retryAfter: number | undefined): VenueError {
  const { kind, message, figures, hint } = failure;
  const retryAfterMs = retryAfter === undefined ? undefined : retryAfter * SECOND_MS;
  return new VenueError(kind, message, 0, { figures, hint, retryAfterMs });
}
