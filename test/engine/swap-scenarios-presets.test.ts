/** Take-profit and stop-loss of an order as tables: when they fire, fail, go and are refused. */
import { describe, test } from 'node:test';
import { PROTECTED, play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('a pair of presets', () => {
  scenario('the take-profit closes at the market and cancels the stop-loss')`
    ${PROTECTED}
    index 32900
    mia bids 20 @ 32990
    tim asks 2 @ 32999.5
    mia open_long 1 @ 32999.5
      -> 1 @ 32999.5 with tim
    tim asks 1 @ 33000
    mia open_long 2 @ 33000           # the second one is at the trigger
      -> 1 @ 32999.5 with tim
      -> 1 @ 33000 with tim
      -> ann stop_loss cancelled: other_tp_sl_fired
      -> ann 10 @ 32990 with mia
      -> ann take_profit triggered: filled 10
    ann has long none, plans 0, balance 129.52206   # 99.82 + 29.9 - 0.0006 x 329.9
  `;

  scenario('a take-profit that fails takes nothing back, and the stop-loss goes on')`
    ${PROTECTED}
    ann close_long 10 @ 34000
      -> rests 10 @ 34000
    index 32900
    mia bids 1 @ 33000
    tim open_short 1 @ 33000
      -> 1 @ 33000 with mia
      -> ann take_profit failed: no_opposite_depth
    ann has long 10 @ 30000, plans 1, orders 1
  `;

  scenario('the stop-loss takes back closes that rest, and cancels the take-profit')`
    ${PROTECTED}
    ann close_long 4 @ 31000
      -> rests 4 @ 31000
    index 27600
    mia bids 1 @ 27500
    mia bids 10 @ 27490
    tim open_short 1 @ 27500
      -> 1 @ 27500 with mia
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann closing_trigger_fired 0/4
      -> ann 10 @ 27490 with mia
      -> ann stop_loss triggered: filled 10
    ann has long none, orders 0, plans 0
  `;

  scenario('the take-profit takes back closes that rest, and cancels the stop-loss')`
    ${PROTECTED}
    ann close_long 4 @ 34000
    index 33000
    mia bids 11 @ 33000
    tim open_short 1 @ 33000
      -> 1 @ 33000 with mia
      -> ann stop_loss cancelled: other_tp_sl_fired
      -> ann closing_trigger_fired 0/4
      -> ann 10 @ 33000 with mia
      -> ann take_profit triggered: filled 10
    ann has long none, orders 0
  `;

  scenario('goes with the position')`
    ${PROTECTED}
    mia bids 10 @ 30100
    ann close_long 4 @ market
      -> 4 @ 30100 with mia
    ann has plans 2
    ann close_long 6 @ market
      -> 6 @ 30100 with mia
      -> stop_loss cancelled: position_closed
      -> take_profit cancelled: position_closed
    ann has plans 0
  `;

  scenario('is cut to what is left of the position')`
    ${PROTECTED}
    mia bids 4 @ 30100
    ann close_long 4 @ market
    index 27600
    mia bids 20 @ 27500
    tim open_short 1 @ 27500
      -> 1 @ 27500 with mia
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann 6 @ 27500 with mia
      -> ann stop_loss triggered: filled 6
  `;

  scenario('fails without a counterparty, and is not tried again')`
    ${PROTECTED}
    index 27600
    mia bids 1 @ 27500
    tim open_short 1 @ 27500
      -> 1 @ 27500 with mia
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann stop_loss failed: no_opposite_depth
    mia bids 20 @ 27500
    tim open_short 1 @ 27500
      -> 1 @ 27500 with mia
    ann has long 10 @ 30000, plans 0
  `;

  scenario('of a short is mirrored')`
    ann joins 10x with 100
    mia joins cross with 10000
    tim joins cross with 10000
    mia bids 10 @ 30000
    ann open_short 10 @ 30000 tp=28000 sl=31000
      -> 10 @ 30000 with mia
      -> arms take_profit 10 for a fall to 28000
      -> arms stop_loss 10 for a rise to 31000
    tim asks 11 @ 31000
    mia open_long 1 @ 31000
      -> 1 @ 31000 with tim
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann 10 @ 31000 with tim
      -> ann stop_loss triggered: filled 10
    ann has short none
  `;
});

test('the stop-loss of a frozen account fails and takes nothing with it', () => {
  const venue = playOn(QUIET_LINEAR)`
    ${PROTECTED}
    ann close_long 4 @ 31000
    index 27600
    mia bids 11 @ 27500
  `;
  const accountId = venue.id('ann');
  venue.run({ kind: 'update_account', accountId, changes: { frozen: true } });
  play(venue)`
    tim open_short 1 @ 27500
      -> 1 @ 27500 with mia
      -> ann stop_loss failed: account_frozen
    ann has long 10 @ 30000, plans 1, orders 1
  `;
});

test('a halt does not use them up: the first trade after it sets them off', () => {
  const venue = playOn(QUIET_LINEAR)`
    ann joins 10x with 100
    lou joins 20x with 10
    tom joins cross with 1000
    mia joins cross with 10000
    tim joins cross with 10000
    tom asks 12 @ 30000
    ann open_long 10 @ 30000 tp=33000 sl=28700
    lou open_long 2 @ 30000
    mia bids 20 @ 28650
  `;
  const { instrumentId } = venue.contract;
  venue.run({ kind: 'update_contract', instrumentId, changes: { status: 'halt' } });
  play(venue)`
    index 28600
      -> lou/9 2 @ 28650 with mia
      -> lou long liquidated: 2 at 28517.5, 0 deleveraged, fund +0.26562
    ann has plans 2
  `;
  venue.run({ kind: 'update_contract', instrumentId, changes: { status: 'online' } });
  play(venue)`
    tim open_short 1 @ 28650
      -> 1 @ 28650 with mia
      -> ann take_profit cancelled: other_tp_sl_fired
      -> ann 10 @ 28650 with mia
      -> ann stop_loss triggered: filled 10
    ann has plans 0, long none
  `;
});

describe('a preset on the wrong side is refused with its order', () => {
  // The last trade was at 30100.
  const CASES = [
    ['open_long', '30000', 'tp=30000', 'take_profit_below_order'],
    ['open_long', '30000', 'tp=30100', 'take_profit_below_price'],
    ['open_long', '30000', 'sl=30000', 'stop_loss_above_order'],
    ['open_long', '30200', 'sl=30100', 'stop_loss_above_price'],
    ['open_short', '30200', 'tp=30200', 'take_profit_above_order'],
    ['open_short', '30200', 'tp=30100', 'take_profit_above_price'],
    ['open_short', '30200', 'sl=30200', 'stop_loss_below_order'],
    ['open_short', '30000', 'sl=30100', 'stop_loss_below_price'],
    ['open_long', 'market', 'tp=30100', 'take_profit_below_order'],
    ['open_short', 'market', 'sl=30100', 'stop_loss_below_order'],
    ['close_long', '30200', 'tp=30300', 'parameter_invalid'],
  ] as const;
  for (const [action, price, preset, reject] of CASES) {
    scenario(`${action} at ${price} with ${preset}: ${reject}`)`
      ann joins 10x with 100
      tom joins cross with 1000
      ann and tom trade 2 @ 30100
      tom asks 5 @ 30150
      tom bids 5 @ 30050
      ann ${action} 1 @ ${price} ${preset}
        -> refused ${reject}
    `;
  }

  scenario('one step further they are fine')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann and tom trade 2 @ 30100
    ann open_long 1 @ 30000 tp=30100.5 sl=29999.5
      -> rests 1 @ 30000
    ann open_short 1 @ 30200 tp=30099.5 sl=30200.5
      -> rests 1 @ 30200
  `;

  scenario('the mark price counts until there is a trade')`
    ann joins 10x with 100
    index 30100
    ann open_long 1 @ 30000 tp=30100
      -> refused take_profit_below_price
  `;

  scenario('there is a limit to how many are armed', { ...QUIET_LINEAR, tpSlMax: 3 })`
    ${PROTECTED}
    ann open_long 1 @ 29000 tp=34000 sl=28000
      -> refused tp_sl_exceeded
    ann open_long 1 @ 29000 tp=34000
      -> rests 1 @ 29000
  `;

  scenario('and those of orders that have yet to fill count', { ...QUIET_LINEAR, tpSlMax: 3 })`
    ann joins 10x with 100
    tom joins cross with 1000
    ann open_long 1 @ 29000 tp=34000 sl=28000 id=a
      -> rests 1 @ 29000
    ann open_long 1 @ 29000 tp=34000 sl=28000
      -> refused tp_sl_exceeded
    ann open_long 1 @ 28900 tp=34000
      -> rests 1 @ 28900
    ann open_long 1 @ 28900 sl=28000
      -> refused tp_sl_exceeded
    ann cancels a
    ann open_long 1 @ 29000 tp=34000 sl=28000
      -> rests 1 @ 29000
    tom open_short 2 @ 28900
    ann has plans 3
    ann open_long 1 @ 28000 tp=34000
      -> refused tp_sl_exceeded
  `;
});
