/** Settlements of funding on a venue: each at its own time, before what comes at it or later. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Command, type Event, LIMITS, lots, type Step, ticks } from '#domain';
import { ManualClock, present } from '#kernel';
import { recoverEngine, stateHash } from '#venue';
import { LINEAR } from '../support/contracts.ts';
import { Floor, START_MS } from '../support/floor.ts';
import { logOf, readAll } from '../support/logs.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

async function open(directory: string, turnMs?: number) {
  const clock = new ManualClock(START_MS);
  const real = await RealVenue.open({ after }, directory, { clock, turnMs });
  return { venue: real.venue, steps: real.steps, close: real.close, clock };
}

const DAY_MS = 86_400_000;
/** A settlement of the contract: 07:00. */
const FUNDING_MS = START_MS - (START_MS % DAY_MS) + 7 * 3_600_000;

/** Two accounts with margin in the contract, and their orders to open one lot each. */
function openingOrders(): { readonly setUp: Command[]; readonly orders: readonly Command[] } {
  const venue = new Floor().listCoins();
  venue.run({ kind: 'list_contract', spec: LINEAR });
  const contract = present(venue.engine.listings.contract(LINEAR.symbol), LINEAR.symbol);
  const { instrumentId, margin } = contract;
  const money = { wallet: LINEAR.symbol, assetId: margin.assetId, amount: 10n ** 12n };
  const orders = (['open_short', 'open_long'] as const).map((action, at) => {
    const accountId = venue.open(`trader${at}`);
    venue.run({ kind: 'deposit', accountId, ...money });
    const terms = {
      type: 'limit',
      force: 'gtc',
      clientOrderId: undefined,
      sizeLots: lots(100),
    } as const;
    const prices = {
      priceTicks: ticks(300_000),
    };
    const order = { accountId, instrumentId, action, ...terms, ...prices } as const;
    return { kind: 'place_contract_order', ...order } as const;
  });
  return { setUp: venue.commands.map(({ command }) => command), orders };
}

/** When the second order opens a position, and whether it takes part in the settlement. */
const OPENED = [
  { when: '1 ms before', atMs: FUNDING_MS - 1, charged: true },
  { when: 'at', atMs: FUNDING_MS, charged: false },
  { when: '600 ms after', atMs: FUNDING_MS + 600, charged: false },
] as const;

for (const { when, atMs, charged } of OPENED) {
  const outcome = charged ? 'takes part in it' : 'has no part in it, though no tick came between';
  test(`a position opened ${when} a settlement time ${outcome}`, async () => {
    const directory = scratchDirectory();
    const { venue, steps, clock, close } = await open(directory);
    const { setUp, orders } = openingOrders();
    for (const command of setUp) await venue.submit(command);
    clock.set(FUNDING_MS - 1);
    const [first, second] = orders;
    await venue.submit(present(first, 'an order'));
    clock.set(atMs);
    await venue.submit(present(second, 'an order'));
    clock.set(FUNDING_MS + 1_000);
    await venue.submit({ kind: 'tick' });
    const settled = steps.flatMap(({ events }) =>
      events.filter((e) => e.kind === 'funding_settled'),
    );
    assert.deepEqual(
      settled.map(({ collected, fundingTimeMs }) => [collected > 0n, fundingTimeMs]),
      [[charged, FUNDING_MS]],
    );
    await close();
    const again = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 });
    assert.equal(again.seq, steps.length);
  });
}

test('an entry without room for a command and its settlement leaves both to the next', async () => {
  const directory = scratchDirectory();
  const { venue, clock, close } = await open(directory, Number.POSITIVE_INFINITY);
  const { setUp, orders } = openingOrders();
  for (const command of setUp) await venue.submit(command);
  clock.set(FUNDING_MS - 1);
  const deposit = present(
    setUp.findLast(({ kind }) => kind === 'deposit'),
    'a deposit',
  );
  const order = present(orders[0], 'an order');
  const count = LIMITS.entryCommandsMax - 1;
  const many = Array.from({ length: count }, () => venue.submit(deposit));
  clock.set(FUNDING_MS);
  const seq = venue.appliedSeq;
  const placed = venue.submit(order);
  await Promise.all(many);
  assert.equal((await placed)[0]?.kind, 'contract_order_accepted');
  await close();
  const entries = await readAll(logOf(directory), seq);
  const found = entries.map((entry) => [entry.firstSeq, entry.count]);
  assert.deepEqual(found.slice(-2), [
    [seq + 1 - count, count],
    [seq + 1, 2],
  ]);
});

type Settled = Extract<Event, { kind: 'funding_settled' }>;

/** Each settlement with the time of its step. */
function settlements(steps: readonly Step[]) {
  return steps.flatMap(({ timeMs, events }) =>
    events.flatMap((event) => (event.kind === 'funding_settled' ? [{ timeMs, event }] : [])),
  );
}

/** Two positions of one lot each, at 1 ms before the settlement. */
async function opened(directory: string, turnMs?: number) {
  const floor = await open(directory, turnMs);
  const { setUp, orders } = openingOrders();
  for (const command of setUp) await floor.venue.submit(command);
  floor.clock.set(FUNDING_MS - 60_000);
  for (const order of orders) await floor.venue.submit(order);
  await floor.venue.submit({ kind: 'tick' });
  return {
    ...floor,
    deposit: present(
      setUp.findLast(({ kind }) => kind === 'deposit'),
      'deposit',
    ),
  };
}

const EIGHT_HOURS_MS = 8 * 3_600_000;

test('each missed settlement is charged in a step of its own, at its own time', async () => {
  const directory = scratchDirectory();
  const { venue, steps, clock, close, deposit } = await opened(directory);
  clock.set(FUNDING_MS + 2 * EIGHT_HOURS_MS + 206);
  await venue.submit(deposit);
  const found = settlements(steps);
  const times = [0, 1, 2].map((missed) => FUNDING_MS + missed * EIGHT_HOURS_MS);
  assert.deepEqual(
    found.map(({ timeMs }) => timeMs),
    times,
  );
  assert.deepEqual(
    found.map(({ event }) => event.fundingTimeMs),
    times,
  );
  const rates = new Set(found.map(({ event }) => event.ratePpb));
  assert.equal(rates.size, 1, 'the rate that is known');
  assert.ok(found.every(({ event }) => event.collected > 0n && event.skippedCount === 0));
  assert.equal(steps.at(-1)?.timeMs, clock.nowMs(), 'what came behind them');
  await close();
  const again = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 });
  const live = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 1e9 });
  assert.equal(stateHash(again), stateHash(live));
});

test('a settlement that a tick is late for has its own time', async () => {
  const { venue, steps, clock, close } = await opened(scratchDirectory());
  clock.set(FUNDING_MS + 206);
  await venue.submit({ kind: 'tick' });
  assert.deepEqual(
    settlements(steps).map(({ timeMs, event }) => [timeMs, event.fundingTimeMs]),
    [[FUNDING_MS, FUNDING_MS]],
  );
  assert.deepEqual(
    steps.at(-2)?.events.map(({ kind }) => kind),
    ['funding_settled', 'balance_changed', 'balance_changed', 'contract_priced'],
  );
  await close();
});

test('of many missed settlements a month is charged, and what is older is one row', async () => {
  const { venue, steps, clock, close } = await opened(scratchDirectory(), 0);
  const missedMs = 40 * DAY_MS;
  clock.set(FUNDING_MS + missedMs);
  const waiting = venue.submit({ kind: 'tick' });
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  await waiting;
  clearInterval(counting);
  const found: readonly Settled[] = settlements(steps).map(({ event }) => event);
  const [skipped, ...charged] = found;
  assert.equal(charged.length, LIMITS.missedSettlementsMax);
  assert.equal(skipped?.skippedCount, 121 - LIMITS.missedSettlementsMax);
  assert.deepEqual([skipped.collected, skipped.ratePpb], [0n, 0]);
  const first = FUNDING_MS + (skipped.skippedCount - 1) * EIGHT_HOURS_MS;
  for (const [at, { fundingTimeMs }] of found.entries()) {
    assert.equal(fundingTimeMs, first + at * EIGHT_HOURS_MS);
  }
  assert.ok(charged.every(({ collected }) => collected > 0n));
  assert.ok(turns > 1, 'others have their turn in between');
  const times = steps.map(({ timeMs }) => timeMs);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
  await close();
});
