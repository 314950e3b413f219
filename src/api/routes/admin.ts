/**
 * The operator's routes: one bearer token opens them all, every change is a command through the
 * venue like any other, and every answer has the frame and the errors of the rest of the API.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Refused, VenuePort } from '#domain';
import type { Clock } from '#kernel';
import {
  ADMIN_ENDPOINT_NAMES,
  ADMIN_ENDPOINTS,
  type AdminEndpointName,
  isRefused,
  type JsonObject,
  refuse,
  unknownField,
} from '#wire';
import type { KeyVault } from '../keys/vault.ts';
import type { AppOptions } from '../options.ts';
import { jsonBody } from '../plugins/body.ts';
import { refusalOf } from '../plugins/errors.ts';
import { RateLimiter } from '../plugins/rate-limit.ts';
import { retryAfter, sendData, sendRefusal } from '../plugins/reply.ts';
import { accountHandlers } from './admin-accounts.ts';
import { contractHandlers } from './admin-contracts.ts';
import { listingHandlers } from './admin-listings.ts';
import { moneyHandlers } from './admin-money.ts';

export interface AdminOptions extends Pick<AppOptions, 'history' | 'historyReady'> {
  readonly venue: VenuePort;
  readonly vault: KeyVault;
  readonly token: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** False switches the limit on wrong tokens off. */
  readonly rateLimits: boolean;
}

/** What a handler is given: the parts of the path by name, and the fields of the body or query. */
export interface AdminCall {
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly input: JsonObject;
}

/** Answers with plain data, ready for JSON, or with the reason for a refusal. */
export type AdminHandler = (call: AdminCall) => Promise<object | Refused>;

/** Wrong tokens one address may try; a token is long, but the operator may have chosen it. */
const WRONG_TOKENS = { limit: 10, windowMs: 1_000 };

/** Adds every operator endpoint. */
export function addAdminRoutes(app: FastifyInstance, options: AdminOptions): void {
  const handlers: Record<AdminEndpointName, AdminHandler> = {
    ...accountHandlers(options.venue, options.vault),
    ...moneyHandlers(options.venue),
    ...listingHandlers(options.venue),
    ...contractHandlers(options),
  };
  const guard = tokenGuard(options);
  for (const name of ADMIN_ENDPOINT_NAMES) {
    const { method, path } = ADMIN_ENDPOINTS[name];
    const handle: AdminHandler = async (call) =>
      unknownField(name, call.input) ?? handlers[name](call);
    app.route({
      method,
      url: path,
      handler: (request, reply) => answer(options, guard, handle, request, reply),
    });
  }
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<Refused | undefined>;

/** Compares digests, so that neither content nor length of the token shows in the time it takes. */
function tokenGuard({ token, rateLimits }: AdminOptions): Guard {
  const expected = hash('sha256', token, 'buffer');
  const limiter = rateLimits ? new RateLimiter(WRONG_TOKENS) : undefined;
  return async (request, reply) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(hash('sha256', given, 'buffer'), expected)) return undefined;
    const waitMs = limiter === undefined ? 0 : await limiter.take(request.ip);
    if (waitMs === 0) return refuse('admin_token_wrong');
    retryAfter(reply, waitMs);
    return refuse('rate_exceeded');
  };
}

async function answer(
  options: AdminOptions,
  guard: Guard,
  handler: AdminHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const nowMs = options.clock.nowMs();
  const result = await outcome(guard, handler, request, reply).catch((error: unknown) => {
    const refused = refusalOf(error);
    if (refused.reject === 'internal_fault') options.log.error({ err: error }, 'admin call failed');
    return refused;
  });
  if (isRefused(result)) sendRefusal(reply, result, nowMs);
  else sendData(reply, JSON.stringify(result), nowMs);
  return reply;
}

async function outcome(
  guard: Guard,
  handler: AdminHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object | Refused> {
  const refused = await guard(request, reply);
  if (refused !== undefined) return refused;
  const input = request.method === 'GET' ? queryOf(request) : jsonBody(request);
  if (isRefused(input)) return input;
  return handler({ path: pathOf(request), input });
}

function queryOf({ query }: FastifyRequest): JsonObject {
  return typeof query === 'object' && query !== null ? { ...query } : {};
}

function pathOf({ params }: FastifyRequest): AdminCall['path'] {
  return typeof params === 'object' && params !== null ? { ...params } : {};
}
