/**
 * A cluster of three members, two gateways and three servers of etcd, all of them real processes,
 * under clients that go on: whatever is killed, stopped or cut off, what was acknowledged is in the
 * log exactly once and every copy is the same. How long clients waited is printed and bounded.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '#kernel';
import { ClusterHere, type ClusterProcess } from '../../tools/cluster/processes.ts';
import { ifEtcd } from '../support/etcd.ts';
import { until } from '../support/until.ts';
import { judge } from './judge.ts';
import { demoTrader, Traders } from './traders.ts';

const CLIENTS = 8;
const SETTLE_MS = 1_500;
/** On a loaded machine; docs/CLUSTER.md has what a quiet one measures. */
const PAUSE_MAX_MS = 5_000;
/** OUTCRY_FAULT_ROUNDS repeats all faults so often, each at another moment. */
const ROUNDS = Number(process.env.OUTCRY_FAULT_ROUNDS ?? '1');

interface Fault {
  readonly name: string;
  strike(cluster: ClusterHere, leader: ClusterProcess, traders: Traders): Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leader',
    strike: async (_cluster, leader) => {
      await leader.stop('SIGKILL');
      await wait(SETTLE_MS);
      await leader.start();
    },
  },
  {
    name: 'SIGSTOP of the leader, which wakes as a zombie',
    strike: async (cluster, leader, traders) => {
      leader.signal('SIGSTOP');
      await wait(SETTLE_MS);
      const orderId = await traders.placeOne(cluster.gateways[0]?.url ?? '');
      // It is asked while it is stopped, and answers with the first thing that it does.
      const shown = shownBy(leader, orderId);
      leader.signal('SIGCONT');
      assert.notEqual(await shown, 'missing', 'a zombie shows no old state');
    },
  },
  {
    name: 'kill -9 of the leader of etcd',
    strike: async ({ etcd }) => {
      const server = await etcd.leader();
      await server.kill();
      await wait(SETTLE_MS);
      server.start();
      await etcd.ready();
    },
  },
  {
    name: 'SIGSTOP of the leader of etcd',
    strike: async ({ etcd }) => {
      const server = await etcd.leader();
      server.signal('SIGSTOP');
      await wait(SETTLE_MS);
      server.signal('SIGCONT');
      await etcd.ready();
    },
  },
  {
    name: 'kill -9 of both leaders',
    strike: async ({ etcd }, leader) => {
      const server = await etcd.leader();
      await Promise.all([leader.stop('SIGKILL'), server.kill()]);
      await wait(SETTLE_MS);
      server.start();
      await etcd.ready();
      await leader.start();
    },
  },
  {
    name: 'the leader stops in order',
    strike: async (_cluster, leader) => {
      await leader.stop('SIGTERM');
      await wait(SETTLE_MS);
      await leader.start();
    },
  },
];

/** Whether a process knows an order, or says nothing of it. */
async function shownBy(
  { url }: ClusterProcess,
  orderId: string,
): Promise<'shown' | 'missing' | 'refused'> {
  try {
    const order = { symbol: 'BTCUSDT_SPBL', orderId };
    const { status, data } = await demoTrader(url).post('/trade/orderInfo', order);
    if (status !== 200) return status === 503 ? 'refused' : 'missing';
    return JSON.stringify(data).includes(orderId) ? 'shown' : 'missing';
  } catch {
    return 'refused';
  }
}

async function leaderOf(cluster: ClusterHere): Promise<ClusterProcess> {
  let leader: ClusterProcess | undefined;
  await until('somebody leads', async () => {
    leader = await cluster.leader();
    return leader !== undefined;
  });
  return present(leader, 'leader');
}

await ifEtcd(() => {
  test('whatever fails, what was acknowledged is in the log exactly once', async (context) => {
    const flags = ['--no-participants', '--rate-limits', 'off'];
    const cluster = await ClusterHere.start({ flags });
    context.after(() => cluster.close());
    const traders = new Traders(
      cluster.gateways.map(({ url }) => url),
      CLIENTS,
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, strike } of FAULTS) {
        const leader = await leaderOf(cluster);
        await wait(300 + Math.random() * 500);
        const before = traders.notes.acks.length;
        await strike(cluster, leader, traders);
        await until('orders go on', () => traders.notes.acks.length > before + CLIENTS * 3);
        const pauseMs = traders.worstMsSince(before);
        context.diagnostic(`${name}: the longest answer took ${pauseMs.toFixed(0)} ms`);
        assert.ok(pauseMs < PAUSE_MAX_MS, `${name}: ${pauseMs} ms`);
      }
    }
    const notes = await traders.stop();
    const unknownCount = notes.unknown.length;
    await Promise.all(cluster.processes.map((one) => one.stop('SIGTERM')));
    const verdict = await judge(cluster, notes);
    context.diagnostic(
      JSON.stringify({ acknowledged: notes.acks.length, unknownCount, ...verdict }),
    );
    assert.equal(verdict.copies, cluster.processes.length);
    assert.ok(notes.acks.length > 100, 'the clients traded');
  });
});
