/** The public channels of the contract stream, held against REST and against each other. */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  INVERSE_SYMBOL,
  LINEAR_SYMBOL,
  OPEN_LONG,
  OPEN_SHORT,
  SwapDesk,
} from '../support/swap-desk.ts';
import { type StreamRow, SwapStream } from '../support/swap-stream.ts';

const MINUTE_MS = 60_000;
const ALL_LEVELS = 200;

let stream: SwapStream;
let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;
beforeEach(async () => {
  [alice, bob] = await desk.pair();
  stream = await SwapStream.open(await house.port());
});
afterEach(() => stream.close());

/** The answer of a public endpoint. */
async function rest<T = StreamRow>(path: string, query = ''): Promise<T> {
  const symbol = `symbol=${LINEAR_SYMBOL}`;
  const { body, status } = await house.get(`/api/swap/v3/market/${path}?${symbol}${query}`);
  assert.equal(status, 200);
  return body as T;
}

/** Alice sells, bob buys. */
async function trade(price: string, size: string, symbol = LINEAR_SYMBOL): Promise<void> {
  await desk.place(alice, { ...OPEN_SHORT, symbol, price, size });
  await desk.place(bob, { ...OPEN_LONG, symbol, price, size });
}

/** A row without the stream's own name for the contract. */
function plain(row: StreamRow | undefined): StreamRow {
  const { instrument_id, ...rest } = present(row, 'row');
  assert.equal(instrument_id, LINEAR_SYMBOL);
  return rest;
}

/** The stream leaves out the obsolete third column of REST. */
function inTwoColumns(book: StreamRow): StreamRow {
  const two = (side: unknown) => (side as string[][]).map((row) => row.slice(0, 2));
  return { ...book, asks: two(book.asks), bids: two(book.bids) };
}

async function newest(channel: string): Promise<StreamRow> {
  await stream.subscribe(`swap/${channel}:${LINEAR_SYMBOL}`);
  return plain((await stream.push(`swap/${channel}`)).data?.[0]);
}

describe('what a channel shows first is what REST shows', () => {
  beforeEach(async () => {
    await trade('30000', '4');
    await trade('30100', '2');
    await desk.place(alice, { ...OPEN_SHORT, price: '30200', size: '7' });
    await desk.place(bob, { ...OPEN_LONG, price: '29900.5', size: '9' });
    await house.run({ kind: 'tick' });
  });

  test('ticker', async () => {
    assert.deepEqual(await newest('ticker'), await rest('ticker'));
  });

  test('mark_price', async () => {
    assert.deepEqual(await newest('mark_price'), await rest('mark_price'));
  });

  test('price_range', async () => {
    assert.deepEqual(await newest('price_range'), await rest('price_limit'));
  });

  test('funding_rate: the rate as it would be charged, and when', async () => {
    const { funding_time } = await rest('funding_time');
    const symbol = LINEAR_SYMBOL;
    assert.deepEqual(await newest('funding_rate'), {
      symbol,
      funding_rate: '0.0001',
      funding_time,
    });
  });

  test('depth5', async () => {
    assert.deepEqual(await newest('depth5'), inTwoColumns(await rest('depth', '&limit=5')));
  });

  test('depth, with its checksum', async () => {
    const { checksum, ...book } = await newest('depth');
    assert.deepEqual(book, inTwoColumns(await rest('depth', `&limit=${ALL_LEVELS}`)));
    assert.equal(checksum, crc32('29900.5:9:30200.0:7') | 0);
  });

  test('trade, oldest first', async () => {
    await stream.subscribe(`swap/trade:${LINEAR_SYMBOL}`);
    const { data = [] } = await stream.push('swap/trade');
    const newestFirst = data.toReversed().map(plain).slice(0, 2);
    assert.deepEqual(newestFirst, await rest('trades', '&limit=2'));
  });

  test('every candle that REST has, by its seconds', async () => {
    for (const seconds of [
      60, 180, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 604800,
    ]) {
      const { candle } = await newest(`candle${seconds}s`);
      const rows = await rest<unknown[][]>('candles', `&granularity=${seconds}`);
      assert.deepEqual(candle, rows.at(-1), String(seconds));
    }
  });
});

describe('what follows', () => {
  test('the first candle of a contract is all there is, and then come updates', async () => {
    await stream.subscribe(`swap/candle60s:${INVERSE_SYMBOL}`);
    const actions = () =>
      stream.messages.filter(({ table }) => table === 'swap/candle60s').map(({ action }) => action);
    for (const size of ['100', '200']) {
      const from = actions().length;
      await trade('30000', size, INVERSE_SYMBOL);
      await stream.until('a candle', () => actions().length > from);
    }
    assert.deepEqual(actions(), ['partial', 'update']);
  });

  test('trades come once each, in order', async () => {
    await stream.subscribe(`swap/trade:${LINEAR_SYMBOL}`);
    await stream.push('swap/trade');
    const from = stream.messages.length;
    for (const size of ['1', '2', '3']) await trade('30000', size);
    await desk.place(alice, { ...OPEN_SHORT, price: '30001', size: '4' });
    await desk.place(alice, { ...OPEN_SHORT, price: '30002', size: '5' });
    await desk.place(bob, { ...OPEN_LONG, price: '30002', size: '9' });
    await stream.until('trades', () => stream.rows('swap/trade', from).length >= 5);
    const rows = stream.rows('swap/trade', from).map(plain);
    assert.deepEqual(
      rows.map(({ size }) => size),
      ['1', '2', '3', '4', '5'],
    );
    assert.deepEqual(rows, (await rest<StreamRow[]>('trades', '&limit=5')).toReversed());
  });

  test('a ticker moves with its market and no other', async () => {
    await stream.subscribe(`swap/ticker:${LINEAR_SYMBOL}`);
    await stream.push('swap/ticker');
    await trade('30000', '1', INVERSE_SYMBOL);
    await trade('30050', '1');
    await stream.next('ticker', ({ data }) => data?.[0]?.last === '30050.0');
    assert.deepEqual(plain(stream.rows('swap/ticker').at(-1)), await rest('ticker'));
    const symbols = stream.rows('swap/ticker').map(({ symbol }) => symbol);
    assert.deepEqual(new Set(symbols), new Set([LINEAR_SYMBOL]));
  });

  test('a candle ends with its last state, and the next one begins without a trade', async () => {
    house.clock.set(house.clock.nowMs() - (house.clock.nowMs() % MINUTE_MS) + MINUTE_MS);
    const openMs = house.clock.nowMs();
    await trade('30000', '1');
    await stream.subscribe(`swap/candle60s:${LINEAR_SYMBOL}`);
    await stream.push('swap/candle60s');
    const from = stream.messages.length;
    await trade('30100', '2');
    house.clock.advance(2 * MINUTE_MS);
    await house.run({ kind: 'tick' });
    const lastMs = String(openMs + 2 * MINUTE_MS);
    const times = () =>
      stream
        .rows('swap/candle60s', from)
        .map(candleOf)
        .map(([time]) => time);
    await stream.until('two more candles', () => times().includes(lastMs));
    const states = new Map(
      stream
        .rows('swap/candle60s', from)
        .map(candleOf)
        .map((row) => [row[0], row]),
    );
    const range = `&granularity=60&startTime=${openMs}&endTime=${lastMs}`;
    assert.deepEqual([...states.values()], await rest('candles', range));
  });

  test('a tick brings mark price, price range and funding rate', async () => {
    const channels = ['mark_price', 'price_range', 'funding_rate'];
    for (const channel of channels) await newest(channel);
    const from = stream.messages.length;
    const before = await rest('mark_price');
    await desk.setIndex(31_000);
    await desk.place(bob, { ...OPEN_LONG, price: '31500', size: '200' });
    house.clock.advance(MINUTE_MS);
    await house.run({ kind: 'tick' });
    const tables = () => new Set(stream.messages.slice(from).map(({ table }) => table));
    await stream.until('three tables', () => tables().size === channels.length);
    const mark = stream.rows('swap/mark_price', from).at(-1)?.mark_price;
    assert.equal(mark, (await rest('mark_price')).mark_price);
    assert.notEqual(mark, before.mark_price);
    const { highest, lowest } = await rest('price_limit');
    const range = plain(stream.rows('swap/price_range', from).at(-1));
    assert.deepEqual([range.highest, range.lowest], [highest, lowest]);
    assert.notEqual(stream.rows('swap/funding_rate', from).at(-1)?.funding_rate, '0.0001');
    await desk.setIndex(30_000);
  });

  test('a channel that is left says no more', async () => {
    await newest('depth5');
    const channel = `swap/depth5:${LINEAR_SYMBOL}`;
    stream.send({ op: 'unsubscribe', args: [channel] });
    await stream.next('unsubscribe', ({ event }) => event === 'unsubscribe');
    assert.equal(stream.texts.at(-1), `{"event":"unsubscribe","channel":"${channel}"}`);
    const count = stream.rows('swap/depth5').length;
    await stream.subscribe(`swap/depth:${LINEAR_SYMBOL}`);
    await desk.place(bob, { ...OPEN_LONG, price: '29500', size: '3' });
    await stream.next('depth', ({ action }) => action === 'update');
    assert.equal(stream.rows('swap/depth5').length, count);
  });
});

function candleOf({ candle }: StreamRow): readonly unknown[] {
  assert.ok(Array.isArray(candle));
  return candle;
}
