/** Clients of a cluster that note what they were told: what was acknowledged must be in the log. */
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '#kernel';
import { Trader } from '../support/http-trader.ts';
import { demoCredentials } from '../support/signer.ts';

export interface Ack {
  /** In cents, and no other order's: nothing but it tells a repeated order from a new one. */
  readonly priceCents: number;
  readonly orderId: string;
  readonly ms: number;
}

export interface Notes {
  readonly acks: Ack[];
  /** Nothing is known of these: carried out once or not at all. */
  readonly unknown: number[];
  /** What no client should get: anything but a success, an outage or a broken connection. */
  readonly odd: string[];
}

const PAUSE_AFTER_FAULT_MS = 20;

/** So many clients, spread over these addresses, place and cancel orders until they are stopped. */
export class Traders {
  readonly notes: Notes = { acks: [], unknown: [], odd: [] };
  readonly #clients: Promise<void>[];
  #isOver = false;
  #lastPriceCents = 10_000;

  constructor(urls: readonly string[], count: number) {
    this.#clients = Array.from({ length: count }, (_, at) =>
      this.#trade(demoTrader(urls[at % urls.length] ?? '')),
    );
  }

  /** The longest that a client waited for an answer that was a success, from now on. */
  worstMsSince(acksCount: number): number {
    return Math.max(0, ...this.notes.acks.slice(acksCount).map(({ ms }) => ms));
  }

  /** Places one order more at this address and resolves with its id. */
  async placeOne(url: string): Promise<string> {
    const orderId = await this.#place(demoTrader(url));
    return present(orderId, 'an acknowledged order');
  }

  async stop(): Promise<Notes> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    return this.notes;
  }

  async #trade(trader: Trader): Promise<void> {
    while (!this.#isOver) {
      const orderId = await this.#place(trader);
      if (orderId === undefined) await wait(PAUSE_AFTER_FAULT_MS);
      else await this.#cancel(trader, orderId);
    }
  }

  async #place(trader: Trader): Promise<string | undefined> {
    this.#lastPriceCents += 1;
    const priceCents = this.#lastPriceCents;
    const order = {
      symbol: 'BTCUSDT_SPBL',
      side: 'buy',
      orderType: 'limit',
      force: 'normal',
      price: (priceCents / 100).toFixed(2),
      quantity: '0.1',
    };
    const startMs = performance.now();
    try {
      const { status, body, data } = await trader.post('/trade/orders', order);
      if (status === 200) {
        const orderId = String(Reflect.get(Object(data), 'orderId'));
        this.notes.acks.push({ priceCents, orderId, ms: performance.now() - startMs });
        return orderId;
      }
      if (status === 503) this.notes.unknown.push(priceCents);
      else this.notes.odd.push(`${status} ${JSON.stringify(body)}`);
    } catch {
      this.notes.unknown.push(priceCents);
    }
    return undefined;
  }

  /** It may be gone already: asked for once, and once more by the cluster itself. */
  async #cancel(trader: Trader, orderId: string): Promise<void> {
    const order = { symbol: 'BTCUSDT_SPBL', orderId };
    try {
      const { status, body } = await trader.post('/trade/cancel-order', order);
      if (status !== 200 && status !== 503) {
        this.notes.odd.push(`cancel: ${status} ${JSON.stringify(body)}`);
      }
    } catch {
      await wait(PAUSE_AFTER_FAULT_MS);
    }
  }
}

/** A client of the demo account that asks at this address. */
export function demoTrader(url: string): Trader {
  return new Trader(url, demoCredentials('demo'));
}
