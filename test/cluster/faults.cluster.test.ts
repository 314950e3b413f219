/**
 * A cluster of three members, two gateways, three servers of etcd and PostgreSQL, all of them real
 * processes, under clients that go on: whatever is killed, stopped, slow or cut off, what was
 * acknowledged is in the log exactly once and all that is kept of it is equal.
 */
import { strict as assert } from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { present } from '#kernel';
import { Network } from '../../tools/cluster/network.ts';
import { ClusterHere, type ClusterProcess } from '../../tools/cluster/processes.ts';
import { SlowDisk } from '../../tools/cluster/slow-disk.ts';
import { ifEtcd } from '../support/etcd.ts';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { ROUNDS } from '../support/rounds.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { judge, type Violation } from './checker.ts';
import { demoFile } from './demo-file.ts';
import { gather, verifiedHistories, Witness } from './evidence.ts';
import { FAULTS, type Fault, type Stage } from './faults.ts';
import { Traders } from './traders.ts';

/** Only the faults whose names match: a regular expression. */
const ONLY = new RegExp(process.env.OUTCRY_FAULTS ?? '');
/** Of a machine that does other work as well; the bounds are those of a free one. */
const PAUSE_MAX_MS = 10_000;
/** Three members, and a machine for each gateway. */
const MACHINES = 5;
/** With one etcd left, or none, everything that is told to stop has stopped after so long. */
const STOP_MAX_MS = 20_000;
const TEST_MAX_MS = 600_000;
const FAULT_MAX_MS = 90_000;
/** Commands; each member takes a snapshot of the same ones. */
const SEAL_EVERY = 1_000;
const SEALED = { withinMs: 120_000, everyMs: 200 };

interface Struck {
  readonly name: string;
  readonly boundMs: number;
  readonly pausesMs: number[];
}

const network = await ifPossible('cut networks', () => Network.of(MACHINES));
const postgres = await postgresOrSkip(network?.host);
after(() => network?.close());

/** What this machine may have and may not; the others of the faults need no more than a process. */
async function ifPossible<T>(what: string, make: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    test(what, (t) => t.skip(`not on this machine: ${why}`));
    return undefined;
  }
}

async function stageOf(context: TestContext, server: NonNullable<typeof postgres>): Promise<Stage> {
  const historyUrl = newDatabase(server);
  const directory = scratchDirectory(context);
  const slowDisk = await ifPossible('slow disks', () => SlowDisk.of(directory));
  const flags = [
    '--config',
    demoFile(context, SEAL_EVERY),
    '--no-participants',
    '--rate-limits',
    'off',
  ];
  const settings = { keepCommands: 500 };
  const cluster = await ClusterHere.start({ flags, settings, historyUrl, network });
  const witness = new Witness(cluster.etcd.endpoints);
  context.after(async () => {
    await witness.close().catch(() => undefined);
    await cluster.close();
    slowDisk?.close();
  });
  const traders = await Traders.start(cluster.gateways.map(({ url }) => url));
  context.after(() => traders.stop());
  const keeper = present(cluster.gateways[0], 'gateway');
  return { cluster, witness, historyUrl, traders, postgres: server, network, slowDisk, keeper };
}

async function leaderOf({ cluster }: Stage): Promise<ClusterProcess> {
  let leader: ClusterProcess | undefined;
  await until('somebody leads', async () => {
    leader = await cluster.leader();
    return leader !== undefined;
  });
  return present(leader, 'leader');
}

/** A start without an end would be a test without one. */
async function inTime(name: string, work: Promise<void>): Promise<void> {
  const late = wait(FAULT_MAX_MS, undefined, { ref: false }).then(() => {
    throw new Error(`never: the end of ${name}`);
  });
  await Promise.race([work, late]);
}

/** Strikes at a random moment; how long clients were without an answer. */
async function strike(stage: Stage, { name, strike: strikeNow }: Fault): Promise<number> {
  const { cluster, traders } = stage;
  const [leader, store] = [await leaderOf(stage), await cluster.etcd.leader()];
  await wait(200 + Math.random() * 600);
  traders.note(name);
  const hasAnswered = traders.answers();
  await inTime(name, strikeNow(stage, leader, store));
  await until(`${name}: every client gets answers`, () => hasAnswered());
  const pauseMs = traders.worstMs;
  traders.note('between faults');
  await traders.clear();
  return pauseMs;
}

/** All members have sealed one state that contains everything up to here. */
async function sealedByAll({ cluster, witness, traders }: Stage, seq: number): Promise<void> {
  await traders.hurry(present(cluster.gateways[0], 'gateway').url, 1_100);
  await until(
    `all have sealed one state above ${seq}`,
    () => {
      const later = witness.seals.filter((seal) => seal.seq > seq);
      const bySeq = Map.groupBy(later, (seal) => seal.seq);
      return [...bySeq.values()].some((same) => same.length >= cluster.members.length);
    },
    SEALED,
  );
}

/** Without etcd, in whatever role and state, a process that is told to stop ends in time. */
async function stopWithoutLog({ cluster }: Stage): Promise<void> {
  await Promise.all(cluster.etcd.servers.map((server) => server.kill()));
  const startMs = performance.now();
  const left = new Set(cluster.processes.map(({ name }) => name));
  const stopped = cluster.processes.map(async (one) => {
    await one.stop('SIGTERM');
    left.delete(one.name);
  });
  await Promise.race([Promise.all(stopped), wait(STOP_MAX_MS, undefined, { ref: false })]);
  assert.deepEqual([...left], [], `have not stopped after ${performance.now() - startMs} ms`);
}

/** A line per fault: how often, how long clients waited, what was lost or done twice. */
function* report(struck: Iterable<Struck>, violations: readonly Violation[]): Generator<string> {
  for (const { name, boundMs, pausesMs } of struck) {
    const sorted = pausesMs.toSorted((one, other) => one - other);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const worst = sorted.at(-1) ?? 0;
    const of = (judgement: string) =>
      violations.filter((one) => one.judgement === judgement && one.during === name).length;
    const above = pausesMs.filter((pauseMs) => pauseMs > boundMs).length;
    const pauses = `median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
    const wrong = `${of('lost')} lost, ${of('twice')} twice`;
    yield `${name}: ${pausesMs.length} times, ${pauses}, ${above} above ${boundMs} ms, ${wrong}`;
  }
}

async function play(context: TestContext, stage: Stage, struck: Map<string, Struck>) {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const fault of FAULTS) {
      const { name, boundMs, needs } = fault;
      if (!ONLY.test(name) || (needs !== undefined && stage[needs] === undefined)) continue;
      const known = struck.get(name) ?? { name, boundMs, pausesMs: [] };
      struck.set(name, known);
      const pauseMs = await strike(stage, fault);
      known.pausesMs.push(pauseMs);
      process.stdout.write(`round ${round + 1}, ${name}: ${pauseMs.toFixed(0)} ms\n`);
      assert.ok(pauseMs < PAUSE_MAX_MS, `${name}: ${pauseMs} ms`);
    }
  }
  context.diagnostic(`${stage.traders.acknowledgedCount} orders acknowledged`);
}

await ifEtcd(() => {
  if (postgres === undefined) return;
  const options = { timeout: TEST_MAX_MS * ROUNDS };
  test('whatever fails, all that was acknowledged is kept once', options, async (context) => {
    const stage = await stageOf(context, postgres);
    const { cluster, witness, traders, keeper } = stage;
    const struck = new Map<string, Struck>();
    try {
      await play(context, stage, struck);
      const { lastSeq } = await witness.log.head();
      await sealedByAll(stage, lastSeq);
      const notes = await traders.stop();
      await traders.clear();
      const evidence = await gather(stage, notes, lastSeq);
      await stopWithoutLog(stage);
      const histories = await verifiedHistories(stage, keeper);
      const violations = judge({ ...evidence, histories });
      for (const line of report(struck.values(), violations)) context.diagnostic(line);
      assert.deepEqual(violations.slice(0, 20), []);
      assert.ok(traders.acknowledgedCount > 100, 'the clients traded');
    } catch (error) {
      for (const line of report(struck.values(), [])) context.diagnostic(line);
      context.diagnostic(JSON.stringify([traders.notes.odd.slice(0, 5), traders.state]));
      for (const { name, log } of cluster.processes) {
        context.diagnostic(`${name}:\n${log.slice(-1_000)}`);
      }
      throw error;
    }
  });
});
