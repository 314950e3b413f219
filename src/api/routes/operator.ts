/**
 * The door of the operator's routes: one bearer token opens them all, and every answer has the
 * frame and the errors of the rest of the API. What a call does is the business of its handler.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Refused } from '#domain';
import { type Clock, present } from '#kernel';
import { type Endpoint, isRefused, type JsonObject, refuse, unknownField } from '#wire';
import { jsonBody } from '../plugins/body.ts';
import { refusalOf } from '../plugins/errors.ts';
import { FailedChecks } from '../plugins/failed-checks.ts';
import { networkOf } from '../plugins/network.ts';
import { retryAfter, sendData, sendRefusal } from '../plugins/reply.ts';

export interface DoorOptions {
  readonly token: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** False switches the limit on wrong tokens off. */
  readonly rateLimits: boolean;
}

/** What a handler is given: the parts of the path by name, and the fields of the body or query. */
export interface OperatorCall {
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly input: JsonObject;
}

/** Answers with plain data, ready for JSON, or with the reason for a refusal. */
export type OperatorHandler = (call: OperatorCall) => Promise<object | Refused>;

/** Wrong tokens one network may try; beyond that no token of it is even compared. */
const WRONG_TOKENS = { limit: 10, windowMs: 1_000 };

export class OperatorDoor {
  readonly #options: DoorOptions;
  readonly #tokenDigest: Buffer;
  readonly #wrongTokens: FailedChecks | undefined;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#tokenDigest = hash('sha256', options.token, 'buffer');
    this.#wrongTokens = options.rateLimits ? new FailedChecks(WRONG_TOKENS) : undefined;
  }

  /** Adds the route of every endpoint of a table. */
  add<Name extends string>(
    app: FastifyInstance,
    endpoints: Readonly<Record<Name, Endpoint>>,
    handlers: Readonly<Record<Name, OperatorHandler>>,
  ): void {
    const handlerOf: Readonly<Record<string, OperatorHandler>> = handlers;
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const handler = present(handlerOf[name], `handler of ${name}`);
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => this.#answer(endpoint, handler, request, reply),
      });
    }
  }

  async #answer(
    endpoint: Endpoint,
    handler: OperatorHandler,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { clock, log } = this.#options;
    const result = await this.#outcome(endpoint, handler, request, reply).catch(
      (error: unknown) => {
        const refused = refusalOf(error);
        if (refused.reject === 'internal_fault') log.error({ err: error }, 'operator call failed');
        return refused;
      },
    );
    if (isRefused(result)) sendRefusal(reply, result, clock.nowMs());
    else sendData(reply, JSON.stringify(result), clock.nowMs());
    return reply;
  }

  async #outcome(
    endpoint: Endpoint,
    handler: OperatorHandler,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object | Refused> {
    const refused = this.#guard(request, reply);
    if (refused !== undefined) return refused;
    const input = request.method === 'GET' ? queryOf(request) : jsonBody(request);
    if (isRefused(input)) return input;
    return unknownField(endpoint, input) ?? handler({ path: pathOf(request), input });
  }

  /** Compares digests: neither content nor length of the token shows in the time it takes. */
  #guard(request: FastifyRequest, reply: FastifyReply): Refused | undefined {
    const network = networkOf(request.ip);
    const waitMs = this.#wrongTokens?.waitMs(network) ?? 0;
    if (waitMs > 0) {
      retryAfter(reply, waitMs);
      return refuse('rate_exceeded', 'wrong admin tokens');
    }
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(hash('sha256', given, 'buffer'), this.#tokenDigest)) return undefined;
    this.#wrongTokens?.note(network);
    return refuse('admin_token_wrong');
  }
}

function queryOf({ query }: FastifyRequest): JsonObject {
  return typeof query === 'object' && query !== null ? { ...query } : {};
}

function pathOf({ params }: FastifyRequest): OperatorCall['path'] {
  return typeof params === 'object' && params !== null ? { ...params } : {};
}
