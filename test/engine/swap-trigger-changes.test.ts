/**
 * Triggers at the index price, and another trigger, price or size for what waits, as tables. What
 * is refused leaves everything as it was.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lots, ticks } from '#domain';
import { Engine } from '#engine';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann holds 10 from 30000; tom is the other side, and bids and asks. */
const LONG_10 = `
  ann joins 10x with 1000
  tom joins cross with 10000
  ann and tom trade 10 @ 30000
`;

describe('a trigger at the index price', () => {
  scenario('is met by the index and by no trade')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann plans open_long 5 @ market when 31000 index
      -> waits for a rise of the index price to 31000
    tom asks 20 @ 31000
    bob joins with 100
    bob open_long 1 @ 31000
      -> 1 @ 31000 with tom
    index 30999
      ->
    index 31000
      -> ann 5 @ 31000 with tom; ann plan#3 triggered: filled 5
    ann has long 5 @ 31000
  `;

  scenario('goes by where the index is, not by the last trade')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 31000
    ann plans open_long 5 @ market when 30500 index
      -> waits for a rise of the index price to 30500
    ann plans open_long 5 @ market when 30500
      -> waits for a fall to 30500
    ann plans open_short 5 @ market when 30000 index rise
      -> refused trigger_direction_mismatch
  `;

  scenario('protects what an order fills, and a position')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    tom asks 10 @ 30000
    ann open_long 10 @ 30000 tp=31000 sl=29000 index
      -> 10 @ 30000 with tom
      -> arms take_profit 10 for a rise of the index price to 31000
      -> arms stop_loss 10 for a fall of the index price to 29000
    ann protects long stop_loss 5 @ market when 30000 index
      -> refused stop_loss_above_price
    ann protects long stop_loss 5 @ market when 28900 index
      -> arms stop_loss 5 for a fall of the index price to 28900
    tom bids 20 @ 29000
    index 29000
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann 10 @ 29000 with tom
      -> ann stop_loss cancelled: position_closed
      -> ann stop_loss triggered: filled 10
  `;

  test('survives a restart, and fires after it as it would have', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${LONG_10}
      index 30000
      ann open_long 1 @ 29900 tp=31000 sl=29500 index
      ann protects long stop_loss all @ market when 29000 index
      ann plans open_short 1 @ market when 29500 index
      tom bids 20 @ 29000
    `;
    const copy = Engine.restore(venue.engine.dump());
    assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
    play(venue)`
      index 29000
    `;
    const { command, timeMs } = venue.commands.at(-1) ?? assert.fail('command');
    const fired = copy.apply(command, timeMs);
    assert.deepEqual(fired, venue.steps.at(-1));
    const closed = fired.events.filter(({ kind }) => kind === 'trigger_order_closed');
    assert.equal(closed.length, 2);
  });
});

describe('a trigger order that is changed', () => {
  scenario('keeps its id and its direction, and waits for its new trigger')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 30000
    ann plans open_long 5 @ market when 31000 id=p
    ann resets p to 30500
      -> trigger now waits for a rise to 30500
    tom asks 20 @ 30500
    bob joins with 100
    bob open_long 1 @ 30500
      -> 1 @ 30500 with tom; ann 5 @ 30500 with tom; ann p triggered: filled 5
  `;

  scenario('may get another price to look at, another limit and another size')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 30000
    ann plans open_long 5 @ market when 31000 id=p
    ann resets p to 30500 index at=30400 size=7
      -> trigger now waits for a rise of the index price to 30500
    index 30500
      -> ann rests 7 @ 30400; ann p triggered: filled 0
  `;

  scenario('is refused where the price already is, and stays as it was')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 30000
    ann plans open_long 5 @ market when 31000 id=p
    ann resets p to 30000
      -> refused trigger_direction_mismatch
    ann resets p to 29000 mark
      -> refused trigger_direction_mismatch
    ann resets p to 30500.3
      -> refused price_invalid
    ann resets p to 30500 at=30400.3
      -> refused price_invalid
    ann resets p to 30500 size=all
      -> refused quantity_invalid
    ann resets p to 30500 size=1000001
      -> refused quantity_above_maximum
    tom asks 20 @ 31000
    bob joins with 100
    bob open_long 1 @ 31000
      -> 1 @ 31000 with tom; ann 5 @ 31000 with tom; ann p triggered: filled 5
  `;

  scenario('is a stop that closes, and does not become a take-profit')`
    ${LONG_10}
    ann plans close_long 5 @ market when 29000 fall id=p
    ann resets p to 31000
      -> refused stop_loss_above_price
    ann resets p to 29500
      -> trigger now waits for a fall to 29500
  `;

  scenario('brings TP/SL that must stay on their side of its price')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 30000
    ann plans open_long 5 @ market when 30500 tp=31000 sl=30200 id=p
    ann resets p to 31000
      -> refused take_profit_below_order
    ann resets p to 30600 at=30100
      -> refused stop_loss_above_order
    ann resets p to 30900
      -> trigger now waits for a rise to 30900
  `;

  scenario('keeps its trigger, wherever the price is, while only its size changes')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 30000
    ann plans open_long 5 @ market when 30000 id=p
      -> waits for a rise to 30000
    ann resets p to 30000 size=3
      -> trigger now waits for a rise to 30000
    tom asks 20 @ 30000
    bob joins with 100
    bob open_long 1 @ 30000
      -> 1 @ 30000 with tom; ann 3 @ 30000 with tom; ann p triggered: filled 3
  `;

  test('goes behind the others of its price, and keeps its place at the same price', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${LONG_10}
      ann plans close_long 1 @ market when 29000 id=a
      ann plans close_long 1 @ market when 29000 id=b
      ann plans close_long 1 @ market when 28500 id=c
      ann resets c to 29000
      ann resets a to 29000 size=2
      tom bids 20 @ 29000
      bob joins with 100
    `;
    const copy = Engine.restore(venue.engine.dump());
    play(venue)`
      bob open_short 1 @ 29000
        -> 1 @ 29000 with tom
        -> ann 2 @ 29000 with tom
        -> ann a triggered: filled 2
        -> ann 1 @ 29000 with tom
        -> ann b triggered: filled 1
        -> ann 1 @ 29000 with tom
        -> ann c triggered: filled 1
    `;
    const { command, timeMs } = venue.commands.at(-1) ?? assert.fail('command');
    assert.deepEqual(copy.apply(command, timeMs), venue.steps.at(-1));
  });
});

describe('a TP/SL that is changed', () => {
  scenario('may close another part of the position, or whatever is held')`
    ${LONG_10}
    ann protects long stop_loss 4 @ market when 29000 id=x
    ann resets x to 28900 size=11
      -> refused close_exceeds_position
    ann resets x to 28900 size=6
      -> stop_loss now waits for a fall to 28900
    ann resets x to 28900 size=all
      -> stop_loss now waits for a fall to 28900
    ann resets x to 30000
      -> refused stop_loss_above_price
    tom bids 20 @ 28900
    bob joins with 100
    bob open_short 1 @ 28900
      -> 1 @ 28900 with tom; ann 10 @ 28900 with tom; ann stop_loss triggered: filled 10
  `;

  scenario('came with an order: its size follows the fills until that is over')`
    ann joins 10x with 1000
    tom joins cross with 10000
    ann open_long 10 @ 30000 sl=29000 id=o
    tom open_short 4 @ 30000
    ann resets stop_loss to 28000 size=2
      -> refused order_state_wrong
    ann resets stop_loss to 28000 index
      -> stop_loss now waits for a fall of the index price to 28000
    tom open_short 2 @ 30000
      -> 2 @ 30000 with ann; ann stop_loss grows to 6
    ann cancels o
    ann resets stop_loss to 28000 size=2
      -> stop_loss now waits for a fall of the index price to 28000
    ann has long 6 @ 30000, plans 1
  `;
});

test('one of somebody else is unknown, and what is refused changes nothing', () => {
  const venue = playOn(QUIET_LINEAR)`
    ${LONG_10}
    ann plans close_long 1 @ market when 29000 id=a
  `;
  const [waiting] = venue.engine.waitingTriggers(venue.id('ann'));
  const order = {
    kind: 'modify_trigger_order',
    instrumentId: venue.contract.instrumentId,
    orderId: waiting?.orderId ?? assert.fail('trigger order'),
  } as const;
  const state = () => [...venue.engine.dump()].slice(1);
  const before = state();
  const refusals: readonly (readonly [string, object, string])[] = [
    ['tom', {}, 'order_unknown'],
    ['ann', { triggerTicks: ticks(0), sizeLots: lots(2) }, 'price_invalid'],
    ['ann', { sizeLots: lots(0) }, 'quantity_invalid'],
    ['ann', { triggerTicks: ticks(310_000), sizeLots: lots(2) }, 'stop_loss_above_price'],
  ];
  for (const [who, part, expected] of refusals) {
    const accountId = venue.id(who);
    const [event] = venue.run({ ...order, accountId, triggerTicks: ticks(280_000), ...part });
    assert.equal(event?.kind === 'refused' && event.reject, expected);
  }
  assert.deepEqual(state(), before);
});
