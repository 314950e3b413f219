/**
 * Take-profit and stop-loss of positions, triggers at the mark price, trigger orders that bring
 * TP/SL with them, and closing a whole side, as tables.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMITS, lots, ticks } from '#domain';
import { Engine } from '#engine';
import { triggerOrder } from '../support/orders.ts';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann holds 10 from 30000; tom is the other side, and bids and asks. */
const LONG_10 = `
  ann joins 10x with 1000
  tom joins cross with 10000
  ann and tom trade 10 @ 30000
`;

describe('TP/SL of a position', () => {
  scenario('close a part of it at the market')`
    ${LONG_10}
    ann protects long stop_loss 4 @ market when 29000
      -> arms stop_loss 4 for a fall to 29000
    tom bids 20 @ 28900
    tom asks 1 @ 29000                   # for somebody to take
    bob joins with 100
    bob open_long 1 @ 29000
      -> 1 @ 29000 with tom; ann 4 @ 28900 with tom; ann stop_loss triggered: filled 4
    ann has long 6 @ 30000, plans 0
  `;

  scenario('close whatever is held when they fire')`
    ${LONG_10}
    ann protects long take_profit all @ market when 31000
      -> arms take_profit all for a rise to 31000
    ann and tom trade 5 @ 30000
    bob joins with 100
    tom bids 20 @ 31000
    bob open_short 1 @ 31000
      -> 1 @ 31000 with tom; ann 15 @ 31000 with tom; ann take_profit triggered: filled 15
    ann has long none, plans 0
  `;

  scenario('may close at a limit, which rests')`
    ${LONG_10}
    ann protects long take_profit 10 @ 31500 when 31000
    bob joins with 100
    tom bids 1 @ 31000
    bob open_short 1 @ 31000
      -> 1 @ 31000 with tom; ann rests 10 @ 31500; ann take_profit triggered: filled 0
    ann has long.free 0, orders 1
  `;

  scenario('end with the position')`
    ${LONG_10}
    ann protects long stop_loss all @ market when 29000
    ann protects long take_profit 3 @ market when 32000
    tom bids 10 @ 30000
    ann close_long 10 @ 30000
      -> 10 @ 30000 with tom
      -> take_profit cancelled: position_closed
      -> stop_loss cancelled: position_closed
    ann has plans 0
  `;

  scenario('are refused without a position, on the wrong side and for more than is held')`
    ${LONG_10}
    ann protects short stop_loss all @ market when 31000
      -> refused close_exceeds_position
    ann protects long stop_loss 11 @ market when 29000
      -> refused close_exceeds_position
    ann protects long stop_loss all @ market when 30000
      -> refused stop_loss_above_price
    ann protects long take_profit all @ market when 30000
      -> refused take_profit_below_price
    tom protects short stop_loss all @ market when 29999
      -> refused stop_loss_below_price
    tom protects short take_profit all @ market when 30001
      -> refused take_profit_above_price
    ann protects long stop_loss all @ market when 29000.3
      -> refused price_invalid
    ann protects long stop_loss all @ 28000.3 when 29000
      -> refused price_invalid
    ann protects long stop_loss all @ market when 29000 id=x
    ann protects long stop_loss all @ market when 29000 id=x
      -> refused contract_client_id_in_use
    ann has plans 1
  `;

  scenario('may be no more than the contract allows', { ...QUIET_LINEAR, tpSlMax: 2 })`
    ${LONG_10}
    ann protects long stop_loss 1 @ market when 29000
    ann protects long stop_loss 1 @ market when 28000
    ann protects long stop_loss 1 @ market when 27000
      -> refused tp_sl_exceeded
  `;

  scenario('are cancelled by their client id or their number')`
    ${LONG_10}
    ann protects long stop_loss all @ market when 29000 id=x
    ann protects long take_profit all @ market when 31000
    ann cancels x
      -> stop_loss cancelled: cancelled_by_owner
    ann cancels take_profit
      -> take_profit cancelled: cancelled_by_owner
    ann has plans 0
  `;

  scenario('of a position larger than one order may be close all of it', {
    ...QUIET_LINEAR,
    maxLots: lots(10),
  })`
    ${LONG_10}
    ann and tom trade 10 @ 30000
    ann protects long stop_loss all @ market when 29000
    tom bids 10 @ 29000
    tom bids 10 @ 28990
    tom bids 5 @ 28980
    bob joins with 100
    bob open_short 1 @ 29000
      -> 1 @ 29000 with tom
      -> ann 9 @ 29000 with tom
      -> ann 10 @ 28990 with tom
      -> ann 1 @ 28980 with tom
      -> ann stop_loss triggered: filled 20
    ann has long none
  `;

  scenario('that fire as a stop-loss take precedence over closes that rest')`
    ${LONG_10}
    ann close_long 8 @ 32000
    ann protects long stop_loss all @ market when 29000
    tom bids 20 @ 29000
    bob joins with 100
    bob open_short 1 @ 29000
      -> 1 @ 29000 with tom
      -> ann closing_trigger_fired 0/8
      -> ann 10 @ 29000 with tom
      -> ann stop_loss triggered: filled 10
  `;
});

describe('a TP/SL that is modified', () => {
  scenario('keeps its id and waits for its new trigger')`
    ${LONG_10}
    ann protects long stop_loss all @ market when 29000 id=x
    ann modifies x to 28000
      -> stop_loss now waits for a fall to 28000
    tom bids 20 @ 28000
    bob joins 2x with 100
    tom asks 1 @ 29000
    bob open_long 1 @ 29000
      -> 1 @ 29000 with tom
    bob open_short 1 @ 28000
      -> 1 @ 28000 with tom; ann 10 @ 28000 with tom; ann stop_loss triggered: filled 10
  `;

  scenario('may get another execution and another working price')`
    ${LONG_10}
    ann protects long take_profit all @ market when 31000 id=x
    ann modifies x to 31000 at=31500 mark
      -> take_profit now waits for a rise of the mark price to 31000
    index 31000
      -> ann rests 10 @ 31500; ann take_profit triggered: filled 0
  `;

  scenario('is refused on the wrong side, and stays as it was')`
    ${LONG_10}
    ann protects long stop_loss all @ market when 29000 id=x
    ann modifies x to 30000
      -> refused stop_loss_above_price
    ann modifies x to 29000.3
      -> refused price_invalid
    tom bids 20 @ 29000
    bob joins with 100
    bob open_short 1 @ 29000
      -> 1 @ 29000 with tom; ann 10 @ 29000 with tom; ann stop_loss triggered: filled 10
  `;

  scenario('came with an order, and goes on growing with it')`
    ann joins 10x with 1000
    tom joins cross with 10000
    ann open_long 10 @ 30000 sl=29000 id=o
    tom open_short 4 @ 30000
    ann modifies stop_loss to 28000
      -> stop_loss now waits for a fall to 28000
    tom open_short 2 @ 30000
      -> 2 @ 30000 with ann; ann stop_loss grows to 6
  `;

  test('is a plan order: only TP/SL are modified', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${LONG_10}
      ann plans open_long 1 @ market when 31000 id=p
    `;
    play(venue)`
      ann modifies p to 32000
        -> refused order_unknown
    `;
  });

  test('fires behind those that waited for its price before it, after a restart too', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${LONG_10}
      ann protects long stop_loss 1 @ market when 28500 id=x
      ann protects long stop_loss 2 @ market when 29000 id=y
      ann modifies x to 29000
      tom bids 20 @ 29000
      bob joins with 100
    `;
    const copy = Engine.restore(venue.engine.dump());
    assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
    play(venue)`
      bob open_short 1 @ 29000
        -> 1 @ 29000 with tom
        -> ann 2 @ 29000 with tom
        -> ann stop_loss triggered: filled 2
        -> ann 1 @ 29000 with tom
        -> ann stop_loss triggered: filled 1
    `;
    const { command, timeMs } = venue.commands.at(-1) ?? assert.fail('command');
    assert.deepEqual(copy.apply(command, timeMs), venue.steps.at(-1));
  });
});

describe('a trigger at the mark price', () => {
  scenario('is met by the mark price and by no trade')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann plans open_long 5 @ market when 31000 mark
      -> waits for a rise of the mark price to 31000
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

  scenario('goes by where the mark price is')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    ann and tom trade 1 @ 31000
    ann plans open_long 5 @ market when 30500 mark
      -> waits for a rise of the mark price to 30500
    ann plans open_long 5 @ market when 30500
      -> waits for a fall to 30500
  `;

  scenario('protects what an order fills')`
    ann joins 10x with 1000
    tom joins cross with 10000
    index 30000
    tom asks 10 @ 30000
    ann open_long 10 @ 30000 tp=31000 sl=29000 mark
      -> 10 @ 30000 with tom
      -> arms take_profit 10 for a rise of the mark price to 31000
      -> arms stop_loss 10 for a fall of the mark price to 29000
    tom bids 20 @ 29000
    index 29000
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann 10 @ 29000 with tom
      -> ann stop_loss triggered: filled 10
  `;

  test('waits while the contract is halted, and is looked at again afterwards', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 1000
      tom joins cross with 10000
      index 30000
      ann plans open_long 5 @ market when 31000 mark id=p
      tom asks 20 @ 31000
    `;
    const { instrumentId } = venue.contract;
    const setStatus = (status: 'halt' | 'online') =>
      venue.run({ kind: 'update_contract', instrumentId, changes: { status } });
    setStatus('halt');
    play(venue)`
      index 31000
        ->
      ann has plans 1
    `;
    setStatus('online');
    play(venue)`
      tick 1s
        -> ann 5 @ 31000 with tom
        -> ann p triggered: filled 5
    `;
  });

  test('fires in bounded pieces when a new price meets very many', () => {
    const count = 2_000;
    const spec = { ...QUIET_LINEAR, triggerOrdersMax: LIMITS.triggerOrdersMax };
    const venue = playOn(spec)`
      ann joins 10x with 1000
      index 30000
    `;
    const accountId = venue.id('ann');
    const { instrumentId } = venue.contract;
    const plan = { accountId, instrumentId, action: 'open_long', sizeLots: lots(1) } as const;
    const triggerTicks = ticks(venue.ticks('31000'));
    const placed = Array.from({ length: count }, () => {
      const command = triggerOrder({ ...plan, triggerTicks, workingPrice: 'mark' });
      const [event] = venue.run(command);
      return event?.kind === 'trigger_order_accepted' ? event.trigger.orderId : 0;
    });
    const fired: number[] = [];
    let longest = 0;
    let events = venue.index('31000');
    for (;;) {
      longest = Math.max(longest, events.length);
      for (const event of events) {
        if (event.kind === 'trigger_order_closed') fired.push(event.trigger.orderId);
      }
      if (!venue.engine.hasWork) break;
      events = venue.run({ kind: 'continue_work' });
    }
    assert.deepEqual(fired, placed);
    assert.ok(longest < LIMITS.commandEventsMax + 20, `${longest} events in one command`);
  });
});

describe('a trigger order whose direction is said', () => {
  scenario('is refused when the price is there already')`
    ${LONG_10}
    ann plans close_long 5 @ market when 30500 fall
      -> refused stop_loss_above_price
    ann plans close_long 5 @ market when 29500 rise
      -> refused take_profit_below_price
    tom plans close_short 5 @ market when 29500 rise
      -> refused stop_loss_below_price
    ann plans open_long 5 @ market when 29500 rise
      -> refused trigger_direction_mismatch
    ann plans close_long 5 @ market when 29500 fall
      -> waits for a fall to 29500
    ann plans close_long 5 @ market when 30500 rise
      -> waits for a rise to 30500
  `;
});

describe('a trigger order that brings TP/SL', () => {
  scenario('gives them to the order that it places')`
    ann joins 10x with 1000
    tom joins cross with 10000
    bob joins with 100
    ann plans open_long 5 @ 31000 when 31000 tp=32000 sl=30000 id=p
    tom asks 20 @ 31000
    bob open_long 1 @ 31000
      -> 1 @ 31000 with tom
      -> ann 5 @ 31000 with tom
      -> ann arms take_profit 5 for a rise to 32000
      -> ann arms stop_loss 5 for a fall to 30000
      -> ann p triggered: filled 5
  `;

  scenario('is refused when they lie on the wrong side of its price, or when it closes')`
    ${LONG_10}
    ann plans open_long 5 @ 31000 when 31500 tp=31000
      -> refused take_profit_below_order
    ann plans open_long 5 @ market when 31500 sl=31500
      -> refused stop_loss_above_order
    ann plans close_long 5 @ market when 31500 tp=32000
      -> refused parameter_invalid
    ann plans open_long 5 @ market when 31500 tp=32000.3
      -> refused price_invalid
  `;
});

describe('closing a position', () => {
  scenario('cancels what would close it and closes all of it at the market')`
    ${LONG_10}
    ann close_long 4 @ 31000
    ann open_long 1 @ 28000
    ann protects long stop_loss all @ market when 29000
    tom bids 20 @ 30000
    ann closes long
      -> cancelled_by_owner 0/4; 10 @ 30000 with tom; stop_loss cancelled: position_closed
    ann has long none, orders 1, plans 0
  `;

  scenario('goes as far as the band and the book do')`
    ${LONG_10}
    tom bids 4 @ 30000
    ann closes long
      -> 4 @ 30000 with tom; remainder_not_filled 4/10
    ann has long 6 @ 30000
  `;

  scenario('is refused without a position or without anything to trade with')`
    ${LONG_10}
    ann close_long 4 @ 31000
    ann closes short
      -> refused close_exceeds_position
    ann closes long
      -> refused no_opposite_depth
    ann has orders 1
  `;

  scenario('takes more than one order may', { ...QUIET_LINEAR, maxLots: lots(10) })`
    ${LONG_10}
    ann and tom trade 10 @ 30000
    tom bids 10 @ 30000
    tom bids 10 @ 29990
    ann closes long
      -> 10 @ 30000 with tom; 10 @ 29990 with tom
    ann has long none
  `;
});
