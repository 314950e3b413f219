/** Price paths: random ones have the statistics asked for, recorded ones tell what was. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type CoinPath, PriceBoard, RecordedPath } from '#simulation/testing';

const BTC = { baseCode: 'BTC', quoteCode: 'USDT', priceScale: 2 };
const ETH = { baseCode: 'ETH', quoteCode: 'USDT', priceScale: 2 };
const CROSS = { baseCode: 'ETH', quoteCode: 'BTC', priceScale: 5 };
const COIN = 10 ** 8;
const MINUTE_MS = 60_000;
const MINUTES_OF_YEAR = 525_600;

const STILL = { volatilityPpm: 0, correlationPpm: 0, jumpsPerDay: 0, jumpPpm: 0 };

function random(coin: string, price: number, rules: Partial<typeof STILL>): CoinPath {
  return { kind: 'random', coin, price: price * COIN, rules: { ...STILL, ...rules } };
}

function board(seed: number, ...coins: CoinPath[]): PriceBoard {
  return new PriceBoard({ seed, feed: 'path', pastDays: 0, coins });
}

/** Returns of the coins, minute by minute. */
function returns(prices: PriceBoard, minutes: number): [number[], number[]] {
  const found: [number[], number[]] = [[], []];
  const ticksNow = () => [BTC, ETH].map((pair) => prices.priceOf(pair)?.priceTicks ?? 0);
  let before = ticksNow();
  for (let minute = 0; minute < minutes; minute += 1) {
    prices.advance(MINUTE_MS);
    const after = ticksNow();
    for (const [at, list] of found.entries()) list.push((after[at] ?? 0) / (before[at] ?? 1) - 1);
    before = after;
  }
  return found;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

function correlation(left: readonly number[], right: readonly number[]): number {
  const product = mean(left.map((value, at) => value * (right[at] ?? 0)));
  return (product - mean(left) * mean(right)) / (deviation(left) * deviation(right));
}

test('a random path has the volatility asked for, and coins are correlated as asked', () => {
  const btc = random('BTC', 30_000, { volatilityPpm: 600_000, correlationPpm: 900_000 });
  const eth = random('ETH', 2_000, { volatilityPpm: 900_000, correlationPpm: 800_000 });
  const [one, other] = returns(board(3, btc, eth), 10_000);
  const yearly = (values: number[]) => deviation(values) * Math.sqrt(MINUTES_OF_YEAR);
  assert.ok(Math.abs(yearly(one) - 0.6) < 0.02, String(yearly(one)));
  assert.ok(Math.abs(yearly(other) - 0.9) < 0.03, String(yearly(other)));
  assert.ok(Math.abs(correlation(one, other) - 0.72) < 0.03, String(correlation(one, other)));
});

test('jumps come as often as asked', () => {
  const jumpy = random('BTC', 30_000, { jumpsPerDay: 144, jumpPpm: 20_000 });
  const [moves] = returns(board(5, jumpy), 14_400);
  const jumps = moves.filter((move) => move !== 0).length;
  assert.ok(Math.abs(jumps - 1_440) < 150, `${jumps} jumps in ten days`);
});

test('a seed makes the same prices again, another one others', () => {
  const rules = { volatilityPpm: 600_000, jumpsPerDay: 50, jumpPpm: 10_000 };
  const of = (seed: number) => returns(board(seed, random('BTC', 30_000, rules)), 50)[0];
  assert.deepEqual(of(1), of(1));
  assert.notDeepEqual(of(1), of(2));
});

test('a pair between two coins is worth their ratio; a coin without a path is no base', () => {
  const prices = board(
    0,
    { kind: 'constant', coin: 'BTC', price: 30_000 * COIN },
    { kind: 'constant', coin: 'ETH', price: 2_000 * COIN },
  );
  prices.advance(MINUTE_MS);
  assert.deepEqual(prices.priceOf(BTC), { priceTicks: 3_000_000, isLive: true });
  assert.deepEqual(prices.priceOf(CROSS), { priceTicks: 6_667, isLive: true });
  assert.equal(prices.priceOf({ ...BTC, baseCode: 'XRP' }), undefined);
  prices.moveTo(BTC, 4_000_000);
  prices.moveTo(CROSS, 1);
  assert.equal(prices.priceOf(BTC)?.priceTicks, 4_000_000);
  assert.equal(prices.priceOf(ETH)?.priceTicks, 200_000);
});

const START_MS = Date.UTC(2024, 7, 5);
const RECORDING = {
  timesMs: [0, 60_000, 120_000, 600_000].map((ms) => START_MS + ms),
  prices: [100, 110, 120, 90],
  validMs: 60_000,
};

/** At this many recorded seconds: the price, and whether anybody knows it. */
const PLAYED = [
  [0, 100, true],
  [59, 100, true],
  [60, 110, true],
  [180, 120, true],
  [181, 120, false],
  [599, 120, false],
  [600, 90, true],
  [661, 90, false],
] as const;

for (const [seconds, price, isLive] of PLAYED) {
  test(`after ${seconds} s the recording says ${price}${isLive ? '' : ', in a gap'}`, () => {
    for (const speed of [1, 60]) {
      const path = new RecordedPath(RECORDING, speed);
      path.advance((seconds * 1_000) / speed);
      assert.deepEqual([path.price, path.isLive], [price, isLive], `speed ${speed}`);
    }
  });
}

test('a recording says how far it is', () => {
  const path = new RecordedPath(RECORDING, 60);
  assert.equal(path.progress, '0 %, 2024-08-05T00:00:00.000Z');
  path.advance(5_000);
  assert.equal(path.progress, '50 %, 2024-08-05T00:05:00.000Z, in a gap');
  path.advance(60_000);
  assert.equal(path.progress, 'at its end');
});
