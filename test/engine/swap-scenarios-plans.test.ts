/** Plan orders as tables: what sets them off in which order, what they become, why they fail. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { present } from '#kernel';
import { rejectOf } from '../support/floor.ts';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Mia and tim make the last price; ann waits. */
const DESK = `
  ann joins 10x with 100
  mia joins cross with 10000
  tim joins cross with 10000
`;

/** The last price is 30000 and nothing rests. */
const AT_30000 = `
  ${DESK}
  mia and tim trade 1 @ 30000
`;

describe('the trigger', () => {
  scenario('at or above the last price waits for a rise, below it for a fall')`
    ${AT_30000}
    ann plans open_long 1 @ market when 30000
      -> waits for a rise to 30000
    ann plans open_long 1 @ market when 30000.5
      -> waits for a rise to 30000.5
    ann plans open_long 1 @ market when 29999.5
      -> waits for a fall to 29999.5
  `;

  scenario('is held against the mark price until there is a trade')`
    ${DESK}
    index 31000
    ann plans open_long 1 @ market when 30500
      -> waits for a fall to 30500
    ann plans open_long 1 @ market when 31000
      -> waits for a rise to 31000
  `;

  scenario('does not look at index and mark, only at trades')`
    ${AT_30000}
    ann plans open_long 1 @ market when 31000 id=up
    index 32000
      ->
    ann has plans 1
  `;

  scenario('that equals the last price fires with the next trade there')`
    ${AT_30000}
    ann plans open_long 1 @ market when 30000 id=now
    tim asks 2 @ 30000
    mia open_long 1 @ 30000
      -> 1 @ 30000 with tim
      -> ann 1 @ 30000 with tim
      -> ann now triggered: filled 1
  `;

  scenario('is met by any trade at or beyond it')`
    ${AT_30000}
    ann plans open_short 1 @ market when 29900 id=down
    mia bids 1 @ 29900.5
    mia bids 3 @ 29850
    tim open_short 1 @ 29900.5
      -> 1 @ 29900.5 with mia
    tim open_short 1 @ 29850
      -> 1 @ 29850 with mia
      -> ann 1 @ 29850 with mia
      -> ann down triggered: filled 1
  `;

  scenario('of several met by one trade: they go in the order in which they were created')`
    ${AT_30000}
    ann plans open_long 1 @ market when 30100 id=first
    ann plans open_long 1 @ market when 30050 id=second
    ann plans open_long 1 @ market when 30100 id=third
    tim asks 10 @ 30100
    mia open_long 1 @ 30100
      -> 1 @ 30100 with tim
      -> ann 1 @ 30100 with tim
      -> ann first triggered: filled 1
      -> ann 1 @ 30100 with tim
      -> ann second triggered: filled 1
      -> ann 1 @ 30100 with tim
      -> ann third triggered: filled 1
  `;

  scenario('of several met by one sweep: each trade in its turn, and all after the sweep')`
    ${AT_30000}
    ann plans open_long 1 @ market when 30100 id=high
    ann plans open_long 1 @ market when 30050 id=low
    tim asks 1 @ 30050
    tim asks 10 @ 30100
    mia open_long 2 @ 30100
      -> 1 @ 30050 with tim
      -> 1 @ 30100 with tim
      -> ann 1 @ 30100 with tim
      -> ann low triggered: filled 1
      -> ann 1 @ 30100 with tim
      -> ann high triggered: filled 1
  `;

  scenario('may be met by the order of another plan')`
    ${AT_30000}
    ann plans open_long 3 @ market when 30050 id=one
    ann plans open_long 1 @ 30200 when 30100 id=two
    ann plans open_short 1 @ market when 30200 id=three
    mia bids 1 @ 29900
    tim asks 1 @ 30050
    tim asks 1 @ 30100
    tim asks 3 @ 30200
    mia open_long 1 @ 30050
      -> 1 @ 30050 with tim
      -> ann 1 @ 30100 with tim
      -> ann 2 @ 30200 with tim
      -> ann one triggered: filled 3
      -> ann 1 @ 30200 with tim
      -> ann two triggered: filled 1
      -> ann 1 @ 29900 with mia
      -> ann three triggered: filled 1
    ann has long 4 @ 30175, short 1 @ 29900, plans 0
  `;

  scenario('fires for a rise and for a fall at once')`
    ${AT_30000}
    mia bids 5 @ 29900
    ann plans open_short 1 @ market when 29900 id=down
    ann plans open_long 1 @ market when 30100 id=up
    ann plans open_short 1 @ market when 29950 id=late
    tim asks 2 @ 30100
    mia open_long 1 @ 30100
      -> 1 @ 30100 with tim
      -> ann 1 @ 30100 with tim
      -> ann up triggered: filled 1
    tim open_short 1 @ 29900
      -> 1 @ 29900 with mia
      -> ann 1 @ 29900 with mia
      -> ann down triggered: filled 1
      -> ann 1 @ 29900 with mia
      -> ann late triggered: filled 1
  `;
});

describe('the order of a plan', () => {
  scenario('rests at its price when that meets nothing')`
    ${AT_30000}
    ann plans open_long 2 @ 29500 when 30100 id=dip
    ann has frozen 0, free 100
    tim asks 1 @ 30100
    mia open_long 1 @ 30100
      -> 1 @ 30100 with tim
      -> ann rests 2 @ 29500
      -> ann dip triggered: filled 0
    ann has frozen 5.9354, plans 0, orders 1        # 59 x 0.1006
    venue has bids 2 @ 29500
  `;

  test('fails when its owner cannot pay for all of it at the price that it meets', () => {
    const table = (size: string, result: string) => `
      ann joins 10x with 50
      mia joins cross with 10000
      tim joins cross with 10000
      mia and tim trade 1 @ 30000
      ann plans open_long ${size} @ market when 31000 id=up
      index 31000
      tim asks 1 @ 31000
      tim asks 20 @ 31100
      # 31.1 x 0.1006 = 3.12866 a contract: 15.98. At the last price it would have been 16.03.
      mia open_long 1 @ 31000
        -> 1 @ 31000 with tim
        ${result}
    `;
    playOn(QUIET_LINEAR)`${table('15', '-> ann 15 @ 31100 with tim; ann up triggered: filled 15')}`;
    playOn(QUIET_LINEAR)`${table('16', '-> ann up failed: margin_insufficient')}`;
  });

  test('to sell with a limit needs what the better price asks that it gets', () => {
    const table = (size: string, result: string) => `
      ann joins 10x with 49.5
      mia joins cross with 10000
      tim joins cross with 10000
      mia and tim trade 1 @ 30000
      index 31000
      ann plans open_short ${size} @ 30500 when 31000 id=up
      tim asks 1 @ 31000
      mia bids 20 @ 30990
      # 30.99 x 0.1006 = 3.117594 a contract: 15.88. At 30500 it would have been 16.13.
      mia open_long 1 @ 31000
        -> 1 @ 31000 with tim
        ${result}
    `;
    playOn(QUIET_LINEAR)`${table('15', '-> ann 15 @ 30990 with mia; ann up triggered: filled 15')}`;
    playOn(QUIET_LINEAR)`${table('16', '-> ann up failed: margin_insufficient')}`;
  });

  test('fails beyond what the tier allows at its leverage, of both sides when cross', () => {
    const table = (mode: string, size: string, result: string) => `
      ann joins ${mode} 100x with 100000
      mia joins cross 10x with 1000000
      tim joins cross 10x with 1000000
      ann and tim trade 9000 @ 30000
      mia bids 12000 @ 30000
      ann plans open_short ${size} @ market when 30000 id=hedge
      tim open_short 1 @ 30000
        -> 1 @ 30000 with mia
        ${result}
    `;
    // Tier 1, the only one with 100x, ends at 10000 contracts.
    for (const [mode, most] of [
      ['isolated', 10_000],
      ['cross', 1_000],
    ] as const) {
      const filled = `-> ann ${most} @ 30000 with mia; ann hedge triggered: filled ${most}`;
      playOn(QUIET_LINEAR)`${table(mode, String(most), filled)}`;
      const failed = '-> ann hedge failed: openable_exceeded';
      playOn(QUIET_LINEAR)`${table(mode, String(most + 1), failed)}`;
    }
  });

  test('to close takes resting closes back when they leave it less than it asks for', () => {
    const table = (size: string, ...results: readonly string[]) => `
      ${AT_30000}
      ann and tim trade 5 @ 30000
      ann plans close_long ${size} @ market when 29900 id=out
      ann close_long 2 @ 31000
      mia bids 10 @ 29900
      tim open_short 1 @ 29900
        -> 1 @ 29900 with mia
        ${results.join('\n')}
    `;
    const filled = '-> ann 3 @ 29900 with mia; ann out triggered: filled 3';
    play(playOn(QUIET_LINEAR)`${table('3', filled)}`)`ann has long 2 @ 30000, orders 1`;
    const takenBack = '-> ann closing_trigger_fired 0/2';
    const more = '-> ann 4 @ 29900 with mia; ann out triggered: filled 4';
    play(playOn(QUIET_LINEAR)`${table('4', takenBack, more)}`)`ann has long 1 @ 30000, orders 0`;
  });
});

describe('a plan fails for good, with the reason', () => {
  const CASES = [
    {
      why: 'nothing to trade with',
      plan: 'open_long 1 @ market',
      book: '',
      reason: 'no_opposite_depth',
    },
    {
      why: 'no money',
      plan: 'open_long 1 @ 30000',
      book: 'ann withdraws 96',
      reason: 'margin_insufficient',
    },
    {
      why: 'no position left',
      plan: 'close_long 1 @ market',
      book: 'ann close_long 1 @ 30000; tim close_short 1 @ 30000',
      reason: 'close_exceeds_position',
    },
    {
      why: 'a price above the band',
      plan: 'open_long 1 @ 46000',
      book: '',
      reason: 'price_above_band',
    },
    {
      why: 'a price below the band',
      plan: 'open_short 1 @ 14000',
      book: '',
      reason: 'price_below_band',
    },
  ];
  for (const { why, plan, book, reason } of CASES) {
    scenario(`${why}: ${reason}`)`
      ${AT_30000}
      ann and tim trade 1 @ 30000
      ann plans ${plan} when 29900 id=out
      ${book.replace('; ', '\n')}
      mia bids 1 @ 29900
      tim open_short 1 @ 29900
        -> 1 @ 29900 with mia
        -> ann out failed: ${reason}
      ann has plans 0
    `;
  }

  scenario('a stale index: contract_halted', { ...QUIET_LINEAR, indexStaleMs: 60_000 })`
    ${AT_30000}
    index 30000
    ann plans open_long 1 @ 29000 when 29900 id=late
    ann and tim trade 1 @ 30000
    ann plans close_long 1 @ 31000 when 29900 id=out
    mia bids 1 @ 29900
    mia and tim trade 3 @ 30000
    tick 121s
    mia close_long 1 @ 29900
    tim close_short 1 @ 29900
      -> 1 @ 29900 with mia
      -> ann late failed: contract_halted
      -> ann rests 1 @ 31000
      -> ann out triggered: filled 0
  `;
});

describe('a plan is refused', () => {
  const CASES = [
    ['open_long 0 @ market when 31000', 'quantity_invalid'],
    ['open_long 1000001 @ market when 31000', 'quantity_above_maximum'],
    ['open_long 1 @ market when 31000.2', 'price_invalid'],
    ['open_long 1 @ market when 0', 'price_invalid'],
    ['open_long 1 @ 31000.1 when 31000', 'price_invalid'],
    ['open_long 1 @ 0 when 31000', 'price_invalid'],
    ['close_long 1 @ market when 31000', 'close_exceeds_position'],
    ['open_long 1 @ market when 31000 id=taken', 'contract_client_id_in_use'],
  ] as const;
  for (const [plan, reject] of CASES) {
    scenario(`${plan}: ${reject}`)`
      ${AT_30000}
      ann plans open_long 1 @ market when 32000 id=taken
      ann plans ${plan}
        -> refused ${reject}
      ann has plans 1
    `;
  }

  scenario('beyond the cap, and taken again once there is room', {
    ...QUIET_LINEAR,
    triggerOrdersMax: 2,
  })`
    ${AT_30000}
    ann plans open_long 1 @ market when 31000 id=a
    ann plans open_long 1 @ market when 31000 id=b
    ann plans open_long 1 @ market when 31000 id=c
      -> refused trigger_orders_exceeded
    ann cancels a
      -> a cancelled: cancelled_by_owner
    ann plans open_long 1 @ market when 31000 id=c
      -> waits for a rise to 31000
  `;

  test('while the contract is halted; what waits keeps waiting', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${AT_30000}
      ann plans open_long 1 @ market when 31000 id=a
    `;
    const { instrumentId } = venue.contract;
    venue.run({ kind: 'update_contract', instrumentId, changes: { status: 'halt' } });
    play(venue)`
      ann plans open_long 1 @ market when 31000
        -> refused contract_halted
      ann has plans 1
      ann cancels a
        -> a cancelled: cancelled_by_owner
    `;
  });

  test('to anybody but its owner when it is to be cancelled', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${AT_30000}
      ann plans open_long 1 @ market when 31000 id=a
    `;
    const { instrumentId } = venue.contract;
    const [plan] = venue.engine.waitingTriggers(venue.id('ann'), instrumentId);
    const orderId = present(plan, 'waiting plan').orderId;
    const cancel = { kind: 'cancel_trigger_order', instrumentId, orderId } as const;
    assert.equal(rejectOf(venue.run({ ...cancel, accountId: venue.id('mia') })), 'order_unknown');
    play(venue)`ann has plans 1`;
  });
});
