/**
 * A client that keeps a book from the current dialect's stream alone has the venue's: for a minute
 * under load, pair and contract side by side. Every message must go on from the one before it, and
 * whatever book it leaves must be REST's when that has the same update id.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { present } from '#kernel';
import { ALL_LEVELS, type Follower, follow, LENGTH_MS, NAMES } from '../support/book-follow.ts';
import { publicAnswer, spotMarket, swapMarket } from '../support/book-load.ts';
import { CurrentStream, type Message, type Product } from '../support/current-stream.ts';
import { House } from '../support/house.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { ChainedBook } from './chained-book.ts';

/** Comparisons in the minute in which both had the same update id. */
const SAME_ID_MIN = 5;

const DEPTH: Readonly<Record<Product, string>> = {
  spot: '/api/v3/market/depth',
  contract: '/capi/v3/market/depth',
};

interface RestBook {
  readonly lastUpdateId: number;
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

class ChainedFollower implements Follower {
  readonly #house: House;
  readonly #product: Product;
  readonly #stream: CurrentStream;
  readonly #book = new ChainedBook(ALL_LEVELS);
  #read = 0;
  #restId = 0;
  sameIds = 0;

  constructor(house: House, product: Product, stream: CurrentStream) {
    this.#house = house;
    this.#product = product;
    this.#stream = stream;
  }

  async restBook(): Promise<string> {
    const path = `${DEPTH[this.#product]}?symbol=BTCUSDT&limit=${ALL_LEVELS}`;
    const { lastUpdateId, asks, bids } = (await publicAnswer(this.#house, path)) as RestBook;
    this.#restId = lastUpdateId;
    return JSON.stringify([asks, bids]);
  }

  async reach(book: string, what: string): Promise<void> {
    await this.#stream.until(what, () => this.#takeIn() === book);
    const { updateId } = this.#book;
    assert.ok(updateId <= this.#restId, 'a change that shows is sent with the number REST has');
    if (updateId === this.#restId) this.sameIds += 1;
  }

  snapshots(): number {
    return this.#book.snapshots;
  }

  updates(): number {
    return this.#book.updates;
  }

  #takeIn(): string {
    const { messages } = this.#stream;
    for (; this.#read < messages.length; this.#read += 1) {
      const message: Message = present(messages[this.#read], 'message');
      if (message.e !== undefined) this.#book.apply(message);
    }
    return JSON.stringify([this.#book.asks, this.#book.bids]);
  }
}

describe('a book rebuilt from the chain of its messages', { concurrency: true }, () => {
  test('of a pair', { timeout: 2 * LENGTH_MS }, async (context) => {
    const house = await House.open();
    context.after(() => house.close());
    const money = { USDT: '90000000', BTC: '9000' };
    const traders = await Promise.all(NAMES.map((name) => house.trader(name, money)));
    const stream = await CurrentStream.public(house, 'spot');
    await stream.subscribe(`BTCUSDT@depth${ALL_LEVELS}`);
    const follower = new ChainedFollower(house, 'spot', stream);
    await follow(context, spotMarket(house), traders, follower);
    assert.ok(follower.sameIds >= SAME_ID_MIN, `${follower.sameIds} of the same update id`);
    await stream.close();
  });

  test('of a contract', { timeout: 2 * LENGTH_MS }, async (context) => {
    const desk = await SwapDesk.open();
    const { house } = desk;
    context.after(() => house.close());
    await desk.change({ openOrdersMax: 100_000 });
    const money = { cmt_btcusdt: '100000000' };
    const traders = await Promise.all(NAMES.map((name) => desk.trader(name, money)));
    const stream = await CurrentStream.public(house, 'contract');
    await stream.subscribe(`BTCUSDT@depth${ALL_LEVELS}`);
    const follower = new ChainedFollower(house, 'contract', stream);
    await follow(context, swapMarket(house), traders, follower);
    assert.ok(follower.sameIds >= SAME_ID_MIN, `${follower.sameIds} of the same update id`);
    await stream.close();
  });
});
