/**
 * Requests that come on one connection before the answers to earlier ones were read: so many are
 * worked on at a time, the others wait, and then the connection is read no further. A client that
 * asks and never reads costs the answers of those few.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Of one connection. */
interface PipelineLimits {
  /** Requests that are worked on or whose answer has not left. */
  readonly activeMax: number;
  /** Waiting ones with which it is read no further; with half of them it is read again. */
  readonly waitingMax: number;
}

const WITHOUT_TURNS: PipelineLimits = { activeMax: 32, waitingMax: 64 };
/** Where requests take turns, a connection that asks far ahead would fill the lines. */
const WITH_TURNS: PipelineLimits = { activeMax: 2, waitingMax: 8 };

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Waiting {
  readonly exchange: Exchange;
  go(): void;
}

interface Pipeline {
  active: number;
  readonly waiting: Waiting[];
  isPaused: boolean;
  /** What went on last. */
  last: Exchange | undefined;
}

export class Pipelines {
  readonly #limits: PipelineLimits;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();

  constructor(hasTurns: boolean) {
    this.#limits = hasTurns ? WITH_TURNS : WITHOUT_TURNS;
  }

  /** Has a request of a connection go on, now or when there is room for it. */
  enter(exchange: Exchange, go: () => void): void {
    const { socket } = exchange.request;
    const { activeMax, waitingMax } = this.#limits;
    const known = this.#pipelines.get(socket);
    const pipeline = known ?? { active: 0, waiting: [], isPaused: false, last: undefined };
    if (known === undefined) this.#pipelines.set(socket, pipeline);
    if (pipeline.active < activeMax) {
      pipeline.active += 1;
      pipeline.last = exchange;
      go();
      return;
    }
    pipeline.waiting.push({ exchange, go });
    if (pipeline.isPaused || pipeline.waiting.length < waitingMax) return;
    pipeline.isPaused = true;
    socket.pause();
  }

  /** The answer to one that went on has left this process. */
  leave(socket: Socket): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return;
    const next = pipeline.waiting.shift();
    if (next === undefined) pipeline.active -= 1;
    else {
      pipeline.last = next.exchange;
      next.go();
    }
    if (!pipeline.isPaused || 2 * pipeline.waiting.length >= this.#limits.waitingMax) return;
    pipeline.isPaused = false;
    socket.resume();
  }

  /** The last request of a connection that went on. */
  lastOf(socket: Socket): Exchange | undefined {
    return this.#pipelines.get(socket)?.last;
  }
}

/** Must run before anything else that looks at requests. */
export function boundPipelines(app: FastifyInstance, pipelines: Pipelines): void {
  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) =>
    pipelines.enter({ request, response }, done),
  );
  // Comes once the answer has left this process, which it does not while the client does not read.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    done();
    pipelines.leave(socket);
  });
}
