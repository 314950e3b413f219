/**
 * An order that meets many others: its answer leaves once it is done, its market and its account
 * wait for it and nobody else does, and a stop in the middle loses nothing of it.
 */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Command, Event, OrderId } from '#domain';
import { LIMITS } from '#domain';
import { ManualClock, present } from '#kernel';
import { recoverEngine } from '#venue';
import { LINEAR } from '../support/contracts.ts';
import { acceptedId, BTCUSDT, ETHUSDT, Floor, START_MS } from '../support/floor.ts';
import { logOf } from '../support/logs.ts';
import { spotOrder } from '../support/orders.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

const ASKS = 1_600;

/** A pair with so many asks of one lot at 30000, and accounts 1 (asks), 2 and 3. */
function crowd(): readonly Command[] {
  const floor = Floor.listed({}, { checks: false });
  const money = { USDT: '1000000', BTC: '100', ETH: '100' };
  for (const name of ['bob', 'ann', 'cid']) floor.open(name, money, { openOrdersMax: 5_000 });
  for (let at = 0; at < ASKS; at += 1) {
    acceptedId(floor.limit(floor.id('bob'), 'sell', '30000', '0.0001'));
  }
  return floor.commands.map(({ command }) => command);
}

const [BOB, ANN, CID] = [1, 2, 3];

function buy(accountId: number, sizeLots: number, priceTicks: number, on = BTCUSDT): Command {
  const terms = { accountId: accountId as never, instrumentId: on, side: 'buy' } as const;
  return spotOrder({ ...terms, priceTicks: priceTicks as never, sizeLots: sizeLots as never });
}

async function crowded(context: TestContext, turnMs?: number) {
  const directory = scratchDirectory(context);
  const clock = new ManualClock(START_MS + 1_000_000);
  const real = await RealVenue.open(context, directory, { clock, turnMs });
  await real.venue.runExclusive(async (submit) => {
    const answers = crowd().map((command) => submit(command));
    await Promise.all(answers);
  });
  return { ...real, venue: real.venue, steps: real.steps, close: real.close, directory };
}

function fillsIn(events: readonly Event[], orderId: OrderId): number {
  return events.filter((event) => event.kind === 'trade' && event.takerOrderId === orderId).length;
}

function placeOf(steps: readonly { readonly events: readonly Event[] }[], accountId: number) {
  return steps.findIndex(({ events }) =>
    events.some((event) => event.kind === 'order_accepted' && event.accountId === accountId),
  );
}

test('an answer leaves with the last step and lists a thousand fills', async (context) => {
  const { venue } = await crowded(context);
  const events = await venue.submit(buy(ANN, ASKS, 3_000_000));
  const orderId = acceptedId(events);
  assert.equal(fillsIn(events, orderId), LIMITS.orderAnswerFillsMax);
  const end = events.at(-1);
  assert.ok(end?.kind === 'order_closed' && end.reason === 'filled');
  assert.equal(end.order.filledLots, ASKS);
});

test('a reversal is answered once both of its orders are done', async (context) => {
  const floor = Floor.ofContract({ ...LINEAR, openOrdersMax: 5_000 }, { checks: false });
  for (const name of ['bob', 'ann', 'cid']) floor.open(name, '1000000');
  floor.trade('ann', 'cid', '29990', 300);
  for (let at = 0; at < 700; at += 1) floor.order('bob', 'open_long', '29900', 1);
  const { venue } = await RealVenue.open(context, scratchDirectory(context), {
    clock: new ManualClock(START_MS + 1_000_000),
  });
  const commands = floor.commands.map(({ command }) => command);
  await venue.runExclusive(async (submit) => {
    await Promise.all(commands.map((command) => submit(command)));
  });
  const { instrumentId } = floor.contract;
  const closes = {
    accountId: floor.id('ann'),
    instrumentId,
    side: 'long',
    reverses: true,
  } as const;
  const events = await venue.submit({ kind: 'close_position', ...closes });
  const accepted = events.filter((event) => event.kind === 'contract_order_accepted');
  const closed = events.filter((event) => event.kind === 'contract_order_closed');
  const own = closed.filter(({ order }) =>
    accepted.some(({ orderId }) => orderId === order.orderId),
  );
  assert.deepEqual(
    own.map(({ order, reason }) => [order.action, order.filledLots, reason]),
    [
      ['close_long', 300, 'filled'],
      ['open_short', 300, 'filled'],
    ],
  );
});

test('its market and its account wait for it, others do not', async (context) => {
  const { venue, steps } = await crowded(context);
  const from = steps.length;
  const answer = venue.submit(buy(ANN, ASKS - 5, 3_000_000));
  const later = venue.submit(buy(CID, 10, 3_000_000));
  const own = venue.submit(buy(ANN, 10, 100_000, ETHUSDT));
  // Behind one of its account that waits.
  const cids = venue.submit(buy(CID, 10, 100_000, ETHUSDT));
  const bobs = venue.submit(buy(BOB, 10, 100_000, ETHUSDT));
  const open = await venue.read((state) => [...state.openOrders(ANN as never)], BOB as never);
  assert.equal(open.length, 1, 'it is open meanwhile');
  const bobsId = acceptedId(await bobs);
  const orderId = acceptedId(await answer);
  const rested = await later;
  assert.equal(fillsIn(rested, acceptedId(rested)), 5, 'what it left is there for the next one');
  for (const one of [await own, await cids]) acceptedId(one);
  await venue.read(() => undefined);
  const own1 = steps.slice(from);
  const lastFill = own1.findLastIndex(({ events }) => fillsIn(events, orderId) > 0);
  const bobsPlace = own1.findIndex(({ events }) =>
    events.some((event) => event.kind === 'order_accepted' && event.orderId === bobsId),
  );
  assert.ok(bobsPlace < lastFill, `${bobsPlace} is in between, ${lastFill} is the last fill`);
  assert.ok(placeOf(own1, CID) > lastFill);
});

test('what comes behind an order does not pass what has waited for it', async (context) => {
  const { venue, steps } = await crowded(context);
  const from = steps.length;
  const late = Promise.withResolvers<readonly Event[]>();
  venue.onApplied(({ events }) => {
    const isDone = events.some(
      (event) => event.kind === 'order_closed' && event.order.accountId === ANN,
    );
    // Before the venue has had a turn for what waits.
    if (isDone) queueMicrotask(() => late.resolve(venue.submit(buy(BOB, 10, 100_000))));
  });
  void venue.submit(buy(ANN, ASKS, 3_000_000));
  const waited = venue.submit(buy(CID, 10, 100_000));
  for (const one of [await waited, await late.promise]) acceptedId(one);
  const own = steps.slice(from);
  assert.ok(placeOf(own, CID) < placeOf(own, BOB));
});

test('an account that floods leaves others half of the places', async (context) => {
  const { venue } = await crowded(context, Number.POSITIVE_INFINITY);
  void venue.submit(buy(ANN, ASKS, 3_000_000));
  const count = LIMITS.entryCommandsMax;
  const flood = Array.from({ length: count }, () => venue.submit(buy(ANN, 10, 100_000)));
  acceptedId(await venue.submit(buy(CID, 10, 100_000)));
  const answers = await Promise.all(flood);
  const busy = answers.filter(
    ([event]) => event?.kind === 'refused' && event.reject === 'venue_busy',
  );
  assert.ok(busy.length >= count - LIMITS.entryCommandsMax / 4, `${busy.length} refused`);
});

test('a reader sees what it sent before, also what waits for an order', async (context) => {
  const { venue } = await crowded(context);
  void venue.submit(buy(ANN, ASKS, 3_000_000));
  void venue.submit(buy(CID, 10, 2_000_000));
  const open = await venue.read((state) => [...state.openOrders(CID as never)], CID as never);
  assert.equal(open.length, 1);
});

test('whoever has the venue alone meets no order at work', async (context) => {
  const { venue } = await crowded(context);
  const answer = venue.submit(buy(ANN, 800, 3_000_000));
  await venue.runExclusive(async (submit, state) => {
    assert.equal([...state.openOrders(ANN as never)].length, 0);
    const events = await submit(buy(CID, 700, 3_000_000));
    assert.equal(fillsIn(events, acceptedId(events)), 700);
  });
  assert.equal(fillsIn(await answer, acceptedId(await answer)), 800);
});

test('a stop answers with what is done, and a start goes on with the rest', async (context) => {
  const first = await crowded(context);
  const answer = first.venue.submit(buy(ANN, ASKS, 3_000_000));
  const waiting = first.venue.submit(buy(CID, 10, 3_000_000));
  await first.close();
  const events = await answer;
  const orderId = acceptedId(events);
  const done = fillsIn(events, orderId);
  assert.ok(done > 0 && done < ASKS, `${done} fills before the stop`);
  const ends = events.filter(
    (event) => event.kind === 'order_closed' && event.order.orderId === orderId,
  );
  assert.deepEqual(ends, [], 'it is still open');
  const [refused] = await waiting;
  assert.ok(refused?.kind === 'refused' && refused.reject === 'venue_halted');
  const clock = new ManualClock(START_MS + 2_000_000);
  const again = await RealVenue.open(context, first.directory, { clock });
  again.venue.resumeWork();
  while (again.venue.hasWork) await setImmediate();
  await again.venue.read(() => undefined);
  const rest = again.steps.reduce((sum, step) => sum + fillsIn(step.events, orderId), 0);
  assert.equal(done + rest, ASKS);
  await again.close();
  const engine = await recoverEngine({ log: logOf(first.directory), snapshotSeqMax: 0 });
  engine.check();
  assert.equal(engine.hasOrdersAtWork, false);
  assert.equal(present(engine.account(ANN as never), 'ann').openOrdersCount, 0);
});
