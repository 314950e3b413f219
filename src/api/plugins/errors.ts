/**
 * What is answered when no handler could: unknown paths, wrong methods, bodies that are too large
 * or never came, and faults of our own, which are logged without anything the client sent.
 */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { HistoryUnavailable, PeopleUnavailable, type Refused, refuse, VenueHalted } from '#domain';
import type { Clock } from '#kernel';
import type { Frame, Frames } from '../dialect.ts';
import { refuseSaying } from '../refusal.ts';
import type { Metrics } from './metrics.ts';
import { sendRefusal } from './reply.ts';

interface ErrorsOptions {
  readonly frames: Frames;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What the router calls text that can be no path of ours: broken escapes, endless parts. */
const NO_PATH: ReadonlySet<string> = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

/** Status lines of what Node's parser gives up on; anything else is a bad request. */
const BROKEN_STATUS: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

const USUAL_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Must run before routes are added, because it learns the paths from them. */
export function answerErrors(app: FastifyInstance, options: ErrorsOptions): void {
  const { frames, clock, log, metrics } = options;
  const paths = learnPaths(app);
  const refuseWith = (request: FastifyRequest, reply: FastifyReply, refused: Refused) => {
    metrics.refused(refused.reject);
    sendRefusal(reply, frames.of(request.url), refused, clock.nowMs());
  };

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refused = refusalOf(error);
    if (refused.reject === 'internal_fault') {
      log.error({ err: error, requestId: request.id }, 'request failed');
    }
    refuseWith(request, reply, refused);
  });

  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(paths, request);
    if (methods === '') return refuseWith(request, reply, refuse('path_unknown'));
    reply.header('allow', methods);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const detail = `${request.method}, use ${methods}`;
    return refuseWith(request, reply, refuseSaying('method_not_allowed', detail));
  };
  app.setNotFoundHandler(answerUnknown);
  // Before the framework wants a body of a kind: it knows methods that no route here has.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && !USUAL_METHODS.has(request.method)) answerUnknown(request, reply);
    else done();
  });
}

/** Answers a path that is not even a path, which never reaches the handlers above. */
export function answerBadPath(clock: Clock, frames: Frames) {
  return (error: FastifyError, { url }: FastifyRequest, reply: FastifyReply): void => {
    sendRefusal(reply, frames.of(url), refusalOf(error), clock.nowMs());
  };
}

/** The last words to a connection that carries no HTTP, by the code of what was wrong. */
export function brokenText(code: string, clock: Clock, frame: Frame): string {
  const refused = refuseSaying('parameter_invalid', 'not a well-formed HTTP request in time');
  const { body } = frame.refusal(refused, clock.nowMs());
  return (
    `HTTP/1.1 ${BROKEN_STATUS.get(code) ?? '400 Bad Request'}\r\n` +
    'connection: close\r\ncontent-type: application/json; charset=utf-8\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** What a thrown error looks like from outside: never its text, which may quote the request. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof VenueHalted) return refuse('venue_halted');
  if (error instanceof HistoryUnavailable) return refuse('history_unavailable');
  if (error instanceof PeopleUnavailable) return refuse('people_unavailable');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (code.startsWith('FST_ERR_CTP')) return refuse('body_not_json');
  // The client left in the middle of its body: no one reads the answer, and it is no fault of ours.
  if (code === 'ECONNRESET') return refuseSaying('body_not_json', 'it ended early');
  if (NO_PATH.has(code)) return refuse('path_unknown');
  return refuse('internal_fault');
}

function learnPaths(app: FastifyInstance): Map<string, KnownPath> {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    paths.set(url, known);
    for (const one of [method].flat()) known.methods.add(one);
  });
  return paths;
}

/** A route as a pattern: `:name` stands for one part of the path, a trailing `*` for the rest. */
function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace(/\*$/, '.*')}$`);
}

function methodsOf(paths: ReadonlyMap<string, KnownPath>, request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '';
  for (const { pattern, methods } of paths.values()) {
    if (pattern.test(path)) return [...methods].sort().join(', ');
  }
  return '';
}
