/** One trade that meets more triggers than a function call takes arguments, fired in pieces. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '#domain';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';

const COUNT = 130_000;

test('a trade fires every plan order that it meets, in the order of their creation', () => {
  const venue = Floor.ofContract(
    { ...LINEAR, triggerOrdersMax: LIMITS.triggerOrdersMax },
    { checks: false },
  );
  venue.open('ann', '1000');
  for (const name of ['mia', 'tim']) venue.open(name, '10000', { mode: 'cross' });
  venue.trade('mia', 'tim', '30000', 1);
  const placed: number[] = [];
  for (let at = 0; at < COUNT; at += 1) {
    const [event] = venue.trigger('ann', 'open_long', '30500', 'market', 1);
    if (event?.kind === 'trigger_order_accepted') placed.push(event.trigger.orderId);
  }
  assert.equal(placed.length, COUNT);
  refuseNone(venue.order('tim', 'open_short', '30500', 3));
  const fired: number[] = [];
  let filled = 0;
  let events = venue.order('mia', 'open_long', '30500', 1);
  for (;;) {
    for (const event of events) {
      if (event.kind !== 'trigger_order_closed') continue;
      fired.push(event.trigger.orderId);
      filled += event.executedLots;
    }
    if (!venue.engine.hasWork) break;
    events = venue.run({ kind: 'continue_work' });
  }
  assert.ok(fired.length === placed.length && fired.every((id, at) => id === placed[at]));
  assert.equal(filled, 2, 'there was as much to trade with');
  assert.equal(venue.account('ann').triggerOrdersCount, 0);
  venue.engine.check();
});
