/**
 * What closes when its trigger is met, whatever asked for it: it is cut to what is held at that
 * moment, and takes back resting closes as far as they stand in its way, the newest first.
 */
import { describe } from 'node:test';
import { lots } from '#domain';
import { QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann holds 20 from 30000; tom is the other side, bob sells what sets things off. */
const LONG_20 = `
  ann joins 10x with 1000
  tom joins cross with 10000
  bob joins 10x with 1000
  ann and tom trade 20 @ 30000
`;

const BIDS = `
  tom bids 3 @ 29800
  tom bids 3 @ 29795
  tom bids 50 @ 29790
`;

describe('a closing trigger', () => {
  scenario('is not switched off by a resting close of the whole position')`
    ${LONG_20}
    ann close_long 20 @ 31000
    ann plans close_long 20 @ market when 29800 id=stop
    ${BIDS}
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann closing_trigger_fired 0/20
      -> ann 2 @ 29800 with tom
      -> ann 3 @ 29795 with tom
      -> ann 15 @ 29790 with tom
      -> ann stop triggered: filled 20
    ann has long none, orders 0, plans 0
  `;

  scenario('closes what is left when half has been closed before')`
    ${LONG_20}
    ann plans close_long 20 @ market when 29800 id=stop
    tom bids 10 @ 30100
    ann close_long 10 @ 30100
      -> 10 @ 30100 with tom
    ${BIDS}
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann 2 @ 29800 with tom
      -> ann 3 @ 29795 with tom
      -> ann 5 @ 29790 with tom
      -> ann stop triggered: filled 10
    ann has long none, orders 0, plans 0
  `;

  scenario('closes a rest that is smaller than the smallest order', {
    ...QUIET_LINEAR,
    minLots: lots(5),
  })`
    ${LONG_20}
    ann plans close_long 20 @ market when 29800 id=stop
    tom bids 17 @ 30100
    ann close_long 17 @ 30100
    tom bids 10 @ 29800
    bob open_short 5 @ 29800
      -> 5 @ 29800 with tom
      -> ann 3 @ 29800 with tom
      -> ann stop triggered: filled 3
    ann has long none
  `;

  scenario('takes back only what stands in its way, the newest first')`
    ${LONG_20}
    ann close_long 5 @ 30500
    ann close_long 6 @ 31000
    ann close_long 4 @ 30700
    ann plans close_long 12 @ market when 29800 id=stop
    ${BIDS}
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann closing_trigger_fired 0/4
      -> ann closing_trigger_fired 0/6
      -> ann 2 @ 29800 with tom
      -> ann 3 @ 29795 with tom
      -> ann 7 @ 29790 with tom
      -> ann stop triggered: filled 12
    ann has long 8 @ 30000, long.free 3, orders 1
  `;

  scenario('leaves closes alone that leave it enough')`
    ${LONG_20}
    ann close_long 12 @ 31000
    ann plans close_long 8 @ market when 29800 id=stop
    ann protects long stop_loss 8 @ market when 29800
    tom bids 9 @ 29800
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann 8 @ 29800 with tom
      -> ann stop triggered: filled 8
      -> ann stop_loss failed: no_opposite_depth
    ann has long 12 @ 30000, long.free 0, orders 1
  `;

  scenario('that takes a profit has the same rights')`
    ${LONG_20}
    ann close_long 20 @ 31000
    ann plans close_long 20 @ 30400 when 30500 id=profit
    tom bids 1 @ 30500
    bob open_short 1 @ 30500
      -> 1 @ 30500 with tom
      -> ann closing_trigger_fired 0/20
      -> ann rests 20 @ 30400
      -> ann profit triggered: filled 0
    ann has long.free 0, orders 1
  `;

  scenario('may rest where a close rested, however few orders may', {
    ...QUIET_LINEAR,
    openOrdersMax: 1,
  })`
    ${LONG_20}
    ann close_long 20 @ 31000
    ann plans close_long 20 @ 29700 when 29800 id=stop
    tom bids 1 @ 29800
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann closing_trigger_fired 0/20
      -> ann rests 20 @ 29700
      -> ann stop triggered: filled 0
  `;

  scenario('that nobody can trade with takes nothing back')`
    ${LONG_20}
    ann close_long 20 @ 31000
    ann plans close_long 20 @ market when 29800 id=stop
    ann protects long stop_loss all @ market when 29800
    tom bids 1 @ 29800
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann stop failed: no_opposite_depth
      -> ann stop_loss failed: no_opposite_depth
    ann has long 20 @ 30000, long.free 0, orders 1
  `;

  scenario('with nothing left to close fails')`
    ${LONG_20}
    ann plans close_long 20 @ market when 29800 id=stop
    tom bids 20 @ 30100
    ann close_long 20 @ 30100
    ${BIDS}
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann stop failed: close_exceeds_position
    ann has long none, plans 0
  `;

  scenario('outlives its position when it is a trigger order, and closes the next one')`
    ${LONG_20}
    ann plans close_long 20 @ market when 29800 id=stop
    ann protects long stop_loss all @ market when 29800
    tom bids 20 @ 30100
    ann close_long 20 @ 30100
      -> 20 @ 30100 with tom
      -> stop_loss cancelled: position_closed
    ann has long none, plans 1
    ann and tom trade 6 @ 30000
    ${BIDS}
    bob open_short 1 @ 29800
      -> 1 @ 29800 with tom
      -> ann 2 @ 29800 with tom
      -> ann 3 @ 29795 with tom
      -> ann 1 @ 29790 with tom
      -> ann stop triggered: filled 6
    ann has long none, plans 0
  `;

  scenario('of a short is mirrored')`
    ann joins 10x with 1000
    tom joins cross with 10000
    bob joins 10x with 1000
    tom and ann trade 20 @ 30000
    ann close_short 20 @ 29000
    ann plans close_short 25 @ market when 30200 id=stop
    tom asks 50 @ 30200
    bob open_long 1 @ 30200
      -> 1 @ 30200 with tom
      -> ann closing_trigger_fired 0/20
      -> ann 20 @ 30200 with tom
      -> ann stop triggered: filled 20
    ann has short none, orders 0
  `;
});
