/** Books kept from the classic streams alone: every message is held to its number and checksum. */
import { strict as assert } from 'node:assert/strict';
import { present } from '#kernel';
import { ALL_LEVELS, type Follower } from '../support/book-follow.ts';
import { publicAnswer } from '../support/book-load.ts';
import type { House } from '../support/house.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { LINEAR_SYMBOL } from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';
import { BookCopy, type BookRow } from './streams-book.ts';
import { type Sides, SwapBookCopy, sidesOf } from './swap-book-copy.ts';

function textOf({ asks, bids }: Pick<BookRow, 'asks' | 'bids'> | Sides): string {
  return JSON.stringify([asks, bids]);
}

export async function classicPair(house: House): Promise<Follower> {
  const client = await StreamClient.at(house);
  client.subscribe(topic('books'));
  const copy = new BookCopy();
  let read = 0;
  const takeIn = () => {
    for (; read < client.messages.length; read += 1) {
      const { arg, action, data, seq } = present(client.messages[read], 'message');
      if (action === undefined) continue;
      assert.equal(arg?.channel, 'books');
      copy.apply(action, data?.[0] as BookRow, present(seq, 'number'));
    }
    return textOf(copy);
  };
  return {
    restBook: async () => {
      const path = `/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&limit=${ALL_LEVELS}`;
      return textOf(((await publicAnswer(house, path)) as { readonly data: BookRow }).data);
    },
    reach: (book, what) => client.until(() => takeIn() === book, what),
    snapshots: () => copy.snapshots,
    updates: () => copy.updates,
    end: async () => {
      await client.close();
    },
  };
}

export async function classicContract(house: House): Promise<Follower> {
  const stream = await followDepth(house);
  const copy = new SwapBookCopy();
  let read = 0;
  const takeIn = () => {
    for (; read < stream.messages.length; read += 1) {
      const message = present(stream.messages[read], 'message');
      if (message.table !== undefined) copy.take(message);
    }
    return textOf(copy.sides());
  };
  return {
    restBook: () => swapRestBook(house),
    reach: (book, what) => stream.until(what, () => takeIn() === book),
    snapshots: () => copy.partials,
    updates: () => copy.updates,
    end: async () => {
      const late = await followDepth(house);
      const second = new SwapBookCopy();
      second.take(await late.push('swap/depth'));
      assert.equal(textOf(second.sides()), await swapRestBook(house), 'a late client has it too');
      await Promise.all([stream.close(), late.close()]);
    },
  };
}

async function followDepth(house: House): Promise<SwapStream> {
  const stream = await SwapStream.open(await house.port());
  await stream.subscribe(`swap/depth:${LINEAR_SYMBOL}`);
  return stream;
}

async function swapRestBook(house: House): Promise<string> {
  const path = `/api/swap/v3/market/depth?symbol=${LINEAR_SYMBOL}&limit=${ALL_LEVELS}`;
  const answer = await publicAnswer(house, path);
  assert.ok(typeof answer === 'object' && answer !== null);
  return textOf(sidesOf(answer));
}
