/**
 * Nobody keeps the market thread to himself: commands that come together are spread over turns of
 * the event loop, batches let others in, and what a command sets off goes on between the commands
 * of others, also after a restart.
 */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { settleBatch } from '#dialects/testing';
import { accountId, type Command, type Event, LIMITS, type Step } from '#domain';
import { ManualClock, present } from '#kernel';
import { recoverEngine } from '#venue';
import { LINEAR } from '../support/contracts.ts';
import { Floor, START_MS } from '../support/floor.ts';
import { logOf } from '../support/logs.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { accountSettings } from '../support/terms.ts';

/** A turn of no length has room for one command. */
function open(context: TestContext, directory: string, turnMs = 0): Promise<RealVenue> {
  return RealVenue.open(context, directory, { clock: new ManualClock(START_MS), turnMs });
}

function accountNamed(name: string): Command {
  return { kind: 'create_account', settings: accountSettings(name) };
}

function namesIn(steps: readonly Step[]): string[] {
  return steps.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'account_created' ? [event.settings.name] : [])),
  );
}

test('commands that come together take several turns, in their order', async (context) => {
  const { venue, steps } = await open(context, scratchDirectory(context));
  const names = Array.from({ length: 40 }, (_, at) => `trader${at}`);
  const answers = names.map((name) => venue.submit(accountNamed(name)));
  assert.equal(venue.appliedSeq, 1);
  assert.equal(venue.isCrowded, true);
  let turns = 0;
  for (; venue.appliedSeq < names.length; turns += 1) await setImmediate();
  assert.ok(turns >= names.length / 2, `${turns} turns`);
  await Promise.all(answers);
  assert.deepEqual(namesIn(steps), names);
});

test('a batch lets others in while the venue has much to do', async (context) => {
  const { venue, steps } = await open(context, scratchDirectory(context));
  const names = Array.from({ length: 20 }, (_, at) => `batch${at}`);
  const batch = settleBatch(venue, names, (name) => venue.submit(accountNamed(name)));
  await setImmediate();
  await venue.submit(accountNamed('other'));
  const outcomes = await batch;
  assert.ok(Array.isArray(outcomes) && outcomes.length === names.length);
  const found = namesIn(steps);
  assert.deepEqual(
    found.filter((name) => name !== 'other'),
    names,
  );
  assert.ok(found.indexOf('other') < 5, `others come ${found.indexOf('other')} commands later`);
});

test('waiting commands are bounded like those of an entry', async (context) => {
  const { venue } = await open(context, scratchDirectory(context), Number.POSITIVE_INFINITY);
  const slow = await open(context, scratchDirectory(context));
  for (const one of [venue, slow.venue]) {
    const count = LIMITS.entryCommandsMax + 10;
    const many = Array.from({ length: count }, () => one.submit({ kind: 'tick' }));
    const answers = await Promise.all(many);
    assert.equal(answers.filter(([event]) => event?.kind === 'refused').length, 10);
  }
});

/** Something an account asks for that only its settings decide. */
function cancelOf(id: number): Command {
  return { kind: 'cancel_all_contract_orders', accountId: accountId(id) };
}

test('an account that floods waits for itself, and others do not wait for it', async (context) => {
  const { venue, steps } = await open(context, scratchDirectory(context));
  await venue.submit(accountNamed('flood'));
  await venue.submit(accountNamed('calm'));
  const from = steps.length;
  const [flood, calm] = [1, 2];
  const many = Array.from({ length: LIMITS.entryCommandsMax }, () => venue.submit(cancelOf(flood)));
  const { appliedSeq } = venue;
  const waited = venue.submit(cancelOf(calm));
  const seen = await venue.read((state) => state.seq, accountId(calm));
  // The flood's share among all, and one of its own line between each two of these.
  assert.ok(seen <= appliedSeq + 2 * 65, `${seen - appliedSeq} commands of others came first`);
  const answers = await Promise.all(many);
  const refused = answers.filter(([event]) => event?.kind === 'refused');
  const rejects = new Set(refused.map(([event]) => event?.kind === 'refused' && event.reject));
  assert.deepEqual([...rejects], ['rate_exceeded']);
  assert.ok(refused.length >= LIMITS.entryCommandsMax / 2 - 2, `${refused.length} refused`);
  const [answer] = await waited;
  assert.notEqual(answer?.kind, 'refused');
  assert.equal(steps.length - from, answers.length - refused.length + 1);
});

/** A market in which one order sets off this many trigger orders. */
function fan(triggersCount: number): {
  readonly setUp: readonly Command[];
  readonly spark: Command;
} {
  const market = Floor.ofContract(
    { ...LINEAR, triggerOrdersMax: LIMITS.triggerOrdersMax },
    { checks: false },
  );
  market.open('ann', '1000');
  for (const name of ['mia', 'tim']) market.open(name, '100000', { mode: 'cross' });
  market.trade('mia', 'tim', '30000', 1);
  for (let at = 0; at < triggersCount; at += 1)
    market.trigger('ann', 'open_long', '30500', 'market', 1);
  market.order('tim', 'open_short', '30500', 1);
  const setUp = market.commands.map(({ command }) => command);
  market.order('mia', 'open_long', '30500', 1);
  return { setUp, spark: present(market.commands.at(-1), 'spark').command };
}

function firedIn(events: readonly Event[]): number {
  return events.filter(({ kind }) => kind === 'trigger_order_closed').length;
}

test('what an order sets off goes on between the commands of others', async (context) => {
  const { setUp, spark } = fan(3_000);
  const { venue, steps } = await open(context, scratchDirectory(context), 5);
  await venue.runExclusive(async (submit) => {
    for (const command of setUp) void submit(command);
    await submit({ kind: 'tick' });
  });
  const from = steps.length;
  const answer = venue.submit(spark);
  while (!venue.hasWork) await setImmediate();
  for (let at = 0; venue.hasWork; at += 1) {
    void venue.submit(accountNamed(`other${at}`));
    await setImmediate();
  }
  const fired = firedIn(await answer);
  assert.ok(fired > 0 && fired < 3_000, `${fired} at once`);
  await venue.read(() => undefined);
  const kinds = steps.slice(from).map(({ events }) => events[0]?.kind);
  const first = kinds.indexOf('work_continued');
  const between = kinds.slice(first, kinds.lastIndexOf('work_continued'));
  assert.ok(between.includes('account_created'), kinds.join(' '));
  const all = steps.reduce((sum, { events }) => sum + firedIn(events), 0);
  assert.equal(all, 3_000);
});

test('work that a stop leaves behind is done after the start', async (context) => {
  const { setUp, spark } = fan(2_000);
  const directory = scratchDirectory(context);
  const first = await open(context, directory, Number.POSITIVE_INFINITY);
  for (const command of setUp) void first.venue.submit(command);
  const answer = first.venue.submit(spark);
  assert.equal(first.venue.hasWork, true);
  await first.close();
  assert.ok(firedIn(await answer) < 2_000);
  const again = await open(context, directory);
  again.venue.resumeWork();
  while (again.venue.hasWork) await setImmediate();
  await again.venue.read(() => undefined);
  const all = [...first.steps, ...again.steps].reduce((sum, step) => sum + firedIn(step.events), 0);
  assert.equal(all, 2_000);
  const { appliedSeq } = again.venue;
  await again.close();
  const engine = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 });
  assert.equal(engine.seq, appliedSeq);
  assert.equal(engine.hasWork, false);
  engine.check();
});

test('nothing comes between the commands of one who has the venue alone', async (context) => {
  const { setUp, spark } = fan(1_000);
  const { venue, steps } = await open(context, scratchDirectory(context), Number.POSITIVE_INFINITY);
  for (const command of setUp) void venue.submit(command);
  await venue.runExclusive(async (submit) => {
    await submit(spark);
    const from = steps.length;
    for (let at = 0; at < 5; at += 1) await submit({ kind: 'tick' });
    assert.equal(steps.length, from + 5);
    assert.equal(venue.hasWork, true);
  });
  while (venue.hasWork) await setImmediate();
  await venue.read(() => undefined);
  const all = steps.reduce((sum, { events }) => sum + firedIn(events), 0);
  assert.equal(all, 1_000);
});
