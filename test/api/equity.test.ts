/**
 * What an account owned when days began, the insurance funds then and now, and the liquidations
 * that everybody may see: over HTTP, on a clock that the test moves.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import { SPOT_ENDPOINTS, SWAP_RISK } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { LINEAR } from '../support/contracts.ts';
import type { Trader } from '../support/house.ts';
import { START_MS } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL, type Row, SwapDesk } from '../support/swap-desk.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = START_MS - (START_MS % DAY_MS);

const desk = closedAtEnd(await SwapDesk.open());
let day = 0;

/** The first command of the next day; gives when that began. */
async function nextDay(days = 1): Promise<string> {
  day += days;
  const dayMs = FIRST_DAY_MS + day * DAY_MS;
  desk.house.clock.set(dayMs + 1_234);
  await desk.tick();
  return String(dayMs);
}

async function equity(who: Trader, fields: object = {}): Promise<readonly Row[]> {
  const { status, body } = await desk.send(who, SPOT_ENDPOINTS.equity, fields);
  assert.equal(status, 200, JSON.stringify(body));
  const { data } = body;
  assert.deepEqual([...Value.Errors(SPOT_ENDPOINTS.equity.response, data)], []);
  assert.ok(Array.isArray(data));
  return data;
}

async function told(name: keyof typeof SWAP_RISK, query = ''): Promise<readonly Row[]> {
  const { path, response } = SWAP_RISK[name];
  const { status, body } = await desk.house.get(`${path}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([...Value.Errors(response, body)], []);
  assert.ok(Array.isArray(body));
  return body;
}

async function codeOf(path: string): Promise<unknown> {
  return (await desk.house.get(path)).body.code;
}

test('what was owned is kept when a day begins, all wallets and open profit in it', async () => {
  const alice = await desk.house.trader('ann', { BTC: '2', USDT: '500' }, {});
  const bob = await desk.trader('ben');
  await desk.fund(alice, '1000');
  await desk.trade(alice, bob, 30_000, 10);
  await desk.setIndex(30_500);
  await desk.tick();
  assert.deepEqual(await equity(alice), []);
  const dayMs = await nextDay();
  const { equity: inContracts } = await desk.data(alice, 'account', { symbol: LINEAR_SYMBOL });
  // A later deposit is of the day that has begun.
  await desk.house.deposit(alice.accountId, 'USDT', '77');
  const total = (Number(inContracts) + 500).toFixed(8);
  assert.ok(Number(inContracts) > 1_003, 'the profit of ten thousandths at 500 more');
  const rows = [
    { day: dayMs, coinName: 'USDT', equity: total },
    { day: dayMs, coinName: 'BTC', equity: '2.00000000' },
  ];
  const found = await equity(alice);
  assert.deepEqual(new Set(found), new Set(rows));
  assert.deepEqual(await equity(alice, { coin: 'btc' }), rows.slice(1));
  // The first command of a day is its settlement where nothing else came.
  const later = await nextDay(3);
  assert.deepEqual(
    (await equity(alice, { coin: 'USDT' })).map((row) => row.day),
    [later, ...[2, 1].map((day) => String(Number(dayMs) + day * DAY_MS)), dayMs],
  );
  assert.equal((await equity(alice, { coin: 'USDT', startTime: later })).length, 1);
  assert.equal((await equity(alice, { coin: 'USDT', endTime: dayMs })).length, 1);
  assert.deepEqual(await equity(alice, { startTime: Number(later) + 1 }), []);
  assert.deepEqual(await equity(await desk.house.trader('nobody')), []);
});

test('a coin or time that is none is refused', async () => {
  const alice = await desk.house.trader('ann2');
  const bad: readonly (readonly [object, string])[] = [
    [{ coin: 'CHICKENS' }, '40034'],
    [{ startTime: '-1' }, '40017'],
    [{ endTime: 'x' }, '40017'],
  ];
  for (const [fields, code] of bad) {
    const { status, body } = await desk.send(alice, SPOT_ENDPOINTS.equity, fields);
    assert.deepEqual([status, body.code], [400, code], JSON.stringify(fields));
  }
});

test('the insurance fund is shown as it is, and as it was when days began', async () => {
  const [usdt] = await told('insuranceFunds');
  assert.deepEqual([usdt?.coin, usdt?.fund], ['USDT', '0']);
  assert.deepEqual(await told('insuranceHistory', '?coin=usdt'), []);
  const assetId = desk.contract(LINEAR_SYMBOL).margin.assetId;
  await desk.house.run({ kind: 'fund_insurance', assetId, amount: 12_345_000_000n });
  const dayMs = await nextDay();
  await desk.house.run({ kind: 'fund_insurance', assetId, amount: 100_000_000n });
  assert.deepEqual(await told('insuranceHistory', '?coin=usdt'), [
    { coin: 'USDT', fund: '123.45', timestamp: dayMs },
  ]);
  const now = await told('insuranceFunds');
  assert.deepEqual(now.find(({ coin }) => coin === 'USDT')?.fund, '124.45');
  assert.equal(now.length, 2, 'one for each margin coin');
  await desk.house.run({ kind: 'update_asset', assetId, changes: { transferable: true } });
  await desk.house.run({ kind: 'list_contract', spec: { ...LINEAR, symbol: 'NEXT-PERP' } });
  const coins = (await told('insuranceFunds')).map(({ coin }) => coin);
  assert.deepEqual(coins, ['USDT', 'BTC'], 'one for each, listed before or after a change of it');
  const { path } = SWAP_RISK.insuranceHistory;
  assert.equal(await codeOf(`${path}?coin=CHICKENS`), '40034');
  assert.equal(await codeOf(path), '40017');
});

test('everybody sees what was liquidated, and nobody whose it was', async () => {
  await desk.clear();
  await desk.setIndex(30_000);
  await desk.tick();
  const bob = await desk.trader('bob');
  const carl = await desk.funded('carl', '40');
  await desk.trade(carl, bob, 30_000, 20);
  assert.deepEqual(await told('recentLiquidations'), []);
  await desk.setIndex(27_000);
  for (let tries = 0; tries < 5; tries += 1) await desk.tick();
  const rows = await told('recentLiquidations');
  assert.ok(rows.length > 0);
  for (const row of rows) {
    const figures = ['symbol', 'side', 'size', 'deleveraged', 'bankruptcy_price', 'mark_price'];
    assert.deepEqual(Object.keys(row), ['liquidation_id', ...figures, 'timestamp']);
    assert.deepEqual([row.symbol, row.side], [LINEAR_SYMBOL, 'long']);
    assert.ok(Number(row.size) > 0 && Number(row.bankruptcy_price) > 0);
  }
  const [newest] = rows;
  assert.deepEqual(await told('recentLiquidations', `?symbol=${LINEAR_SYMBOL}`), rows);
  assert.deepEqual(await told('recentLiquidations', `?symbol=${INVERSE_SYMBOL}`), []);
  assert.deepEqual(await told('recentLiquidations', `?before=${rows.at(-1)?.liquidation_id}`), []);
  const all = await told(
    'recentLiquidations',
    `?before=${Number(newest?.liquidation_id) + 1}&limit=1`,
  );
  assert.deepEqual(all[0], newest);
  const { path } = SWAP_RISK.recentLiquidations;
  assert.equal(await codeOf(`${path}?symbol=cmt_none`), '40102');
  assert.equal(await codeOf(`${path}?before=soon`), '40017');
  assert.equal(await codeOf(`${path}?limit=0`), '40017');
});
