/** Acts out the fault rules of a sandbox on calls: what the client sees instead of the answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refused } from '#domain';
import { unreachable } from '#kernel';
import { type Endpoint, refuse, WIRE_REJECTS } from '#wire';
import type { Metrics } from '../plugins/metrics.ts';
import type { Outbox } from '../plugins/outbox.ts';
import { retryAfter, sendRefusal } from '../plugins/reply.ts';
import { HeldCalls } from './held-calls.ts';
import type { CallEffect, FaultInjector } from './injector.ts';

/** A client that waits longer than this for an answer that never comes is cut off. */
const NO_ANSWER_MAX_MS = 600_000;

/** Where an answer leaves. */
export type Exit = Pick<Outbox, 'add'>;

interface Call {
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
  serve(call: Call, execute: (exit: Exit) => void): void {
    const { endpoint, request, reply } = call;
    const fault = this.#injector.call(endpoint.method, endpoint.path, keyOf(request));
    const latencyMs = fault?.latencyMs ?? 0;
    const exit = latencyMs === 0 ? this.#outbox : this.#lateExit(reply, latencyMs);
    if (fault?.effect === undefined) execute(exit);
    else this.#spoil(call, fault.effect, execute, exit);
  }

  #spoil(call: Call, effect: CallEffect, execute: (exit: Exit) => void, exit: Exit): void {
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

  #refuse({ reply, nowMs }: Call, refused: Refused, exit: Exit, status?: number): void {
    this.#metrics.refused(refused.reject);
    exit.add(() => sendRefusal(reply, refused, nowMs, status));
  }

  #lateExit(reply: FastifyReply, latencyMs: number): Exit {
    return {
      add: (send) => this.#held.hold(reply.raw, latencyMs, () => this.#outbox.add(send)),
    };
  }
}

/** The key that a call shows, whether or not it is signed with it. */
function keyOf({ headers }: FastifyRequest): string {
  const key = headers['access-key'];
  return typeof key === 'string' ? key : '';
}

/** What the venue says itself when it answers with this status. */
function errorOf(status: number): Refused {
  const isBusy = status === WIRE_REJECTS.venue_busy.status;
  return refuse(isBusy ? 'venue_busy' : 'internal_fault');
}
