/**
 * The ladder of a contract order as tables: every refusal that placing one can meet, each with the
 * order next to it that passes.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  accountId,
  type ContractSpec,
  type InstrumentId,
  instrumentId,
  lots,
  type MarketStatus,
  type PlaceContractOrder,
  type RejectKind,
  ticks,
} from '#domain';
import { type Floor, rejectOf } from '../support/floor.ts';
import { contractOrder } from '../support/orders.ts';
import { play, playOn, QUIET_INVERSE, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('size and price', () => {
  const spec: ContractSpec = { ...QUIET_LINEAR, minLots: lots(2), maxLots: lots(50) };
  // The mark price is 30000 and the band 50 %: buying up to 45000, selling down to 15000.
  const CASES = [
    ['open_long 0 @ 30000', 'quantity_invalid'],
    ['open_long 1 @ 30000', 'quantity_below_minimum'],
    ['open_long 51 @ 30000', 'quantity_above_maximum'],
    ['open_long 2 @ 0', 'price_invalid'],
    ['open_long 2 @ 30000.1', 'price_invalid'],
    ['open_long 2 @ 30000.3', 'price_invalid'],
    ['open_long 2 @ 45000.5', 'price_above_band'],
    ['open_short 2 @ 14999.5', 'price_below_band'],
    ['close_long 2 @ 14999.5', 'price_below_band'],
    ['close_short 2 @ 45000.5', 'price_above_band'],
  ] as const;
  for (const [order, reject] of CASES) {
    scenario(`${order}: ${reject}`, spec)`
      ann joins 1x with 100000
      ann ${order}
        -> refused ${reject}
    `;
  }

  scenario('right at the bounds they pass, and one may buy low and sell high without any', spec)`
    ann joins 1x with 100000
    venue has highest 45000, lowest 15000
    ann open_long 2 @ 30000.5
      -> rests 2 @ 30000.5
    ann open_long 50 @ 0.5
      -> rests 50 @ 0.5
    ann open_short 2 @ 60000
      -> rests 2 @ 60000
    index 31000.1                     # rounded into the band and to steps of 0.5
    venue has highest 46500, lowest 15500.5
    ann open_long 2 @ 46500.5
      -> refused price_above_band
    ann open_short 2 @ 15500
      -> refused price_below_band
  `;
});

describe('open orders', () => {
  scenario('one client id names one order or plan order at a time')`
    ann joins 10x with 100
    tom joins with 100
    ann open_long 1 @ 29000 id=a
    ann open_long 1 @ 29000 id=a
      -> refused contract_client_id_in_use
    ann plans open_long 1 @ market when 31000 id=b
    ann open_long 1 @ 29000 id=b ioc
      -> refused contract_client_id_in_use
    tom open_long 1 @ 29000 id=a      # somebody else's is another matter
      -> rests 1 @ 29000
    ann cancels a
      -> cancelled_by_owner 0/1
    ann open_long 1 @ 29000 id=a      # an order sent again is no new order
      -> refused contract_client_id_in_use
  `;

  scenario('are capped; an order that cannot rest is not', { ...QUIET_LINEAR, openOrdersMax: 2 })`
    ann joins 10x with 100
    tom joins 10x with 100
    ann open_long 1 @ 29000
    ann open_long 1 @ 29000
    ann open_long 1 @ 29000
      -> refused contract_orders_exceeded
    ann open_long 1 @ 29000 post_only
      -> refused contract_orders_exceeded
    tom asks 3 @ 30000
    ann open_long 1 @ 30000 ioc
      -> 1 @ 30000 with tom
    ann open_long 1 @ 30000 fok
      -> 1 @ 30000 with tom
    ann open_long 1 @ market
      -> 1 @ 30000 with tom
  `;
});

describe('closing', () => {
  /** Long 10 from 30000 at 10x: liquidated at 27152.1; tom's short at 1x: at (300 + 300)/10.056. */
  const LONG_10 = `
    ann joins 10x with 100
    tom joins 1x with 1000
    ann and tom trade 10 @ 30000
  `;

  scenario('takes no more than is held and not yet spoken for')`
    ${LONG_10}
    ann close_short 1 @ 30000
      -> refused close_exceeds_position
    ann close_long 11 @ 30000
      -> refused close_exceeds_position
    ann close_long 6 @ 31000 id=a
    ann has long.free 4
    ann close_long 5 @ 31000
      -> refused close_exceeds_position
    ann close_long 4 @ 31000
    ann has long.free 0, free 69.82   # closes freeze contracts and no money
    ann cancels a
    ann has long.free 6
  `;

  test('has a limit at the liquidation price', () => {
    playOn(QUIET_LINEAR)`
      ${LONG_10}
      ann has long.liquidation 27152.1
      ann close_long 1 @ 27152
        -> refused close_long_beyond_liquidation
      ann close_long 1 @ 27152.5
        -> rests 1 @ 27152.5
    `;
    playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins 1x with 1000
      tom bids 10 @ 30000
      ann open_short 10 @ 30000
      ann has short.liquidation 32816.2
      ann close_short 1 @ 32816.5
        -> refused close_short_beyond_liquidation
      ann close_short 1 @ 32816
        -> rests 1 @ 32816
    `;
  });

  test('is judged at the prices at which it fills, not at a limit beyond them', () => {
    playOn(QUIET_LINEAR)`
      ${LONG_10}
      tom bids 2 @ 29990
      tom bids 2 @ 27200
      ann close_long 2 @ 27000 ioc      # the limit is below 27152.1, the price is not
        -> 2 @ 29990 with tom
      ann close_long 3 @ 27000          # two would fill at 27200, and one would rest at 27000
        -> refused close_long_beyond_liquidation
      ann close_long 2 @ 27000          # all of it fills
        -> 2 @ 27200 with tom
      tom bids 2 @ 27100
      ann close_long 2 @ 27000 ioc      # nobody offers more than 27100
        -> refused close_long_beyond_liquidation
      ann close_long 1 @ 27000 post_only
        -> refused close_long_beyond_liquidation
    `;
    playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins 1x with 1000
      tom bids 10 @ 30000
      ann open_short 10 @ 30000
      tom asks 4 @ 30010
      ann close_short 4 @ 33000 fok     # liquidated from 32816.2 on
        -> 4 @ 30010 with tom
      ann close_short 4 @ 33000 ioc
        -> refused close_short_beyond_liquidation
    `;
  });

  scenario('a cross hedge has that limit only on its larger side')`
    ann joins cross 100x with 30.252
    tom joins cross with 1000
    ann and tom trade 10 @ 30000      # fee 0.18
    tom bids 4 @ 30000
    ann open_short 4 @ 30000          # fee 0.072
    # 30 - 6 x (30000 - P)/1000 = 0.56 % x 10 x P/1000: P = 150 / 0.005944 = 25235.53
    ann has balance 30, long.liquidation 25235.6, short.liquidation 25235.6
    ann close_long 1 @ 25235.5
      -> refused close_long_beyond_liquidation
    ann close_short 1 @ 24000         # the smaller side is not held to it, to gain nor to lose
      -> rests 1 @ 24000
    tom asks 1 @ 31000
    ann close_short 1 @ 40000
      -> 1 @ 31000 with tom
  `;
});

describe('what can be opened', () => {
  scenario('depends on the tier at the leverage, resting opens counting')`
    ann joins 100x with 100000
    tom joins 10x with 1000000
    ann open_long 10001 @ 30000       # tier 1, the only one with 100x, ends at 10000
      -> refused openable_exceeded
    ann open_long 6000 @ 29000 id=a
    ann open_long 4001 @ 29000
      -> refused openable_exceeded
    ann open_short 10000 @ 31000      # the other side is counted for itself
      -> rests 10000 @ 31000
    ann and tom trade 4000 @ 30000
    ann open_long 1 @ 29000
      -> refused openable_exceeded
    ann cancels a
    ann open_long 6000 @ 29000
      -> rests 6000 @ 29000
  `;

  test('counts both sides together when cross, and never goes beyond the last tier', () => {
    playOn(QUIET_LINEAR)`
      ann joins cross 100x with 1000000
      ann open_long 6000 @ 29000
      ann open_short 4001 @ 31000
        -> refused openable_exceeded
      ann open_short 4000 @ 31000
        -> rests 4000 @ 31000
    `;
    playOn(QUIET_LINEAR)`
      ann joins 1x with 100000000
      ann open_long 1000000 @ 29000
      ann open_long 1 @ 29000
        -> refused openable_exceeded
    `;
  });

  test('is what the money pays for: so many pass, one more fails', () => {
    // 30 x (0.1 + 0.0006) = 3.018 a contract, 33.13 of them.
    playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      ann open_long 34 @ 30000
        -> refused margin_insufficient
      ann open_long 33 @ 30000
        -> rests 33 @ 30000
      ann has free 0.406, frozen 99.594
    `;
    // 0.1006 / 30000 a contract, 29821.07 of them.
    playOn(QUIET_INVERSE)`
      ann joins 10x with 0.1
      ann open_long 29822 @ 30000
        -> refused margin_insufficient
      ann open_short 29822 @ 30000
        -> refused margin_insufficient
      ann open_long 29821 @ 30000
        -> rests 29821 @ 30000
    `;
  });

  test('costs more at a better price for a linear short and for an inverse long', () => {
    // Ten at 29000 would cost 29.174, but the bid is at 30000: 30.18.
    const short = (money: string, result: string) => `
      tom joins cross with 1000
      tom bids 10 @ 30000
      ann joins 10x with ${money}
      ann open_short 10 @ 29000
        -> ${result}
    `;
    playOn(QUIET_LINEAR)`${short('30.17999999', 'refused margin_insufficient')}`;
    playOn(QUIET_LINEAR)`
      ${short('30.18', '10 @ 30000 with tom')}
      ann has balance 30, short.margin 30, free 0
    `;
    // 3000 at 30000 would cost 0.01006, but the ask is at 29000: 3000/29000 x 0.1006 = 0.01040690.
    const long = (money: string, result: string) => `
      tom joins cross with 1
      tom asks 3000 @ 29000
      ann joins 10x with ${money}
      ann open_long 3000 @ 30000
        -> ${result}
    `;
    playOn(QUIET_INVERSE)`${long('0.01040689', 'refused margin_insufficient')}`;
    playOn(QUIET_INVERSE)`
      ${long('0.0104069', '3000 @ 29000 with tom')}
      # fee 0.00006207, margin 0.01034482; one unit is left
      ann has balance 0.01034483, long.margin 0.01034482, free 0.00000001
    `;
  });

  test('is not what would be liquidated at once', () => {
    // P/100 - (P - 30000) must stay above 0.56 % of 30000: up to 29832 / 0.99 = 30133.33.
    playOn(QUIET_LINEAR)`
      ann joins 100x with 100
      ann open_long 1 @ 30133.5
        -> refused opens_into_liquidation
      ann open_long 1 @ 30133 id=a
        -> rests 1 @ 30133
      ann cancels a
      ann open_short 1 @ 29869          # P/100 + P - 30000: down to 30168 / 1.01 = 29869.31
        -> refused opens_into_liquidation
      ann open_short 1 @ 29869.5
        -> rests 1 @ 29869.5
    `;
    // The tier counts for all of a position: (6000 - 3300) / 296700 is 0.91 %.
    playOn(QUIET_LINEAR)`
      ann joins 50x with 10000
      tom joins cross with 1000000
      ann and tom trade 10000 @ 30000
      index 29670
      ann open_long 1 @ 29670           # above 0.56 %, below the 1.06 % of more than 10000
        -> refused opens_into_liquidation
      ann adds 500 to long              # (6500 - 3300) / 296700 is 1.08 %
      ann open_long 1 @ 29670
        -> rests 1 @ 29670
    `;
    // What counts is the price at which it would trade.
    playOn(QUIET_LINEAR)`
      ann joins 100x with 100
      tom joins 10x with 100
      tom asks 1 @ 30000
      ann open_long 1 @ 30200
        -> 1 @ 30000 with tom
    `;
  });

  scenario('at the market needs somebody within the band to trade with')`
    ann joins 1x with 1000
    tom joins 1x with 1000
    ann open_long 1 @ market
      -> refused no_opposite_depth
    tom asks 1 @ 45000.5
    ann open_long 1 @ market
      -> refused no_opposite_depth
    tom asks 1 @ 45000
    ann open_long 1 @ market
      -> 1 @ 45000 with tom
    ann close_long 1 @ market
      -> refused no_opposite_depth
  `;
});

describe('the market', () => {
  const STATUSES: readonly [status: MarketStatus, reject: RejectKind][] = [
    ['halt', 'contract_halted'],
    ['offline', 'contract_delisted'],
  ];
  for (const [status, reject] of STATUSES) {
    test(`takes no orders while it is ${status}, but cancels, prices and liquidates`, () => {
      const venue = playOn(QUIET_LINEAR)`
        ann joins 10x with 100
        tom joins cross with 1000
        ann and tom trade 10 @ 30000
        tom bids 1 @ 26000 id=a
      `;
      const { instrumentId } = venue.contract;
      venue.run({ kind: 'update_contract', instrumentId, changes: { status } });
      play(venue)`
        ann open_long 1 @ 30000
          -> refused ${reject}
        ann close_long 1 @ 30000
          -> refused ${reject}
        ann plans close_long 1 @ market when 31000
          -> refused ${reject}
        tom cancels a
          -> cancelled_by_owner 0/1
        index 27100
          -> ann/7 10 @ 27016.5 with tom/8 off the book
          -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
      `;
    });
  }

  test('knows its accounts and contracts', () => {
    const venue = playOn(QUIET_LINEAR)`ann joins with 100`;
    const order = contractOrder({
      accountId: venue.id('ann'),
      instrumentId: venue.contract.instrumentId,
      action: 'open_long',
      priceTicks: ticks(300_000),
      sizeLots: lots(1),
    });
    const elsewhere: InstrumentId = instrumentId(7);
    const refusals = [
      place(venue, { ...order, accountId: accountId(99) }),
      place(venue, { ...order, instrumentId: elsewhere }),
      place(venue, { ...order, sizeLots: lots(0) }),
      place(venue, order),
    ];
    assert.deepEqual(refusals, [
      'account_unknown',
      'contract_unknown',
      'quantity_invalid',
      undefined,
    ]);
  });
});

function place(venue: Floor, order: PlaceContractOrder): string | undefined {
  return rejectOf(venue.run(order));
}
