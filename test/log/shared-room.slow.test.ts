/**
 * A real etcd that fills: what a quiet cluster leaves there, and how an append for which there is
 * no room waits until the operator makes some.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedLog } from '#log';
import { EtcdStore, KeySpace, StoredSharedLog } from '#log/testing';
import { EtcdCluster } from '../../tools/etcd-servers.ts';
import { ifEtcd } from '../support/etcd.ts';
import { entryAt, faultOf, lead, readAll, reportOf } from '../support/shared-hands.ts';

const HOUR_MS = 3_600_000;
/** As a leader writes them. */
const BEAT_EVERY_MS = 150;
const MEGABYTE = 1024 * 1024;
const QUOTA_BYTES = 4 * MEGABYTE;

await ifEtcd(() => {
  test('an hour of heartbeats leaves less than a megabyte', quietHour);
  test('without room an append waits, and goes on once there is some', waitsForRoom);
});

/** A log whose time passes as the test says. */
function logAt(cluster: EtcdCluster, nowMs: () => number): SharedLog {
  const [endpoints, venue, shard] = [cluster.endpoints, 'test', 'main'];
  const store = new EtcdStore({ kind: 'etcd', venue, shard, endpoints, quotaBytes: QUOTA_BYTES });
  const timing = { ...store.timing, monotonicMs: nowMs };
  Object.defineProperty(store, 'timing', { value: timing });
  return new StoredSharedLog(store, new KeySpace(venue, shard));
}

async function quietHour(): Promise<void> {
  const cluster = await EtcdCluster.start({ isSynced: false });
  let nowMs = 0;
  const log = logAt(cluster, () => nowMs);
  try {
    const { claim } = await lead(log);
    let mostBytes = 0;
    for (; nowMs < HOUR_MS; nowMs += BEAT_EVERY_MS) {
      await log.heartbeat(claim, { member: 'one', claim: claim.number, timeMs: nowMs });
      if (nowMs % 60_000 === 0) mostBytes = Math.max(mostBytes, (await log.room()).usedBytes);
    }
    assert.ok(mostBytes > 0 && mostBytes < MEGABYTE, `${mostBytes} bytes`);
  } finally {
    await log.close();
    await cluster.close();
  }
}

async function waitsForRoom(): Promise<void> {
  const flags = [`--quota-backend-bytes=${QUOTA_BYTES}`];
  const cluster = await EtcdCluster.start({ isSynced: false, flags });
  const log = logAt(cluster, () => performance.now());
  try {
    const { claim } = await lead(log);
    // Values that are overwritten: what a compaction makes room of.
    const filling = async (): Promise<void> => {
      for (;;) await log.report(reportOf('one', 0, SEALS));
    };
    await assert.rejects(filling(), faultOf('full'));
    const { isFull, fileBytes, quotaBytes } = await log.room();
    assert.deepEqual([isFull, quotaBytes], [true, QUOTA_BYTES]);
    assert.ok(fileBytes > 0.9 * QUOTA_BYTES, `${fileBytes} bytes`);
    const appended = log.append(claim, entryAt(1));
    const early = await Promise.race([appended.then(() => 'appended'), waited(1_000)]);
    assert.equal(early, 'waits');
    await makeRoom(cluster);
    await appended;
    assert.equal((await readAll(log)).length, 1);
    assert.equal((await log.room()).isFull, false);
  } finally {
    await log.close();
    await cluster.close();
  }
}

const SEALS = Array.from({ length: 8 }, (_, at) => ({ seq: at, stateHash: 'a'.repeat(4_096) }));

async function waited(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return 'waits';
}

/** What an operator does: compacts, gives the disk back, and says so. */
async function makeRoom({ servers }: EtcdCluster): Promise<void> {
  const [server] = servers;
  const ask = async (path: string, body: object): Promise<EtcdAnswer> => {
    const url = `http://${server?.endpoint}/v3/${path}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as EtcdAnswer;
  };
  const { header } = await ask('maintenance/status', {});
  await ask('kv/compaction', { revision: header.revision, physical: true });
  await ask('maintenance/defragment', {});
  const { alarms = [] } = await ask('maintenance/alarm', { action: 'GET' });
  assert.equal(alarms.length, 1);
  for (const alarm of alarms) await ask('maintenance/alarm', { action: 'DEACTIVATE', ...alarm });
}

interface EtcdAnswer {
  readonly header: { readonly revision: string };
  readonly alarms?: readonly { readonly memberID: string; readonly alarm: string }[];
}
