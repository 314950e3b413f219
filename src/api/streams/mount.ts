/** Opens the paths of the streams on the HTTP server, and closes their sockets with it. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { isRefused, type Refused, refuse, type Step } from '#domain';
import { Tally } from '../bounds/tally.ts';
import type { Frames } from '../dialect.ts';
import type { Principal } from '../keys/port.ts';
import type { Mounts } from '../mounts.ts';
import type { AppOptions, Contact } from '../options.ts';
import type { Admission } from '../plugins/admission.ts';
import type { Authenticated, Authenticator } from '../plugins/auth.ts';
import type { Gauge } from '../plugins/gauge.ts';
import { type Doors, refuseCaller } from '../plugins/guard.ts';
import { networkOf } from '../plugins/network.ts';
import { Outbox } from '../plugins/outbox.ts';
import { refuseSaying } from '../refusal.ts';
import type { RefusalForm } from '../refusal-form.ts';
import type { FrameCall } from '../request.ts';
import type { Sessions } from '../sessions.ts';
import { callerAddress } from './address.ts';
import { type Budgets, budgetsOf } from './budget.ts';
import type { SocketCalls } from './calls.ts';
import { CLOSE, Connection } from './connection.ts';
import { Connects } from './connects.ts';
import type { HeaderLogin, StreamDialect } from './dialect.ts';
import { Hub } from './hub.ts';
import { type ConnectionLimits, STREAM_LIMITS, type StreamLimits } from './limits.ts';
import { Session } from './session.ts';
import { StreamPaths } from './stream-paths.ts';

export interface StreamOptions
  extends Pick<
    AppOptions,
    | 'venue'
    | 'clock'
    | 'rateLimits'
    | 'log'
    | 'trustedProxies'
    | 'streamLimits'
    | 'followResets'
    | 'faults'
    | 'bounds'
    | 'contact'
  > {
  readonly streams: readonly StreamDialect[];
  /** Where the paths stand besides; nowhere else without it. */
  readonly mounts?: Mounts;
  /** Gives the status of a refused upgrade. */
  readonly frames: Frames;
  readonly auth: Authenticator;
  /** Calls in frames of a stream; nothing without it. */
  readonly callsOf?: (stream: StreamDialect) => SocketCalls | undefined;
  /** Undefined where nobody signs in. */
  readonly sessions?: Sessions | undefined;
  /** Undefined where nothing is limited. */
  readonly admission?: Admission | undefined;
  /** Under which names and on which listeners it is served. */
  readonly doors: Doors;
  /** Calls back with every released step, once the live views have it. */
  follow(listener: (step: Step) => void): void;
}

const SESSION_ENDED = 'session ended';
const RIGHTS_CHANGED = 'rights changed';
/** Connections of an address that may wait for a log that says nothing. */
const WAITING_PER_ADDRESS_MAX = 20;

/** Who has logged in by the handshake, and how its calls are judged where that is no key. */
interface Entered {
  readonly key: Principal;
  readonly may: FrameCall['signer'] | undefined;
}

/** A request to leave HTTP. */
interface Handshake {
  readonly request: IncomingMessage;
  readonly duplex: Duplex;
  readonly head: Buffer;
  readonly dialect: StreamDialect;
  /** Where the client is, behind trusted proxies. */
  readonly address: string;
}

export class Streams {
  readonly #hub: Hub;
  readonly #options: StreamOptions;
  readonly #limits: StreamLimits;
  readonly #paths: StreamPaths;
  /** Streams with the same limits are bounded together. */
  readonly #connects = new Map<Partial<ConnectionLimits>, Connects>();
  readonly #sockets: WebSocketServer;
  readonly #outbox = new Outbox();
  readonly #budgets: Budgets;
  /** Of an address, those that wait until what is shown is new. */
  readonly #unfresh = new Tally();

  constructor(options: StreamOptions) {
    const { venue, log, faults, rateLimits, clock, bounds, contact } = options;
    const nowMs = () => clock.nowMs();
    this.#options = options;
    this.#limits = options.streamLimits ?? STREAM_LIMITS;
    this.#budgets = budgetsOf(this.#limits);
    const limits = this.#limits;
    const shared = rateLimits ? bounds : undefined;
    const shown = { venue, faults, rateLimits, shared, contact };
    this.#hub = new Hub({ ...shown, log, limits, monotonicMs, nowMs });
    this.#paths = new StreamPaths(options.streams);
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.messageBytesMax,
    });
  }

  /** Whether a request is for a stream; only such may leave HTTP. */
  has(request: IncomingMessage): boolean {
    return this.#dialectOf(request) !== undefined;
  }

  #dialectOf(request: IncomingMessage): StreamDialect | undefined {
    return this.#paths.of(this.#targetOf(request), request.headers);
  }

  #targetOf(request: IncomingMessage): string {
    return this.#options.mounts?.targetOf(request) ?? request.url ?? '';
  }

  /** All, also as they are asked for elsewhere. */
  get paths(): readonly string[] {
    const { all } = this.#paths;
    return [...all, ...(this.#options.mounts?.withoutPrefix(all) ?? [])];
  }

  get gauges(): Gauge[] {
    return [
      {
        name: 'outcry_stream_connections',
        help: 'Open stream connections',
        read: () => this.#hub.connectionsCount,
      },
      {
        name: 'outcry_stream_unsent_bytes',
        help: 'Messages that stream clients have not read yet, over all connections',
        read: () => this.#hub.unsentBytes(),
      },
    ];
  }

  /** Serves the streams on the server of the app until the app closes. */
  install(app: FastifyInstance): void {
    app.server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
      this.#upgrade(request, duplex, head);
    });
    this.#options.follow((step) => this.#hub.onStep(step));
    this.#options.sessions?.onEnded((isEnded) => this.#hub.endKeys(isEnded, SESSION_ENDED));
    // Who follows by a key of that person logs in anew, and is held to what the person may now.
    const { auth, sessions } = this.#options;
    sessions?.onMakerChanged((personId) =>
      this.#hub.endKeys((key) => auth.makerOf(key) === personId, RIGHTS_CHANGED),
    );
    sessions?.follow({
      makers: () => [...this.#hub.loginKeys].flatMap((key) => auth.makerOf(key) ?? []),
      recheck: () => this.#hub.endKeys((key) => auth.isReadingOver(key), RIGHTS_CHANGED),
    });
    this.#options.followResets?.(() => this.#hub.endAll());
    app.addHook('preClose', () => this.#hub.close());
  }

  #upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const dialect = this.#dialectOf(request);
    const { admission, doors } = this.#options;
    const refused = refuseCaller(request, doors) ?? admission?.refuse('read');
    if (dialect === undefined) refuseUpgrade(duplex, { status: 404, body: '' });
    else if (refused !== undefined) this.#refuse(duplex, dialect, refused);
    else {
      const address = callerAddress(request, this.#options.trustedProxies);
      this.#enterInTurn({ request, duplex, head, dialect, address });
    }
  }

  #enterInTurn(handshake: Handshake): void {
    const { duplex, dialect, address } = handshake;
    const { admission } = this.#options;
    if (admission === undefined) {
      this.#enter(handshake);
      return;
    }
    duplex.on('error', ignore);
    const refused = admission.enter(address, 'stream', () => {
      duplex.off('error', ignore);
      if (!duplex.destroyed) this.#enter(handshake);
    });
    if (refused !== undefined) this.#refuse(duplex, dialect, refused);
  }

  #refuse(duplex: Duplex, dialect: StreamDialect, refused: Refused): void {
    const nowMs = this.#options.clock.nowMs();
    const { status } = this.#options.frames.of(dialect.paths[0].path).refusal(refused, nowMs);
    refuseUpgrade(duplex, dialect.handshakeRefused?.(refused, nowMs) ?? { status, body: '' });
  }

  /** Lets a client in whose address may have one more connection, to a state that is not old. */
  #enter(handshake: Handshake): void {
    const { duplex, dialect, address } = handshake;
    const connects = this.#connectsOf(dialect);
    if (connects?.enter(address, monotonicMs()) === false) {
      this.#refuse(duplex, dialect, refuseSaying('rate_exceeded', 'connections of an address'));
      return;
    }
    duplex.once('close', () => connects?.leave(address));
    const { contact } = this.#options;
    if (contact?.isFresh === false) void this.#admitWhenFresh(contact, handshake);
    else this.#admit(handshake);
  }

  async #admitWhenFresh(contact: Contact, handshake: Handshake): Promise<void> {
    const { duplex, dialect, address } = handshake;
    const network = networkOf(address);
    const waitingMax = this.#options.rateLimits ? WAITING_PER_ADDRESS_MAX : Infinity;
    if (!this.#unfresh.enter(network, waitingMax)) {
      this.#refuse(duplex, dialect, refuseSaying('rate_exceeded', 'connections that wait'));
      return;
    }
    const isFresh = await unheard(duplex, contact.ensure()).then(
      () => true,
      () => false,
    );
    this.#unfresh.leave(network);
    if (duplex.destroyed) return;
    if (isFresh) this.#admit(handshake);
    else this.#refuse(duplex, dialect, refuse('venue_halted'));
  }

  /** Lets a client in who has logged in, where that is done by headers. */
  #admit(handshake: Handshake): void {
    const { login } = handshake.dialect;
    const { sessions } = this.#options;
    const account = login && accountOf(handshake.request);
    if (sessions !== undefined && account !== undefined) {
      void this.#signIn(sessions, account, handshake);
    } else if (login?.by === 'headers') void this.#login(login, handshake);
    else this.#accept(handshake);
  }

  /** What bounds the connections of an address; undefined where nothing does. */
  #connectsOf({ limits }: StreamDialect): Connects | undefined {
    const { rateLimits, faults } = this.#options;
    if (limits?.connectsMax === undefined || !rateLimits || faults !== undefined) return undefined;
    const known = this.#connects.get(limits) ?? new Connects({ ...STREAM_LIMITS, ...limits });
    this.#connects.set(limits, known);
    return known;
  }

  async #login(login: HeaderLogin, handshake: Handshake): Promise<void> {
    const { request, address } = handshake;
    const { auth, clock } = this.#options;
    const attempt = login.read(request.headers);
    await this.#enterAs(attempt.check({ address, nowMs: clock.nowMs() }, auth), handshake);
  }

  /** By the cookie that the browser shows, and for the account in the query. */
  async #signIn(sessions: Sessions, account: string, handshake: Handshake): Promise<void> {
    const { request, address } = handshake;
    const { headers } = request;
    const nowMs = this.#options.clock.nowMs();
    const shown = { method: 'GET', headers, address };
    const may: FrameCall['signer'] = (use) =>
      sessions.connected(shown, account, use.permission, use.nowMs);
    await this.#enterAs(sessions.connected(shown, account, 'read', nowMs), handshake, may);
  }

  async #enterAs(
    checking: Authenticated | Promise<Authenticated>,
    handshake: Handshake,
    may?: FrameCall['signer'],
  ): Promise<void> {
    const { duplex, dialect } = handshake;
    const checked = await unheard(duplex, checking).catch(() => refuse('people_unavailable'));
    if (duplex.destroyed) return;
    // From here to the end nothing waits: a key revoked later finds the connection by its login.
    const key = isRefused(checked) || checked.isLive ? checked : refuse('credentials_wrong');
    if (isRefused(key)) this.#refuse(duplex, dialect, key);
    else this.#accept(handshake, { key, may });
  }

  #accept({ request, duplex, head, dialect, address }: Handshake, entered?: Entered): void {
    if (!this.#hub.makeRoom(address)) {
      this.#refuse(duplex, dialect, refuse('venue_busy'));
      return;
    }
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => {
      const { faults } = this.#options;
      const limits = { ...this.#limits, ...dialect.limits };
      const shared = { limits, outbox: this.#outbox, faults };
      const choices = { ...shared, dialect, address, nowMs: monotonicMs() };
      this.#serve(socket, new Connection(socket, duplex, choices), request, entered);
    });
  }

  #serve(
    socket: WebSocket,
    connection: Connection,
    request: IncomingMessage,
    entered: Entered | undefined,
  ): void {
    const { key, may } = entered ?? {};
    const { auth, clock, rateLimits, faults } = this.#options;
    const hub = this.#hub;
    const nowMs = () => clock.nowMs();
    const budgets = rateLimits ? this.#budgets : undefined;
    const calls = this.#options.callsOf?.(connection.dialect);
    const options = { hub, auth, calls, nowMs, monotonicMs, budgets, faults };
    const session = new Session(connection, options);
    const { dialect } = connection;
    hub.add(connection);
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (!isBinary) session.receive(data.toString());
      else if (dialect.readBinary === undefined) {
        connection.close(CLOSE.notText, 'text messages only');
      } else session.receiveBinary(dialect.readBinary(data.toString()));
    });
    // A message that breaks the protocol closes the socket with the fitting code by itself.
    socket.on('error', ignore);
    socket.on('ping', () => connection.heard(monotonicMs()));
    socket.on('close', () => hub.remove(connection));
    session.begin(request, key, may);
  }
}

/** The account that a page of a person asks for; it says none for what is public. */
function accountOf({ url = '' }: IncomingMessage): string | undefined {
  const query = url.split('?', 2)[1] ?? '';
  return new URLSearchParams(query).get('account') ?? undefined;
}

function monotonicMs(): number {
  return performance.now();
}

function ignore(): void {}

/** Meanwhile nobody else listens to the socket. */
async function unheard<T>(duplex: Duplex, waiting: Promise<T> | T): Promise<T> {
  duplex.on('error', ignore);
  try {
    return await waiting;
  } finally {
    duplex.off('error', ignore);
  }
}

/** The socket has no listener any more: errors that its client causes end here. */
function refuseUpgrade(duplex: Duplex, { status, body }: RefusalForm): void {
  duplex.on('error', ignore);
  duplex.once('finish', () => duplex.destroy());
  const retry = status === 503 || status === 429 ? 'Retry-After: 1\r\n' : '';
  const type = body === '' ? '' : 'Content-Type: application/json; charset=utf-8\r\n';
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${retry}${type}`;
  duplex.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
