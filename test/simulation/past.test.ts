/** The past of the simulated market: made of a seed, sound as candles, and in no log. */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { loadConfig } from '#config';
import { CANDLE_TIME_MAX_MS, type Candle, type CandlePrice, type Period } from '#domain';
import { present } from '#kernel';
import { SimulatedPast, type SimulationPlan } from '#simulation';
import { ask, dataOf, rowsOf } from '../support/http-trader.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const { liquidity, crowd, paths } = loadConfig({}, {});
const DEMO = { liquidity, crowd, paths: present(paths, 'paths') };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MINUTES = 14 * 1_440;
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC'];
const CONTRACTS = ['BTC-USDT-PERP', 'ETH-USDT-PERP', 'BTC-USD-PERP'];

/** The demo's listings, without its simulated market, that give a past when asked for one. */
const floor = await new ServerHere(scratchDirectory()).start();
const state = await floor.venue.read((reader) => reader);
const { listings } = state;
const openedMs = present(state.accountByName('liquidity'), 'account').createdTimeMs;
test.after(() => floor.close());

function candles(
  symbol: string,
  period: Period,
  plan: SimulationPlan = DEMO,
  price: CandlePrice = 'last',
): Candle[] {
  const market = listings.spotBySymbol(symbol) ?? listings.contract(symbol);
  const { instrumentId } = present(market, symbol);
  const all = { fromMs: 0, toMs: CANDLE_TIME_MAX_MS, limit: MINUTES, keep: 'newest' } as const;
  return new SimulatedPast(plan, state).candles(listings, { instrumentId, period, price, ...all });
}

test('a seed makes the same past again, another one another', () => {
  const other = { ...DEMO, paths: { ...DEMO.paths, seed: 1 } };
  assert.deepEqual(candles('ETH-BTC', '1h'), candles('ETH-BTC', '1h'));
  assert.notDeepEqual(candles('ETH-BTC', '1h'), candles('ETH-BTC', '1h', other));
});

test('without days, without paths and without traders there is none', () => {
  const plans = [
    { ...DEMO, paths: { ...DEMO.paths, pastDays: 0 } },
    { ...DEMO, paths: null },
    { ...DEMO, crowd: null },
    { ...DEMO, liquidity: null },
    { ...DEMO, paths: { ...DEMO.paths, coins: [] } },
  ];
  for (const plan of plans) assert.deepEqual(candles('BTC-USDT', '1d', plan), []);
});

test('a pair in a coin whose price is no random path has none', () => {
  const price = 30_000 * 10 ** 8;
  const coins = DEMO.paths.coins.map((path) =>
    path.coin === 'BTC' ? ({ kind: 'constant', coin: 'BTC', price } as const) : path,
  );
  const plan = { ...DEMO, paths: { ...DEMO.paths, coins } };
  assert.deepEqual(candles('ETH-BTC', '1d', plan), []);
  assert.equal(candles('ETH-USDT', '1min', plan).length, MINUTES);
});

/** Lots of an order of the traders, on an average. */
function usualSize(wanted: string): number {
  const places = present(DEMO.crowd, 'traders')
    .traders.flatMap(({ markets }) => markets)
    .filter(({ symbol }) => symbol === wanted);
  const orders = places.reduce((sum, { ordersPerMinute }) => sum + ordersPerMinute, 0);
  return places.reduce((sum, place) => sum + place.sizeLots * place.ordersPerMinute, 0) / orders;
}

for (const symbol of [...SYMBOLS, ...CONTRACTS]) {
  test(`${symbol}: two weeks of minutes up to the opening, sound as candles`, () => {
    const minutes = candles(symbol, '1min');
    assert.equal(minutes.length, MINUTES);
    const endMs = openedMs - (openedMs % MINUTE_MS);
    for (const [at, minute] of minutes.entries()) {
      const { open, high, low, close, baseLots, takerBuyLots } = minute;
      assert.equal(minute.openTimeMs, endMs - (MINUTES - at) * MINUTE_MS);
      assert.ok(low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close));
      assert.ok(baseLots > 0 && takerBuyLots >= 0 && takerBuyLots <= baseLots);
      assert.ok(minute.tradesCount > 0 && minute.tradesCount <= baseLots, 'of a lot at least');
      const isOfBoth = takerBuyLots > 0 && takerBuyLots < baseLots;
      assert.ok(minute.tradesCount > 1 || !isOfBoth, 'a trade has one taker');
    }
    const traded = (rows: readonly Candle[]) => rows.reduce((sum, row) => sum + row.tradesCount, 0);
    const volume = minutes.reduce((sum, { baseLots }) => sum + baseLots, 0);
    const mean = volume / traded(minutes);
    const usual = usualSize(symbol);
    assert.ok(mean > usual / 1.5 && mean < usual * 1.5, `${mean} lots a trade, usual are ${usual}`);
  });

  test(`${symbol}: a longer candle is its minutes together`, () => {
    const minutes = candles(symbol, '1min');
    for (const period of ['1h', '1d', '1w'] as const) {
      const longer = candles(symbol, period);
      for (const [at, candle] of longer.entries()) {
        const endMs = longer[at + 1]?.openTimeMs ?? openedMs;
        const own = minutes.filter(({ openTimeMs: ms }) => ms >= candle.openTimeMs && ms < endMs);
        assert.deepEqual(
          [candle.open, candle.high, candle.low, candle.close],
          [
            own[0]?.open,
            Math.max(...own.map(({ high }) => high)),
            Math.min(...own.map(({ low }) => low)),
            own.at(-1)?.close,
          ],
        );
        assert.equal(
          candle.quoteAmount,
          own.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n),
        );
        assert.equal(
          candle.tradesCount,
          own.reduce((sum, { tradesCount }) => sum + tradesCount, 0),
        );
      }
    }
  });
}

test('it ends where the paths begin, and contracts had an index', () => {
  const last = (symbol: string, price: CandlePrice = 'last') =>
    Number(candles(symbol, '1min', DEMO, price).at(-1)?.close);
  assert.ok(Math.abs(last('BTC-USDT') / 3_000_000 - 1) < 0.0002);
  assert.equal(last('BTC-USDT-PERP', 'index'), 300_000);
  assert.equal(last('ETH-USDT-PERP', 'mark'), 200_000);
  const [first] = candles('BTC-USDT-PERP', '1min', DEMO, 'mark');
  assert.deepEqual([first?.baseLots, first?.tradesCount], [0, 0]);
});

test('busy and calm times last, and a few minutes have many times the ordinary volume', () => {
  const hours = candles('BTC-USDT', '1h').map(({ baseLots }) => baseLots);
  const mean = hours.reduce((sum, size) => sum + size, 0) / hours.length;
  const product = hours.slice(1).map((size, at) => (size - mean) * ((hours[at] ?? 0) - mean));
  const variance = hours.reduce((sum, size) => sum + (size - mean) ** 2, 0);
  assert.ok(product.reduce((sum, one) => sum + one, 0) / variance > 0.2, 'hours are alike');
  const sizes = candles('BTC-USDT', '1min').map(({ baseLots }) => baseLots);
  sizes.sort((one, other) => one - other);
  const middle = present(sizes[sizes.length / 2], 'median');
  assert.ok(present(sizes[Math.floor(sizes.length * 0.99)], 'tail') > 10 * middle);
});

const SPOT = '/api/spot/v1/market';

/** The candles of BTCUSDT that ended before it opened, two pages of them. */
async function pastOf(here: ServerHere, opened: number): Promise<string> {
  const before = opened - (opened % MINUTE_MS) - 1;
  const queries = [
    `period=1min&limit=1000&before=${before}`,
    `period=1min&limit=1000&before=${before - 3 * DAY_MS}`,
    `period=1h&limit=1000&before=${before - 3_600_000}`,
  ];
  const pages = queries.map(async (query) => {
    const path = `${SPOT}/candles?symbol=BTCUSDT_SPBL&${query}`;
    return rowsOf(await ask(here.url, path));
  });
  return JSON.stringify(await Promise.all(pages));
}

async function opened(here: ServerHere): Promise<number> {
  return here.venue.read(
    (reader) => present(reader.accountByName('liquidity'), 'account').createdTimeMs,
  );
}

async function demo(context: TestContext, directory: string): Promise<ServerHere> {
  const here = await new ServerHere(directory).start({ participants: true });
  context.after(() => here.stop());
  return here;
}

test('a first start shows it, the next one the same, and no table holds it', async (context) => {
  const directory = scratchDirectory(context);
  const first = await demo(context, directory);
  const openMs = await opened(first);
  const before = await pastOf(first, openMs);
  assert.equal(JSON.parse(before)[0].length, 1_000);
  assert.equal(JSON.parse(before)[1].length, 1_000);
  assert.ok(JSON.parse(before)[2].length > 300);
  const [ticker] = rowsOf(await ask(first.url, `${SPOT}/tickers`));
  assert.ok(Number(ticker?.baseVol) > 1_000, 'a day has gone by');
  const { body } = await ask(first.url, '/api/v3/market/ticker/24hr?symbol=BTCUSDT');
  const [day] = body as unknown as readonly { volume: string; count: string }[];
  assert.ok(Number(day?.count) > 1_000, `${day?.count} trades of ${day?.volume} BTC`);
  const fills = rowsOf(await ask(first.url, `${SPOT}/fills?symbol=BTCUSDT_SPBL&limit=500`));
  for (const { fillTime } of fills) assert.ok(Number(fillTime) >= openMs, 'these are trades');
  await first.close();
  const second = await demo(context, directory);
  assert.equal(await pastOf(second, openMs), before);
  assert.ok(dataOf(await ask(second.url, `${SPOT}/tickers`)));
  await second.close();
  const file = new Sqlite(`${directory}/history.sqlite`, { readonly: true });
  const stored = file.prepare('select min(open_time_ms) as ms from candles where period_id = 1');
  const { ms } = stored.get() as { ms: number | null };
  file.close();
  assert.ok(ms === null || ms >= openMs - (openMs % MINUTE_MS), 'the history begins at the start');
});
