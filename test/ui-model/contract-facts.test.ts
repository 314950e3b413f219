/**
 * Contracts and pairs from the public lists, the worked numbers of docs/MECHANICS.md, and examples
 * that exchanges publish, all through the estimates of the terminal.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fineValue, type HoldSide, lots, ticks } from '#domain';
import { formatTrimmed, present } from '#kernel';
import type { TradedContract } from '../../ui/src/model/contract.ts';
import {
  closingEstimate,
  costTicks,
  exitEstimate,
  openableNow,
  openCount,
  openingEstimate,
} from '../../ui/src/model/contract-estimate.ts';
import { expectedFills, type OrderWish } from '../../ui/src/model/expected.ts';
import { liquidationOf, type MarginState } from '../../ui/src/model/margin-account.ts';
import { leverageCost, leverageMax, removable } from '../../ui/src/model/margin-change.ts';
import { testListings } from '../support/listings.ts';
import { exampleOf, moneyOf, PRICE_SCALE, ROWS } from '../support/published-examples.ts';
import { contractOf, pairOf, rowOf } from './traded.ts';

const LISTINGS = testListings();

const LINEAR = contractOf(rowOf('BTC-USDT-PERP'));
const INVERSE = contractOf(rowOf('BTC-USD-PERP'));

test('a contract has the terms that the venue works with', () => {
  for (const name of ['BTC-USDT-PERP', 'BTC-USD-PERP']) {
    const { symbol, marginCode, marginScale, feeRates, ...terms } = contractOf(rowOf(name));
    const contract = present(LISTINGS.contract(name), name);
    const { takerFeePpm: takerPpm, makerFeePpm: makerPpm } = contract;
    assert.deepEqual(feeRates, { takerPpm, makerPpm });
    const { code, scale } = contract.margin;
    assert.deepEqual([symbol, marginCode, marginScale], [name, code, scale]);
    for (const [term, value] of Object.entries(terms)) {
      assert.deepEqual(
        value,
        Object.entries(contract).find(([known]) => known === term)?.[1],
        term,
      );
    }
  }
});

test('a pair has the terms that the venue works with', () => {
  for (const listed of LISTINGS.spot) {
    const { symbol, baseScale, quoteScale, ...terms } = pairOf(rowOf(listed.symbol));
    assert.equal(symbol, listed.symbol);
    assert.deepEqual([baseScale, quoteScale], [listed.base.scale, listed.quote.scale]);
    for (const [term, value] of Object.entries(terms)) {
      assert.deepEqual(value, Object.entries(listed).find(([known]) => known === term)?.[1], term);
    }
  }
});

/** An account with nothing in it but money. */
function fresh(
  money: bigint,
  leverage: number,
  mode: MarginState['mode'] = 'isolated',
): MarginState {
  const side = { lots: 0, availableLots: 0, pendingLots: 0, open: 0n, margin: 0n, leverage };
  return { mode, balance: money, available: money, others: undefined, long: side, short: side };
}

function limit(price: number, sizeLots: number): OrderWish {
  return { type: 'limit', force: 'gtc', priceTicks: Math.round(price * 10), sizeLots };
}

/** The other side of the book offers exactly what is asked for. */
function traded(contract: TradedContract, state: MarginState, side: HoldSide, wish: OrderWish) {
  const { priceTicks, sizeLots } = wish;
  const found = openingEstimate(contract, state, side, wish, [{ priceTicks, lots: sizeLots }]);
  return present(found, 'an estimate');
}

describe('the worked numbers of docs/MECHANICS.md', () => {
  const COIN = 10n ** 8n;
  const alice = traded(LINEAR, fresh(10_000n * COIN, 10), 'long', limit(30_000, 1_000));
  const bob = traded(INVERSE, fresh(COIN, 10), 'long', limit(30_000, 3_000));
  const money = (amount: bigint) => formatTrimmed(amount, 8);

  test('cost, fee, margin and liquidation price of an order', () => {
    assert.deepEqual(
      [money(alice.cost), money(alice.fee), money(alice.margin), alice.liquidationTicks],
      ['3018', '18', '3000', 271_521],
    );
    assert.deepEqual([money(bob.value), money(bob.cost)], ['0.1', '0.01006']);
    assert.equal(bob.liquidationTicks, 274_255);
    const short = (contract: TradedContract, size: number) =>
      traded(contract, fresh(10_000n * COIN, 10), 'short', limit(30_000, size)).liquidationTicks;
    assert.deepEqual([short(LINEAR, 1_000), short(INVERSE, 3_000)], [328_162, 331_466]);
    const one = traded(INVERSE, fresh(COIN, 1), 'short', limit(30_000, 3_000));
    assert.equal(one.liquidationTicks, 0);
  });

  test('open_count', () => {
    assert.equal(openCount(LINEAR, 1_000n * COIN, 300_000, 20), 658);
    assert.equal(openCount(INVERSE, COIN / 10n, 300_000, 20), 59_288);
  });

  test('a crossed account that holds both sides', () => {
    const value = (size: number, price: number) => fineValue(LINEAR, size, ticks(price * 10));
    const state: MarginState = {
      ...fresh(6_000n * COIN, 10, 'cross'),
      long: { ...fresh(0n, 10).long, lots: 1_000, open: value(1_000, 30_000) },
      short: { ...fresh(0n, 10).short, lots: 400, open: value(400, 31_000) },
    };
    assert.equal(liquidationOf(LINEAR, state, 'long'), 195_155);
    assert.equal(liquidationOf(LINEAR, state, 'short'), 195_155);
  });

  const opened = (state: MarginState, size: number, open: bigint, margin: bigint): MarginState => ({
    ...state,
    long: { ...state.long, lots: size, availableLots: size, open, margin },
  });

  test('a lower leverage and margin that may be taken out', () => {
    const first = fineValue(LINEAR, 1_000, 300_000);
    const added = fineValue(LINEAR, 500, 330_000);
    const state = opened(fresh(10_000n * COIN, 10), 1_000, first, 3_000n * COIN);
    assert.equal(money(leverageCost(LINEAR, state, 'long', 5)), '3000');
    const grown = opened(state, 1_500, first + added, 4_650n * COIN);
    assert.equal(leverageMax(LINEAR, grown, 'long'), 100);
    // 1000 from 30000 and margin 3500, as the page has it at a mark price of 29800.
    const rich = opened(state, 1_000, first, 3_500n * COIN);
    assert.equal(money(removable(LINEAR, rich, 'long', 298_000)), '320');
  });

  test('profit of take-profit and stop-loss, and of a close', () => {
    const open = fineValue(LINEAR, 1_000, 300_000);
    assert.equal(money(exitEstimate(LINEAR, 'long', 1_000, open, 330_000).pnl), '3000');
    const inverse = fineValue(INVERSE, 3_000, 300_000);
    assert.equal(money(exitEstimate(INVERSE, 'long', 3_000, inverse, 330_000).pnl), '0.0090909');
    assert.equal(money(exitEstimate(INVERSE, 'short', 3_000, inverse, 330_000).pnl), '-0.00909091');
    const state = opened(fresh(10_000n * COIN, 10), 1_000, open, 3_000n * COIN);
    const wish: OrderWish = { type: 'market', force: 'ioc', priceTicks: 0, sizeLots: 400 };
    const book = [{ priceTicks: 330_000, lots: 500 }];
    const { pnl, released, fee } = closingEstimate(LINEAR, state, 'long', wish, book);
    assert.deepEqual([pnl, released, fee].map(money), ['1200', '1200', '7.92']);
  });
});

describe('what an order is counted with', () => {
  const book = [
    { priceTicks: 300_000, lots: 5 },
    { priceTicks: 301_000, lots: 5 },
  ];
  const wish = (type: OrderWish['type'], force: OrderWish['force'], priceTicks: number) =>
    ({ type, force, priceTicks, sizeLots: 8 }) as const;

  test('the price that sets the margin is the one that needs more', () => {
    const rows: readonly [TradedContract, HoldSide, OrderWish, number][] = [
      [LINEAR, 'short', wish('limit', 'gtc', 299_000), 300_000],
      [LINEAR, 'long', wish('limit', 'gtc', 310_000), 310_000],
      [INVERSE, 'long', wish('limit', 'gtc', 310_000), 300_000],
      [INVERSE, 'short', wish('limit', 'gtc', 299_000), 299_000],
      [LINEAR, 'long', wish('market', 'ioc', 0), 300_000],
      [LINEAR, 'long', wish('market', 'fok', 0), 301_000],
      [INVERSE, 'long', wish('market', 'fok', 0), 300_000],
    ];
    for (const [contract, side, order, ticksWanted] of rows) {
      assert.equal(costTicks(contract, side, order, book), ticksWanted);
    }
    assert.equal(costTicks(LINEAR, 'long', wish('market', 'ioc', 0), []), 0);
  });

  test('a limit takes no level beyond it, and only what may rest does', () => {
    const at = (force: OrderWish['force']) =>
      expectedFills('buy', wish('limit', force, 300_500), book).map(({ lots: size, role }) => [
        size,
        role,
      ]);
    assert.deepEqual(at('ioc'), [[5, 'taker']]);
    assert.deepEqual(at('fok'), []);
    assert.deepEqual(at('post_only'), [[8, 'maker']]);
    assert.deepEqual(at('gtc'), [
      [5, 'taker'],
      [3, 'maker'],
    ]);
  });

  test('in crossed mode both sides count towards the tier, in fixed mode one', () => {
    const account = (mode: MarginState['mode']): MarginState => {
      const state = fresh(10n ** 20n, 50, mode);
      return { ...state, short: { ...state.short, lots: 20_000, pendingLots: 1_000 } };
    };
    assert.equal(openableNow(LINEAR, account('cross'), 'long', 300_000), 29_000);
    assert.equal(openableNow(LINEAR, account('isolated'), 'long', 300_000), 50_000);
  });

  test('less than the smallest order cannot be opened', () => {
    const most = (minLots: number) =>
      openableNow(
        { ...LINEAR, minLots: lots(minLots) },
        fresh(10n ** 20n, 50, 'isolated'),
        'long',
        300_000,
      );
    assert.equal(most(50_000), 50_000);
    assert.equal(most(50_001), 0);
  });

  test('closing a part of a crossed account moves its liquidation price by profit and fee', () => {
    const open = fineValue(LINEAR, 1_000, 300_000);
    const state = fresh(3_000n * 10n ** 8n, 10, 'cross');
    const held = { ...state, long: { ...state.long, lots: 1_000, open } };
    const order: OrderWish = { type: 'market', force: 'ioc', priceTicks: 0, sizeLots: 500 };
    const { liquidationTicks } = closingEstimate(LINEAR, held, 'long', order, [
      { priceTicks: 310_000, lots: 500 },
    ]);
    // 500 from 30000 with 3000 + 500 - 9.3: (15000 - 3490.7) / (0.5 x (1 - 0.0056)).
    assert.equal(liquidationTicks, 231_483);
  });
});

describe('examples that exchanges publish and that follow our rules', () => {
  const LIQUIDATIONS = [
    'liq-ft-gate-short-8',
    'liq-ft-gate-short-9',
    'liq-ft-gate-short-10',
    'liq-ft-okx-short-11',
    'liq-ft-gate-long-12',
    'liq-ft-gate-long-13',
    'liq-bitget-lin-long',
  ];
  const MARGINS = [
    'im-okex-lin',
    'im-huobi-inv-btc',
    'im-huobi-inv-eos',
    'im-bybit-inv',
    'im-bitget-lin-50k-10x',
    'im-bitget-lin-50k-5x',
  ];
  const PROFITS = ['pnl-bybit-lin-short', 'pnl-bitget-lin-long', 'pnl-hotcoin-lin-upl-short'];
  const RICH = 10n ** 40n;

  function expectedOf(id: string) {
    const row = ROWS.find((known) => known.id === id);
    return present(row, id).expected;
  }

  /** The contract of an example: one tier with its rate. */
  function contractOfExample(id: string): TradedContract {
    const example = exampleOf(id);
    const maintenanceRatePpm = example.ppm('mmr');
    const contractsMax = lots(Number.MAX_SAFE_INTEGER);
    return {
      ...(example.terms.kind === 'linear' ? LINEAR : INVERSE),
      ...example.terms,
      takerFeePpm: example.has('taker') ? example.ppm('taker') : 600,
      tiers: [{ contractsMax, maintenanceRatePpm, leverageMax: 125 }],
      maxLots: contractsMax,
    };
  }

  function estimateOf(id: string, priceName: string) {
    const example = exampleOf(id);
    const wish: OrderWish = {
      ...{ type: 'limit', force: 'gtc' },
      priceTicks: example.price(priceName),
      sizeLots: example.size(),
    };
    const side = example.has('side') ? example.side : 'long';
    return traded(contractOfExample(id), fresh(RICH, example.leverage), side, wish);
  }

  for (const id of LIQUIDATIONS) {
    test(`${id}: liquidation price`, () => {
      const { liquidationTicks } = estimateOf(id, 'entry');
      const printed = Number(expectedOf(id).liquidation_price);
      const tolerance = id === 'liq-bitget-lin-long' ? 0.05 : 0.00001;
      const apart = Math.abs(liquidationTicks / 10 ** PRICE_SCALE - printed);
      assert.ok(apart <= tolerance, `${liquidationTicks} and ${printed}`);
    });
  }
  for (const id of MARGINS) {
    test(`${id}: initial margin`, () => {
      assert.equal(estimateOf(id, 'price').margin, moneyOf(String(expectedOf(id).im)));
    });
  }
  for (const id of PROFITS) {
    test(`${id}: profit`, () => {
      const example = exampleOf(id);
      const contract = contractOfExample(id);
      const open = fineValue(contract, example.size(), example.price('entry'));
      const { side } = example;
      const { pnl } = exitEstimate(contract, side, example.size(), open, example.price('price'));
      assert.equal(pnl, moneyOf(String(expectedOf(id).upnl)));
    });
  }
});
