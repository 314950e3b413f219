/** Acts out the fault rules of a sandbox on calls: what the client sees instead of the answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refused, refuse } from '#domain';
import { unreachable } from '#kernel';
import type { Dialect } from '../dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Metrics } from '../plugins/metrics.ts';
import type { Outbox } from '../plugins/outbox.ts';
import { retryAfter, sendRefusal } from '../plugins/reply.ts';
import { HeldCalls } from './held-calls.ts';
import type { CallEffect, FaultInjector } from './injector.ts';

/** A client that waits longer than this for an answer that never comes is cut off. */
const NO_ANSWER_MAX_MS = 600_000;

const UNAVAILABLE = 503;

/** Where an answer leaves. */
export type Exit = Pick<Outbox, 'add'>;

interface FaultedCall {
  readonly dialect: Dialect;
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly nowMs: number;
}

export interface CallFaultsOptions {
  readonly injector: FaultInjector;
  readonly metrics: Metrics;
  readonly outbox: Outbox;
}

export class CallFaults {
  readonly #injector: FaultInjector;
  readonly #metrics: Metrics;
  readonly #outbox: Outbox;
  readonly #held = new HeldCalls();

  constructor({ injector, metrics, outbox }: CallFaultsOptions) {
    this.#injector = injector;
    this.#metrics = metrics;
    this.#outbox = outbox;
  }

  /** Ends every wait once the app closes. */
  install(app: FastifyInstance): void {
    app.addHook('preClose', async () => this.#held.close());
  }

  /** Executes the call, with the exit its answer is to take, unless a rule has it end otherwise. */
  serve(call: FaultedCall, execute: (exit: Exit) => void): void {
    const { dialect, endpoint, request, reply } = call;
    const key = dialect.signer.keyOf({ headers: request.headers, target: request.url });
    const fault = this.#injector.call(endpoint.method, endpoint.path, key);
    const latencyMs = fault?.latencyMs ?? 0;
    const exit = latencyMs === 0 ? this.#outbox : this.#lateExit(reply, latencyMs);
    if (fault?.effect === undefined) execute(exit);
    else this.#spoil(call, fault.effect, execute, exit);
  }

  #spoil(call: FaultedCall, effect: CallEffect, execute: (exit: Exit) => void, exit: Exit): void {
    const { request, reply } = call;
    switch (effect.kind) {
      case 'no_answer':
        this.#held.hold(reply.raw, NO_ANSWER_MAX_MS, () => request.raw.socket.destroy());
        execute({ add: () => undefined });
        break;
      case 'disconnect':
        exit.add(() => request.raw.socket.destroy());
        break;
      case 'rate_limited':
        retryAfter(reply, effect.retryAfterMs);
        this.#refuse(call, refuse('rate_exceeded'), exit);
        break;
      case 'server_error':
        this.#refuse(call, errorOf(effect.status), exit, effect.status);
        break;
      case 'maintenance':
        this.#refuse(call, refuse('maintenance'), exit);
        break;
      default:
        unreachable(effect);
    }
  }

  #refuse(
    { dialect, reply, nowMs }: FaultedCall,
    refused: Refused,
    exit: Exit,
    status?: number,
  ): void {
    this.#metrics.refused(refused.reject);
    exit.add(() => sendRefusal(reply, dialect.frame, refused, nowMs, status));
  }

  #lateExit(reply: FastifyReply, latencyMs: number): Exit {
    return {
      add: (send) => this.#held.hold(reply.raw, latencyMs, () => this.#outbox.add(send)),
    };
  }
}

/** What the venue says itself when it answers with this status. */
function errorOf(status: number): Refused {
  return refuse(status === UNAVAILABLE ? 'venue_busy' : 'internal_fault');
}
