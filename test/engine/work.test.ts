/**
 * What one command sets off is done in pieces: trigger orders that a trade meets and orders that
 * the operator clears. Each command does a bounded piece, the order is that of acceptance, others
 * come in between, and a snapshot taken in the middle goes on like the engine it was taken of.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, type Event, LIMITS } from '#domain';
import { Engine } from '#engine';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone, START_MS } from '../support/floor.ts';

const CONTINUE: Command = { kind: 'continue_work' };
/** A piece ends with the first order that reaches the bound, and that one meets few. */
const EVENTS_MOST = LIMITS.commandEventsMax + 10;

function firedIn(events: readonly Event[]): number[] {
  return events.flatMap((event) =>
    event.kind === 'trigger_order_closed' ? [event.trigger.orderId] : [],
  );
}

function closedIn(events: readonly Event[]): number[] {
  return events.flatMap((event) => {
    if (event.kind === 'trigger_order_closed') return [event.trigger.orderId];
    const isOrder = event.kind === 'order_closed' || event.kind === 'contract_order_closed';
    return isOrder ? [event.order.orderId] : [];
  });
}

/** A contract whose owners have this many trigger orders at 30500 and 30600, in turns. */
function fan(triggersCount: number): { readonly venue: Floor; readonly plans: number[] } {
  const venue = Floor.ofContract(
    { ...LINEAR, triggerOrdersMax: LIMITS.triggerOrdersMax },
    { checks: false },
  );
  for (const name of ['ann', 'bob']) venue.open(name, '1000');
  for (const name of ['mia', 'tim']) venue.open(name, '100000', { mode: 'cross' });
  venue.trade('mia', 'tim', '30000', 1);
  const plans: number[] = [];
  for (let at = 0; at < triggersCount; at += 1) {
    const who = at % 3 === 0 ? 'bob' : 'ann';
    const trigger = at % 2 === 0 ? '30600' : '30500';
    const [event] = venue.trigger(who, 'open_long', trigger, 'market', 1);
    if (event?.kind === 'trigger_order_accepted') plans.push(event.trigger.orderId);
  }
  refuseNone(venue.order('tim', 'open_short', '30600', 3));
  return { venue, plans };
}

describe('trigger orders that one trade meets', () => {
  test('fire over several commands, in the order in which they were accepted', () => {
    const { venue, plans } = fan(2_000);
    const pieces = [venue.order('mia', 'open_long', '30600', 1)];
    while (venue.engine.hasWork) pieces.push(venue.run(CONTINUE));
    assert.deepEqual(pieces.flatMap(firedIn), plans);
    for (const events of pieces) assert.ok(events.length <= EVENTS_MOST, `${events.length} events`);
    assert.ok(pieces.length >= 5);
    assert.equal(venue.account('ann').triggerOrdersCount, 0);
    venue.engine.check();
  });

  test('fire with the trade when they are few', () => {
    const { venue, plans } = fan(100);
    assert.deepEqual(firedIn(venue.order('mia', 'open_long', '30600', 1)), plans);
    assert.equal(venue.engine.hasWork, false);
    assert.deepEqual(venue.run(CONTINUE), [{ kind: 'work_continued' }]);
  });

  test('can be cancelled while they wait to fire, and later ones wait for the price', () => {
    const { venue, plans } = fan(2_000);
    const fired = firedIn(venue.order('mia', 'open_long', '30600', 1));
    const next = plans[fired.length];
    assert.ok(next !== undefined);
    const { instrumentId } = venue.contract;
    const accountId = venue.id(fired.length % 3 === 0 ? 'bob' : 'ann');
    const orderId = venue.engine.waitingTriggers(accountId, instrumentId);
    const first = [...orderId].at(-1);
    assert.equal(first?.orderId, next);
    refuseNone(
      venue.run({ kind: 'cancel_trigger_order', accountId, instrumentId, orderId: first.orderId }),
    );
    // The price has come back: what is accepted now has not been met by it.
    refuseNone(venue.order('tim', 'open_short', '30400', 1));
    refuseNone(venue.order('mia', 'open_long', '30400', 1));
    refuseNone(venue.trigger('ann', 'open_long', '30500', 'market', 1));
    const rest: number[] = [];
    while (venue.engine.hasWork) rest.push(...firedIn(venue.run(CONTINUE)));
    assert.deepEqual(rest, plans.slice(fired.length + 1));
    assert.equal(venue.account('ann').triggerOrdersCount, 1);
    venue.engine.check();
  });

  test('wait while the contract is halted', () => {
    const { venue, plans } = fan(2_000);
    const { instrumentId } = venue.contract;
    const set = (status: 'halt' | 'online') =>
      venue.run({ kind: 'update_contract', instrumentId, changes: { status } });
    const fired = firedIn(venue.order('mia', 'open_long', '30600', 1));
    refuseNone(set('halt'));
    assert.equal(venue.engine.hasWork, false);
    assert.deepEqual(venue.run(CONTINUE), [{ kind: 'work_continued' }]);
    fired.push(...firedIn(set('online')));
    assert.equal(venue.engine.hasWork, true);
    while (venue.engine.hasWork) fired.push(...firedIn(venue.run(CONTINUE)));
    assert.deepEqual(
      fired.toSorted((one, other) => one - other),
      plans,
    );
  });
});

describe('orders that the operator clears', () => {
  const count = 3_000;

  function cleared(venue: Floor, first: Command): { closed: number[]; pieces: number } {
    const closed: number[] = [];
    let pieces = 0;
    for (let command = first; ; command = CONTINUE) {
      const events = venue.run(command);
      assert.ok(events.length <= EVENTS_MOST, `${events.length} events`);
      closed.push(...closedIn(events));
      pieces += 1;
      if (!venue.engine.hasWork) return { closed, pieces };
    }
  }

  test('go piece by piece in a pair, and one that comes meanwhile stays', () => {
    const venue = Floor.listed();
    const ann = venue.open('ann', { USDT: '1000000' });
    venue.run({ kind: 'update_account', accountId: ann, changes: { openOrdersMax: 10_000 } });
    for (let at = 0; at < count; at += 1) venue.limit(ann, 'buy', '100', '0.0001');
    const orders = [...venue.engine.openOrders(ann)].map(({ orderId }) => orderId).toReversed();
    const [first, ...others] = venue.run({ kind: 'cancel_all_spot_orders', accountId: ann });
    assert.deepEqual(first, { kind: 'orders_cancelled', accountId: ann, ordersCount: count });
    venue.limit(ann, 'buy', '100', '0.0001');
    const { closed, pieces } = cleared(venue, CONTINUE);
    assert.deepEqual([...closedIn(others), ...closed], orders);
    assert.ok(pieces >= 5);
    assert.equal([...venue.engine.openOrders(ann)].length, 1);
    venue.engine.check();
  });

  test('go piece by piece in contracts, trigger orders last', () => {
    const { venue } = fan(1_000);
    const accountId = venue.id('ann');
    venue.fund('ann', '100000');
    for (let at = 0; at < LINEAR.openOrdersMax; at += 1)
      venue.order('ann', 'open_long', '20000', 1);
    const { instrumentId } = venue.contract;
    const newestFirst = [
      ...venue.engine.waitingTriggers(accountId, instrumentId),
      ...venue.engine.openContractOrders(accountId, instrumentId),
    ];
    const command = { kind: 'cancel_all_contract_orders', accountId } as const;
    const { closed, pieces } = cleared(venue, command);
    assert.deepEqual(closed, newestFirst.map(({ orderId }) => orderId).toReversed());
    assert.ok(pieces >= 4);
    venue.engine.check();
  });
});

test('a snapshot taken in the middle goes on to the same state', () => {
  const { venue } = fan(1_500);
  venue.order('mia', 'open_long', '30600', 1);
  venue.run({ kind: 'cancel_all_contract_orders', accountId: venue.id('bob') });
  venue.run({ kind: 'cancel_all_spot_orders', accountId: venue.id('bob') });
  assert.equal(venue.engine.hasWork, true);
  const rows = [...venue.engine.dump()];
  const copy = Engine.restore(rows);
  assert.deepEqual([...copy.dump()], rows);
  assert.equal(copy.hasWork, true);
  let pieces = 0;
  for (; venue.engine.hasWork; pieces += 1) {
    const timeMs = venue.engine.timeMs + 1;
    assert.deepEqual(copy.apply(CONTINUE, timeMs), venue.engine.apply(CONTINUE, timeMs));
  }
  assert.ok(pieces >= 2);
  assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
  copy.check();
});

test('replaying the commands gives the same steps', () => {
  const { venue } = fan(1_500);
  venue.order('mia', 'open_long', '30600', 1);
  while (venue.engine.hasWork) venue.run(CONTINUE);
  const engine = Engine.empty();
  const { commands, steps } = venue;
  assert.deepEqual(
    commands.map(({ command, timeMs }) => engine.apply(command, timeMs)),
    steps,
  );
  assert.deepEqual([...engine.dump()], [...venue.engine.dump()]);
  assert.ok(engine.timeMs > START_MS);
});
