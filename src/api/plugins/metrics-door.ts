/**
 * Who may read what a process counts: programs of its own machine, addresses that the configuration
 * names, whoever comes to the operator's listener, and operators. Others are not told that it is
 * there. A proxy on this machine calls for others, and says so.
 */
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Refused, refuse } from '#domain';
import type { Clock } from '#kernel';
import { HttpRequest } from '../request.ts';
import type { Monitors } from '../sessions.ts';
import { isAllowed } from './allow-list.ts';
import type { Doors } from './guard.ts';
import { networkOf } from './network.ts';
import { RateLimiter } from './rate-limit.ts';
import { retryAfter } from './reply.ts';

export interface MetricsDoorOptions extends Pick<Doors, 'isOperators'> {
  /** Addresses and CIDR blocks. */
  readonly scrapers: readonly string[];
  /** Undefined where nobody else reads them. */
  readonly monitors?: Monitors | undefined;
  readonly rateLimits: boolean;
  readonly clock: Clock;
}

/** Several desks that look every second, behind one address. */
const RATE = { limit: 100, windowMs: 10_000 };
const FORWARDED = ['x-forwarded-for', 'forwarded', 'via'] as const;
const LOOPBACK = /^(127(\.[0-9]{1,3}){3}|::ffff:127(\.[0-9]{1,3}){3}|::1)$/i;

type Verdict = Refused | undefined;

export class MetricsDoor {
  readonly #options: MetricsDoorOptions;
  readonly #rate: RateLimiter | undefined;

  constructor(options: MetricsDoorOptions) {
    this.#options = options;
    this.#rate = options.rateLimits ? new RateLimiter(RATE) : undefined;
  }

  /** Why this caller gets nothing; undefined when it does. */
  async refuse(request: FastifyRequest, reply: FastifyReply): Promise<Verdict> {
    return (await this.#refuseStranger(request, reply)) ?? this.#refuseOften(request, reply);
  }

  #refuseStranger(request: FastifyRequest, reply: FastifyReply): Verdict | Promise<Verdict> {
    const { scrapers, isOperators, monitors, clock } = this.#options;
    const { ip: address, raw } = request;
    if (isOperators?.(raw) === true || isOwnMachine(request)) return undefined;
    if (isIP(address) !== 0 && scrapers.length > 0 && isAllowed(scrapers, address))
      return undefined;
    if (monitors === undefined) return refuse('path_unknown');
    return monitors(new HttpRequest(request), reply, clock.nowMs());
  }

  #refuseOften({ ip }: FastifyRequest, reply: FastifyReply): Verdict {
    const waitMs = this.#rate?.take(networkOf(ip)) ?? 0;
    if (waitMs === 0) return undefined;
    retryAfter(reply, waitMs);
    return refuse('rate_exceeded');
  }
}

function isOwnMachine({ ip, headers }: FastifyRequest): boolean {
  return LOOPBACK.test(ip) && FORWARDED.every((name) => headers[name] === undefined);
}
