/**
 * Over HTTP: a venue in one process, and a cluster of three members over three servers of etcd,
 * asked at its leader, at one gateway and at two. All of it shares this machine, so that the ratio
 * says what the work costs and not what more machines would bring. Orders are signed and durable;
 * the size is how many connections there are; latencies are printed with each line. Then the
 * members bring a database of reports up to date with all these orders.
 */
import { ClusterHere } from '../tools/cluster/processes.ts';
import { haveEtcd } from '../tools/etcd-servers.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../tools/postgres.ts';
import { type LoadOutcome, sendAll } from './load.ts';
import { median } from './measure.ts';
import {
  type RealServer,
  raiseCaps,
  removeDirectory,
  scratchDirectory,
  startServer,
} from './real-server.ts';
import { catchUp } from './report-rows.ts';
import { orderRequests, signedReads } from './requests.ts';
import type { BenchResult } from './result.ts';

const ROUNDS = 3;
/** On a busy machine further rounds are left out once so much time is spent. */
const ROUNDS_BUDGET_MS = 240_000;
const WARM_REQUESTS = 10_000;
const BODY_START = '{"code":"00000"';
const FLAGS = ['--no-participants', '--rate-limits', 'off'];

interface Measure {
  readonly name: string;
  readonly requests: (count: number) => Buffer[];
  readonly requestsPerRound: number;
  readonly connections: readonly number[];
}

const ORDERS: Measure = {
  name: 'orders',
  requests: orderRequests,
  requestsPerRound: 20_000,
  connections: [64, 256],
};
const READS: Measure = {
  name: 'reads',
  requests: (count) => signedReads('/api/spot/v1/account/assets', count),
  requestsPerRound: 15_000,
  connections: [64],
};

/** Who is asked: one port, or two with half of the requests each. */
interface Way {
  readonly name: string;
  readonly ports: readonly number[];
}

type Print = (line: string) => void;

export async function run(print: Print): Promise<BenchResult[]> {
  if (!haveEtcd()) {
    print('  not measured: etcd is not in the path');
    return [];
  }
  await using opened = new AsyncDisposableStack();
  const directory = scratchDirectory();
  opened.defer(() => removeDirectory(directory));
  const alone: RealServer = opened.adopt(await startServer(directory), (one) => one.kill());
  const database = postgresPrograms() === undefined ? undefined : await startPostgres();
  opened.defer(async () => database?.close());
  // It comes back when the orders are over: nothing of it is in their figures.
  await database?.kill();
  const cluster = opened.adopt(
    await ClusterHere.start({ flags: FLAGS, historyUrl: database?.url }),
    (one) => one.close(),
  );
  await raiseCaps(alone);
  const { gateways, adminToken } = cluster;
  await raiseCaps({ url: gateways[0]?.url ?? '', adminToken });
  const first = { name: 'one process', ports: [alone.port] };
  const leader = portOf((await cluster.leader())?.url);
  const [one = 0, two = 0] = gateways.map(({ url }) => portOf(url));
  const ways: Way[] = [
    { name: 'cluster, no gateway', ports: [leader] },
    { name: 'cluster, one gateway', ports: [one] },
    { name: 'cluster, two gateways', ports: [one, two] },
  ];
  const endMs = performance.now() + ROUNDS_BUDGET_MS;
  return [
    ...(await compare(ORDERS, [first, ...ways], endMs, print)),
    ...(await compare(READS, [first, ...ways], endMs, print)),
    ...(await reportRows(cluster, database, print)),
  ];
}

function portOf(url = 'http://127.0.0.1:0'): number {
  return Number(new URL(url).port);
}

/** The peer of each is the one process in the same round. */
async function compare(
  measure: Measure,
  ways: readonly Way[],
  endMs: number,
  print: Print,
): Promise<BenchResult[]> {
  for (const way of ways) await send(measure, way, WARM_REQUESTS, measure.connections[0] ?? 1);
  const results: BenchResult[] = [];
  for (const connections of measure.connections) {
    const rounds: LoadOutcome[][] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      if (count > 0 && performance.now() > endMs) break;
      const round: LoadOutcome[] = [];
      for (const way of ways) {
        round.push(await send(measure, way, measure.requestsPerRound, connections));
      }
      rounds.push(round);
    }
    for (const [at, way] of ways.entries()) {
      const name = `${measure.name}, ${way.name}`;
      results.push(summary(name, at, connections, rounds, print));
    }
  }
  return results;
}

async function send(
  measure: Measure,
  { ports }: Way,
  requestsCount: number,
  connections: number,
): Promise<LoadOutcome> {
  const outcomes = await Promise.all(
    ports.map((port) => {
      const requests = measure.requests(requestsCount / ports.length);
      return sendAll({ port, bodyStart: BODY_START }, requests, connections / ports.length);
    }),
  );
  const latencies = outcomes.flatMap(({ latenciesMs }) => [...latenciesMs]);
  return {
    perSecond: outcomes.reduce((total, { perSecond }) => total + perSecond, 0),
    latenciesMs: Float64Array.from(latencies).toSorted(),
  };
}

function summary(
  name: string,
  at: number,
  size: number,
  rounds: readonly LoadOutcome[][],
  print: Print,
): BenchResult {
  const of = (round: readonly LoadOutcome[], index: number) => round[index]?.perSecond ?? 0;
  const value = median(rounds.map((round) => of(round, at)));
  const peer = median(rounds.map((round) => of(round, 0)));
  const ratio = median(rounds.map((round) => of(round, at) / of(round, 0)));
  const latencyMs = (part: number) =>
    median(
      rounds.map((round) => {
        const latencies = round[at]?.latenciesMs ?? new Float64Array();
        return latencies[Math.floor(latencies.length * part)] ?? 0;
      }),
    ).toFixed(1);
  print(
    `  ${name}, ${size} connections: ${Math.round(value)} requests/s, ratio ` +
      `${ratio.toFixed(2)}, p50 ${latencyMs(0.5)} ms, p99 ${latencyMs(0.99)} ms`,
  );
  return { name, size, value, unit: 'requests/s', peer, ratio };
}

/** Three members write the rows of everything above, each command once. */
async function reportRows(
  cluster: ClusterHere,
  database: PostgresServer | undefined,
  print: Print,
): Promise<BenchResult[]> {
  if (database === undefined) {
    print('  PostgreSQL is not installed: no rows are written to it');
    return [];
  }
  await database.startAgain();
  const { rows, seconds } = await catchUp(cluster, database.url);
  const value = rows / seconds;
  print(`  history rows into PostgreSQL by three members: ${Math.round(value)} rows/s`);
  return [{ name: 'history rows into PostgreSQL, cluster', size: rows, value, unit: 'rows/s' }];
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
