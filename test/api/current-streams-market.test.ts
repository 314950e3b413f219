/** What the current dialect's public streams send, in bytes, and that REST says the same. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { publicAnswer } from '../support/book-load.ts';
import { CurrentStream, type Message, type Product } from '../support/current-stream.ts';
import { type House, START_MS, type Trader } from '../support/house.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const MINUTE_MS = 60_000;
const OPEN_MS = START_MS - (START_MS % MINUTE_MS);

/** One market of a product, in which one trader sells to the other. */
interface Stage {
  readonly product: Product;
  readonly house: House;
  /** Decimals of a price. */
  readonly decimals: number;
  readonly paths: { readonly depth: string; readonly trades: string; readonly klines: string };
  sell(price: number, size: number): Promise<unknown>;
  buy(price: number, size: number): Promise<unknown>;
}

async function spotStage(): Promise<Stage> {
  const desk = closedAtEnd(await SpotDesk.open());
  const [ann, bob] = await desk.pair({ USDT: '100000', BTC: '10' });
  const order = (who: Trader, side: string) => (price: number, size: number) =>
    desk.order(who, side, String(price), String(size / 1_000));
  return {
    product: 'spot',
    house: desk.house,
    decimals: 2,
    paths: pathsBelow('/api/v3/market'),
    sell: order(bob, 'sell'),
    buy: order(ann, 'buy'),
  };
}

async function contractStage(): Promise<Stage> {
  const desk = closedAtEnd(await SwapDesk.open());
  const [ann, bob] = await desk.pair();
  return {
    product: 'contract',
    house: desk.house,
    decimals: 1,
    paths: pathsBelow('/capi/v3/market'),
    sell: (price, size) => desk.order(bob, 'open_short', price, size),
    buy: (price, size) => desk.order(ann, 'open_long', price, size),
  };
}

function pathsBelow(base: string): Stage['paths'] {
  return {
    depth: `${base}/depth?symbol=BTCUSDT&limit=200`,
    trades: `${base}/trades?symbol=BTCUSDT&limit=50`,
    klines: `${base}/klines?symbol=BTCUSDT&interval=1m&limit=10`,
  };
}

const pairs = await spotStage();
const contracts = await contractStage();
const quiet = await spotStage();
const prices = closedAtEnd(await SwapDesk.open());

for (const stage of [pairs, contracts]) {
  const { house, product, decimals } = stage;
  const price = (value: number) => value.toFixed(decimals);

  async function follow(...channels: readonly string[]): Promise<CurrentStream> {
    const stream = await CurrentStream.public(house, product);
    await stream.subscribe(...channels.map((channel) => `BTCUSDT@${channel}`));
    return stream;
  }

  async function textOf(stream: CurrentStream, message: Promise<Message>): Promise<string> {
    return present(stream.texts[stream.messages.indexOf(await message)], 'text');
  }

  describe(`the public stream of ${product}`, { concurrency: 1 }, () => {
    test('begins a book with a snapshot and goes on with its changes', async () => {
      await stage.sell(30_000, 20);
      const stream = await follow('depth15');
      const first = await stream.event('depthSnapshot');
      const u = Number(first.u);
      const asks = [[price(30_000), '0.02']];
      const head = { e: 'depthSnapshot', E: house.clock.nowMs(), s: 'BTCUSDT', U: first.U };
      assert.deepEqual(first, { ...head, u, l: 15, d: 'SNAPSHOT', b: [], a: asks });
      await stage.buy(29_000, 5);
      const next = await stream.event('depth');
      assert.deepEqual(
        await textOf(stream, Promise.resolve(next)),
        `{"e":"depth","E":${house.clock.nowMs()},"s":"BTCUSDT","U":${u},"u":${next.u},"l":15,` +
          `"d":"CHANGED","b":[["${price(29_000)}","0.005"]],"a":[]}`,
      );
      assert.ok(Number(next.u) > u);
      await stream.close();
    });

    test('sends a level that is gone with size 0, and the numbers of REST', async () => {
      const stream = await follow('depth200', 'depth');
      const { u } = await stream.next(
        'a snapshot',
        ({ e, l }) => e === 'depthSnapshot' && l === 200,
      );
      await stage.buy(30_000, 20);
      const change = await stream.next('a change', ({ e, l }) => e === 'depth' && l === 200);
      assert.equal(change.U, u);
      assert.deepEqual(change.a, [[price(30_000), '0']]);
      const rest = (await publicAnswer(house, stage.paths.depth)) as Message;
      assert.equal(rest.lastUpdateId, change.u);
      await stream.close();
    });

    test('sends the trades so far, then each', async () => {
      const stream = await follow('trade');
      const first = await stream.event('tradeSnapshot');
      const rest = (await publicAnswer(house, stage.paths.trades)) as Record<string, unknown>[];
      const rows = rest.map(
        ({ time: T, id: t, price: p, qty: q, quoteQty: v, isBuyerMaker: m }) => ({
          ...{ T, t, p, q, v, m },
        }),
      );
      assert.deepEqual(first.d, rows);
      assert.ok(rows.length > 0);
      await stage.sell(29_000, 2);
      const [trade] = (await stream.event('trade')).d as Message[];
      const { T, t: _id, ...said } = present(trade, 'trade');
      assert.equal(T, house.clock.nowMs());
      assert.deepEqual(said, { p: price(29_000), q: '0.002', v: '58', m: true });
      await stream.close();
    });

    test('sends candles, and one that is over once more', async () => {
      const stream = await follow('kline_1m_LAST_PRICE');
      const first = await stream.event('klineSnapshot');
      const rows = first.d as Record<string, unknown>[];
      const rest = (await publicAnswer(house, stage.paths.klines)) as unknown[][];
      const named = rows.map(({ t, o, h, l, c, v, q, n, V, Q }) => [t, o, h, l, c, v, q, n, V, Q]);
      const without = (row: unknown[]) => row.filter((_value, at) => at !== 6);
      assert.deepEqual(named, rest.map(without));
      const last = present(rows.at(-1), 'candle');
      assert.deepEqual([first.p, last.s, last.i], ['LAST_PRICE', 'BTCUSDT', '1m']);
      assert.equal(Number(last.T) - Number(last.t), MINUTE_MS);
      const nextMs = Number(last.T);
      house.clock.set(nextMs + 1);
      await house.run({ kind: 'tick' });
      const over = await stream.event('kline');
      const opened = (over.d as Message[]).map(({ t }) => t);
      assert.equal(opened.at(-1), nextMs);
      await stream.close();
    });

    test('sends the last 24 hours when they have changed', async () => {
      const stream = await follow('ticker');
      const first = await stream.event('ticker');
      const [day] = first.d as Record<string, unknown>[];
      const names = 'p P w c o h l v q n O C'.split(' ');
      const more = product === 'spot' ? ['b', 'B', 'a', 'A'] : ['m', 'i'];
      assert.deepEqual(Object.keys(present(day, 'day')).sort(), [...names, ...more].sort());
      assert.equal(Number(day?.C) - Number(day?.O), 24 * 60 * MINUTE_MS);
      await stage.sell(28_990, 1);
      await stage.buy(28_990, 1);
      const next = await stream.event('ticker');
      assert.notDeepEqual(next.d, first.d);
      await stream.close();
    });

    test('sends another snapshot to who subscribes again, and nothing afterwards', async () => {
      const stream = await follow('depth15', 'trade');
      await stream.event('tradeSnapshot');
      await stream.subscribe('btcusdt@depth15', 'BTCUSDT@depth');
      const books = () => stream.messages.filter(({ e }) => e === 'depthSnapshot').length;
      await stream.until('three snapshots', () => books() === 3);
      assert.equal((await stream.request('UNSUBSCRIBE', 'BTCUSDT@depth15')).result, true);
      await stage.buy(27_000, 1);
      await stage.sell(27_000, 1);
      await stream.event('trade');
      assert.ok(
        stream.messages.every(({ e }) => e !== 'depth'),
        'it was one subscription',
      );
      await stream.close();
    });
  });
}

test('the best prices of a pair are sent when they change', async () => {
  const stage = quiet;
  const stream = await CurrentStream.public(stage.house, 'spot');
  await stream.subscribe('BTCUSDT@bookTicker');
  const none = { b: '0', B: '0', a: '0', A: '0' };
  const { u: first, ...empty } = await stream.event('bookTicker');
  const head = { e: 'bookTicker', E: stage.house.clock.nowMs(), s: 'BTCUSDT' };
  assert.deepEqual(empty, { ...head, ...none });
  await stage.sell(30_000, 3);
  const { u: second, ...asked } = await stream.event('bookTicker');
  assert.deepEqual(asked, { ...head, ...none, a: '30000.00', A: '0.003' });
  assert.ok(Number(second) > Number(first));
  await stage.sell(31_000, 3);
  await stage.buy(29_000, 1);
  const { b, a } = await stream.event('bookTicker');
  assert.deepEqual([b, a], ['29000.00', '30000.00']);
  await stream.close();
});

test('the mark price of a contract has candles of its own', async () => {
  const { house } = prices;
  const stream = await CurrentStream.public(house, 'contract');
  await stream.subscribe('BTCUSDT@kline_1m_MARK_PRICE', 'BTCUSDT@kline_1m');
  await prices.setIndex(30_200);
  await prices.tick();
  const isOfMark = ({ p, d }: Message) =>
    p === 'MARK_PRICE' && (d as Message[]).some(({ c }) => c === '30200.0');
  const { d } = await stream.next('a candle of the mark price', isOfMark);
  const [{ t, T, s, i, h, l, v, n, q } = {}] = (d as Message[]).slice(-1);
  assert.deepEqual([t, T], [OPEN_MS, OPEN_MS + MINUTE_MS]);
  assert.deepEqual([s, i, h, l, v, n, q], ['BTCUSDT', '1m', '30200.0', '30000.0', '0', 0, '0']);
  assert.ok(
    stream.messages.every(({ p }) => p !== 'LAST_PRICE'),
    'no trade, no candle of trades',
  );
  await stream.close();
});
