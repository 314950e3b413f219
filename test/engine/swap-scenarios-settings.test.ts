/** Margin mode, leverage, margin by hand and automatic margin as tables: what may change, how. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lots } from '#domain';
import { refuseNone } from '../support/floor.ts';
import { play, playOn, QUIET_INVERSE, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann holds 10 from 30000: V 300, fee 0.18, margin 30 at 10x. */
const LONG_10 = `
  ann joins 10x with 100
  tom joins cross with 1000
  ann and tom trade 10 @ 30000
  ann has balance 99.82, free 69.82, long.margin 30, long.liquidation 27152.1
`;

describe('the margin mode', () => {
  scenario('changes while nothing is held or waits; cross sides share one leverage')`
    ann joins with 100
    ann leverage 10x long
    ann leverage 40x short
    ann has mode isolated, long.leverage 10x, short.leverage 40x
    ann mode cross
    ann has mode cross, long.leverage 10x, short.leverage 10x
    ann leverage 25x short
    ann has long.leverage 25x, short.leverage 25x
    ann mode isolated
    ann has mode isolated, long.leverage 25x, short.leverage 25x
  `;

  const BUSY = [
    { state: 'a position', table: 'ann and tom trade 10 @ 30000' },
    { state: 'an order', table: 'ann open_long 1 @ 29000' },
    { state: 'a plan order', table: 'ann plans open_long 1 @ market when 31000' },
  ];
  for (const { state, table } of BUSY) {
    scenario(`stays while there is ${state}`)`
      ann joins 10x with 100
      tom joins with 100
      ${table}
      ann mode cross
        -> refused margin_mode_locked
      ann mode isolated                  # what it is already
        ->
      ann has mode isolated
    `;
  }
});

describe('leverage', () => {
  scenario('goes from 1 to the contract’s maximum in whole steps', {
    ...QUIET_LINEAR,
    leverageMin: 2,
    leverageMax: 50,
  })`
    ann joins with 100
    ann leverage 1x
      -> refused leverage_out_of_range
    ann leverage 51x
      -> refused leverage_out_of_range
    ann leverage 2.5x
      -> refused leverage_out_of_range
    ann leverage 2x
    ann leverage 50x
    ann has long.leverage 50x, short.leverage 50x
  `;

  scenario('is locked by orders and plan orders, not by presets')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann open_long 1 @ 29000 id=a
    ann leverage 20x short
      -> refused leverage_locked
    ann leverage 10x                  # what it is already
      ->
    ann cancels a
    ann plans open_long 1 @ market when 31000 id=b
    ann leverage 20x long
      -> refused leverage_locked
    ann cancels b
    tom asks 1 @ 30000
    ann open_long 1 @ 30000 tp=31000
    ann has plans 1
    ann leverage 20x long
    ann has long.leverage 20x
  `;

  scenario('when lowered takes the missing margin out of what is available')`
    ${LONG_10}
    ann leverage 2x long              # 300/2 - 300/10 = 120
      -> refused margin_insufficient
    ann leverage 5x long
    # 300/5; liquidated at (300 - 60) / (0.010 x 0.9944) = 24135.16
    ann has balance 99.82, free 39.82, long.margin 60, long.liquidation 24135.2
    ann leverage 5x short             # the other side holds nothing
    ann has free 39.82
  `;

  scenario('when raised frees what the position needs no more, and back again takes it')`
    ${LONG_10}
    ann leverage 20x long             # 300/20
    ann has long.leverage 20x, long.margin 15, free 84.82
    ann takes 0.00000001 from long
      -> refused margin_removal_exceeded
    ann leverage 10x long
    ann has long.margin 30, free 69.82, long.liquidation 27152.1
    ann leverage 20x long
    ann leverage 10x long
    ann has long.margin 30, free 69.82
  `;

  scenario('keeps what was added by hand on top, whatever went before')`
    ${LONG_10}
    ann adds 7 to long
      -> long margin +7
    ann leverage 20x long             # 300/20 + 7
    ann has long.margin 22, free 77.82
    ann leverage 5x long              # 300/5 + 7
    ann has long.margin 67, free 32.82
    ann leverage 10x long
    ann has long.margin 37, free 62.82
  `;

  scenario('is not raised when what is left would be liquidated')`
    ${LONG_10}
    index 29500                       # 3 - 5 at a leverage of 100
    ann leverage 100x long
      -> refused leverage_out_of_range
    ann leverage 40x long             # 7.5 - 5 is above 0.0056 x 295
    ann has long.margin 7.5, free 92.32
  `;

  scenario('of a cross account counts for both sides at once')`
    ann joins cross 20x with 100
    tom joins cross with 1000
    ann and tom trade 10 @ 30000      # fee 0.18
    tom bids 6 @ 30000
    ann open_short 6 @ 30000          # fee 0.108
    ann has balance 99.712, used 24, free 75.712
    ann leverage 10x long
    ann has used 48, free 51.712, short.leverage 10x
    ann leverage 4x                   # (300 + 180) / 4 = 120
      -> refused margin_insufficient
    ann leverage 5x
    ann has used 96, free 3.712
    index 29500                       # -5 + 3: what is lost is not available
    ann has free 1.712, equity 97.712
    ann leverage 40x
    ann has used 12, free 85.712
    index 30500                       # +5 - 3: what is gained is not available either
    ann has free 87.712, equity 101.712
  `;

  scenario('nothing is taken out that would have the account liquidated')`
    ann joins cross 100x with 310.12
    tom joins cross with 1000
    tom and ann trade 10 @ 30000      # fee 0.12 as the maker
    index 60000                       # -300 on a value of 600: 0.0056 x 600 = 3.36 must be left
    ann has used 3, equity 10, free 6.63999999
    ann withdraws 7
      -> refused balance_insufficient
    ann withdraws 6.63999999
    index 60000
    ann has short 10 @ 30000
  `;

  test('is limited by the tier of the position, of both sides when cross', () => {
    const table = (mode: string) => `
      ann joins ${mode} 20x with 100000
      tom joins cross with 100000
      ann and tom trade 8000 @ 30000
      tom bids 4000 @ 30000
      ann open_short 4000 @ 30000
    `;
    // Tier 1 with 100x ends at 10000 contracts, tier 2 with 50x at 50000.
    playOn(QUIET_LINEAR)`
      ${table('isolated')}
      ann leverage 100x long
      ann has long.leverage 100x
    `;
    playOn(QUIET_LINEAR)`
      ${table('cross')}
      ann leverage 51x long
        -> refused leverage_out_of_range
      ann leverage 50x long
      ann has long.leverage 50x, short.leverage 50x
    `;
  });

  test('of a position beyond the last tier may be lowered to what that tier allows', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 20x with 100000
      tom joins cross with 100000
      ann and tom trade 8000 @ 30000
    `;
    const { instrumentId } = venue.contract;
    const tiers = [
      { contractsMax: lots(500), maintenanceRatePpm: 5_000, leverageMax: 100 },
      { contractsMax: lots(1_000), maintenanceRatePpm: 10_000, leverageMax: 10 },
    ];
    refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: { tiers } }));
    play(venue)`
      ann leverage 11x long
        -> refused leverage_out_of_range
      ann has long.leverage 20x
      ann leverage 10x long
      ann has long.leverage 10x
    `;
  });
});

describe('margin by hand', () => {
  scenario('is added from what is available and moves the liquidation price away')`
    ${LONG_10}
    ann adds 69.82000001 to long
      -> refused margin_insufficient
    ann adds 20 to long
      -> long margin +20
    # (300 - 50) / (0.010 x 0.9944) = 25140.79
    ann has balance 99.82, free 49.82, long.margin 50, long.liquidation 25140.8
    ann has long.leverage 10x
  `;

  // What is above the initial margin at the entry, and with the profit also at the mark price.
  const REMOVABLE = [
    { index: '30000', most: '20', more: '20.00000001', why: '50 - 30' },
    { index: '30500', most: '20', more: '20.00000001', why: '50 - 30, not 50 + 5 - 30.5' },
    { index: '29500', most: '15.5', more: '15.50000001', why: '50 - 5 - 29.5' },
    { index: '27900', most: '1.1', more: '1.10000001', why: '50 - 21 - 27.9' },
  ];
  for (const { index, most, more, why } of REMOVABLE) {
    scenario(`can be taken out at ${index} up to ${most}: ${why}`)`
      ${LONG_10}
      ann adds 20 to long
      index ${index}
      ann takes ${more} from long
        -> refused margin_removal_exceeded
      ann takes ${most} from long
        -> long margin -${most}
      ann takes 0.00000001 from long
        -> refused margin_removal_exceeded
    `;
  }

  scenario('rounds what an inverse position must keep up', QUIET_INVERSE)`
    ann joins 10x with 0.1
    tom joins cross with 1
    ann and tom trade 3000 @ 30000
    ann adds 0.005 to long
    index 29000
    # pnl 0.1 - 3000/29000 = -0.0034482759; V/10 = 0.0103448276: 0.015 - 0.00344828 - 0.01034483
    ann takes 0.0012069 from long
      -> refused margin_removal_exceeded
    ann takes 0.00120689 from long
      -> long margin -0.00120689
  `;

  scenario('needs an amount, a position and isolated mode')`
    ${LONG_10}
    ann adds 0 to long
      -> refused margin_amount_invalid
    ann adds 1 to short
      -> refused no_position_for_margin
    tom adds 1 to short
      -> refused adjust_margin_in_cross
  `;
});

describe('automatic margin', () => {
  scenario('needs a position and isolated mode, and ends with the position')`
    ${LONG_10}
    ann automatic short on
      -> refused no_position_for_auto_margin
    tom automatic short on
      -> refused auto_margin_in_cross
    ann automatic long on
    ann has long.automatic on
    tom bids 10 @ 30100
    ann close_long 10 @ 30100
    ann has long none, long.automatic off
  `;

  scenario('is off again when the owner says so')`
    ${LONG_10}
    ann automatic long on
    ann automatic long off
    ann has long.automatic off
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  `;
});

describe('what a side shows', () => {
  test('follows the tier of its own size, when cross that of both sides', () => {
    const table = (mode: string, rate: string) => `
      ann joins ${mode} 20x with 100000
      tom joins cross with 100000
      ann and tom trade 6000 @ 30000
      tom and ann trade 5000 @ 30000
      ann has long.keeps ${rate}, short.keeps ${rate}
    `;
    playOn(QUIET_LINEAR)`${table('isolated', '0.5%')}`;
    playOn(QUIET_LINEAR)`${table('cross', '1%')}`;
  });

  scenario('is no liquidation price while it is flat, or when only a gain would liquidate')`
    ann joins cross 10x with 10000
    tom joins cross with 10000
    ann and tom trade 1000 @ 30000    # fee 18: (30000 - 9982) / (1 - 0.0056) = 20130.73
    ann has long.liquidation 20130.8, short.liquidation 0
    # (30000 - 29880 - 9970.048) / (1 - 0.996 - 0.0056) is a rise, and she is still net long
    tom and ann trade 996 @ 30000     # fee 11.952
    ann has long.liquidation 0, short.liquidation 0
  `;

  scenario('is the profit realised since it was last flat')`
    ${LONG_10}
    tom bids 10 @ 30100
    ann close_long 4 @ 30100
    ann has long.realized 0.4
    ann close_long 6 @ 30100
    ann has long none, long.realized 0
    ann and tom trade 1 @ 30000
    ann has long.realized 0
  `;
});

describe('the time of a position', () => {
  const FUNDED = { fundingInterestPpm: 1_000, fundingClampPpm: 1_000, fundingMinutes: [280] };
  const CHANGES = [
    { what: 'a leverage', line: 'ann leverage 5x long' },
    { what: 'margin by hand', line: 'ann adds 20 to long' },
    { what: 'automatic margin', line: 'index 27100' },
    { what: 'funding', line: 'tick 348s' },
  ];
  for (const { what, line } of CHANGES) {
    test(`tells of ${what}`, () => {
      const venue = playOn({ ...QUIET_LINEAR, ...FUNDED })`${LONG_10}`;
      play(venue)`ann automatic long on`;
      venue.tick();
      const [long, short] = [venue.position('ann', 'long'), venue.position('ann', 'short')];
      play(venue)`wait 5s\n${line}`;
      assert.ok(venue.position('ann', 'long').updatedTimeMs >= long.updatedTimeMs + 5_000);
      assert.equal(venue.position('ann', 'short').updatedTimeMs, short.updatedTimeMs);
    });
  }

  test('tells of netting', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins cross 10x with 45
      tom joins cross with 1000
      ann and tom trade 10 @ 30000
      tom and ann trade 4 @ 30000
    `;
    const { updatedTimeMs } = venue.position('ann', 'short');
    play(venue)`
      wait 5s
      index 22700
      ann has short none
    `;
    assert.ok(venue.position('ann', 'short').updatedTimeMs >= updatedTimeMs + 5_000);
  });
});

test('a frozen account changes none of it', () => {
  const venue = playOn(QUIET_LINEAR)`${LONG_10}`;
  const accountId = venue.id('ann');
  venue.run({ kind: 'update_account', accountId, changes: { frozen: true } });
  play(venue)`
    ann leverage 20x
      -> refused account_frozen
    ann mode cross
      -> refused account_frozen
    ann adds 1 to long
      -> refused account_frozen
    ann automatic long on
      -> refused account_frozen
    ann open_long 1 @ 30000
      -> refused account_frozen
    ann plans open_long 1 @ market when 31000
      -> refused account_frozen
  `;
});
