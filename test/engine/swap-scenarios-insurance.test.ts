/**
 * What a liquidation may cost the insurance fund: what it brings in itself, and beyond that a part
 * of the fund in every hour and contract. The rest is deleveraged.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContractSpec, ticks } from '#domain';
import { Engine } from '#engine';
import { Floor, refuseNone } from '../support/floor.ts';
import { playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

const TENTH: ContractSpec = { ...QUIET_LINEAR, insuranceBudgetPpm: 100_000 };

/** Ann, bob and cat are long with the same margin; tom is the other side of all of them. */
const DESK = `
  ann joins 10x with 100
  bob joins 10x with 100
  cat joins 10x with 100
  tom joins with 1000
  mia joins with 1000
`;

describe('the budget of an hour', () => {
  scenario('is a tenth of the fund, and whoever comes after it is spent is deleveraged', TENTH)`
    ${DESK}
    fund 10
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920               # the fund reaches 27016.5 - 1 / 0.010 = 26916.5
    # 30 - 30.8 - 0.16152
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
    index 30000
    bob and tom trade 10 @ 30000
    mia bids 10 @ 27010               # 0.03848 are left: 27016.5 - 3.848 = 27012.652
    index 27100
      -> bob/7 10 @ 27016.5 with tom/8 off the book
      -> bob long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    venue has fund 9.20348, bids 10 @ 27010
  `;

  scenario('begins anew with every hour, with what the fund holds then', TENTH)`
    ${DESK}
    fund 10
    ann and tom trade 10 @ 30000
    mia bids 10 @ 26920
    index 27100
      -> ann/9 10 @ 26920 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152
    index 30000
    bob and tom trade 10 @ 30000
    mia bids 10 @ 26930               # 0.903848: 27016.5 - 90.3848 = 26926.1152
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
      fund 1
      tick
      ann and tom trade 10 @ 30000
      mia bids 10 @ 26920
      ${added}
      index 27100
      ${result}
    `;
    playOn(TENTH)`${table(
      'tick',
      `-> ann/7 10 @ 27016.5 with tom/8 off the book
         -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165`,
    )}`;
    playOn(TENTH)`${table(
      'fund 9',
      `-> ann/9 10 @ 26920 with mia
         -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.96152`,
    )}`;
  });

  scenario('is not touched by what the same liquidation brought in before', TENTH)`
    ${DESK}
    ann and tom trade 10 @ 30000
    mia bids 5 @ 27100                # 15 - 14.5 - 0.0813 = 0.4187 for the fund
    mia bids 5 @ 26950                # 15 - 15.25 - 0.08085
    index 27100
      -> ann/9 5 @ 27100 with mia
      -> ann/9 5 @ 26950 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund +0.08785
  `;

  scenario('of zero leaves the fund alone', { ...QUIET_LINEAR, insuranceBudgetPpm: 0 })`
    ${DESK}
    fund 1000
    ann and tom trade 10 @ 30000
    mia bids 10 @ 27016
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;

  test('is remembered by a snapshot, and begun by one that does not know it', () => {
    const venue = playOn(TENTH)`
      ${DESK}
      fund 10
      ann and tom trade 10 @ 30000
      mia bids 10 @ 26920
      index 27100
      index 30000
      bob and tom trade 10 @ 30000
      mia bids 10 @ 27010
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
    const older = rows.map((row) => row.replaceAll(/"budget\w+":[^,]+,/g, ''));
    assert.notDeepEqual(older, rows);
    assert.equal(venue.text(after(older)), '8.97642', 'a new hour: 30 - 29.9 - 0.16206');
  });
});

/** What two accounts leave of a fund of 5,000 in nine rounds of three hours. */
function leftByTwo(insuranceBudgetPpm: number): number {
  const venue = Floor.ofContract({ ...QUIET_LINEAR, insuranceBudgetPpm });
  const { instrumentId } = venue.contract;
  venue.fundInsurance('5000');
  const accountId = venue.open('bob', '1000000', { leverage: 10 });
  for (let round = 0; round < 9; round += 1) {
    const name = `ann${round}`;
    venue.open(name, '20000', { leverage: 20 });
    venue.index('30000');
    venue.trade(name, 'bob', '30000', 2_500);
    // The fall takes all of her margin, and he bids for her position as low as the fund reaches.
    for (let step = 0; step < 10; step += 1) {
      refuseNone(venue.order('bob', 'open_long', String(28_450 - 60 * step), 250));
    }
    venue.index('28400');
    assert.equal(venue.position(name, 'long').lots, 0);
    for (const { orderId } of [...venue.engine.openContractOrders(accountId, instrumentId)]) {
      venue.run({ kind: 'cancel_contract_order', accountId, instrumentId, orderId });
    }
    if (round % 3 === 2) venue.tick(3_600_000);
  }
  return Number(venue.insuranceFund());
}

test('two accounts that play into each other’s hands get no more than the budgets', () => {
  assert.ok(leftByTwo(1_000_000) < 1_000, 'without a bound they empty it');
  const left = leftByTwo(100_000);
  assert.ok(left > 5_000 * 0.9 ** 3, `${left} are left`);
});
