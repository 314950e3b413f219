/**
 * The life of a call, the same for every endpoint: who asks (1), how often (2), in what words (3),
 * the handler (4), the answer (5), which leaves with the others of its turn. A call that fails in
 * 1 to 3 never reaches the venue.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type AccountId, LIMITS, type Refused } from '#domain';
import { assert, type Clock, present } from '#kernel';
import { type DataJson, type Endpoint, isRefused, type JsonObject, refuse } from '#wire';
import type { CallFaults, Exit } from './faults/calls.ts';
import type { ApiKey } from './keys/port.ts';
import type { Authenticated, Authenticator, SignedRequest } from './plugins/auth.ts';
import { jsonBody, rawBody } from './plugins/body.ts';
import { refusalOf } from './plugins/errors.ts';
import type { Metrics } from './plugins/metrics.ts';
import type { Outbox } from './plugins/outbox.ts';
import { RateLimiter } from './plugins/rate-limit.ts';
import { retryAfter, sendBare, sendData, sendRefusal } from './plugins/reply.ts';

/** The encoded `data` of a success, or the reason for a refusal. */
export type Answer = DataJson | Refused;

/** Answers anybody. */
export type PublicHandler = (input: JsonObject, nowMs: number) => Answer | Promise<Answer>;

/** The signer of a call: checked again after every wait before something is changed. */
export type Caller = Pick<ApiKey, 'isLive'>;

/** Answers the owner of an account. */
export type PrivateHandler = (
  input: JsonObject,
  accountId: AccountId,
  nowMs: number,
  caller: Caller,
) => Answer | Promise<Answer>;

export interface ServeOptions {
  readonly auth: Authenticator;
  readonly clock: Clock;
  readonly rateLimits: boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbox: Outbox;
  /** Undefined unless the venue is a sandbox. */
  readonly faults: CallFaults | undefined;
}

/** A caller who may go on: whom to count the call for, and the handler bound to them. */
interface Admission {
  readonly caller: string;
  answer(input: JsonObject): Answer | Promise<Answer>;
}

type Admitted = Admission | Refused;

/** At once if it can be: every promise on the way of an order costs it a part of a microsecond. */
type Admit = (request: FastifyRequest, nowMs: number) => Admitted | Promise<Admitted>;

/** Adds the route of an endpoint that anybody may call. */
export function servePublic(
  app: FastifyInstance,
  options: ServeOptions,
  endpoint: Endpoint,
  handler: PublicHandler,
): void {
  assert(endpoint.permission === 'none', `${endpoint.path} is not public`);
  addRoute(app, options, endpoint, (request, nowMs) => ({
    caller: request.ip,
    answer: (input) => handler(input, nowMs),
  }));
}

/** Adds the route of an endpoint that takes a signed request. */
export function servePrivate(
  app: FastifyInstance,
  options: ServeOptions,
  endpoint: Endpoint,
  handler: PrivateHandler,
): void {
  const { permission } = endpoint;
  assert(permission !== 'none' && permission !== 'operator', `${endpoint.path} is not signed`);
  addRoute(app, options, endpoint, (request, nowMs) => {
    const admit = (key: Authenticated): Admitted =>
      isRefused(key)
        ? key
        : {
            caller: `account ${key.accountId}`,
            answer: (input) => answerOwner(handler, input, key, nowMs),
          };
    const key = options.auth.request(signedRequest(request), permission, nowMs);
    return key instanceof Promise ? key.then(admit) : admit(key);
  });
}

/** Counting the call has waited, too. */
function answerOwner(
  handler: PrivateHandler,
  input: JsonObject,
  key: ApiKey,
  nowMs: number,
): Answer | Promise<Answer> {
  if (!key.isLive) return refuse('credentials_wrong');
  return handler(input, key.accountId, nowMs, key);
}

function signedRequest(request: FastifyRequest): SignedRequest {
  const { method, url } = request.raw;
  return {
    headers: request.headers,
    method: present(method, 'method'),
    target: present(url, 'request target'),
    body: rawBody(request),
    address: request.ip,
  };
}

function addRoute(
  app: FastifyInstance,
  options: ServeOptions,
  endpoint: Endpoint,
  admit: Admit,
): void {
  const limiter = options.rateLimits ? limiterOf(endpoint) : undefined;
  const { clock, outbox, faults } = options;
  const execute = (request: FastifyRequest, reply: FastifyReply, nowMs: number, exit: Exit) => {
    answerCall(request, reply, nowMs, admit, limiter).then(
      (answer) => send(options, endpoint, reply, answer, nowMs, exit),
      (error: unknown) => send(options, endpoint, reply, faultOf(error, options.log), nowMs, exit),
    );
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    // Not async: the framework would watch each reply until it is sent, which the outbox does.
    handler: (request, reply) => {
      const nowMs = clock.nowMs();
      if (faults === undefined) return execute(request, reply, nowMs, outbox);
      const call = { endpoint, request, reply, nowMs };
      faults.serve(call, (exit) => execute(request, reply, nowMs, exit));
    },
  });
}

function faultOf(error: unknown, log: Logger): Refused {
  const refused = refusalOf(error);
  const isOurs = refused.reject === 'internal_fault' || refused.reject === 'history_unavailable';
  if (isOurs) log.error({ err: error }, 'call failed');
  return refused;
}

function send(
  { metrics }: ServeOptions,
  { bare }: Endpoint,
  reply: FastifyReply,
  answer: Answer,
  nowMs: number,
  exit: Exit,
): void {
  if (isRefused(answer)) {
    metrics.refused(answer.reject);
    exit.add(() => sendRefusal(reply, answer, nowMs));
  } else if (bare) {
    exit.add(() => sendBare(reply, answer));
  } else {
    exit.add(() => sendData(reply, answer, nowMs));
  }
}

function limiterOf(endpoint: Endpoint): RateLimiter | undefined {
  return endpoint.rate === null ? undefined : new RateLimiter(endpoint.rate);
}

async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  nowMs: number,
  admit: Admit,
  limiter: RateLimiter | undefined,
): Promise<Answer> {
  if (request.url.length > LIMITS.targetLengthMax) {
    return refuse('parameter_invalid', `path and query over ${LIMITS.targetLengthMax} characters`);
  }
  const admitted = admit(request, nowMs);
  const admission = admitted instanceof Promise ? await admitted : admitted;
  if (isRefused(admission)) return admission;
  const waitMs = limiter === undefined ? 0 : await limiter.take(admission.caller);
  if (waitMs > 0) return refuseFor(reply, waitMs);
  const input = request.method === 'POST' ? jsonBody(request) : queryOf(request);
  return isRefused(input) ? input : admission.answer(input);
}

function refuseFor(reply: FastifyReply, waitMs: number): Refused {
  retryAfter(reply, waitMs);
  return refuse('rate_exceeded');
}

function queryOf(request: FastifyRequest): JsonObject {
  const { query } = request;
  return typeof query === 'object' && query !== null ? { ...query } : {};
}
