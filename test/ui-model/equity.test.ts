/** What is owned in one coin, now and day by day: by prices of one or two markets, or none. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { drawnCurve, equityCurve, profitOf } from '../../ui/src/model/equity.ts';
import { rateOf, valuationOf, valueAt } from '../../ui/src/model/valuation.ts';

const MARKETS = [
  { base: 'BTC', quote: 'USDT', price: '30000.50' },
  { base: 'ETH', quote: 'BTC', price: '0.05' },
  { base: 'DOGE', quote: 'USDT', price: '0' },
  { base: 'SHIB', quote: 'ETH', price: '0.001' },
];

function worth(amount: string, coin: string, target = 'USDT'): string | undefined {
  const rate = rateOf(coin, target, MARKETS);
  return rate && valueAt(amount, rate);
}

test('a coin is worth what one market says, or two, in either direction', () => {
  assert.equal(worth('2', 'USDT'), '2.00000000');
  assert.equal(worth('0.5', 'BTC'), '15000.25000000');
  assert.equal(worth('60001', 'USDT', 'BTC'), '2.00000000');
  assert.equal(worth('3', 'ETH'), '4500.07500000');
  assert.equal(worth('100', 'USDT', 'ETH'), '0.06666555');
  assert.equal(worth('-1', 'BTC'), '-30000.50000000');
});

test('a coin that no market or only three lead to, or one without a trade, has no value', () => {
  assert.equal(worth('1', 'DOGE'), undefined);
  assert.equal(worth('1', 'SHIB'), undefined);
  assert.equal(worth('1', 'XYZ'), undefined);
});

test('the total counts what has a price and names the rest', () => {
  const amounts = [
    { coin: 'USDT', amount: '100' },
    { coin: 'BTC', amount: '1' },
    { coin: 'DOGE', amount: '5' },
    { coin: 'XYZ', amount: '0.000' },
  ];
  assert.deepEqual(
    valuationOf(amounts, (coin) => rateOf(coin, 'USDT', MARKETS)),
    { total: '30100.50000000', unpriced: ['DOGE'] },
  );
});

const DAY_MS = 86_400_000;
const ROWS = [
  { time: 3 * DAY_MS, coin: 'BTC', equity: '1' },
  { time: 3 * DAY_MS, coin: 'USDT', equity: '50' },
  { time: DAY_MS, coin: 'BTC', equity: '1' },
];
const PRICES = [
  {
    base: 'BTC',
    quote: 'USDT',
    opens: [
      { timeMs: DAY_MS, price: '100' },
      { timeMs: 2 * DAY_MS, price: '110' },
      { timeMs: 4 * DAY_MS, price: '999' },
    ],
  },
];

test('each day is worth what its own prices say, the last known where there were none', () => {
  assert.deepEqual(equityCurve(ROWS, 'USDT', PRICES), [
    { timeMs: DAY_MS, total: '100.00000000', unpriced: [] },
    { timeMs: 3 * DAY_MS, total: '160.00000000', unpriced: [] },
  ]);
  const [first] = equityCurve(ROWS, 'EUR', PRICES);
  assert.deepEqual(first?.unpriced, ['BTC']);
});

test('money that was paid in or out is no profit', () => {
  const curve = equityCurve(ROWS, 'USDT', PRICES);
  const flow = (timeMs: number, coin: string, amount: string) => ({ timeMs, coin, amount });
  assert.equal(profitOf(curve, [], 'USDT', PRICES), '60.00000000');
  const flows = [flow(2 * DAY_MS, 'USDT', '50'), flow(2.5 * DAY_MS, 'BTC', '-0.5')];
  assert.equal(profitOf(curve, flows, 'USDT', PRICES), '65.00000000');
  assert.equal(profitOf(curve, [flow(1, 'USDT', '7')], 'USDT', PRICES), '60.00000000');
  assert.equal(profitOf(curve, [flow(2 * DAY_MS, 'XYZ', '7')], 'USDT', PRICES), undefined);
  assert.equal(profitOf(curve.slice(1), [], 'USDT', PRICES), undefined);
});

test('a curve fills its box, and a level one stands in the middle', () => {
  const point = (timeMs: number, total: string) => ({ timeMs, total, unpriced: [] });
  assert.deepEqual(drawnCurve([point(0, '5'), point(1, '7'), point(4, '6')]), [
    { x: 0, y: 0 },
    { x: 0.25, y: 1 },
    { x: 1, y: 0.5 },
  ]);
  assert.deepEqual(drawnCurve([point(0, '5'), point(1, '5')]), [
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ]);
  assert.deepEqual(drawnCurve([point(9, '5')]), [{ x: 1, y: 0.5 }]);
  assert.deepEqual(drawnCurve([]), []);
});
