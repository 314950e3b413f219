/** How contract orders and plan orders are read into commands of whole ticks and lots. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detailText, midnightMs, readContractOrder, readPlanOrder } from '#dialects';
import {
  type Asset,
  accountId,
  assetId,
  type Contract,
  type ContractSpec,
  instrumentId,
  isRefused,
  Listings,
  lots,
  USUAL_FUND_BUDGET,
} from '#domain';
import { formatDecimal } from '#kernel';
import { INVERSE, LINEAR } from '../support/contracts.ts';

const owner = accountId(1);
const listings = new Listings();
for (const [at, code] of ['USDT', 'BTC'].entries()) {
  const names = { assetId: assetId(at), coinId: at, code, scale: 8 };
  const asset: Asset = { ...names, transferable: true, chains: [], fundBudget: USUAL_FUND_BUDGET };
  listings.apply({ kind: 'asset_listed', asset });
  // The inverse one counts in hundredths of a contract here.
  const spec: ContractSpec = code === 'USDT' ? LINEAR : { ...INVERSE, quantityScale: 2 };
  const factors = { instrumentId: instrumentId(at), valueFactor: 1n, fineFactor: 1n };
  const contract: Contract = { ...spec, ...factors, margin: asset };
  listings.apply({ kind: 'contract_listed', contract });
}

const OPEN_LONG = { symbol: 'cmt_btcusdt', type: '1', price: '29000.5', size: '10' };
const PLAN = {
  symbol: 'cmt_btcusdt',
  type: '1',
  holdSide: '1',
  match_type: '1',
  trigger_price: '30500',
  size: '3',
};

test('a limit order with everything', () => {
  const order = readContractOrder(
    {
      ...OPEN_LONG,
      order_type: '1',
      match_price: '0',
      client_oid: 'drv#1',
      presetTakeProfitPrice: 31000,
      presetStopLossPrice: '28000.50',
      presetStopLossTriggerType: 'index',
    },
    listings,
    owner,
  );
  assert.deepEqual(order, {
    kind: 'place_contract_order',
    accountId: 1,
    instrumentId: 0,
    action: 'open_long',
    type: 'limit',
    force: 'post_only',
    priceTicks: 290_005,
    sizeLots: 10,
    clientOrderId: 'drv#1',
    takeProfitTicks: 310_000,
    stopLossTicks: 280_005,
    takeProfitWorking: undefined,
    stopLossWorking: 'index',
  });
});

test('a market order with as little as can be', () => {
  const fields = { symbol: 'CMT_BTCUSD', type: 4, match_price: 1, size: 0.25, price: 'any' };
  assert.deepEqual(readContractOrder(fields, listings, owner), {
    kind: 'place_contract_order',
    accountId: 1,
    instrumentId: 1,
    action: 'close_short',
    type: 'market',
    force: 'ioc',
    sizeLots: 25,
    clientOrderId: undefined,
    takeProfitTicks: undefined,
    stopLossTicks: undefined,
    takeProfitWorking: undefined,
    stopLossWorking: undefined,
  });
});

test('a plan order: type and holdSide make the action, a market one has no price', () => {
  const actions = [
    ['1', '1', 'open_long'],
    ['1', '2', 'open_short'],
    ['2', '1', 'close_long'],
    ['2', '2', 'close_short'],
  ];
  for (const [type, holdSide, action] of actions) {
    const fields = { ...PLAN, type, holdSide, execute_price: '1', client_oid: 'p' };
    assert.deepEqual(readPlanOrder(fields, listings, owner), {
      kind: 'place_trigger_order',
      accountId: 1,
      instrumentId: 0,
      action,
      type: 'market',
      triggerTicks: 305_000,
      sizeLots: 3,
      clientOrderId: 'p',
    });
  }
});

test('of several faults the shape is told before the contract, the contract before numbers', () => {
  const reject = (changes: object) => {
    const refused = readContractOrder({ ...OPEN_LONG, ...changes }, listings, owner);
    return isRefused(refused) ? refused.reject : undefined;
  };
  const all = { type: '9', symbol: 'cmt_x', price: '1.3', size: '0' };
  assert.equal(reject(all), 'parameter_invalid');
  assert.equal(reject({ ...all, type: '1' }), 'contract_unknown');
  assert.equal(reject({ ...all, type: '1', symbol: 'cmt_btcusdt' }), 'price_invalid');
  assert.equal(reject({ size: '0' }), 'quantity_invalid');
});

test('what is refused is named', () => {
  const detail = (changes: object) => {
    const refused = readContractOrder({ ...OPEN_LONG, ...changes }, listings, owner);
    return isRefused(refused) ? detailText(refused.detail) : undefined;
  };
  assert.equal(detail({ price: '29000.3' }), "price '29000.3' is not a multiple of 0.5");
  assert.equal(
    detail({ presetStopLossPrice: '1.25' }),
    "presetStopLossPrice '1.25' has more than 1 decimal places",
  );
  assert.equal(detail({ price: null }), 'price is required');
  assert.equal(detail({ size: '1.5' }), "'1.5': whole contracts only");
});

test('every price on a step is read to the tick, every other one is refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (priceTicks) => {
      const price = formatDecimal(priceTicks, 1);
      const order = readContractOrder({ ...OPEN_LONG, price }, listings, owner);
      if (priceTicks % 5 !== 0) return isRefused(order) && order.reject === 'price_invalid';
      return !isRefused(order) && order.type === 'limit' && order.priceTicks === priceTicks;
    }),
  );
});

test('every size above zero is read to the lot, as text and as a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (sizeLots) => {
      const text = formatDecimal(sizeLots, 2);
      return [text, Number(text)].every((size) => {
        const fields = { ...OPEN_LONG, symbol: 'cmt_btcusd', size };
        const order = readContractOrder(fields, listings, owner);
        return !isRefused(order) && order.sizeLots === lots(sizeLots);
      });
    }),
  );
});

test('history looks back to a midnight, at every moment of the day', () => {
  const dayMs = 86_400_000;
  const days = fc.integer({ min: 0, max: 90 });
  fc.assert(
    fc.property(fc.integer({ min: 1.6e12, max: 2e12 }), days, (nowMs, createDate) => {
      const sinceMs = midnightMs(nowMs, createDate);
      const intoDayMs = nowMs - createDate * dayMs - sinceMs;
      return sinceMs % dayMs === 0 && intoDayMs >= 0 && intoDayMs < dayMs;
    }),
  );
});
