/**
 * Requests that come on one connection before the answers to earlier ones were read: so many are
 * worked on at a time, the others wait, and then the connection is read no further. A client that
 * asks and never reads costs the answers of those few.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests of one connection that are worked on or whose answer has not left. */
const ACTIVE_MAX = 32;
/** Waiting ones with which a connection is read no further, and goes on being read. */
const WAITING_MAX = 64;
const WAITING_RESUME = 32;

interface Pipeline {
  active: number;
  readonly waiting: (() => void)[];
  isPaused: boolean;
}

/** Must run before anything else that looks at requests. */
export function boundPipelines(app: FastifyInstance): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    const known = pipelines.get(socket);
    const pipeline = known ?? { active: 0, waiting: [], isPaused: false };
    if (known === undefined) pipelines.set(socket, pipeline);
    if (pipeline.active < ACTIVE_MAX) {
      pipeline.active += 1;
      done();
      return;
    }
    pipeline.waiting.push(done);
    if (pipeline.isPaused || pipeline.waiting.length < WAITING_MAX) return;
    pipeline.isPaused = true;
    socket.pause();
  });
  // Comes once the answer has left this process, which it does not while the client does not read.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    done();
    const pipeline = pipelines.get(socket);
    if (pipeline !== undefined) goOn(socket, pipeline);
  });
}

function goOn(socket: Socket, pipeline: Pipeline): void {
  const next = pipeline.waiting.shift();
  if (next === undefined) pipeline.active -= 1;
  else next();
  if (!pipeline.isPaused || pipeline.waiting.length >= WAITING_RESUME) return;
  pipeline.isPaused = false;
  socket.resume();
}
