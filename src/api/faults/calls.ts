/** Acts out the fault rules of a sandbox on calls: what the client sees instead of the answer. */
import type { FastifyInstance } from 'fastify';
import { type Refused, refuse } from '#domain';
import { unreachable } from '#kernel';
import type { Endpoint } from '../endpoint.ts';
import type { Outbox } from '../plugins/outbox.ts';
import { type Client, HeldCalls } from './held-calls.ts';
import type { CallEffect, FaultInjector } from './injector.ts';

/** A client that waits longer than this for an answer that never comes is cut off. */
const NO_ANSWER_MAX_MS = 600_000;

const UNAVAILABLE = 503;

/** Where an answer leaves. */
export type Exit = Pick<Outbox, 'add'>;

/** A call that may go wrong on purpose. */
export interface FaultedCall {
  readonly endpoint: Endpoint;
  /** The key that is shown; empty for none. */
  readonly key: string;
  readonly client: Client;
  /** Ends the connection of the client without a word. */
  cut(): void;
  retryAfter(waitMs: number): void;
  /** Its answer never leaves: what waits behind it goes on. */
  unanswered?(): void;
  /** Refuses the call, under the usual status without another one. */
  refuse(refused: Refused, exit: Exit, status?: number): void;
}

export interface CallFaultsOptions {
  readonly injector: FaultInjector;
  readonly outbox: Outbox;
}

export class CallFaults {
  readonly #injector: FaultInjector;
  readonly #outbox: Outbox;
  readonly #held = new HeldCalls();

  constructor({ injector, outbox }: CallFaultsOptions) {
    this.#injector = injector;
    this.#outbox = outbox;
  }

  /** Ends every wait once the app closes. */
  install(app: FastifyInstance): void {
    app.addHook('preClose', async () => this.#held.close());
  }

  /** Executes the call, with the exit its answer is to take, unless a rule has it end otherwise. */
  serve(call: FaultedCall, execute: (exit: Exit) => void): void {
    const { endpoint, key, client } = call;
    const fault = this.#injector.call(endpoint.method, endpoint.path, key);
    const latencyMs = fault?.latencyMs ?? 0;
    const exit = latencyMs === 0 ? this.#outbox : this.#lateExit(client, latencyMs);
    if (fault?.effect === undefined) execute(exit);
    else this.#spoil(call, fault.effect, execute, exit);
  }

  #spoil(call: FaultedCall, effect: CallEffect, execute: (exit: Exit) => void, exit: Exit): void {
    switch (effect.kind) {
      case 'no_answer':
        this.#held.hold(call.client, NO_ANSWER_MAX_MS, () => call.cut());
        call.unanswered?.();
        execute({ add: () => undefined });
        break;
      case 'disconnect':
        exit.add(() => call.cut());
        break;
      case 'rate_limited':
        call.retryAfter(effect.retryAfterMs);
        call.refuse(refuse('rate_exceeded'), exit);
        break;
      case 'server_error':
        call.refuse(errorOf(effect.status), exit, effect.status);
        break;
      case 'maintenance':
        call.refuse(refuse('maintenance'), exit);
        break;
      default:
        unreachable(effect);
    }
  }

  #lateExit(client: Client, latencyMs: number): Exit {
    return {
      add: (send) => this.#held.hold(client, latencyMs, () => this.#outbox.add(send)),
    };
  }
}

/** What the venue says itself when it answers with this status. */
function errorOf(status: number): Refused {
  return refuse(status === UNAVAILABLE ? 'venue_busy' : 'internal_fault');
}
