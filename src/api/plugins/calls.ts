/**
 * Each call has an id that its answer carries as X-Request-Id and that every line of the log about
 * it has, so that a user's complaint leads to what happened. Calls that have ended are shown to
 * whoever watches them: the log at level debug, traces. Without one of them they cost nothing.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

const PREFIX_BYTES = 4;

/** What is known of a call once its answer is written. Nothing that was sent is in it. */
export interface EndedCall {
  readonly requestId: string;
  readonly method: string;
  /** As the route is documented, and empty for a path that is none. */
  readonly route: string;
  readonly status: number;
  /** In Unix milliseconds, with fractions. */
  readonly startMs: number;
  /** When the caller was known, counted and in turn; undefined for a call that was refused. */
  readonly admittedMs: number | undefined;
  readonly endMs: number;
  /** What the caller says of its own trace, unchecked. */
  readonly traceparent: string | undefined;
}

/** Must return soon: the next answers wait for it. */
export type CallWatcher = (call: EndedCall) => void;

/** Ids of the calls of one process: no other process, and no earlier life of it, has the same. */
export function requestIds(): () => string {
  const prefix = randomBytes(PREFIX_BYTES).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** When calls were admitted, for those who watch. */
export class CallMarks {
  readonly #admittedMs = new WeakMap<FastifyRequest, number>();

  admitted(request: FastifyRequest): void {
    this.#admittedMs.set(request, nowMs());
  }

  whenAdmitted(request: FastifyRequest): number | undefined {
    return this.#admittedMs.get(request);
  }
}

/** What ended calls are shown to; undefined where there is nobody to see them. */
export function endedCalls(log: Logger, watcher: CallWatcher | undefined): CallWatcher | undefined {
  if (!log.isLevelEnabled('debug')) return watcher;
  return (call) => {
    watcher?.(call);
    logCall(call, log);
  };
}

/** Shows ended calls to the watcher and the log; undefined where there is nobody to see them. */
export function watchCalls(
  app: FastifyInstance,
  log: Logger,
  watcher: CallWatcher | undefined,
): CallMarks | undefined {
  const onEnded = endedCalls(log, watcher);
  if (onEnded === undefined) return undefined;
  const marks = new CallMarks();
  app.addHook('onResponse', (request, reply, done) => {
    const endMs = nowMs();
    const { id: requestId, method, routeOptions, headers } = request;
    const { traceparent } = headers;
    onEnded({
      requestId,
      method,
      route: routeOptions.url ?? '',
      status: reply.statusCode,
      startMs: endMs - reply.elapsedTime,
      admittedMs: marks.whenAdmitted(request),
      endMs,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    done();
  });
  return marks;
}

function logCall({ startMs, endMs, requestId, method, route, status }: EndedCall, log: Logger) {
  const durationMs = Math.round((endMs - startMs) * 1_000) / 1_000;
  log.debug({ requestId, method, route, status, durationMs }, 'call answered');
}

/** Finer than a millisecond, as traces are. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
