/**
 * Requests that come on one connection before the answers to earlier ones were read: so many are
 * worked on at a time, the others wait, and then the connection is read no further. A client that
 * asks and never reads costs the answers of those few.
 */
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

interface Pipeline {
  active: number;
  readonly waiting: (() => void)[];
  isPaused: boolean;
}

/** Must run before anything else that looks at requests. */
export function boundPipelines(app: FastifyInstance, hasTurns: boolean): void {
  const limits = hasTurns ? WITH_TURNS : WITHOUT_TURNS;
  const pipelines = new WeakMap<Socket, Pipeline>();
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    const known = pipelines.get(socket);
    const pipeline = known ?? { active: 0, waiting: [], isPaused: false };
    if (known === undefined) pipelines.set(socket, pipeline);
    if (pipeline.active < limits.activeMax) {
      pipeline.active += 1;
      done();
      return;
    }
    pipeline.waiting.push(done);
    if (pipeline.isPaused || pipeline.waiting.length < limits.waitingMax) return;
    pipeline.isPaused = true;
    socket.pause();
  });
  // Comes once the answer has left this process, which it does not while the client does not read.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    done();
    const pipeline = pipelines.get(socket);
    if (pipeline !== undefined) goOn(socket, pipeline, limits);
  });
}

function goOn(socket: Socket, pipeline: Pipeline, { waitingMax }: PipelineLimits): void {
  const next = pipeline.waiting.shift();
  if (next === undefined) pipeline.active -= 1;
  else next();
  if (!pipeline.isPaused || 2 * pipeline.waiting.length >= waitingMax) return;
  pipeline.isPaused = false;
  socket.resume();
}
