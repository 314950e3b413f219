/**
 * Two releases in one cluster, each of its own code: an earlier commit of this repository beside
 * this checkout. Both lead in turn, what they write is what both read, their states are equal, and
 * the newer rules are written once the older release is gone.
 */
import { strict as assert } from 'node:assert/strict';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { THIS_RELEASE } from '#cluster/testing';
import { present } from '#kernel';
import type { Versions } from '#log';
import { ClusterHere, type ClusterProcess } from '../../tools/cluster/processes.ts';
import { unpackEarlier } from '../../tools/earlier.ts';
import { ifEtcd } from '../support/etcd.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { demoFile } from './demo-file.ts';
import { replayed, Witness } from './evidence.ts';
import { Traders } from './traders.ts';

/** The last commit that writes rules 3; it knows all of the cluster's formats. */
const EARLIER = { commit: '9b81e9cc3a6724cd379a0ee66b636f54336a7e84', rules: 3 };
const PROJECT = resolve(import.meta.dirname, '../..');
const SEAL_EVERY = 1_000;
const PATIENCE = { withinMs: 120_000, everyMs: 100 };

/** Its program in a directory of its own; undefined where the history does not go back so far. */
function checkoutOf(commit: string, context: TestContext): string | undefined {
  const directory = scratchDirectory(context);
  return unpackEarlier(commit, directory) ? directory : undefined;
}

interface Scene {
  readonly cluster: ClusterHere;
  readonly witness: Witness;
  readonly traders: Traders;
}

async function begin(context: TestContext, earlier: string): Promise<Scene> {
  const flags = ['--config', demoFile(context, SEAL_EVERY), '--no-participants'];
  const cluster = await ClusterHere.start({
    gateways: 1,
    stores: 1,
    flags: [...flags, '--rate-limits', 'off'],
    checkouts: { 'member-1': earlier },
  });
  const witness = new Witness(cluster.etcd.endpoints);
  context.after(async () => {
    await witness.close().catch(() => undefined);
    await cluster.close();
  });
  const traders = await Traders.start(cluster.gateways.map(({ url }) => url));
  context.after(() => traders.stop());
  return { cluster, witness, traders };
}

/** The others stop in order, and come back when this one leads. */
async function letLead({ cluster }: Scene, one: ClusterProcess): Promise<void> {
  const others = cluster.members.filter((member) => member !== one);
  await Promise.all(others.map((member) => member.stop('SIGTERM')));
  const leads = async () => (await one.status())?.role === 'leader';
  await until(`${one.name} leads`, leads, PATIENCE);
  await Promise.all(others.map((member) => member.start()));
  assert.ok(await leads(), `${one.name} still leads`);
}

/** Orders under whoever leads, until all members have sealed one state of them. */
async function tradeAndSeal({ cluster, witness, traders }: Scene): Promise<Versions> {
  const { lastSeq } = await witness.log.head();
  const { url } = present(cluster.gateways[0], 'gateway');
  await traders.hurry(url, SEAL_EVERY);
  const sealers = new Set(cluster.members.map(({ name }) => name));
  await until(
    `all have sealed one state above ${lastSeq}`,
    () => {
      const later = witness.seals.filter(({ seq, by }) => seq > lastSeq && sealers.has(by));
      const bySeq = Map.groupBy(later, ({ seq }) => seq);
      return [...bySeq.values()].some((seals) => new Set(seals.map(({ by }) => by)).size === 3);
    },
    PATIENCE,
  );
  const { format, rules } = present(witness.entries.at(-1), 'an entry');
  return { format, rules };
}

/** Every state that was sealed is that of a replay with the code of this checkout. */
async function judgeSeals({ witness }: Scene): Promise<void> {
  const { lastSeq } = await witness.log.head();
  await until('the witness has all of the log', () => witness.lastSeq >= lastSeq);
  const { seals } = replayed(witness.entries, witness.seals);
  const hashAt = new Map(seals.map(({ seq, stateHash }) => [seq, stateHash]));
  const wrong = witness.seals.filter(({ seq, stateHash }) => hashAt.get(seq) !== stateHash);
  assert.deepEqual(wrong, []);
}

/** No order twice, and every acknowledged one is there. */
function judgeOrders({ witness, traders }: Scene): void {
  const { sent, odd } = traders.notes;
  assert.deepEqual(odd, []);
  const counts = new Map<number, number>();
  for (const { priceCents } of replayed(witness.entries, []).placed) {
    counts.set(priceCents, (counts.get(priceCents) ?? 0) + 1);
  }
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 1),
    [],
  );
  const lost = sent.filter(
    ({ orderId, priceCents }) => orderId !== undefined && !counts.has(priceCents),
  );
  assert.deepEqual(lost, []);
}

await ifEtcd(() => {
  test('two releases lead one after the other', { timeout: 600_000 }, async (context) => {
    const earlier = checkoutOf(EARLIER.commit, context);
    if (earlier === undefined) {
      context.skip(`the history here lacks commit ${EARLIER.commit}: clone all of it`);
      return;
    }
    const scene = await begin(context, earlier);
    const { cluster, traders } = scene;
    const [older, newer] = cluster.members;
    assert.ok(older !== undefined && newer !== undefined);

    await letLead(scene, older);
    const underOlder = await tradeAndSeal(scene);
    assert.equal(underOlder.rules, EARLIER.rules);
    await letLead(scene, newer);
    assert.deepEqual(await tradeAndSeal(scene), underOlder, 'the older release still reads along');

    await older.stop('SIGTERM');
    older.checkout = PROJECT;
    await older.start();
    assert.equal((await tradeAndSeal(scene)).rules, THIS_RELEASE.rulesMax);
    await traders.stop();
    await judgeSeals(scene);
    judgeOrders(scene);
    context.diagnostic(`${traders.acknowledgedCount} orders acknowledged`);
    await Promise.all(cluster.processes.map((one) => one.stop('SIGTERM')));
  });
});
