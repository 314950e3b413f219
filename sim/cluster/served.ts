/**
 * What a process of a cluster serves: the application of a server with both dialects and their
 * streams, over its own live views. Clients reach it over the simulated network; HTTP itself is
 * left out, from the router on everything runs as it does behind a socket.
 */
import { EventEmitter } from 'node:events';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { buildApp, STREAM_LIMITS, type StreamLimits } from '#api';
import type { Member } from '#cluster';
import { classicDialect, currentDialect } from '#dialects';
import type { Step } from '#domain';
import type { Engine } from '#engine';
import type { Clock } from '#kernel';
import { LiveMarkets } from '#market-data';
import { seedLive } from '#venue';
import { SimulatedKeys } from './keys.ts';
import { pastOf } from './past.ts';
import type { Published } from './streams/published.ts';
import type { Life } from './world.ts';

export const API_PORT = 8080;
const ACCOUNTS_MAX = 3;

export type ApiCall = Pick<InjectOptions, 'method' | 'url' | 'headers' | 'payload'>;

export interface ApiReply {
  readonly status: number;
  readonly body: string;
}

export interface ServedParts {
  readonly life: Life;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly published: Published;
  readonly limits: Partial<StreamLimits>;
}

export class Served {
  readonly #parts: ServedParts;
  readonly #live = new LiveMarkets();
  readonly #listeners: ((step: Step) => void)[] = [];

  private constructor(parts: ServedParts) {
    this.#parts = parts;
  }

  /** With what the process has recovered. */
  static async recovered(parts: ServedParts): Promise<Served> {
    const served = new Served(parts);
    const { engine, published } = parts;
    await seedLive(served.#live, engine, pastOf(published, engine.seq));
    return served;
  }

  /** A step is released. */
  onStep(step: Step): void {
    this.#live.apply(step);
    for (const listener of this.#listeners) listener(step);
  }

  /** From here on clients are let in. */
  async listen(member: Member): Promise<void> {
    const { engine, clock, published, limits, life } = this.#parts;
    const app = buildApp({
      dialects: [classicDialect, currentDialect],
      venue: member.venue,
      live: this.#live,
      history: pastOf(published, engine.seq),
      historyReady: async () => undefined,
      keys: new SimulatedKeys(ACCOUNTS_MAX),
      rateLimits: false,
      log: pino({ level: 'silent' }),
      trustedProxies: [],
      contact: member.contact,
      isSuspended: () => member.isSuspended,
      notReadyReason: () => member.venue.haltReason?.message,
      clock,
      gauges: [],
      streamLimits: { ...STREAM_LIMITS, ...limits },
      follow: (listener) => this.#listeners.push(listener),
    });
    await app.ready();
    open(app, life);
  }
}

function open(app: FastifyInstance, life: Life): void {
  const { listeners } = life.world;
  const place = `${life.host}:${API_PORT}`;
  const server = new EventEmitter();
  server.on('upgrade', (...given: unknown[]) => app.server.emit('upgrade', ...given));
  server.on('call', (call: ApiCall, answer: (reply: ApiReply) => void) => {
    app.inject(call).then(
      ({ statusCode: status, body }) => answer({ status, body }),
      (error: unknown) => life.world.fail(error),
    );
  });
  listeners.set(place, { life, server });
  life.onEnd(() => {
    if (listeners.get(place)?.server === server) listeners.delete(place);
  });
}
