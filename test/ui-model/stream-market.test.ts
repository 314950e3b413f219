/** What a page makes of the market channels of a real venue is what REST answers. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BookData, native, type StreamMessage } from '#client';
import { present } from '#kernel';
import { Book } from '../../ui/src/model/book.ts';
import { barOf, CandleSeries } from '../../ui/src/model/candles.ts';
import { TradeList } from '../../ui/src/model/trades.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { NativeStream } from '../support/native-stream.ts';
import { SwapDesk } from '../support/swap-desk.ts';
import { comesTo } from './comes-to.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const bob = await desk.trader('bob');
const ann = await desk.trader('ann');

const MARKETS = [
  { symbol: 'BTC-USDT', size: '0.5', scales: { priceScale: 2, quantityScale: 4 } },
  { symbol: 'BTC-USDT-PERP', size: '5', scales: { priceScale: 1, quantityScale: 0 } },
];

for (const { accountId } of [ann, bob]) {
  for (const [coin, amount] of [
    ['USDT', '1000000'],
    ['BTC', '20'],
  ] as const) {
    await house.deposit(accountId, coin, amount);
  }
}

type Who = typeof ann;

async function place(who: Who, symbol: string, side: string, price: string, size: string) {
  const order = { symbol, side, type: 'limit', price, size };
  const { status, text } = await house.signedPost(who, native.placeOrder.path, order);
  assert.equal(status, 200, text);
}

/** Trades in two minutes that are three apart; orders rest on both sides at the end. */
async function trade(symbol: string, size: string): Promise<void> {
  await place(bob, symbol, 'sell', '30000', size);
  await place(ann, symbol, 'buy', '30000', size);
  house.clock.advance(180_000);
  await place(bob, symbol, 'sell', '30010', size);
  await place(ann, symbol, 'buy', '30010', size);
  await place(bob, symbol, 'sell', '30500', size);
  await place(ann, symbol, 'buy', '29500', size);
}

/** Follows a market, and then trades there. */
async function opened(symbol: string, size: string): Promise<NativeStream> {
  const channels = ['book:200', 'trades', 'candles:1min', 'ticker'];
  const names = channels.map((name) => `${name}:${symbol}`);
  const client = closedAtEnd(await NativeStream.at(house));
  await client.done('subscribe', { channels: names });
  // Of candles nothing is said before there is one.
  for (const name of names.filter((one) => !one.startsWith('candles')))
    await client.until(name, () => client.pushes(name)[0]);
  await trade(symbol, size);
  return client;
}

const clients = new Map<string, NativeStream>();
for (const { symbol, size } of MARKETS) clients.set(symbol, await opened(symbol, size));

for (const { symbol, scales } of MARKETS) {
  describe(symbol, () => {
    const client = present(clients.get(symbol), symbol);

    async function rest<T>(path: string): Promise<T> {
      const { status, text } = await house.get(path);
      assert.equal(status, 200, text);
      return JSON.parse(text);
    }
    /** Every message of a channel so far. */
    const told = <Data>(name: string) =>
      client.pushes(`${name}:${symbol}`) as readonly StreamMessage<Data>[];
    const comes = (read: () => unknown, known: unknown) =>
      comesTo(
        async (holds) => {
          await client.until('what REST answers', () => holds() || undefined);
        },
        read,
        known,
      );

    test('the book', async () => {
      const known = await rest<native.BookAnswer>(`/v1/book?symbol=${symbol}&limit=200`);
      assert.deepEqual([known.asks.length, known.bids.length], [1, 1]);
      const texts = (side: Book['asks']) =>
        side.map(({ priceText, sizeText }) => [priceText, sizeText]);
      await comes(() => {
        const book = new Book(scales);
        for (const message of told<BookData>('book:200')) assert.equal(book.apply(message), 'ok');
        return [texts(book.asks), texts(book.bids)];
      }, [known.asks, known.bids]);
    });

    test('trades', async () => {
      const known = await rest<native.TradesAnswer>(`/v1/trades?symbol=${symbol}`);
      assert.equal(known.length, 2);
      await comes(() => {
        const list = new TradeList(50);
        for (const message of told<native.TradesAnswer>('trades')) list.apply(message);
        return list.lines;
      }, known);
    });

    test('candles, the minutes without trades among them', async () => {
      const query = `symbol=${symbol}&period=1min&limit=100`;
      // From trade to trade: the next market moves the clock on.
      const known = (await rest<native.CandlesAnswer>(`/v1/candles?${query}`)).slice(0, 4);
      assert.deepEqual(
        known.map(({ trades }) => trades),
        [1, 0, 0, 1],
      );
      await comes(() => {
        const series = new CandleSeries('1min', 500);
        for (const { data } of told<native.CandlesAnswer>('candles:1min')) {
          series.merge(data.map(barOf));
        }
        return series.bars.slice(0, 4);
      }, known.map(barOf));
    });

    test('the ticker', async () => {
      const [known] = await rest<native.TickersAnswer>(`/v1/tickers?symbol=${symbol}`);
      assert.equal(present(known, 'ticker').last, symbol === 'BTC-USDT' ? '30010.00' : '30010.0');
      await comes(() => told<native.TickersRow>('ticker').at(-1)?.data, known);
    });
  });
}
