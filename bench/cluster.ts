/**
 * Durable signed orders over HTTP: a venue in one process, and a cluster of three members over
 * three servers of etcd, asked at one gateway and at two. All of it shares this machine, so that
 * the ratio says what the work costs and not what more machines would bring. The size is how many
 * connections there are; latencies are printed with each line.
 */
import { ClusterHere } from '../tools/cluster/processes.ts';
import { haveEtcd } from '../tools/etcd-servers.ts';
import { type LoadOutcome, sendAll } from './load.ts';
import { median } from './measure.ts';
import {
  type RealServer,
  raiseCaps,
  removeDirectory,
  scratchDirectory,
  startServer,
} from './real-server.ts';
import { orderRequests } from './requests.ts';
import type { BenchResult } from './result.ts';

const CONNECTIONS = [64, 256];
const ROUNDS = 3;
const WARM_REQUESTS = 10_000;
const REQUESTS = 20_000;
const BODY_START = '{"code":"00000"';
const FLAGS = ['--no-participants', '--rate-limits', 'off'];

/** Who is asked: one port, or two with half of the requests each. */
interface Way {
  readonly name: string;
  readonly ports: readonly number[];
}

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  if (!haveEtcd()) {
    print('  not measured: etcd is not in the path');
    return [];
  }
  const directory = scratchDirectory();
  let alone: RealServer | undefined;
  let cluster: ClusterHere | undefined;
  try {
    alone = await startServer(directory);
    await raiseCaps(alone);
    cluster = await ClusterHere.start({ flags: FLAGS });
    const { gateways, adminToken } = cluster;
    const [first, second] = gateways.map(({ url }) => Number(new URL(url).port));
    await raiseCaps({ url: gateways[0]?.url ?? '', adminToken });
    const ways: Way[] = [
      { name: 'one process', ports: [alone.port] },
      { name: 'cluster, one gateway', ports: [first ?? 0] },
      { name: 'cluster, two gateways', ports: [first ?? 0, second ?? 0] },
    ];
    return await compare(ways, print);
  } finally {
    await cluster?.close();
    await alone?.kill();
    removeDirectory(directory);
  }
}

async function compare(ways: readonly Way[], print: (line: string) => void) {
  for (const way of ways) await send(way, WARM_REQUESTS, CONNECTIONS[0] ?? 1);
  const results: BenchResult[] = [];
  for (const connections of CONNECTIONS) {
    const rounds: LoadOutcome[][] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      const round: LoadOutcome[] = [];
      for (const way of ways) round.push(await send(way, REQUESTS, connections));
      rounds.push(round);
    }
    for (const [at, way] of ways.entries()) {
      results.push(summary(way, at, connections, rounds, print));
    }
  }
  return results;
}

async function send(
  { ports }: Way,
  requestsCount: number,
  connections: number,
): Promise<LoadOutcome> {
  const outcomes = await Promise.all(
    ports.map((port) => {
      const requests = orderRequests(requestsCount / ports.length);
      return sendAll({ port, bodyStart: BODY_START }, requests, connections / ports.length);
    }),
  );
  const latencies = outcomes.flatMap(({ latenciesMs }) => [...latenciesMs]);
  return {
    perSecond: outcomes.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latenciesMs: Float64Array.from(latencies).toSorted(),
  };
}

/** The peer of each is the one process in the same round. */
function summary(
  { name }: Way,
  at: number,
  size: number,
  rounds: readonly LoadOutcome[][],
  print: (line: string) => void,
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
    `  ${name}, ${size} connections: ${Math.round(value)} orders/s, ratio ${ratio.toFixed(2)}, ` +
      `p50 ${latencyMs(0.5)} ms, p99 ${latencyMs(0.99)} ms`,
  );
  return { name: `orders, ${name}`, size, value, unit: 'requests/s', peer, ratio };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
