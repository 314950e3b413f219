/** What can happen to a cluster: each fault strikes, and leaves everything running again. */
import { strict as assert } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { LinkClient } from '#cluster/testing';
import { decodeEntry, encodeCommand, lots, type PlaceSpotOrder, ticks } from '#domain';
import { present } from '#kernel';
import type { SharedEntry } from '#log';
import type { Network } from '../../tools/cluster/network.ts';
import type { ClusterProcess } from '../../tools/cluster/processes.ts';
import type { SlowDisk } from '../../tools/cluster/slow-disk.ts';
import type { EtcdServer } from '../../tools/etcd-servers.ts';
import type { PostgresServer } from '../../tools/postgres.ts';
import { DEMO, Trader } from '../support/http-trader.ts';
import { logOf } from '../support/logs.ts';
import { until } from '../support/until.ts';
import type { Scene } from './evidence.ts';
import type { Traders } from './traders.ts';

export interface Stage extends Scene {
  readonly traders: Traders;
  readonly postgres: PostgresServer;
  /** Undefined where this machine has none of it. */
  readonly network: Network | undefined;
  readonly slowDisk: SlowDisk | undefined;
  /** It goes on through all faults, and so has the log from the first command on. */
  readonly keeper: ClusterProcess;
}

export interface Fault {
  readonly name: string;
  /** The longest pause that clients may see; on a loaded machine it is longer. */
  readonly boundMs: number;
  /** What it needs of the machine, if that is not there everywhere. */
  readonly needs?: 'network' | 'slowDisk';
  strike(stage: Stage, leader: ClusterProcess, store: EtcdServer): Promise<void>;
}

/** Longer than any takeover. */
const SETTLE_MS = 1_500;
const POSTGRES_AWAY_S = Number(process.env.OUTCRY_POSTGRES_AWAY_S ?? '2');
/** Of both leaders together: some five syncs a second. */
const SLOW_WRITES_PER_SECOND = 20;
const SLOW_MS = 3_000;
/** Beyond it a follower finds nothing of what it missed. */
const BEHIND_COMMANDS = 1_600;
const TRIM_PATIENCE = { withinMs: 120_000 };

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leader',
    boundMs: 1_000,
    strike: async (_stage, leader) => {
      await leader.stop('SIGKILL');
      await wait(SETTLE_MS);
      await leader.start();
    },
  },
  {
    name: 'kill -9 of the leader of etcd',
    boundMs: 2_000,
    strike: async ({ cluster }, _leader, store) => {
      await store.kill();
      await wait(SETTLE_MS);
      store.start();
      await cluster.etcd.ready();
    },
  },
  {
    name: 'kill -9 of both leaders',
    boundMs: 2_000,
    strike: async ({ cluster }, leader, store) => {
      await Promise.all([leader.stop('SIGKILL'), store.kill()]);
      await wait(SETTLE_MS);
      store.start();
      await cluster.etcd.ready();
      await leader.start();
    },
  },
  {
    name: 'SIGSTOP of the leader, then SIGCONT',
    boundMs: 1_000,
    strike: (stage, leader) => stopAndWake(stage, leader, []),
  },
  {
    name: 'SIGSTOP of the leader of etcd, then SIGCONT',
    boundMs: 2_000,
    strike: async ({ cluster }, _leader, store) => {
      store.signal('SIGSTOP');
      await wait(SETTLE_MS);
      store.signal('SIGCONT');
      await cluster.etcd.ready();
    },
  },
  {
    name: 'SIGSTOP of both leaders, then SIGCONT',
    boundMs: 2_000,
    strike: async (stage, leader, store) => {
      await stopAndWake(stage, leader, [store]);
      await stage.cluster.etcd.ready();
    },
  },
  {
    name: 'the leader is told to stop',
    boundMs: 1_000,
    strike: async (_stage, leader) => {
      await leader.stop('SIGTERM');
      await leader.start();
    },
  },
  {
    name: 'the machine of the leader is cut off',
    boundMs: 2_000,
    needs: 'network',
    strike: cutOff,
  },
  {
    name: 'slow disks of both leaders',
    boundMs: 5_000,
    needs: 'slowDisk',
    strike: async ({ slowDisk }, leader, store) => {
      slowDisk?.slow([leader.pid, store.pid], SLOW_WRITES_PER_SECOND);
      await wait(SLOW_MS);
      slowDisk?.release();
    },
  },
  {
    name: 'kill -9 of a gateway',
    boundMs: 1_000,
    strike: async ({ cluster }) => {
      const gateway = present(cluster.gateways[1], 'gateway that is no keeper');
      await gateway.stop('SIGKILL');
      await wait(SETTLE_MS);
      await gateway.start();
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    boundMs: 1_000,
    strike: async ({ postgres }) => {
      await postgres.kill();
      await wait(POSTGRES_AWAY_S * 1_000);
      await postgres.startAgain();
    },
  },
  { name: 'a follower behind compaction', boundMs: 1_000, strike: fallBehind },
  { name: 'a trim during a takeover', boundMs: 1_000, strike: takeOverWhileTrimming },
  { name: 'a resend after a fill', boundMs: 1_000, strike: resendAfterFill },
];

function oneOf<T>(all: readonly T[]): T {
  return present(all[Math.floor(Math.random() * all.length)], 'one of them');
}

/** A zombie shows no old state with the first thing that it does, and appends nothing. */
async function stopAndWake(
  stage: Stage,
  leader: ClusterProcess,
  stores: readonly EtcdServer[],
): Promise<void> {
  for (const one of [leader, ...stores]) one.signal('SIGSTOP');
  await wait(SETTLE_MS);
  const orderId = await placed(stage);
  // It is asked while it is stopped, and answers when it wakes.
  const shown = shownBy(leader, orderId);
  const ordered = stage.traders.placeOne(leader.url);
  for (const one of [...stores, leader]) one.signal('SIGCONT');
  assert.notEqual(await shown, 'missing', 'a zombie shows no old state');
  await ordered;
}

/** With the server of etcd beside it; its clients still reach it. */
async function cutOff(stage: Stage, leader: ClusterProcess): Promise<void> {
  stage.network?.cut(leader.machine);
  await wait(SETTLE_MS);
  const orderId = await placed(stage);
  const shown = shownBy(leader, orderId);
  // It may be acknowledged once the leader has heard of its end, but not be lost then.
  const ordered = stage.traders.placeOne(leader.url);
  await Promise.race([shown, wait(SETTLE_MS)]);
  stage.network?.mend(leader.machine);
  assert.notEqual(await shown, 'missing', 'a leader that is cut off shows no old state');
  await ordered;
  await stage.cluster.etcd.ready();
}

/** One order more, acknowledged by whoever leads now. */
async function placed({ cluster, traders }: Stage): Promise<string> {
  let orderId: string | undefined;
  await until('an order is acknowledged', async () => {
    orderId = await traders.placeOne(present(cluster.gateways[0], 'gateway').url);
    return orderId !== undefined;
  });
  return present(orderId, 'order');
}

/** Whether a process knows an order, or says nothing of it. */
async function shownBy(
  { url }: ClusterProcess,
  orderId: string,
): Promise<'shown' | 'missing' | 'refused'> {
  try {
    const order = { symbol: 'BTCUSDT_SPBL', orderId };
    const { status, data } = await new Trader(url, DEMO).post('/trade/orderInfo', order);
    if (status !== 200) return status === 503 ? 'refused' : 'missing';
    return JSON.stringify(data).includes(orderId) ? 'shown' : 'missing';
  } catch {
    return 'refused';
  }
}

/** The log is trimmed beyond what a stopped follower has: it joins with a snapshot. */
async function fallBehind(stage: Stage, leader: ClusterProcess): Promise<void> {
  const { cluster, witness } = stage;
  const away = oneOf(cluster.members.filter((one) => one !== leader));
  await away.stop('SIGKILL');
  const { lastSeq } = await witness.log.head();
  await trimmedBeyond(stage, lastSeq);
  await away.start();
  const reader = await logOf(away.directory).openReader();
  const { nextSeq } = reader.base;
  await reader.close();
  assert.ok(nextSeq > lastSeq, `its copy begins at ${nextSeq}`);
}

/** So many orders until the log begins above this command. */
async function trimmedBeyond({ cluster, traders, witness }: Stage, seq: number): Promise<void> {
  const { url } = present(cluster.gateways[1], 'gateway');
  await traders.hurry(url, BEHIND_COMMANDS);
  await until(
    `the log is trimmed beyond ${seq}`,
    async () => (await witness.log.base()).nextSeq > seq,
    TRIM_PATIENCE,
  );
}

/** A leader writes where the log begins, and then deletes what is before: it ends in between. */
async function takeOverWhileTrimming(stage: Stage, leader: ClusterProcess): Promise<void> {
  const { witness, traders, cluster } = stage;
  const { nextSeq } = await witness.log.base();
  const hurried = traders.hurry(present(cluster.gateways[1], 'gateway').url, BEHIND_COMMANDS);
  await until(
    'the log is trimmed',
    async () => (await witness.log.base()).nextSeq > nextSeq,
    TRIM_PATIENCE,
  );
  await leader.stop('SIGKILL');
  await hurried.catch(() => undefined);
  await leader.start();
}

/**
 * A gateway of our own: its order fills, its leader is gone before the answer, and the next leader
 * gets the same request again, and one more.
 */
async function resendAfterFill(stage: Stage, leader: ClusterProcess): Promise<void> {
  const { cluster, witness, traders } = stage;
  const sender = `resend.${traders.nextTradedCents()}`;
  const texts = ['sell', 'buy', 'buy'].map((side, at) => orderText(stage, side, at));
  const [sell, buy, last] = texts.map((text, at) => [at + 1, 1, text] as const);
  assert.ok(sell !== undefined && buy !== undefined && last !== undefined);
  const count = () => ordersOf(witness.entries, sender);
  await sendTo(leader, cluster.secret, sender, [sell, buy]);
  await until('both orders are in the log', () => count() === 2);
  await leader.stop('SIGKILL');
  await sendTo(await anotherLeader(stage, leader), cluster.secret, sender, [sell, buy, last]);
  await until('the last one is in the log', () => count() > 2);
  assert.equal(count(), 3, 'what was done is not done again');
  await leader.start();
}

/** As the log has an order of that account, at a price of its own. */
function orderText({ witness, traders }: Stage, side: string, at: number): string {
  const known = new Map<number, PlaceSpotOrder>();
  for (const { payload } of witness.entries.slice(-200)) {
    for (const { command } of decodeEntry(payload)) {
      if (command.kind === 'place_spot_order' && command.type === 'limit') {
        known.set(command.accountId, command);
      }
    }
  }
  const orders = [...known.values()];
  const order = present(orders[at % orders.length], 'an order of each account');
  assert.ok(order.type === 'limit');
  const priceTicks = ticks(traders.nextTradedCents());
  const own = { priceTicks, sizeLots: lots(10), clientOrderId: undefined };
  return encodeCommand(0, { ...order, ...own, side: side === 'buy' ? 'buy' : 'sell' });
}

function ordersOf(entries: readonly SharedEntry[], sender: string): number {
  return entries
    .filter(({ payload }) => payload.includes(sender))
    .flatMap(({ payload }) => decodeEntry(payload))
    .filter(({ origin }) => origin?.sender === sender).length;
}

async function anotherLeader({ cluster }: Stage, former: ClusterProcess): Promise<ClusterProcess> {
  let leader: ClusterProcess | undefined;
  await until('another one leads', async () => {
    leader = await cluster.leader();
    return leader !== undefined && leader !== former;
  });
  return present(leader, 'leader');
}

/** Resolves once they are sent. */
function sendTo(
  { address }: ClusterProcess,
  secret: string,
  sender: string,
  rows: Parameters<LinkClient['send']>[0],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = new LinkClient({
      url: `ws://${address}`,
      secret,
      sender,
      onOpen: () => {
        link.send(rows);
        resolve();
      },
      onBeat: () => undefined,
      onAnswers: () => undefined,
      onRefused: (refused) => reject(new Error(`refused: ${JSON.stringify(refused)}`)),
      onEnd: () => reject(new Error('the leader has hung up')),
    });
  });
}
