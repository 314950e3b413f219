/** The best levels of a pair as a stream: under load they are those of REST. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { BookLoad, spotMarket } from '../support/book-load.ts';
import { House } from '../support/house.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { BookCopy, type BookRow } from './streams-book.ts';

const LOAD_MS = 500;

const house = closedAtEnd(await House.open());
const money = { USDT: '90000000', BTC: '9000' };
const traders = [await house.trader('ann', money), await house.trader('bob', money)];
const load = new BookLoad(spotMarket(house), traders);

test('books5 and books15 are whole at every change and agree with REST', async () => {
  const client = await StreamClient.at(house);
  client.subscribe(topic('books5'), topic('books15', 'btcusdt_spbl', 'sp'));
  await load.run(LOAD_MS);
  for (const [channel, levels] of [['books5', 5] as const, ['books15', 15] as const]) {
    const url = `/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&limit=${levels}`;
    const { asks, bids } = (await house.get(url)).body.data as BookRow;
    const isSame = ({ action, arg, data }: StreamClient['messages'][number]) => {
      if (action === undefined || arg?.channel !== channel) return false;
      const row = data?.[0] as BookRow;
      return JSON.stringify([row.asks, row.bids]) === JSON.stringify([asks, bids]);
    };
    await client.until(() => client.messages.some(isSame), `${channel} as REST has it`);
  }
  for (const { action, data, arg } of client.messages) {
    if (action === undefined) continue;
    assert.equal(action, 'snapshot', arg?.channel);
    new BookCopy().apply(action, data?.[0] as BookRow);
  }
  await client.close();
});
