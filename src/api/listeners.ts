/**
 * The HTTP servers, plain or with TLS, under the same bounds of time; and those apart: for
 * operator, desk and metrics, and for single dialects.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { assert, present } from '#kernel';
import { Incoming } from './incoming.ts';

/** A client that takes longer than this to send its request is cut off. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often late clients are looked for; Node's own half minute would let them stay that long. */
const LATE_CHECK_INTERVAL_MS = 1_000;
/** How long an idle connection is kept: longer than the idle time of usual load balancers. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A client that takes nothing of what waits for it for so long is cut off. */
const UNREAD_MAX_MS = 15_000;

/** A certificate chain and its key, as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ListenerOptions {
  readonly tls: Certificate | undefined;
  /** What leaves HTTP; anything else that wants to goes on as plain HTTP. */
  isUpgraded(request: IncomingMessage): boolean;
  readonly unreadMaxMs?: number;
}

export function createListener(
  { tls, isUpgraded, unreadMaxMs = UNREAD_MAX_MS }: ListenerOptions,
  handler: RequestListener,
): Server {
  const options: ServerOptions = {
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: LATE_CHECK_INTERVAL_MS,
    shouldUpgradeCallback: isUpgraded,
    IncomingMessage: Incoming,
    // Without a body there is no end of it to wait for.
    optimizeEmptyRequests: true,
  };
  const server =
    tls === undefined
      ? createServer(options, handler)
      : createTlsServer({ ...options, ...tls }, handler);
  server.setTimeout(unreadMaxMs, (socket) => {
    if (isWaiting(socket, unreadMaxMs)) socket.setTimeout(unreadMaxMs);
    else socket.destroy();
  });
  // An expectation that is not known is none: Node's own refusal would have no words.
  return server.on('checkExpectation', handler);
}

/** The client waits for an answer that takes its time: it has taken all that there was. */
function isWaiting({ timeout, writableLength }: Socket, unreadMaxMs: number): boolean {
  // While no request is open Node has set how long an idle connection is kept.
  return timeout === unreadMaxMs && writableLength === 0;
}

interface ListenerPlace {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/** Serves an app besides its own server; what is served here is decided by whoever asks `has`. */
export class OwnListener {
  readonly #place: ListenerPlace;
  #server: Server | undefined;
  readonly #sockets = new WeakSet<Duplex>();

  constructor(place: ListenerPlace) {
    this.#place = place;
  }

  /** True for a request that came in here. */
  has({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    return this.#sockets.has(socket);
  }

  /** Serves the app here, too, from `listen` on until it closes. */
  attach(app: FastifyInstance, options: ListenerOptions): void {
    const server = createListener(options, (request, response) => app.routing(request, response));
    this.#server = server;
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Duplex) => this.#sockets.add(socket));
    }
    // Streams, and the answers to broken HTTP, are those of the app's own server.
    for (const event of ['upgrade', 'clientError']) {
      server.on(event, (...given: unknown[]) => app.server.emit(event, ...given));
    }
    app.addHook('preClose', () => this.#close(server));
  }

  /** Resolves with where it is reached, as in http://127.0.0.1:8788. */
  async listen(): Promise<string> {
    const { scheme, host, port } = this.#place;
    const server = present(this.#server, 'app of the listener');
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    assert(typeof address === 'object' && address !== null, 'a listening server has an address');
    return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${address.port}`;
  }

  closeAllConnections(): void {
    this.#server?.closeAllConnections();
  }

  async #close(server: Server): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
}
