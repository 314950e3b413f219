/** Faults of three real etcd servers while a leader appends without a pause and others follow. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Prng } from '#kernel';
import { EtcdCluster, type EtcdServer } from '../../tools/etcd-servers.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { ifEtcd } from '../support/etcd.ts';
import {
  assertChain,
  beatOf,
  entryAt,
  Follower,
  faultOf,
  fill,
  lead,
  readAll,
} from '../support/shared-hands.ts';
import { SteadyLeader } from './shared-load.ts';
import { etcdPlace, lost, type Way } from './shared-places.ts';
import { Race } from './shared-race.ts';

/** Far above what a failover takes, for machines that do much else. */
const PAUSE_MAX_MS = 10_000;

interface Fault {
  readonly what: string;
  /** Does it, and undoes it while the load goes on. */
  run(cluster: EtcdCluster, leader: SteadyLeader): Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    what: 'kill -9 of the leader of etcd',
    run: async (cluster, load) => {
      const server = await cluster.leader();
      await server.kill();
      await load.more(200);
      server.start();
    },
  },
  {
    what: 'the leader of etcd stopped for three seconds',
    run: async (cluster, load) => stopped(await cluster.leader(), load),
  },
  {
    what: 'the first server stopped for three seconds, whoever leads',
    run: (cluster, load) => stopped(firstOf(cluster), load),
  },
  {
    what: 'each server restarted in turn',
    run: async (cluster, load) => {
      for (const server of cluster.servers) {
        await server.kill();
        await load.more(50);
        server.start();
        await cluster.ready();
      }
    },
  },
];

await ifEtcd(async () => {
  const cluster = closedAtEnd(await EtcdCluster.start({ size: 3 }));
  for (const fault of FAULTS) test(fault.what, (context) => underLoad(cluster, fault, context));
  test('without a quorum nothing is decided, and all of it after', () => withoutQuorum(cluster));
  test('a race while servers crash', () => raceWithCrashes(cluster));
  test('a trim and a restart during following', () => trimmedAndRestarted(cluster));
});

async function stopped(server: EtcdServer, load: SteadyLeader): Promise<void> {
  server.signal('SIGSTOP');
  try {
    await wait(3_000);
    await load.more(50);
  } finally {
    server.signal('SIGCONT');
  }
}

function firstOf({ servers }: EtcdCluster): EtcdServer {
  const [first] = servers;
  assert.ok(first !== undefined);
  return first;
}

async function underLoad(cluster: EtcdCluster, fault: Fault, context: TestContext): Promise<void> {
  await cluster.ready();
  const place = etcdPlace(cluster);
  const log = place.open();
  const followers = [new Follower(place.open()), new Follower(place.open())];
  const load = new SteadyLeader(log, await lead(log));
  await load.more(200);
  await fault.run(cluster, load);
  await load.more(200);
  await load.stop();
  context.diagnostic(`${load.ackedMs.length} acknowledged, pause ${load.pauseMs.toFixed(0)} ms`);
  assert.ok(load.pauseMs < PAUSE_MAX_MS, `a pause of ${load.pauseMs} ms`);
  await load.judge(followers);
}

async function withoutQuorum(cluster: EtcdCluster): Promise<void> {
  await cluster.ready();
  const place = etcdPlace(cluster);
  const [log, other] = [place.open(), place.open()];
  const leadership = await lead(log);
  const { claim } = leadership;
  await fill(log, leadership, 10);
  const downServers = cluster.servers.slice(1);
  await Promise.all(downServers.map((server) => server.kill()));
  const contactMs = log.contactMs;
  let isDecided = false;
  const append = log.append(claim, entryAt(11)).finally(() => {
    isDecided = true;
  });
  await assert.rejects(log.heartbeat(claim, beatOf(claim)), faultOf('unavailable'));
  await assert.rejects(log.confirm(claim), faultOf('unavailable'));
  await assert.rejects(other.claim(claim, 'other'), faultOf('unavailable'));
  assert.equal(log.contactMs, contactMs, 'no contact');
  assert.equal(isDecided, false);
  for (const server of downServers) server.start();
  // The claim without an answer may have arrived, or the append; never both unseen.
  const end = await append.then(
    () => 'stored',
    (error: unknown) => faultOf('deposed')(error) && 'deposed',
  );
  const isStored = (await readAll(other)).length === 11;
  if (end === 'stored') assert.ok(isStored);
  assert.equal(await log.confirm(claim), (await other.current())?.token === claim.token);
}

/** Calls of these members are late, lost or unanswered besides. */
function faultyWay(random: Prng): Way {
  const hurt = async (): Promise<void> => {
    if (random.chance(100_000)) await wait(random.below(50));
    if (random.chance(20_000)) lost();
  };
  return { there: hurt, back: hurt };
}

async function raceWithCrashes(cluster: EtcdCluster): Promise<void> {
  await cluster.ready();
  const place = etcdPlace(cluster);
  const race = new Race(place, { lives: 8, entriesMax: 60, pauseMsMax: 60 });
  for (const name of ['f', 'g']) race.follow(faultyWay(new Prng(1, name)));
  let isOver = false;
  const crashes = (async () => {
    while (!isOver) {
      await wait(1_000);
      const server = await cluster.leader();
      await server.kill();
      await wait(500);
      server.start();
      await cluster.ready();
    }
  })();
  const compete = (name: string) =>
    race.compete(name, new Prng(1, name), faultyWay(new Prng(1, `way of ${name}`)));
  await Promise.all(['a', 'b'].map(compete));
  isOver = true;
  await crashes;
  const entries = await race.judge();
  assert.ok(race.acknowledged.length > 50 && entries.length > 50, 'they did lead');
}

async function trimmedAndRestarted(cluster: EtcdCluster): Promise<void> {
  await cluster.ready();
  const place = etcdPlace(cluster);
  const log = place.open();
  const leadership = await lead(log);
  const followers = [new Follower(place.open()), new Follower(place.open())];
  for (const server of cluster.servers) {
    await fill(log, leadership, 200);
    const { nextSeq } = log.acknowledged(leadership.claim);
    await Promise.all(followers.map((follower) => follower.reached(nextSeq - 1)));
    const trimming = log.trim(leadership.claim, nextSeq - 50);
    await server.kill();
    await Promise.all([trimming, fill(log, leadership, 50)]);
    server.start();
    await cluster.ready();
    assert.equal((await log.base()).nextSeq, nextSeq - 50);
  }
  const { lastSeq } = await log.head();
  await Promise.all(followers.map((follower) => follower.reached(lastSeq)));
  for (const { entries } of followers) assertChain(entries);
  for (const follower of followers) await follower.stop();
}
