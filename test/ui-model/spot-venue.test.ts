/** Spot estimates against the venue itself: what is said before is what is paid and received. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { native } from '#client';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import type { Side } from '#domain';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import type { Opposite, OrderWish } from '../../ui/src/model/expected.ts';
import { type FillLine, fillLine } from '../../ui/src/model/fills.ts';
import { scaled } from '../../ui/src/model/numbers.ts';
import { orderLine } from '../../ui/src/model/orders.ts';
import {
  marketBuyEstimate,
  type SpotEstimate,
  spotEstimate,
  spotLotsMax,
} from '../../ui/src/model/spot-estimate.ts';
import { side } from '../support/arbitraries.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { NativeCalls } from '../support/native-calls.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { pairOf, rowOf } from './traded.ts';

const SYMBOL = 'BTCUSDT_SPBL';
const MONEY = { BTC: '1000', USDT: '100000000' };

const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;
const calls = new NativeCalls(house);
const maker = await house.trader('maker', MONEY);
const { listings } = house.live;
const pair = pairOf(rowOf('BTC-USDT', listings), listings);

async function place(who: Trader, side: Side, wish: OrderWish, quantity: string): Promise<string> {
  const force = wish.force === 'gtc' ? 'normal' : wish.force;
  const price = wish.type === 'market' ? {} : { price: formatDecimal(wish.priceTicks, 2) };
  return desk.place(who, { side, orderType: wish.type, force, quantity, ...price });
}

/** The order and its fills as the venue shows them afterwards. */
async function outcome(who: Trader, orderId: string) {
  const order = await calls.data<native.OrderAnswer>(who, CALLS.order, {}, orderId);
  const { rows } = await calls.data<native.FillsAnswer>(who, CALLS.fills, { order: orderId });
  return { order: orderLine(order), fills: rows.map(fillLine) };
}

async function balanceOf(who: Trader, coin: string): Promise<bigint> {
  const [row] = await desk.data<{ available: string }[]>(who, 'assets', { coin });
  return scaled(present(row, coin).available, 8);
}

/** The book is this, of several orders a level. */
async function quote(side: Side, levels: Opposite): Promise<void> {
  await house.run({ kind: 'cancel_all_spot_orders', accountId: maker.accountId });
  for (const { priceTicks, lots } of levels) {
    for (const sizeLots of [7, 13, lots - 20]) {
      const wish: OrderWish = { type: 'limit', force: 'gtc', priceTicks, sizeLots };
      await place(maker, side, wish, formatDecimal(sizeLots, 4));
    }
  }
}

const offsets = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 4 });

function levelsOf(away: readonly number[], side: Side): Opposite {
  const sign = side === 'sell' ? 1 : -1;
  let priceTicks = 3_000_000;
  return away.map((step) => {
    priceTicks += sign * step;
    return { priceTicks, lots: step + 500 };
  });
}

function feesOf(fills: readonly FillLine[]): bigint {
  return fills.reduce((sum, { fee }) => sum + scaled(fee, 8), 0n);
}

const FORCES = ['gtc', 'ioc'] as const;

test('a limit order, or a market sell, costs and brings what was said', async () => {
  const property = fc.asyncProperty(
    side,
    offsets,
    fc.integer({ min: 100, max: 20_000 }),
    fc.constantFrom(...FORCES),
    fc.boolean(),
    async (side, away, sizeLots, force, isMarket) => {
      const opposite = levelsOf(away, side === 'buy' ? 'sell' : 'buy');
      await quote(side === 'buy' ? 'sell' : 'buy', opposite);
      const who = await house.trader(`trader${await nextNumber()}`, MONEY);
      const isMarketSell = isMarket && side === 'sell';
      const wish: OrderWish = isMarketSell
        ? { type: 'market', force: 'ioc', priceTicks: 0, sizeLots }
        : {
            type: 'limit',
            force,
            priceTicks: present(opposite.at(-1), 'level').priceTicks,
            sizeLots,
          };
      const estimate = spotEstimate(pair, side, { ...wish, force: 'ioc' }, opposite);
      const orderId = await place(who, side, wish, formatDecimal(sizeLots, 4));
      await check(who, side, orderId, estimate);
    },
  );
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

test('a market buy spends what was said of its budget', async () => {
  const property = fc.asyncProperty(
    offsets,
    fc.bigInt({ min: 10n ** 9n, max: 10n ** 14n }),
    async (away, budget) => {
      const opposite = levelsOf(away, 'sell');
      await quote('sell', opposite);
      const who = await house.trader(`trader${await nextNumber()}`, MONEY);
      const estimate = marketBuyEstimate(pair, budget, opposite);
      const wish: OrderWish = { type: 'market', force: 'ioc', priceTicks: 0, sizeLots: 0 };
      const orderId = await place(who, 'buy', wish, formatTrimmed(budget, 8));
      await check(who, 'buy', orderId, estimate);
    },
  );
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
});

let numbers = 0;
async function nextNumber(): Promise<number> {
  numbers += 1;
  return numbers;
}

/** What rests of an order is cancelled first: the estimate was of what it takes. */
async function check(
  who: Trader,
  side: Side,
  orderId: string,
  estimate: SpotEstimate,
): Promise<void> {
  await house.run({ kind: 'cancel_all_spot_orders', accountId: who.accountId });
  const { order, fills } = await outcome(who, orderId);
  assert.equal(feesOf(fills), estimate.fee, 'fee');
  const [payCoin, getCoin] = side === 'buy' ? ['USDT', 'BTC'] : ['BTC', 'USDT'];
  const had = { BTC: 1_000n * 10n ** 8n, USDT: 10n ** 16n };
  assert.equal(had[payCoin as 'BTC'] - (await balanceOf(who, payCoin)), estimate.paid, 'paid');
  assert.equal((await balanceOf(who, getCoin)) - had[getCoin as 'BTC'], estimate.received);
  const average = formatDecimal(estimate.averageTicks, 6);
  const shown = formatDecimal(scaled(order.average, 8), 8);
  assert.ok(Math.abs(Number(shown) - Number(average)) <= 1e-6, `${shown} and ${average}`);
}

test('all that a balance pays for is taken, a lot more is not', async () => {
  await quote('sell', []);
  for (const [side, priceTicks] of [
    ['buy', 2_345_678],
    ['sell', 3_345_678],
  ] as const) {
    const who = await house.trader(`rich${side}`, { BTC: '1.00005', USDT: '1234.56' });
    const available = await balanceOf(who, side === 'buy' ? 'USDT' : 'BTC');
    const most = spotLotsMax(pair, side, available, priceTicks);
    const wish: OrderWish = { type: 'limit', force: 'gtc', priceTicks, sizeLots: most };
    const quantity = formatDecimal(most + 1, 4);
    const body = { symbol: SYMBOL, side, orderType: 'limit', force: 'normal', quantity };
    const price = formatDecimal(priceTicks, 2);
    const [status, code] = await desk.refusal(who, 'placeOrder', { ...body, price });
    assert.equal(status, 400, String(code));
    await place(who, side, wish, formatDecimal(most, 4));
  }
});
