/** What callers hear when a leader goes: what became of their commands, or that nobody knows. */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Command, Event } from '#domain';
import { Engine } from '#engine';
import { assert as invariant } from '#kernel';
import { accountSettings } from '../support/terms.ts';
import { until } from '../support/until.ts';
import { LocalCluster } from './local-cluster.ts';

function account(name: string): Command {
  return { kind: 'create_account', settings: accountSettings(name) };
}

const POISON = 'poison';

/** Every engine fails at an account of this name, as at a bug that nobody has found yet. */
const { attempt } = Engine.prototype;
Engine.prototype.attempt = function attemptOrFail(...given: Parameters<typeof attempt>) {
  const [command] = given;
  const isPoison = command.kind === 'create_account' && command.settings.name === POISON;
  invariant(!isPoison, 'planted: the books balance');
  return attempt.apply(this, given);
};

async function started(context: TestContext, names: readonly string[]): Promise<LocalCluster> {
  const cluster = new LocalCluster();
  context.after(() => cluster.close());
  for (const name of names) {
    await cluster.start(name, { kind: name.startsWith('gw') ? 'gateway' : 'member' });
  }
  return cluster;
}

function outcomeOf([first]: readonly Event[]): string {
  return first?.kind === 'refused' ? first.reject : (first?.kind ?? '');
}

test('a deposed leader does not know what became of what it had appended', async (context) => {
  const cluster = await started(context, ['one']);
  const { log, submit, venue } = await cluster.leader().then((leader) => ({
    log: cluster.openLog(),
    submit: (command: Command) => leader.submit(command),
    venue: leader.member.venue,
  }));
  context.after(() => log.close());
  const seen = await log.current();
  const answer = submit(account('anna'));
  await log.claim(seen, 'another');
  assert.equal(outcomeOf(await answer), 'outcome_unknown');
  await until('it has left its place', () => venue.haltReason !== undefined);
  assert.equal(outcomeOf(await submit(account('berta'))), 'venue_halted', 'this one was not sent');
});

test('a command that the engine fails at ends one leader; its gateway says so', async (context) => {
  const cluster = await started(context, ['one', 'two', 'gw']);
  const gateway = cluster.processes.find(({ name }) => name === 'gw');
  assert.ok(gateway !== undefined);
  const failing = await cluster.leader();
  // As its server does.
  void until('it has ended', () => failing.ends.length > 0).then(() =>
    cluster.stop(failing.name, 'in order'),
  );
  const [poisoned, innocent] = await Promise.all([
    gateway.submit(account(POISON)),
    gateway.submit(account('anna')),
  ]);
  assert.equal(outcomeOf(poisoned), 'internal_fault');
  assert.equal(failing.ends.length, 1, 'it has to recover');
  assert.equal(outcomeOf(innocent), 'account_created', 'by the next leader');
  const others = cluster.processes.filter((one) => one !== failing);
  assert.deepEqual(
    others.flatMap(({ ends }) => ends),
    [],
  );
});
