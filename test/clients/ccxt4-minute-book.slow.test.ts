/**
 * The book that today's ccxt keeps from the socket is the venue's: for a minute under load, pair
 * and contract side by side, held against REST whenever the load rests.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { present } from '#kernel';
import { ALL_LEVELS, type Follower, follow, LENGTH_MS, NAMES } from '../support/book-follow.ts';
import { publicAnswer, spotMarket, swapMarket } from '../support/book-load.ts';
import { House } from '../support/house.ts';
import { type Client, connect } from '../support/server-ccxt4.ts';
import { SwapDesk } from '../support/swap-desk.ts';
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
}

async function clientOf(house: House): Promise<Client> {
  const client = connect(`http://127.0.0.1:${await house.port()}`);
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  return client;
}

describe('a book that ccxt keeps', { concurrency: true }, () => {
  test('of a pair', { timeout: 2 * LENGTH_MS }, async (context) => {
    const house = await House.open();
    context.after(() => house.close());
    const money = { USDT: '90000000', BTC: '9000' };
    const traders = await Promise.all(NAMES.map((name) => house.trader(name, money)));
    const client = await clientOf(house);
    const follower = new CcxtFollower(house, client, 'BTC/USDT', '/api/v3/market/depth');
    await follower.watch();
    await follow(context, spotMarket(house), traders, follower);
    await client.close();
  });

  test('of a contract', { timeout: 2 * LENGTH_MS }, async (context) => {
    const desk = await SwapDesk.open();
    const { house } = desk;
    context.after(() => house.close());
    await desk.change({ openOrdersMax: 100_000 });
    const money = { cmt_btcusdt: '100000000' };
    const traders = await Promise.all(NAMES.map((name) => desk.trader(name, money)));
    const client = await clientOf(house);
    const path = '/capi/v3/market/depth';
    const follower = new CcxtFollower(house, client, 'BTC/USDT:USDT', path);
    await follower.watch();
    await follow(context, swapMarket(house), traders, follower);
    await client.close();
  });
});
