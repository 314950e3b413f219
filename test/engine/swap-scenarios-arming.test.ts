/** Take-profit and stop-loss of an order as tables: how they come and grow with its fills. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lots } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { refuseNone } from '../support/floor.ts';
import { PROTECTED, play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('arming', () => {
  scenario('comes with the first fill, and further fills make it grow')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann open_long 10 @ 30000 tp=33000 sl=27000 id=a
    tom open_short 4 @ 30000
      -> 4 @ 30000 with ann
      -> ann arms take_profit 4 for a rise to 33000
      -> ann arms stop_loss 4 for a fall to 27000
    ann has plans 2
    tom open_short 3 @ 30000
      -> 3 @ 30000 with ann
      -> ann take_profit grows to 7
      -> ann stop_loss grows to 7
    ann has plans 2
    ann cancels a
      -> cancelled_by_owner 7/10
    ann has plans 2
  `;

  scenario('protects what an order that goes on resting took at once')`
    ann joins 10x with 100
    tom joins cross with 1000
    tom asks 2 @ 29990
    tom asks 2 @ 30000
    ann open_long 10 @ 30000 sl=27000
      -> 2 @ 29990 with tom
      -> 2 @ 30000 with tom
      -> rests 6 @ 30000
      -> arms stop_loss 4 for a fall to 27000
    tom open_short 6 @ 30000
      -> 6 @ 30000 with ann
      -> ann stop_loss grows to 10
  `;

  scenario('that has fired is followed by another for what fills later')`
    ann joins 10x with 100
    tom joins cross with 10000
    mia joins cross with 10000
    ann open_long 10 @ 30000 tp=33000 sl=29000 id=a
    tom open_short 4 @ 30000
    mia bids 20 @ 33000
    index 33000
    tom open_short 1 @ 33000
      -> 1 @ 33000 with mia
      -> ann stop_loss cancelled: other_tp_sl_fired
      -> ann 4 @ 33000 with mia
      -> ann take_profit triggered: filled 4
    ann has long none, plans 0, orders 1
    mia close_long 5 @ 33500
    index 30000
    tom close_short 5 @ 33500
    tom open_short 6 @ 30000
  `;

  scenario('does not happen to an order that never filled; one whose position went arms anew')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann open_long 10 @ 29000 tp=33000 id=a
    ann cancels a
      -> cancelled_by_owner 0/10
    ann open_long 10 @ 30000 sl=27000 id=b
    tom open_short 4 @ 30000
      -> 4 @ 30000 with ann
      -> ann arms stop_loss 4 for a fall to 27000
    ann close_long 4 @ 30100
    tom open_long 4 @ 30100
      -> 4 @ 30100 with ann
      -> ann stop_loss cancelled: position_closed
    ann has long none, orders 1, plans 0
    tom open_short 1 @ 30000
      -> 1 @ 30000 with ann
      -> ann arms stop_loss 1 for a fall to 27000
    ann cancels b
      -> cancelled_by_owner 5/10
    ann has plans 1
  `;

  test('is not repeated for one that the owner cancelled, nor for one on the wrong side', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins cross with 1000
      ann open_long 10 @ 30000 tp=33000 sl=27000
      tom open_short 4 @ 30000
    `;
    const accountId = venue.id('ann');
    const { instrumentId } = venue.contract;
    const [plan] = [...venue.engine.waitingTriggers(accountId, instrumentId)].filter(
      ({ purpose }) => purpose === 'take_profit',
    );
    const { orderId } = present(plan, 'take profit');
    refuseNone(venue.run({ kind: 'cancel_trigger_order', accountId, instrumentId, orderId }));
    play(venue)`
      tom open_short 3 @ 30000
        -> 3 @ 30000 with ann
        -> ann stop_loss grows to 7
      ann has plans 1
    `;
    playOn(QUIET_LINEAR)`
      ann joins 10x with 200
      tom joins cross with 1000
      mia joins cross with 1000
      index 31000
      ann and tom trade 20 @ 31000
      index 30000
      mia and tom trade 1 @ 30000
      ann open_long 10 @ 30000 tp=30500
      tom open_short 2 @ 30000              # the average is 30909 then
        -> 2 @ 30000 with ann
        -> ann arms take_profit 2 for a rise to 30500
        -> ann take_profit failed: take_profit_below_order
      tom open_short 2 @ 30000
        -> 2 @ 30000 with ann
      ann has plans 0
    `;
  });

  test('and growing survive a snapshot', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins cross with 1000
      ann open_long 10 @ 30000 tp=33000 sl=27000 id=a
      tom open_short 4 @ 30000
    `;
    const copy = Engine.restore(venue.engine.dump());
    copy.check();
    const events = venue.order('tom', 'open_short', '30000', 3);
    const command = present(venue.commands.at(-1), 'last command');
    assert.deepEqual(copy.apply(command.command, command.timeMs).events, events);
    assert.equal(events.filter(({ kind }) => kind === 'trigger_order_grown').length, 2);
    assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
  });

  test('holds each one against the average entry', () => {
    playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins cross with 1000
      mia joins cross with 1000
      index 31000
      ann and tom trade 10 @ 31000
      index 30000
      mia and tom trade 1 @ 30000
      tom asks 10 @ 30000
      ann open_long 10 @ 30000 tp=30500 sl=29000     # the average is 30500 then
        -> 10 @ 30000 with tom
        -> arms take_profit 10 for a rise to 30500
        -> take_profit failed: take_profit_below_order
        -> arms stop_loss 10 for a fall to 29000
      ann has long 20 @ 30500, plans 1
    `;
    playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins cross with 1000
      mia joins cross with 1000
      ann and tom trade 10 @ 30000
      index 31000
      mia and tom trade 1 @ 31000
      tom asks 10 @ 31000
      ann open_long 10 @ 31000 tp=32000 sl=30500
        -> 10 @ 31000 with tom
        -> arms take_profit 10 for a rise to 32000
        -> arms stop_loss 10 for a fall to 30500
        -> stop_loss failed: stop_loss_above_order
      ann has long 20 @ 30500, plans 1
    `;
  });

  scenario('of less than the smallest order closes it all the same', {
    ...QUIET_LINEAR,
    minLots: lots(5),
  })`
    ann joins 10x with 100
    tom joins cross with 1000
    tim joins cross with 1000
    ann and tom trade 10 @ 30000
    tom asks 7 @ 30000
    tim open_long 5 @ 30000
    ann open_long 5 @ 30000 sl=29000 id=a
      -> 2 @ 30000 with tom
      -> rests 3 @ 30000
      -> arms stop_loss 2 for a fall to 29000
    ann cancels a
      -> cancelled_by_owner 2/5
    tim bids 10 @ 29000
    tom open_short 5 @ 29000
      -> 5 @ 29000 with tim
      -> ann 2 @ 29000 with tim
      -> ann stop_loss triggered: filled 2
    ann has long 10 @ 30000, plans 0
  `;

  test('is independent of the other preset: one cancelled by hand leaves the other', () => {
    const venue = playOn(QUIET_LINEAR)`${PROTECTED}`;
    const [stopLoss] = [
      ...venue.engine.waitingTriggers(venue.id('ann'), venue.contract.instrumentId),
    ].filter(({ purpose }) => purpose === 'stop_loss');
    play(venue)`
      ann cancels plan#${present(stopLoss, 'armed stop-loss').orderId}
        -> stop_loss cancelled: cancelled_by_owner
      ann has plans 1
      index 33000
      mia bids 11 @ 33000
      tim open_short 1 @ 33000
        -> 1 @ 33000 with mia
        -> ann 10 @ 33000 with mia
        -> ann take_profit triggered: filled 10
    `;
  });
});
