/**
 * A book kept from the current dialect's stream alone: every message must go on from the one before
 * it, and whatever book it leaves must be REST's when that has the same update id.
 */
import { strict as assert } from 'node:assert/strict';
import { present } from '#kernel';
import { ALL_LEVELS, type Follower } from '../support/book-follow.ts';
import { publicAnswer } from '../support/book-load.ts';
import { CurrentStream, type Message, type Product } from '../support/current-stream.ts';
import type { House } from '../support/house.ts';
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
  #sameIds = 0;

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
    if (updateId === this.#restId) this.#sameIds += 1;
  }

  snapshots(): number {
    return this.#book.snapshots;
  }

  updates(): number {
    return this.#book.updates;
  }

  async end(): Promise<void> {
    assert.ok(this.#sameIds >= SAME_ID_MIN, `${this.#sameIds} of the same update id`);
    await this.#stream.close();
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

export async function currentFollower(house: House, product: Product): Promise<Follower> {
  const stream = await CurrentStream.public(house, product);
  await stream.subscribe(`BTCUSDT@depth${ALL_LEVELS}`);
  return new ChainedFollower(house, product, stream);
}
