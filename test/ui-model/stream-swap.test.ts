/** What a reader makes of the contract stream of a real venue is what its REST answers. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { Book, type BookRow, type LevelRow } from '../../ui/src/model/book.ts';
import { barOfValues, CandleSeries, type CandleValues } from '../../ui/src/model/candles.ts';
import { type Push, readPush } from '../../ui/src/model/frames.ts';
import { type SwapTickerRow, swapTicker } from '../../ui/src/model/tickers.ts';
import { type SwapTradeRow, swapTrade, swapTrades, TradeList } from '../../ui/src/model/trades.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { OPEN_LONG, OPEN_SHORT, SwapDesk, SYMBOL } from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';
import { comesTo } from './comes-to.ts';

const { symbol } = SYMBOL;
const CHANNELS = ['depth', 'trade', 'candle60s', 'ticker'];
const SCALES = { priceScale: 1, quantityScale: 0 };

/** Everything is followed from the beginning; the last order of the story rests. */
const desk = closedAtEnd(await SwapDesk.open());
const ann = await desk.trader('ann');
const client = closedAtEnd(await SwapStream.open(await desk.house.port()));
await client.subscribe(...CHANNELS.map((name) => `swap/${name}:${symbol}`));
await trade(await desk.trader('bob'), await desk.trader('other'));
await client.until('the last level', () => bookRead().bids[0]?.priceText === '29500.0');

/** Two minutes of trades, and an order cut short. */
async function trade(bob: Trader, other: Trader): Promise<string> {
  await desk.place(bob, { ...OPEN_SHORT, price: '30000', size: '20' });
  await desk.place(ann, { ...OPEN_LONG, price: '30000', size: '12' });
  desk.house.clock.advance(180_000);
  await desk.place(ann, { ...OPEN_LONG, price: '30001', size: '10', order_type: '3' });
  await desk.place(bob, { ...OPEN_SHORT, price: '30500', size: '1' });
  await desk.place(other, { ...OPEN_LONG, price: '30500', size: '1' });
  await desk.place(bob, { ...OPEN_SHORT, price: '30600', size: '5' });
  return desk.place(ann, { ...OPEN_LONG, price: '29500', size: '3' });
}

async function market<Data>(path: string): Promise<Data> {
  const { status, body, text } = await desk.house.get(`/api/swap/v3/market/${path}`);
  assert.equal(status, 200, text);
  const answer: unknown = body;
  return answer as Data;
}

/** Every push of a channel so far. */
function pushesOf<Row>(name: string): Push<Row>[] {
  return client.messages
    .filter(({ table }) => table === `swap/${name}`)
    .map(({ action, data, seq }) => {
      const rows = present(data, 'rows') as readonly Row[];
      return readPush({ action: present(action, 'action'), data: rows, seq: present(seq, 'seq') });
    });
}

function told<Value>(read: () => Value, known: Value): Promise<void> {
  return comesTo((holds) => client.until('what REST answers', holds), read, known);
}

function bookRead(): Book {
  const book = new Book(SCALES);
  for (const push of pushesOf<BookRow>('depth')) assert.equal(book.apply(push), 'ok');
  return book;
}

test('the book', async () => {
  const texts = (levels: Book['asks']): LevelRow[] =>
    levels.map(({ priceText, sizeText }) => [priceText, sizeText, 1]);
  const depth = await market<BookRow>(`depth?symbol=${symbol}&limit=200`);
  assert.equal(depth.asks.length + depth.bids.length, 2);
  await told(() => {
    const book = bookRead();
    return [texts(book.asks), texts(book.bids)];
  }, [depth.asks, depth.bids]);
});

test('trades', async () => {
  const rows = await market<SwapTradeRow[]>(`trades?symbol=${symbol}`);
  assert.equal(rows.length, 3);
  await told(() => {
    const list = new TradeList(50);
    for (const push of pushesOf<SwapTradeRow>('trade')) list.apply(swapTrades(push));
    return list.lines;
  }, rows.map(swapTrade));
});

test('candles, the minutes without trades among them', async () => {
  const known = await market<CandleValues[]>(`candles?symbol=${symbol}`);
  assert.equal(known.length, 4);
  await told(() => {
    const series = new CandleSeries('1min', 500);
    for (const { rows } of pushesOf<{ candle: CandleValues }>('candle60s')) {
      series.merge(rows.map(({ candle }) => barOfValues(candle)));
    }
    return series.bars;
  }, known.map(barOfValues));
});

test('the ticker', async () => {
  const row = await market<SwapTickerRow>(`ticker?symbol=${symbol}`);
  await told(
    () => {
      const push = present(pushesOf<SwapTickerRow>('ticker').at(-1)?.rows[0], 'ticker');
      return { ...swapTicker(push), timeMs: 0 };
    },
    { ...swapTicker(row), timeMs: 0 },
  );
  assert.equal(swapTicker(row).change, '0.016666');
});
