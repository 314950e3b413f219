/**
 * Requests that come on one connection before the answers to earlier ones were read: so many are
 * worked on at a time, the others wait, and then the connection is read no further. A client that
 * asks and never reads costs the answers of those few.
 */
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

/** A connection as far as it is read. */
interface Read {
  pause(): unknown;
  resume(): unknown;
}

interface Pipeline {
  active: number;
  readonly waiting: (() => void)[];
  isPaused: boolean;
}

export class Pipelines {
  readonly #limits: PipelineLimits;
  readonly #pipelines = new WeakMap<Read, Pipeline>();

  constructor(hasTurns: boolean) {
    this.#limits = hasTurns ? WITH_TURNS : WITHOUT_TURNS;
  }

  /** Has a request of a connection go on, now or when there is room for it. */
  enter(socket: Read, go: () => void): void {
    const { activeMax, waitingMax } = this.#limits;
    const known = this.#pipelines.get(socket);
    const pipeline = known ?? { active: 0, waiting: [], isPaused: false };
    if (known === undefined) this.#pipelines.set(socket, pipeline);
    if (pipeline.active < activeMax) {
      pipeline.active += 1;
      go();
      return;
    }
    pipeline.waiting.push(go);
    if (pipeline.isPaused || pipeline.waiting.length < waitingMax) return;
    pipeline.isPaused = true;
    socket.pause();
  }

  /** The answer to one that went on has left this process. */
  leave(socket: Read): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return;
    const next = pipeline.waiting.shift();
    if (next === undefined) pipeline.active -= 1;
    else next();
    if (!pipeline.isPaused || 2 * pipeline.waiting.length >= this.#limits.waitingMax) return;
    pipeline.isPaused = false;
    socket.resume();
  }
}

/** Must run before anything else that looks at requests. */
export function boundPipelines(app: FastifyInstance, hasTurns: boolean): void {
  const pipelines = new Pipelines(hasTurns);
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => pipelines.enter(socket, done));
  // Comes once the answer has left this process, which it does not while the client does not read.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    done();
    pipelines.leave(socket);
  });
}
