/**
 * What is answered when no handler could: unknown paths, wrong methods, bodies that are too large,
 * broken HTTP, and faults of our own, which are logged without anything the client sent.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Refused, VenueHalted } from '#domain';
import type { Clock } from '#kernel';
import { refusalBody, refuse } from '#wire';
import type { Metrics } from './metrics.ts';
import { sendRefusal } from './reply.ts';

interface ErrorsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Status lines of what Node's parser gives up on; anything else is a bad request. */
const BROKEN_STATUS: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Must run before routes are added, because it learns the paths from them. */
export function answerErrors(app: FastifyInstance, options: ErrorsOptions): void {
  const { clock, log, metrics } = options;
  const paths = learnPaths(app);
  const refuseWith = (reply: FastifyReply, refused: Refused) => {
    metrics.refused(refused.reject);
    sendRefusal(reply, refused, clock.nowMs());
  };

  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const refused = refusalOf(error);
    if (refused.reject === 'internal_fault') log.error({ err: error }, 'request failed');
    refuseWith(reply, refused);
  });

  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(paths, request);
    if (methods === '') return refuseWith(reply, refuse('path_unknown'));
    reply.header('allow', methods);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return refuseWith(reply, refuse('method_not_allowed', `${request.method}, use ${methods}`));
  });
}

/** Answers a path that is not even a path, which never reaches the handlers above. */
export function answerBadPath(clock: Clock) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    sendRefusal(reply, refusalOf(error), clock.nowMs());
  };
}

/** What a thrown error looks like from outside: never its text, which may quote the request. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof VenueHalted) return refuse('venue_halted');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (code.startsWith('FST_ERR_CTP')) return refuse('body_not_json');
  if (code === 'FST_ERR_BAD_URL') return refuse('path_unknown');
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

/** Answers, on the bare socket, text that is no HTTP or comes too slowly. */
export function answerBrokenHttp(clock: Clock) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const refused = refuse('parameter_invalid', 'not a well-formed HTTP request in time');
    const body = refusalBody(refused, clock.nowMs());
    socket.end(
      `HTTP/1.1 ${BROKEN_STATUS.get(error.code ?? '') ?? '400 Bad Request'}\r\n` +
        'connection: close\r\ncontent-type: application/json; charset=utf-8\r\n' +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}
