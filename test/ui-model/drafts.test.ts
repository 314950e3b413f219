/** Order forms without a screen: what fields mean, what is wrong with them, what would be sent. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MarginState, SideState } from '../../ui/src/model/margin-account.ts';
import { pricedBy, readContractDraft } from '../../ui/src/terminal/trade/contract-draft.ts';
import { type ContractDraft, EMPTY_DRAFT } from '../../ui/src/terminal/trade/contract-wish.ts';
import { faultText, NO_SIZE, type Size } from '../../ui/src/terminal/trade/draft.ts';
import {
  EMPTY_SPOT_DRAFT,
  readSpotDraft,
  type SpotDraft,
  pricedBy as spotPricedBy,
} from '../../ui/src/terminal/trade/spot-draft.ts';
import { en } from '../../ui/src/texts/en.ts';
import { contractOf, pairOf, rowOf } from './traded.ts';

const PAIR = pairOf(rowOf('BTC-USDT'));

const CONTRACT = contractOf({
  ...rowOf('BTC-USDT-PERP'),
  ...{ contractValue: '0.001', priceStep: '0.5', sizeMin: '1', sizeMax: '10000' },
  ...{ takerFee: '0.0006', makerFee: '0.0002', priceBand: '0.05' },
  riskTiers: [{ sizeMax: '100000', maintenanceRate: '0.005', leverageMax: 100 }],
});

const typed = (text: string): Size => ({ kind: 'typed', text });
const USDT = 100_000_000n;

function spot(part: Partial<SpotDraft>, available = 1_000n * USDT) {
  const draft: SpotDraft = {
    ...EMPTY_SPOT_DRAFT,
    price: '25000',
    ...part,
  };
  const opposite = [{ priceTicks: 3_000_000, lots: 10_000 }];
  return readSpotDraft(draft, { pair: PAIR, opposite, available });
}

describe('a spot order', () => {
  const SENT: readonly (readonly [string, Partial<SpotDraft>, object])[] = [
    [
      'limit',
      { size: typed('0.0100') },
      { side: 'buy', type: 'limit', timeInForce: 'gtc', price: '25000', size: '0.01' },
    ],
    [
      'post only, with commas',
      { force: 'post_only', price: '25,000.50', size: typed('0.01') },
      { side: 'buy', type: 'limit', timeInForce: 'post_only', price: '25000.5', size: '0.01' },
    ],
    [
      'market sell in base coin',
      { side: 'sell', type: 'market', size: typed('0.5') },
      { side: 'sell', type: 'market', size: '0.5' },
    ],
    [
      'market buy in quote coin',
      { type: 'market', size: typed('12.34567891') },
      { side: 'buy', type: 'market', spend: '12.34567891' },
    ],
    [
      'half of what is there',
      { size: { kind: 'part', percent: 50 } },
      { side: 'buy', type: 'limit', timeInForce: 'gtc', price: '25000', size: '0.02' },
    ],
  ];
  for (const [name, part, order] of SENT) {
    test(`${name}: what is sent`, () => {
      const expected = { symbol: PAIR.symbol, ...order };
      assert.deepEqual(spot(part).request, { kind: 'order', order: expected });
    });
  }

  const WRONG: readonly (readonly [Partial<SpotDraft>, string])[] = [
    [{ price: '0', size: typed('1') }, 'Price is invalid'],
    [{ price: '1.001', size: typed('1') }, 'Price is invalid: at most 2 decimal places'],
    [{ size: typed('1e2') }, 'Quantity is invalid'],
    [{ size: typed('0.00001') }, 'Quantity is invalid: at most 4 decimal places'],
    [{ size: typed('10001') }, 'Quantity is above the maximum: at most 10000 BTC'],
    [{ size: typed('0.0001') }, 'Order value is below the minimum: at least 5 USDT'],
    [{ type: 'market', size: typed('4') }, 'Order value is below the minimum: at least 5 USDT'],
  ];
  for (const [part, words] of WRONG) {
    test(`${words}: nothing is sent`, () => {
      const { priceFault, sizeFault, request } = spot(part);
      const fault = priceFault ?? sizeFault;
      assert.equal(fault && faultText(fault, en.trade), words);
      assert.equal(request, undefined);
    });
  }

  test('what the account lacks is said, and left to the venue to refuse', () => {
    const { moneyFault, request } = spot({ size: typed('1') });
    const words = 'Balance is insufficient: needs 25,000 USDT, has 1,000 USDT';
    assert.equal(moneyFault && faultText(moneyFault, en.trade), words);
    assert.notEqual(request, undefined);
  });

  test('a clicked price makes no quantity of what a market buy would spend', () => {
    const market = { ...EMPTY_SPOT_DRAFT, type: 'market', size: typed('5') } as const;
    const priced = { type: 'limit', price: '29990' };
    assert.deepEqual(spotPricedBy({ ...market, side: 'buy' }, '29990'), {
      ...priced,
      size: NO_SIZE,
    });
    assert.deepEqual(spotPricedBy({ ...market, side: 'sell' }, '29990'), priced);
  });

  test('an empty field is not wrong, and nothing is sent', () => {
    const { priceFault, sizeFault, request } = spot({ price: '' });
    assert.deepEqual([priceFault, sizeFault, request], [undefined, undefined, undefined]);
  });
});

const FLAT: SideState = {
  ...{ lots: 0, availableLots: 0, pendingLots: 0, open: 0n, margin: 0n, leverage: 20 },
};
const HELD: SideState = {
  ...{ lots: 100, availableLots: 60, pendingLots: 0, leverage: 20 },
  ...{ open: 3_000n * USDT, margin: 150n * USDT },
};

const DRAFT: ContractDraft = { ...EMPTY_DRAFT, price: '30000', size: typed('10') };

function contract(part: Partial<ContractDraft>, available = 1_000n * USDT) {
  const draft: ContractDraft = { ...DRAFT, ...part };
  const state: MarginState = {
    ...{ mode: 'isolated', balance: 1_150n * USDT, available, others: undefined },
    ...{ long: HELD, short: FLAT },
  };
  const opposite = [{ priceTicks: 300_100, lots: 10_000 }];
  const now = { last: 300_000, mark: 295_000 };
  return readContractDraft(draft, { contract: CONTRACT, opposite, state, now });
}

describe('a contract order', () => {
  const none = {
    ...{ takeProfit: undefined, takeProfitBy: undefined },
    ...{ stopLoss: undefined, stopLossBy: undefined },
  };
  const order = { symbol: CONTRACT.symbol, side: 'buy', size: '10', ...none };
  const limit = { ...order, type: 'limit', timeInForce: 'gtc', price: '30000' };
  const closing = { ...order, side: 'sell', reduceOnly: true, type: 'market', price: undefined };
  const waits = { ...order, triggerBy: 'last', type: 'limit', price: '28900' };
  const SENT: readonly (readonly [string, Partial<ContractDraft>, object])[] = [
    ['open long at a limit', {}, limit],
    [
      'close long at market',
      { does: 'close', type: 'market', force: 'ioc' },
      { ...closing, timeInForce: 'ioc' },
    ],
    [
      'close long at market, whole or not at all',
      { does: 'close', type: 'market', force: 'fok' },
      { ...closing, timeInForce: 'fok' },
    ],
    [
      'open long with both presets',
      { takeProfit: '31000.5', stopLoss: '29000' },
      {
        ...{ ...limit, takeProfit: '31000.5', takeProfitBy: 'last' },
        ...{ stopLoss: '29000', stopLossBy: 'last' },
      },
    ],
    [
      'open long with a stop-loss at the index price',
      { stopLoss: '29000', source: 'index' },
      { ...limit, stopLoss: '29000', stopLossBy: 'index' },
    ],
    [
      'plan that opens a short at a limit',
      { type: 'plan', side: 'short', trigger: '29000', price: '28900' },
      { ...waits, side: 'sell', trigger: '29000', direction: 'fall' },
    ],
    [
      'plan that opens a long above the mark price and below the last one',
      { type: 'plan', trigger: '29800', price: '28900', source: 'mark' },
      { ...waits, trigger: '29800', triggerBy: 'mark', direction: 'rise' },
    ],
    [
      'plan that closes a long at market',
      { type: 'plan', does: 'close', trigger: '29000', executes: 'market', source: 'mark' },
      {
        ...{ ...closing, trigger: '29000', triggerBy: 'mark', direction: 'fall' },
      },
    ],
  ];
  for (const [name, part, order] of SENT) {
    test(`${name}: what is sent`, () => {
      const expected =
        part.type === 'plan' ? { kind: 'trigger', trigger: order } : { kind: 'order', order };
      assert.deepEqual(contract(part).request, expected);
    });
  }

  test('what waits for a price is not sent while nobody knows where prices are', () => {
    const draft = { ...DRAFT, type: 'plan', trigger: '29000' } as const;
    const means = { contract: CONTRACT, opposite: [], state: undefined };
    assert.equal(readContractDraft(draft, means).request, undefined);
    assert.notEqual(readContractDraft(draft, { ...means, now: { mark: 1 } }).request, undefined);
  });

  const WRONG: readonly (readonly [Partial<ContractDraft>, string])[] = [
    [{ price: '30000.2' }, 'Price is invalid: prices go in steps of 0.5'],
    [{ size: typed('0.5') }, 'Quantity is invalid: whole contracts only'],
    [{ size: typed('11'), unit: 'base' }, 'Quantity is above the maximum: at most 10 BTC'],
    [{ size: typed('0.0009'), unit: 'base' }, 'Quantity is below the minimum: at least 0.001 BTC'],
    [{ size: typed('10001') }, 'Quantity is above the maximum: at most 10000'],
    [{ takeProfit: '29000' }, 'Take-profit of a long must be above the order price'],
    [{ stopLoss: '31000' }, 'Stop-loss of a long must be below the order price'],
    [{ side: 'short', stopLoss: '29000' }, 'Stop-loss of a short must be above the order price'],
    [{ type: 'plan', trigger: '1.2' }, 'Price is invalid: prices go in steps of 0.5'],
  ];
  for (const [part, words] of WRONG) {
    test(`${words}: nothing is sent`, () => {
      const read = contract(part);
      const { priceFault, triggerFault, sizeFault, takeProfitFault, stopLossFault } = read;
      const fault = priceFault ?? triggerFault ?? sizeFault ?? takeProfitFault ?? stopLossFault;
      assert.equal(fault && faultText(fault, en.trade), words);
      assert.equal(read.request, undefined);
    });
  }

  const SHORT_OF: readonly (readonly [Partial<ContractDraft>, string])[] = [
    [
      { size: typed('1000') },
      'Insufficient contract account balance: needs 1,518 USDT, has 1,000 USDT',
    ],
    [
      { does: 'close', size: typed('61') },
      'Closing more than the position has available: 60 can be closed',
    ],
    [
      { does: 'close', size: typed('0.061'), unit: 'base' },
      'Closing more than the position has available: 0.06 BTC can be closed',
    ],
  ];
  for (const [part, words] of SHORT_OF) {
    test(`${words}: said, and left to the venue`, () => {
      const { moneyFault, request } = contract(part);
      assert.equal(moneyFault && faultText(moneyFault, en.trade), words);
      assert.notEqual(request, undefined);
    });
  }

  test('parts are of what can be opened, and of what can be closed', () => {
    const part: Size = { kind: 'part', percent: 50 };
    // 1,000 USDT at 20x: 1.518 USDT of margin and fee for each contract, 658 in all.
    assert.equal(contract({ size: part }).sizeText, '329');
    assert.equal(contract({ does: 'close', size: part }).sizeText, '30');
    assert.equal(contract({ does: 'close', type: 'plan', size: part }).sizeText, '50');
  });

  test('a price of the book that is clicked makes a market order one that rests there', () => {
    const market = { ...DRAFT, type: 'market', force: 'ioc' } as const;
    const rests = { type: 'limit', force: 'gtc', price: '29990' };
    assert.deepEqual(pricedBy(market, '29990'), rests);
    assert.deepEqual(pricedBy({ ...DRAFT, force: 'post_only' }, '29990'), { price: '29990' });
    assert.deepEqual(pricedBy({ ...DRAFT, type: 'plan' }, '29990'), { trigger: '29990' });
  });

  test('a plan at market pays as a taker, one that waits away from its trigger as a maker', () => {
    const plan = { type: 'plan', trigger: '29000' } as const;
    // 10 contracts are 290 USDT at the trigger, 289 at the limit below it.
    assert.equal(contract({ ...plan, executes: 'market' }).opening?.fee, 17_400_000n);
    assert.equal(contract({ ...plan, price: '29000' }).opening?.fee, 17_400_000n);
    assert.equal(contract({ ...plan, price: '28900' }).opening?.fee, 5_780_000n);
    const closing = { ...plan, does: 'close', executes: 'market' } as const;
    assert.equal(contract(closing).closing?.fee, 17_400_000n);
  });
});
