/** The book that today's ccxt keeps from the socket. */
import { strict as assert } from 'node:assert/strict';
import { present } from '#kernel';
import { ALL_LEVELS, type Follower } from '../support/book-follow.ts';
import { publicAnswer } from '../support/book-load.ts';
import type { House } from '../support/house.ts';
import { type Client, connect } from '../support/server-ccxt4.ts';
import { until } from '../support/until.ts';

interface RestBook {
  readonly bids: readonly (readonly string[])[];
  readonly asks: readonly (readonly string[])[];
}

interface KeptBook {
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

/** Follows the book of a client until it is closed. */
class CcxtFollower implements Follower {
  readonly #house: House;
  readonly #client: Client;
  readonly #symbol: string;
  readonly #path: string;
  #updates = 0;

  constructor(house: House, client: Client, symbol: string, path: string) {
    this.#house = house;
    this.#client = client;
    this.#symbol = symbol;
    this.#path = `${path}?symbol=BTCUSDT&limit=${ALL_LEVELS}`;
  }

  async watch(): Promise<void> {
    await this.#client.watchOrderBook(this.#symbol);
    void this.#watchOn();
  }

  /** Ends when the client is closed, which rejects. */
  async #watchOn(): Promise<void> {
    try {
      for (;;) {
        await this.#client.watchOrderBook(this.#symbol);
        this.#updates += 1;
      }
    } catch (error) {
      assert.match(String(error), /ExchangeClosedByUser/);
    }
  }

  async restBook(): Promise<string> {
    const { bids, asks } = (await publicAnswer(this.#house, this.#path)) as RestBook;
    const numbers = (side: RestBook['bids']) => side.map((level) => level.map(Number));
    return JSON.stringify([numbers(asks), numbers(bids)]);
  }

  async reach(book: string, what: string): Promise<void> {
    const kept = (): KeptBook => present(this.#client.orderbooks[this.#symbol], 'book');
    await until(what, () => JSON.stringify([kept().asks, kept().bids]) === book);
  }

  updates(): number {
    return this.#updates;
  }

  async end(): Promise<void> {
    await this.#client.close();
  }
}

export async function ccxtFollower(house: House, symbol: string, path: string): Promise<Follower> {
  const client = connect(`http://127.0.0.1:${await house.port()}`);
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  const follower = new CcxtFollower(house, client, symbol, path);
  await follower.watch();
  return follower;
}
