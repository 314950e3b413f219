/**
 * Members that come, go and come back, all of them real processes: their states are sealed and
 * equal, the log is trimmed behind them, whoever lacks what is gone joins with a snapshot, and
 * whoever has another state suspends itself.
 */
import { strict as assert } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { present } from '#kernel';
import type { MemberReport, SharedLog } from '#log';
import { sharedLogAt } from '#log/testing';
import { ClusterHere, type ClusterProcess } from '../../tools/cluster/processes.ts';
import { ifEtcd } from '../support/etcd.ts';
import { logOf } from '../support/logs.ts';
import { until } from '../support/until.ts';
import { demoFile } from './demo-file.ts';
import { Traders } from './traders.ts';

const INTERVAL = 1_000;
const KEEP = 500;
/** Placed and cancelled: with what the venue does by itself fewer commands than the log keeps. */
const MISSED_ORDERS = KEEP / 5;
/** For a machine under load. */
const PATIENCE_MS = 120_000;

interface Scene {
  readonly cluster: ClusterHere;
  readonly log: SharedLog;
  readonly traders: Traders;
}

async function begin(context: TestContext): Promise<Scene> {
  const flags = [
    '--config',
    demoFile(context, INTERVAL),
    '--no-participants',
    '--rate-limits',
    'off',
  ];
  const settings = { keepCommands: KEEP };
  const cluster = await ClusterHere.start({ gateways: 1, stores: 1, flags, settings });
  context.after(() => cluster.close());
  const { endpoints } = cluster.etcd;
  const log = sharedLogAt({ kind: 'etcd', venue: 'local', shard: 'main', endpoints });
  context.after(() => log.close());
  const urls = cluster.gateways.map(({ url }) => url);
  const traders = await Traders.start(urls);
  context.after(() => traders.stop());
  return { cluster, log, traders };
}

function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  return until(what, check, { withinMs: PATIENCE_MS, everyMs: 200 });
}

async function baseAbove({ log }: Scene, seq: number): Promise<number> {
  let { nextSeq } = await log.base();
  await eventually(`the log is trimmed beyond ${seq}`, async () => {
    ({ nextSeq } = await log.base());
    return nextSeq > seq;
  });
  return nextSeq;
}

/** A state that this member has sealed above `seq`, and all others as well. */
async function sealedByAll({ cluster, log }: Scene, seq: number): Promise<void> {
  await eventually(`all have sealed one state above ${seq}`, async () => {
    const all = await log.reports();
    // Gateways report, too, but no seals.
    const reports = all.filter(({ member }) => cluster.members.some(({ name }) => name === member));
    const [first] = reports;
    if (first === undefined || reports.length < cluster.members.length) return false;
    return first.seals.some((seal) => seal.seq > seq && reports.every((one) => has(one, seal)));
  });
}

function has({ seals }: MemberReport, { seq, stateHash }: MemberReport['seals'][number]): boolean {
  const same = seals.find((seal) => seal.seq === seq);
  if (same !== undefined) assert.equal(same.stateHash, stateHash, `the state after ${seq}`);
  return same !== undefined;
}

async function followers({ members }: ClusterHere): Promise<readonly ClusterProcess[]> {
  const roles = await Promise.all(members.map((one) => one.status()));
  return members.filter((_, at) => roles[at]?.role === 'follower');
}

async function baseOfCopy({ directory }: ClusterProcess): Promise<number> {
  const reader = await logOf(directory).openReader();
  const { nextSeq } = reader.base;
  await reader.close();
  return nextSeq;
}

/** The next order of the whole venue gets another number than everywhere else. */
function alterState({ directory }: ClusterProcess): void {
  const { snapshots } = logOf(directory);
  const newest = present(
    snapshots.newest(Number.MAX_SAFE_INTEGER, assert.fail),
    'snapshot to alter',
  );
  const [header = '', ...rows] = newest.rows;
  const fields: unknown[] = JSON.parse(header);
  fields.push(Number(fields.pop()) + 7);
  snapshots.write(newest.seq, [JSON.stringify(fields), ...rows]);
}

await ifEtcd(() => {
  test('members join, catch up and are compared', { timeout: 600_000 }, async (context) => {
    const scene = await begin(context);
    const { cluster, traders } = scene;
    await sealedByAll(scene, 0);
    const trimmedTo = await baseAbove(scene, 1);
    context.diagnostic(`the log starts at ${trimmedTo}`);

    const [away, other] = await followers(cluster);
    assert.ok(away !== undefined && other !== undefined);
    await away.stop('SIGKILL');
    rmSync(away.directory, { recursive: true });
    await away.start();
    const joinedAt = await baseOfCopy(away);
    assert.ok(joinedAt >= trimmedTo, `its copy starts at ${joinedAt}`);
    assert.doesNotMatch(away.log, /while this process joined: once more/, 'the log waited for it');
    await sealedByAll(scene, joinedAt);

    // Nothing else happens meanwhile: how long its start takes must not matter.
    await traders.stop();
    const url = present(cluster.gateways[0], 'gateway').url;
    const { lastSeq: quietSeq } = await scene.log.head();
    await eventually('it has all that was sent', async () => {
      const status = await away.status();
      return Number(status?.seq) >= quietSeq;
    });
    await away.stop('SIGTERM');
    await traders.hurry(url, MISSED_ORDERS);
    await away.start();
    assert.equal(await baseOfCopy(away), joinedAt, 'the log still had what it missed');
    const resumed = await Traders.start([url]);
    context.after(() => resumed.stop());

    const { lastSeq } = await scene.log.head();
    await away.stop('SIGKILL');
    await baseAbove(scene, lastSeq);
    await away.start();
    const anewAt = await baseOfCopy(away);
    assert.ok(anewAt > lastSeq, `its copy starts at ${anewAt} now`);
    await sealedByAll(scene, anewAt);

    await resumed.stop();
    await other.stop('SIGTERM');
    alterState(other);
    await other.start();
    const last = await Traders.start([url]);
    context.after(() => last.stop());
    await eventually('it suspends itself', async () => {
      const status = await other.status();
      return status?.status === 'not ready' && /is not that of the other/.test(`${status.reason}`);
    });
    const read = await fetch(`${other.url}/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL`);
    assert.equal(read.status, 503);
    const metrics = await (await fetch(`${other.url}/metrics`)).text();
    assert.match(metrics, /^outcry_cluster_suspended 1$/m);
    const { seq } = (await other.status()) ?? {};
    await baseAbove(scene, Number(seq));
    const notes = await last.stop();
    await other.stop('SIGKILL');
    await other.start();
    assert.equal((await other.status())?.status, 'not ready', 'left behind it stays suspended');
    assert.notEqual((await other.status())?.role, 'leader');

    assert.deepEqual(notes.odd, []);
    await Promise.all(cluster.processes.map((one) => one.stop('SIGTERM')));
  });
});
