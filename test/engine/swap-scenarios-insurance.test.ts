/**
 * What a liquidation may cost the insurance fund: what it brings in itself, and beyond that a part
 * of the fund in every hour and day, where the book does not hang on one account. The rest is
 * deleveraged.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FundBudget, ticks, USUAL_FUND_BUDGET } from '#domain';
import { Engine } from '#engine';
import { Floor, refuseNone } from '../support/floor.ts';
import { budgetChange, WHOLE_FUND } from '../support/terms.ts';
import { playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann, bob and cat are long with the same margin; tom is the other side of all of them. */
const DESK = `
  ann joins 10x with 100
  bob joins 10x with 100
  cat joins 10x with 100
  tom joins with 1000
  mia joins with 1000
  kim joins with 1000
`;

describe('the budget of an hour', () => {
  scenario('is a tenth of the fund, and whoever comes after it is spent is deleveraged')`
    ${DESK}
    budget 0.1 1
    fund 10
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920               # the fund reaches 27016.5 - 1 / 0.010 = 26916.5
    kim bids 10 @ 26920
    # 30 - 30.8 - 0.16152
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
    index 30000
    bob and tom trade 10 @ 30000
    mia bids 10 @ 27010               # 0.03848 are left: 27016.5 - 3.848 = 27012.652
    kim bids 10 @ 27010
    index 27100
      -> bob/7 10 @ 27016.5 with tom/8 off the book
      -> bob long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    venue has fund 9.20348, bids 20 @ 27010 + 10 @ 26920
  `;

  scenario('begins anew with every hour, with what the fund holds then')`
    ${DESK}
    budget 0.1 1
    fund 10
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920
    kim bids 10 @ 26920
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
    index 30000
    bob and tom trade 10 @ 30000
    mia bids 10 @ 26930               # 0.903848: 27016.5 - 90.3848 = 26926.1152
    kim bids 10 @ 26930
    tick 3600s
    # 30 - 30.7 - 0.16158
    index 27100
      -> bob/9 10 @ 26930 with mia
      -> bob long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.86158
    venue has fund 8.1769
  `;

  test('grows by what the operator adds', () => {
    const table = (added: string, result: string) => `
      ${DESK}
      budget 0.1 1
      fund 1
      tick
      ann and tom trade 10 @ 30000
      mia bids 10 @ 26920
      kim bids 10 @ 26920
      ${added}
      index 27100
      ${result}
    `;
    playOn(QUIET_LINEAR)`${table(
      'tick',
      `-> ann/7 10 @ 27016.5 with tom/8 off the book
         -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165`,
    )}`;
    playOn(QUIET_LINEAR)`${table(
      'fund 9',
      `-> ann/9 10 @ 26920 with mia
         -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152`,
    )}`;
  });

  scenario('is not touched by what the same liquidation brought in before')`
    ${DESK}
    budget 0.1 1
    ann and tom trade 10 @ 30000
    mia bids 5 @ 27100                # 15 - 14.5 - 0.0813 = 0.4187 for the fund
    mia bids 5 @ 26950                # 15 - 15.25 - 0.08085
    kim bids 5 @ 26950
    index 27100
      -> ann/9 5 @ 27100 with mia
      -> ann/9 5 @ 26950 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund +0.08785
  `;

  scenario('of zero leaves the fund alone')`
    ${DESK}
    budget 0 1
    fund 1000
    ann and tom trade 10 @ 30000
    mia bids 10 @ 27016
    kim bids 10 @ 27016
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;

  test('is remembered by a snapshot', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${DESK}
      budget 0.1 1
      fund 10
      ann and tom trade 10 @ 30000
      mia bids 10 @ 26920
      kim bids 10 @ 26920
      index 27100
      index 30000
      bob and tom trade 10 @ 30000
      mia bids 10 @ 27010
      kim bids 10 @ 27010
    `;
    const rows = [...venue.engine.dump()];
    const fall = {
      kind: 'report_index',
      source: 'test',
      priceTicks: ticks(venue.ticks('27100')),
    } as const;
    const after = (texts: readonly string[]) => {
      const engine = Engine.restore(texts);
      const { instrumentId } = venue.contract;
      engine.apply({ ...fall, instrumentId }, engine.timeMs);
      return engine.insuranceFund(venue.contract.margin.assetId);
    };
    assert.equal(venue.text(after(rows)), '9.20348', 'deleveraged');
  });
});

describe('the budget of a day', () => {
  scenario('bounds what the hours may spend', QUIET_LINEAR)`
    ${DESK}
    budget 0.1 0.15
    fund 10
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920
    kim bids 10 @ 26920
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
    index 30000
    tick 3600s                        # 1.5 - 0.96152 = 0.53848 are left of the day
    bob and tom trade 10 @ 30000
    mia bids 10 @ 26930
    index 27100
      -> bob/7 10 @ 27016.5 with tom/8 off the book
      -> bob long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;
});

describe('a book that hangs on one account', () => {
  scenario('costs the fund nothing: others are deleveraged first')`
    ${DESK}
    fund 1000
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920
    kim bids 9 @ 26920                # without mia's bid 9 of 10 would find a buyer
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;

  scenario('is paid for once others would take it all', QUIET_LINEAR)`
    ${DESK}
    fund 1000
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920
    kim bids 9 @ 26920
    cat bids 1 @ 26920
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
  `;

  scenario('counts bids as far as the fund reaches, and no farther', QUIET_LINEAR)`
    ${DESK}
    fund 1
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26930
    kim bids 10 @ 26910               # the fund reaches 26916.5
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;
});

test('a liquidation says who was paid past the bankruptcy price, and how much', () => {
  const venue = playOn(QUIET_LINEAR)`
    ${DESK}
    fund 1000
    ann and tom trade 10 @ 30000
    mia bids 4 @ 26920                # 4 x (27016.5 - 26920) / 1000
    kim bids 10 @ 26910               # 6 x (27016.5 - 26910) / 1000
    cat bids 10 @ 26910
  `;
  const end = venue.index('27100').find((event) => event.kind === 'liquidated');
  const paid = end?.paidTo.map(({ accountId, amount }) => [accountId, venue.text(amount)]);
  assert.deepEqual(paid, [
    [venue.id('mia'), '0.386'],
    [venue.id('kim'), '0.639'],
  ]);
});

interface Play {
  readonly bidders: readonly string[];
  /** How far below the bankruptcy price they bid. */
  readonly deepest: number;
  readonly contracts?: number;
}

const SYMBOLS = [QUIET_LINEAR.symbol, 'ETH-USDT-PERP', 'SOL-USDT-PERP'] as const;

/** What accounts that play together take out of a fund of 5,000 in 18 hours of a day (UTC). */
function takenBy(play: Play, fundBudget: FundBudget): number {
  const { bidders, contracts = 1 } = play;
  const [symbols, venue] = [SYMBOLS.slice(0, contracts), new Floor().listCoins()];
  for (const symbol of symbols) venue.listContract({ ...QUIET_LINEAR, symbol });
  venue.run(budgetChange(venue.contract, fundBudget));
  venue.fundInsurance('5000');
  for (const bidder of bidders) venue.open(bidder, {});
  for (const bidder of bidders) for (const on of symbols) venue.fund(bidder, '1000000', on);
  let taken = 0;
  for (let round = 0; round < 18; round += 1) {
    venue.open(`ann${round}`, {});
    for (const on of symbols) {
      const before = Number(venue.insuranceFund());
      swing(venue, `ann${round}`, play, on);
      taken += Math.max(0, before - Number(venue.insuranceFund()));
    }
    venue.tick(3_600_000);
  }
  return taken;
}

/** The fall takes all of her margin, and they bid for her position as low as the fund reaches. */
function swing(venue: Floor, ann: string, { bidders, deepest }: Play, on: string): void {
  venue.fund(ann, '20000', on);
  venue.index('30000', on);
  venue.trade(ann, bidders[0] ?? '', '30000', 2_500, on);
  for (let step = 0; step < 10; step += 1) {
    const price = String(28_515 - (deepest / 10) * (step + 1));
    for (const bidder of bidders) refuseNone(venue.order(bidder, 'open_long', price, 250, { on }));
  }
  venue.index('28400', on);
  assert.equal(venue.account(ann, on).long.lots, 0);
  const { instrumentId } = venue.contractOf(on);
  for (const accountId of bidders.map((bidder) => venue.id(bidder))) {
    for (const { orderId } of [...venue.engine.openContractOrders(accountId, instrumentId)]) {
      venue.run({ kind: 'cancel_contract_order', accountId, instrumentId, orderId });
    }
  }
}

test('two accounts that play into each other’s hands get nothing from the fund', () => {
  assert.equal(takenBy({ bidders: ['bob'], deepest: 50 }, WHOLE_FUND), 0);
});

for (const contracts of [1, 3]) {
  test(`three that do get no more than the budgets, contracts: ${contracts}`, () => {
    const pair = { bidders: ['bob', 'dan'], contracts };
    const all = takenBy({ ...pair, deepest: 400 }, WHOLE_FUND);
    assert.ok(all > 4_000, `without a bound they empty it: ${all}`);
    const taken = takenBy({ ...pair, deepest: 50 }, USUAL_FUND_BUDGET);
    assert.ok(taken > 250 && taken <= 500, `a tenth is 500, they take ${taken}`);
  });
}
