/**
 * One connection to a stream: opened while it has listeners, kept alive, opened again when it
 * breaks. Every listener gets a snapshot first, after a break and after a gap as well.
 */
import { createStore, type Store } from '../store/store.ts';
import { textsNow } from '../texts/texts.ts';
import { measureClock, venueTimeMs } from './clock.ts';
import type { Dialect, Login, Pushed, Topic } from './dialects.ts';
import { sign } from './signing.ts';
import { type Listener, type Push, Subscriptions } from './subscriptions.ts';

/** live: messages arrive; stale: open but silent; closed: no listeners. */
export type StreamState = 'connecting' | 'live' | 'stale' | 'closed';

/** A stream accepts ten messages a second. */
const SEND_EVERY_MS = 150;
const TOPICS_PER_MESSAGE_MAX = 50;
const PING_EVERY_MS = 10_000;
/** How long the answer to a ping may take before the connection counts as stale, and as dead. */
const PONG_STALE_MS = 5_000;
const PONG_MAX_MS = 20_000;
const RECONNECT_MIN_MS = 1_000;
const RECONNECT_MAX_MS = 15_000;
/** A connection that lived so long was a good one: the next break is answered quickly again. */
const STEADY_MS = 30_000;
const LOGIN_FAILURES_MAX = 2;
const LOGIN_TEXT = 'GET/user/verify';

export class StreamClient {
  readonly state: Store<StreamState> = createStore<StreamState>('closed');
  /** Why the last login was refused; undefined while none was. */
  readonly loginFault: Store<string | undefined> = createStore<string | undefined>(undefined);
  readonly #dialect: Dialect;
  readonly #followed: Subscriptions;
  readonly #toSubscribe = new Map<string, Topic>();
  readonly #toUnsubscribe = new Map<string, Topic>();
  /** Topics that were asked for on this socket. */
  readonly #asked = new Set<string>();
  #login: Login | undefined;
  #isLoggedIn = false;
  #loginFailures = 0;
  #socket: WebSocket | undefined;
  #openedMs = 0;
  #heardMs = 0;
  #pingedMs = 0;
  #breaks = 0;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#followed = new Subscriptions(dialect);
  }

  /**
   * Listens to a topic until the returned function is called. Row is the type of its rows, as
   * messages.ts has them. A private topic begins after the login.
   */
  follow<Row>(topic: Topic, onPush: (push: Push<Row>) => void, onLost?: () => void): () => void {
    const listener: Listener<unknown> = {
      onPush: (push) => onPush({ ...push, rows: push.rows as readonly Row[] }),
      ...(onLost === undefined ? {} : { onLost }),
    };
    this.#followed.add(topic, listener);
    // Also when it is followed already: only a new snapshot is complete for the new listener.
    this.resync(topic);
    return () => {
      if (this.#followed.remove(topic, listener)) this.#drop(topic);
    };
  }

  /** Asks for a new snapshot, as when a checksum does not match. Updates until then are kept. */
  resync(topic: Topic): void {
    const key = this.#dialect.keyOf(topic);
    this.#toUnsubscribe.delete(key);
    this.#toSubscribe.set(key, topic);
    this.#connect();
    this.#flushSoon();
  }

  /** Whose private topics are followed; undefined without a login. */
  login(login: Login | undefined): void {
    if (login === this.#login) return;
    const { by } = this.#login ?? {};
    this.#login = login;
    this.#loginFailures = 0;
    this.loginFault.set(undefined);
    // A connection keeps the first login it had, and a session logs in while one is opened.
    const isAnother = this.#isLoggedIn || by === 'session' || login?.by === 'session';
    if (isAnother) this.#comeBack();
    else if (this.#isOpen) void this.#sendLogin();
  }

  get #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #drop(topic: Topic): void {
    const key = this.#dialect.keyOf(topic);
    this.#toSubscribe.delete(key);
    this.#toUnsubscribe.set(key, topic);
    this.#flushSoon();
  }

  #connect(): void {
    if (this.#socket !== undefined || this.#reconnectTimer !== undefined) return;
    this.state.set('connecting');
    const url = new URL(this.#dialect.path, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const login = this.#login;
    if (login?.by === 'session') url.searchParams.set('account', login.accountId);
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#openedMs = performance.now();
    this.#heardMs = this.#openedMs;
    this.#watchTimer ??= setInterval(() => this.#watch(), 1_000);
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#hear(String(data));
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#broken();
      if (login?.by === 'session' && login === this.#login) login.onClosed();
    };
  }

  #opened(): void {
    this.#heardMs = performance.now();
    this.#isLoggedIn = this.#login?.by === 'session';
    void this.#sendLogin();
    for (const topic of this.#followed.topics) {
      this.#toSubscribe.set(this.#dialect.keyOf(topic), topic);
    }
    this.#toUnsubscribe.clear();
    this.#asked.clear();
    this.#flush();
  }

  /** The socket is gone; while there are listeners, another is opened after a delay. */
  #broken(): void {
    const nowMs = performance.now();
    const wasSteady = nowMs - this.#openedMs > STEADY_MS;
    this.#breaks = wasSteady ? 1 : this.#breaks + 1;
    this.#socket = undefined;
    this.#isLoggedIn = false;
    this.#followed.lose();
    if (this.#followed.isEmpty) {
      clearInterval(this.#watchTimer);
      this.#watchTimer = undefined;
      this.state.set('closed');
      return;
    }
    this.state.set('connecting');
    const growthMs = RECONNECT_MIN_MS * 2 ** Math.min(this.#breaks - 1, 10);
    // Half of it by chance, so that a thousand pages do not come back in the same moment.
    const waitMs = Math.min(growthMs, RECONNECT_MAX_MS) * (0.5 + Math.random() / 2);
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = undefined;
      this.#connect();
    }, waitMs);
  }

  #reopen(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    this.#broken();
  }

  /** For another login: nothing broke, so nothing is waited for. */
  #comeBack(): void {
    if (this.#socket === undefined) return;
    this.#reopen();
    this.#breaks = 0;
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = undefined;
    if (!this.#followed.isEmpty) this.#connect();
  }

  #hear(text: string): void {
    this.#heardMs = performance.now();
    this.state.set('live');
    const message = this.#dialect.read(text);
    switch (message.kind) {
      case 'push':
        this.#take(message);
        break;
      case 'confirmed':
        this.#followed.confirm(message.key);
        break;
      case 'logged_in':
        this.#loggedIn();
        break;
      case 'login_refused':
        this.#loginRefused(`${message.code} ${textsNow().refusal(message.text)}`);
        break;
      case 'too_many_subscriptions':
        // They are counted per connection: a new one starts at none.
        this.#reopen();
        break;
      case 'pong':
      case 'ended':
      case 'refused':
        break;
    }
  }

  #take(push: Pushed): void {
    const topic = this.#followed.topicOf(push);
    if (this.#followed.take(push) === 'gap' && topic !== undefined) this.resync(topic);
  }

  #loggedIn(): void {
    this.#isLoggedIn = true;
    this.#loginFailures = 0;
    this.loginFault.set(undefined);
    for (const topic of this.#followed.topics) {
      if (this.#dialect.isPrivate(topic)) this.resync(topic);
    }
  }

  /** The venue closes the connection; a clock that was wrong may be right the next time. */
  #loginRefused(reason: string): void {
    this.#loginFailures += 1;
    void measureClock().catch(() => undefined);
    if (this.#loginFailures < LOGIN_FAILURES_MAX) return;
    this.loginFault.set(reason);
    this.#login = undefined;
  }

  async #sendLogin(): Promise<void> {
    const login = this.#login;
    const socket = this.#socket;
    if (login?.by !== 'key' || socket === undefined) return;
    const { credential } = login;
    try {
      const timestampS = String(Math.floor((await venueTimeMs()) / 1_000));
      const signature = await sign(credential.secret, timestampS + LOGIN_TEXT);
      if (socket.readyState !== WebSocket.OPEN || this.#login !== login) return;
      socket.send(this.#dialect.writeLogin(credential, timestampS, signature));
    } catch {
      // The clock could not be read: the venue is unreachable, and the connection shows it.
      this.#reopen();
    }
  }

  #flushSoon(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flush();
    }, SEND_EVERY_MS);
  }

  /** Sends at most one message of each kind; what is left waits for the next turn. */
  #flush(): void {
    const socket = this.#socket;
    if (socket === undefined || !this.#isOpen) return;
    const ended = takeSome(this.#toUnsubscribe, () => true);
    const begun = takeSome(
      this.#toSubscribe,
      (topic) => this.#isLoggedIn || !this.#dialect.isPrivate(topic),
    );
    // A topic that is followed already brings no snapshot.
    const again = begun.filter((topic) => this.#asked.has(this.#dialect.keyOf(topic)));
    const left = [...ended, ...again];
    if (left.length > 0) socket.send(this.#dialect.write('unsubscribe', left));
    if (begun.length > 0) socket.send(this.#dialect.write('subscribe', begun));
    for (const topic of ended) this.#asked.delete(this.#dialect.keyOf(topic));
    for (const topic of begun) this.#asked.add(this.#dialect.keyOf(topic));
    const isMoreLeft = Math.max(ended.length, begun.length) === TOPICS_PER_MESSAGE_MAX;
    if (isMoreLeft) this.#flushSoon();
  }

  /** Once a second, or a minute when hidden: a ping that is due, or a look for its answer. */
  #watch(): void {
    const nowMs = performance.now();
    const sinceMs = nowMs - this.#pingedMs;
    if (!this.#isOpen) {
      if (nowMs - this.#openedMs > PONG_MAX_MS && this.#socket !== undefined) this.#reopen();
    } else if (this.#heardMs < this.#pingedMs) {
      if (sinceMs > PONG_MAX_MS) this.#reopen();
      else if (sinceMs > PONG_STALE_MS) this.state.set('stale');
    } else if (sinceMs > PING_EVERY_MS) {
      this.#pingedMs = nowMs;
      this.#socket?.send('ping');
    }
  }
}

function takeSome(waiting: Map<string, Topic>, fits: (topic: Topic) => boolean): Topic[] {
  const taken: Topic[] = [];
  for (const [key, topic] of waiting) {
    if (taken.length === TOPICS_PER_MESSAGE_MAX) break;
    if (!fits(topic)) continue;
    taken.push(topic);
    waiting.delete(key);
  }
  return taken;
}
