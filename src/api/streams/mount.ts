/** Opens the paths of the streams on the HTTP server, and closes their sockets with it. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Refused, Step } from '#domain';
import type { Frames } from '../dialect.ts';
import type { AppOptions } from '../options.ts';
import type { Authenticator } from '../plugins/auth.ts';
import type { Gauge } from '../plugins/gauge.ts';
import { type Doors, refuseCaller } from '../plugins/guard.ts';
import { Outbox } from '../plugins/outbox.ts';
import { callerAddress } from './address.ts';
import { type Budgets, budgetsOf } from './budget.ts';
import { CLOSE, Connection } from './connection.ts';
import type { StreamDialect } from './dialect.ts';
import { Hub } from './hub.ts';
import { STREAM_LIMITS, type StreamLimits } from './limits.ts';
import { Session } from './session.ts';

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
  > {
  readonly streams: readonly StreamDialect[];
  /** Gives the status of a refused upgrade. */
  readonly frames: Frames;
  readonly auth: Authenticator;
  /** Under which names and on which listeners it is served. */
  readonly doors: Doors;
  /** Calls back with every released step, once the live views have it. */
  follow(listener: (step: Step) => void): void;
}

export class Streams {
  readonly #hub: Hub;
  readonly #options: StreamOptions;
  readonly #limits: StreamLimits;
  readonly #dialects: ReadonlyMap<string, StreamDialect>;
  readonly #sockets: WebSocketServer;
  readonly #outbox = new Outbox();
  readonly #budgets: Budgets;

  constructor(options: StreamOptions) {
    const { venue, log, faults, rateLimits } = options;
    this.#options = options;
    this.#limits = options.streamLimits ?? STREAM_LIMITS;
    this.#budgets = budgetsOf(this.#limits);
    this.#hub = new Hub({ venue, log, limits: this.#limits, monotonicMs, faults, rateLimits });
    this.#dialects = new Map(options.streams.map((dialect) => [dialect.path, dialect]));
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.messageBytesMax,
    });
  }

  /** Whether a request target belongs to a stream; only such may leave HTTP. */
  has(target: string | undefined): boolean {
    return this.#dialects.has(pathOf(target) ?? '');
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
    this.#options.followResets?.(() => this.#hub.endAll());
    app.addHook('preClose', () => this.#hub.close());
  }

  #upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const dialect = this.#dialects.get(pathOf(request.url) ?? '');
    const refused = refuseCaller(request, this.#options.doors);
    if (dialect === undefined) refuseUpgrade(duplex, 404);
    else if (refused !== undefined) refuseUpgrade(duplex, this.#statusOf(dialect, refused));
    else this.#accept(request, duplex, head, dialect);
  }

  #statusOf({ path }: StreamDialect, refused: Refused): number {
    return this.#options.frames.of(path).refusal(refused, 0).status;
  }

  #accept(request: IncomingMessage, duplex: Duplex, head: Buffer, dialect: StreamDialect): void {
    const address = callerAddress(request, this.#options.trustedProxies);
    if (!this.#hub.makeRoom(address)) {
      refuseUpgrade(duplex, 503);
      return;
    }
    this.#sockets.handleUpgrade(request, duplex, head, (socket) => {
      const { faults } = this.#options;
      const shared = { limits: this.#limits, outbox: this.#outbox, faults };
      const choices = { ...shared, dialect, address, nowMs: monotonicMs() };
      this.#serve(socket, new Connection(socket, duplex, choices));
    });
  }

  #serve(socket: WebSocket, connection: Connection): void {
    const { auth, clock, rateLimits, faults } = this.#options;
    const hub = this.#hub;
    const nowMs = () => clock.nowMs();
    const budgets = rateLimits ? this.#budgets : undefined;
    const options = { hub, auth, nowMs, monotonicMs, budgets, faults };
    const session = new Session(connection, options);
    hub.add(connection);
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) connection.close(CLOSE.notText, 'text messages only');
      else session.receive(data.toString());
    });
    // A message that breaks the protocol closes the socket with the fitting code by itself.
    socket.on('error', () => undefined);
    socket.on('ping', () => connection.heard(monotonicMs()));
    socket.on('close', () => hub.remove(connection));
    session.begin();
  }
}

function monotonicMs(): number {
  return performance.now();
}

function pathOf(target: string | undefined): string | undefined {
  return target?.split('?', 1)[0];
}

/** The socket has no listener any more: errors that its client causes end here. */
function refuseUpgrade(duplex: Duplex, status: number): void {
  duplex.on('error', () => undefined);
  duplex.once('finish', () => duplex.destroy());
  const retry = status === 503 ? 'Retry-After: 1\r\n' : '';
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${retry}`;
  duplex.end(`${head}Content-Length: 0\r\n\r\n`);
}
