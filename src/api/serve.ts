/**
 * Binds the endpoints of the dialects to HTTP: each call takes its road, and its answer leaves with
 * the others of its turn.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isRefused, type Refused, type RejectKind } from '#domain';
import type { Clock } from '#kernel';
import type { Dialect } from './dialect.ts';
import type { Answer, Call, Endpoint, Route } from './endpoint.ts';
import type { CallFaults, Exit } from './faults/calls.ts';
import type { CallMarks } from './plugins/calls.ts';
import { refusalOf } from './plugins/errors.ts';
import type { Metrics } from './plugins/metrics.ts';
import type { Outbox } from './plugins/outbox.ts';
import { retryAfter, sendBare, sendData, sendFile, sendRefusal } from './plugins/reply.ts';
import { HttpRequest } from './request.ts';
import { Road, type RoadOptions } from './road.ts';

export interface ServeOptions extends RoadOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbox: Outbox;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: CallFaults | undefined;
  /** Undefined where nobody watches. */
  readonly marks: CallMarks | undefined;
}

/** Adds a route of a dialect. */
export function serve(
  app: FastifyInstance,
  options: ServeOptions,
  dialect: Dialect,
  route: Route,
): void {
  const { endpoint } = route;
  const { clock, outbox, marks, log } = options;
  const road = new Road(route, dialect, options);
  // What goes wrong on purpose must not keep the operator from ending it.
  const faults = endpoint.permission === 'operator' ? undefined : options.faults;
  const execute = (request: FastifyRequest, reply: FastifyReply, nowMs: number, exit: Exit) => {
    const finish = (answer: Answer) => send(options, dialect, endpoint, reply, answer, nowMs, exit);
    const fail = (error: unknown) => finish(faultOf(error, String(request.id), endpoint, log));
    const onAdmitted = marks && (() => marks.admitted(request));
    try {
      const asked = new HttpRequest(request);
      const path = pathOf(request);
      const answer = road.answer({ asked, head: reply, nowMs, path, onAdmitted });
      if (answer instanceof Promise) answer.then(finish, fail);
      else finish(answer);
    } catch (error) {
      fail(error);
    }
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // Not async: the framework would watch each reply until it is sent, which the outbox does.
    handler: (request, reply) => {
      const nowMs = clock.nowMs();
      if (faults === undefined) return execute(request, reply, nowMs, outbox);
      const { headers, url: target } = request;
      const key = dialect.signer.keyOf({ headers, target });
      const refuse = (refused: Refused, exit: Exit, status?: number) => {
        options.metrics.refused(refused.reject);
        exit.add(() => sendRefusal(reply, dialect.frame, refused, nowMs, status));
      };
      const call = {
        endpoint,
        key,
        client: reply.raw,
        cut: () => request.raw.socket.destroy(),
        retryAfter: (waitMs: number) => retryAfter(reply, waitMs),
        refuse,
      };
      faults.serve(call, (exit) => execute(request, reply, nowMs, exit));
    },
  });
}

/** Of ours, or of what we keep: the operator has to hear of it. */
const OWN_FAULTS: ReadonlySet<RejectKind> = new Set([
  'internal_fault',
  'history_unavailable',
  'people_unavailable',
]);

/** What is answered to a call that failed; what is our own fault is logged. */
export function faultOf(
  error: unknown,
  requestId: string,
  { method, path }: Endpoint,
  log: Logger,
): Refused {
  const refused = refusalOf(error);
  const isOurs = OWN_FAULTS.has(refused.reject);
  if (isOurs) log.error({ err: error, requestId, method, route: path }, 'call failed');
  return refused;
}

function send(
  { metrics }: ServeOptions,
  { frame }: Dialect,
  { bare }: Endpoint,
  reply: FastifyReply,
  answer: Answer,
  nowMs: number,
  exit: Exit,
): void {
  if (isRefused(answer)) {
    metrics.refused(answer.reject);
    exit.add(() => sendRefusal(reply, frame, answer, nowMs));
  } else if (typeof answer !== 'string' && 'parts' in answer) {
    exit.add(() => sendFile(reply, answer));
  } else if (bare) {
    exit.add(() => sendBare(reply, answer));
  } else {
    exit.add(() => sendData(reply, frame, answer, nowMs));
  }
}

const NO_PARAMETERS: Call['path'] = {};

function pathOf({ params }: FastifyRequest): Call['path'] {
  return typeof params === 'object' && params !== null ? { ...params } : NO_PARAMETERS;
}
