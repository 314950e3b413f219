/** What a reader makes of the spot stream of a real venue is what its REST interface answers. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { Book, type BookRow, type LevelRow } from '../../ui/src/model/book.ts';
import {
  barOfSpot,
  barOfValues,
  CandleSeries,
  type CandleValues,
  type SpotCandleRow,
} from '../../ui/src/model/candles.ts';
import { type Push, readPush } from '../../ui/src/model/frames.ts';
import {
  type SpotTickerRestRow,
  type SpotTickerRow,
  spotRestTicker,
  spotStreamTicker,
} from '../../ui/src/model/tickers.ts';
import {
  type SpotTradeRestRow,
  type SpotTradeRow,
  spotTrade,
  spotTrades,
  TradeList,
} from '../../ui/src/model/trades.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { StreamClient, topic } from '../support/streams-client.ts';
import { comesTo } from './comes-to.ts';

const SYMBOL = 'BTCUSDT_SPBL';
const SCALES = { priceScale: 2, quantityScale: 4 };
const MARKET_CHANNELS = ['books', 'trade', 'candle1m', 'ticker'];
const MONEY = { USDT: '1000000', BTC: '100' };

/** Everything is followed from the beginning; the last order of the story rests. */
const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;
const ann = await house.trader('ann', MONEY);
const client = closedAtEnd(await StreamClient.at(house));
client.subscribe(...MARKET_CHANNELS.map((channel) => topic(channel)));
for (const channel of MARKET_CHANNELS) {
  await client.until(() => pushesOf(channel).length > 0, channel);
}
await trade(await house.trader('bob', MONEY));
await client.until(() => bookRead().bids.at(-1)?.priceText === '29900', 'the last level');

/** Fills at two prices and in two minutes, a cancelled order, a part that rests. */
async function trade(bob: Trader): Promise<string> {
  await desk.order(bob, 'sell', '30010.5', '1');
  await desk.order(ann, 'buy', '30010.5', '0.4');
  house.clock.advance(180_000);
  await desk.order(ann, 'buy', '30020', '0.9');
  await desk.cancel(ann, await desk.order(ann, 'buy', '29000', '2'));
  await desk.order(bob, 'sell', '30015', '0.1');
  return desk.order(ann, 'buy', '29900', '0.7');
}

async function market<Data>(path: string): Promise<Data> {
  const { status, body, text } = await house.get(`/api/spot/v1/market/${path}`);
  assert.equal(status, 200, text);
  return body.data as Data;
}

/** Every push of a channel so far. */
function pushesOf<Row>(channel: string): Push<Row>[] {
  return client.messages
    .filter(({ action, arg }) => action !== undefined && arg?.channel === channel)
    .map(({ action, data, seq }) => {
      const rows = present(data, 'rows') as readonly Row[];
      return readPush({ action: present(action, 'action'), data: rows, seq: present(seq, 'seq') });
    });
}

function told<Value>(read: () => Value, known: Value): Promise<void> {
  return comesTo((holds) => client.until(holds, 'what REST answers'), read, known);
}

function bookRead(): Book {
  const book = new Book(SCALES);
  for (const push of pushesOf<BookRow>('books')) assert.equal(book.apply(push), 'ok');
  return book;
}

test('the book', async () => {
  const texts = (levels: Book['asks']): LevelRow[] =>
    levels.map(({ priceText, sizeText }) => [priceText, sizeText]);
  const depth = await market<BookRow>(`depth?symbol=${SYMBOL}&limit=200`);
  assert.equal(depth.asks.length + depth.bids.length, 2);
  await told(() => {
    const book = bookRead();
    return [texts(book.asks), texts(book.bids)];
  }, [depth.asks, depth.bids]);
});

test('trades, whose ids only REST tells', async () => {
  const rows = await market<SpotTradeRestRow[]>(`fills?symbol=${SYMBOL}`);
  const plain = (lines: TradeList['lines']) => lines.map(({ id: _id, ...rest }) => rest);
  assert.equal(rows.length, 3);
  await told(
    () => {
      const list = new TradeList(50);
      for (const push of pushesOf<SpotTradeRow>('trade')) list.apply(spotTrades(push));
      return plain(list.lines);
    },
    plain(rows.map(spotTrade)),
  );
});

test('candles, the minutes without trades among them', async () => {
  const known = await market<SpotCandleRow[]>(`candles?symbol=${SYMBOL}&period=1min&limit=100`);
  assert.equal(known.length, 4);
  await told(() => {
    const series = new CandleSeries('1min', 500);
    for (const { rows } of pushesOf<CandleValues>('candle1m')) series.merge(rows.map(barOfValues));
    return series.bars;
  }, known.map(barOfSpot));
});

test('the ticker, whose change REST shows with fewer decimals', async () => {
  const row = await market<SpotTickerRestRow>(`ticker?symbol=${SYMBOL}`);
  const { change: shorter, ...shown } = spotRestTicker(row);
  const last = () => {
    const push = present(pushesOf<SpotTickerRow>('ticker').at(-1)?.rows[0], 'ticker');
    return spotStreamTicker(push);
  };
  await told(
    () => {
      const { change: _change, ...line } = last();
      return { ...line, timeMs: 0 };
    },
    { ...shown, timeMs: 0 },
  );
  const { change } = last();
  assert.ok(change.startsWith(shorter), `${change} and ${shorter}`);
});
