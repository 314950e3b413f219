/**
 * The threads that speak HTTP for a venue, on one port. What they bring is served
 * by the app as if it had come on a socket of its own; what bounds callers counts over all.
 */
import { EventEmitter } from 'node:events';
import { isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { LIMITS } from '#domain';
import { present } from '#kernel';
import type { Certificate } from '../listeners.ts';
import type { Gauge } from '../plugins/gauge.ts';
import { type Market, ThreadLink } from './thread-link.ts';

/** Between the end of a thread and the next one in its place. */
const RESTART_MS = 200;

export interface HttpPlace {
  readonly host: string;
  readonly port: number;
  readonly count: number;
}

/** What of the app an HTTP thread has to know. */
interface Served {
  readonly tls?: Certificate;
  readonly rateLimits: boolean;
  readonly log: Logger;
  readonly streamPaths: readonly string[];
}

/** Emits `connection` with each one, as a server does. */
export class HttpThreads extends EventEmitter {
  readonly #place: HttpPlace;
  readonly #links: ThreadLink[] = [];
  #start: ((at: number) => ThreadLink) | undefined;
  #ready: (() => Promise<unknown>) | undefined;
  #log: Logger | undefined;
  #origin: string | undefined;
  #isClosing = false;

  constructor(place: HttpPlace) {
    super();
    this.#place = place;
  }

  /** Serves the app from `listen` on until it closes. */
  attach(
    app: FastifyInstance,
    { tls, rateLimits, streamPaths, log }: Served,
    brokenWords: Market['brokenWords'],
  ): void {
    const { bodyBytesMax } = LIMITS;
    const terms = { tls, hasTurns: rateLimits, streamPaths, bodyBytesMax };
    const market: Market = {
      request: (request, response) => app.routing(request, response),
      upgrade: (...upgrade) => void app.server.emit('upgrade', ...upgrade),
      opened: (socket) => void this.emit('connection', socket),
      brokenWords,
    };
    this.#start = (at) => new ThreadLink(`HTTP thread ${at + 1}`, terms, market);
    this.#ready = async () => app.ready();
    this.#log = log;
    app.addHook('preClose', () => this.#close());
  }

  /** Where it is reached, as in http://127.0.0.1:8787. */
  get origin(): string {
    return present(this.#origin, 'origin of HTTP threads that listen');
  }

  /** Resolves with where it is reached. */
  async listen(): Promise<string> {
    const { host, port, count } = this.#place;
    const start = present(this.#start, 'app of the HTTP threads');
    await this.#ready?.();
    for (let at = 0; at < count; at += 1) this.#links.push(start(at));
    const [first, ...others] = this.#links;
    // The first one learns which port it is; the others share it.
    const bound = (await (first && this.#listenAt(first, port))) ?? port;
    await Promise.all(others.map((link) => this.#listenAt(link, bound)));
    for (let at = 0; at < count; at += 1) void this.#watch(at, bound);
    this.#origin = `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`;
    return this.#origin;
  }

  closeAllConnections(): void {
    for (const link of this.#links) link.closeAllConnections();
  }

  get connectionsCount(): number {
    return this.#links.reduce((sum, link) => sum + link.connectionsCount, 0);
  }

  get gauges(): Gauge[] {
    const each = (read: (link: ThreadLink) => number) => () =>
      this.#links.map((link, at) => [String(at + 1), read(link)] as const);
    return [
      {
        name: 'outcry_http_thread_connections',
        help: 'Open connections, by the HTTP thread that has their sockets',
        label: 'thread',
        read: each((link) => link.connectionsCount),
      },
      {
        name: 'outcry_http_thread_lag_ms',
        help: 'How far an HTTP thread is behind with its work, for half a second or longer',
        label: 'thread',
        read: each((link) => link.lagMs),
      },
    ];
  }

  async #listenAt(link: ThreadLink, port: number): Promise<number> {
    const { host, count } = this.#place;
    try {
      return await link.listen(host, port, count > 1);
    } catch (cause) {
      const isUnknown = cause instanceof Error && 'code' in cause && cause.code === 'ENOTSUP';
      if (!isUnknown) throw cause;
      throw new Error('one HTTP thread at most can listen on a port of this system', { cause });
    }
  }

  /** A thread that ends takes its connections with it, and another one takes its place. */
  async #watch(at: number, port: number): Promise<void> {
    while (!this.#isClosing) {
      const fault = await this.#links[at]?.ended;
      if (this.#isClosing) return;
      this.#log?.error(
        { err: fault, thread: at + 1 },
        'an HTTP thread has ended: another one starts',
      );
      await setTimeout(RESTART_MS, undefined, { ref: false });
      if (this.#isClosing) return;
      const link = present(this.#start, 'app of the HTTP threads')(at);
      this.#links[at] = link;
      // One that cannot listen is of no use: it makes room for the next.
      await this.#listenAt(link, port).catch(() => link.terminate());
    }
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#links.map((link) => link.stop()));
  }
}
