/**
 * Load on one book: several accounts place and cancel through the API, over real sockets. Prices
 * reach 600 levels out on both sides and sometimes cross, so that levels come, go and trade.
 */
import { strict as assert } from 'node:assert/strict';
import { Prng, present } from '#kernel';
import { type House, START_MS, type Trader } from './house.ts';
import { LINEAR_SYMBOL } from './swap-desk.ts';

const AT_ONCE = 16;
const RESTING_MAX = 2_000;
const STEPS_OUTWARD = 600;
const STEPS_ACROSS = 8;

interface BookOrder {
  readonly isBuyer: boolean;
  /** From the middle outward; below zero it would trade with the other side. */
  readonly steps: number;
  readonly size: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One book and how to act in it. */
export interface BookMarket {
  readonly house: House;
  /** Places an order, which must be taken; resolves with its id. */
  place(who: Trader, order: BookOrder): Promise<string>;
  /** Cancels an order, which may have been filled meanwhile. */
  cancel(who: Trader, orderId: string): Promise<void>;
}

/** Steps of 0.01 around 30000. */
export function spotMarket(house: House): BookMarket {
  const symbol = 'BTCUSDT_SPBL';
  return {
    house,
    place: async (who, { isBuyer, steps, size }) => {
      const { status, text } = await post(house, who, '/api/spot/v1/trade/orders', {
        symbol,
        side: isBuyer ? 'buy' : 'sell',
        orderType: 'limit',
        force: 'normal',
        price: (30_000 + (isBuyer ? -steps : steps) / 100).toFixed(2),
        quantity: (size / 1_000).toFixed(3),
      });
      assert.equal(status, 200, text);
      return JSON.parse(text).data.orderId;
    },
    cancel: async (who, orderId) => {
      const fields = { symbol, orderId };
      const { status, text } = await post(house, who, '/api/spot/v1/trade/cancel-order', fields);
      assert.ok(status === 200 || text.includes('"43004"'), text);
    },
  };
}

/** Steps of 0.5 around 30000. */
export function swapMarket(house: House): BookMarket {
  const symbol = LINEAR_SYMBOL;
  return {
    house,
    place: async (who, { isBuyer, steps, size }) => {
      const { status, text } = await post(house, who, '/api/swap/v3/order/placeOrder', {
        symbol,
        type: isBuyer ? '1' : '2',
        order_type: '0',
        match_price: '0',
        price: (30_000 + (isBuyer ? -steps : steps) / 2).toFixed(1),
        size: String(size),
      });
      assert.equal(status, 200, text);
      return JSON.parse(text).order_id;
    },
    cancel: async (who, orderId) => {
      const fields = { symbol, orderId };
      const { status, text } = await post(house, who, '/api/swap/v3/order/cancel_order', fields);
      assert.equal(status, 200, text);
    },
  };
}

async function post(house: House, who: Trader, target: string, fields: object): Promise<Answer> {
  const body = JSON.stringify(fields);
  const headers = { 'content-type': 'application/json', ...house.sign(who, 'POST', target, body) };
  return await ask(house, target, { method: 'POST', body, headers });
}

async function ask(house: House, target: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${await house.port()}${target}`, init);
  return { status: answer.status, text: await answer.text() };
}

/** What a public path answers over a real socket. */
export async function publicAnswer(house: House, target: string): Promise<unknown> {
  const { status, text } = await ask(house, target);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

export class BookLoad {
  readonly #market: BookMarket;
  readonly #traders: readonly Trader[];
  readonly #dice = new Prng(7, 'load on a book');
  readonly #resting: { readonly orderId: string; readonly who: Trader }[] = [];
  readonly #startMs = performance.now();
  calls = 0;

  constructor(market: BookMarket, traders: readonly Trader[]) {
    this.#market = market;
    this.#traders = traders;
  }

  /** Places and cancels for a while; everything is answered when it resolves. */
  async run(lengthMs: number): Promise<void> {
    const endMs = performance.now() + lengthMs;
    const lane = async () => {
      while (performance.now() < endMs) await this.#act();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  async #act(): Promise<void> {
    this.calls += 1;
    const { clock } = this.#market.house;
    clock.set(START_MS + Math.round(performance.now() - this.#startMs));
    const isFull = this.#resting.length > RESTING_MAX;
    if (this.#resting.length > 0 && (isFull || this.#dice.below(3) === 0)) return this.#cancel();
    const who = present(this.#traders[this.#dice.below(this.#traders.length)], 'trader');
    const orderId = await this.#market.place(who, {
      isBuyer: this.#dice.below(2) === 0,
      steps: this.#dice.below(STEPS_OUTWARD) - STEPS_ACROSS,
      size: 1 + this.#dice.below(50),
    });
    this.#resting.push({ orderId, who });
  }

  async #cancel(): Promise<void> {
    const [gone] = this.#resting.splice(this.#dice.below(this.#resting.length), 1);
    const { who, orderId } = present(gone, 'resting order');
    await this.#market.cancel(who, orderId);
  }
}
