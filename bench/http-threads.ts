/**
 * Signed, durable orders with so many threads that speak HTTP, against a bare node:http echo in the
 * rounds, and what an order takes of each thread's processor time: what counts where a machine has
 * fewer cores than the venue has threads. The size is the number of HTTP threads.
 */
import { type Echo, startEcho } from './echo.ts';
import { type LoadOutcome, sendAll } from './load.ts';
import { median } from './measure.ts';
import {
  type RealServer,
  raiseCaps,
  removeDirectory,
  scratchDirectory,
  startServer,
  waitForHistory,
} from './real-server.ts';
import { orderRequests } from './requests.ts';
import type { BenchResult } from './result.ts';
import { threadSeconds } from './thread-time.ts';

const HTTP_THREADS = [0, 1, 2];
const CONNECTIONS = 64;
const ROUNDS = 5;
const ORDERS = 20_000;
const BODY_START = '{"code":"00000"';
/** In the order of the table; what else a process has is its garbage and its compiler. */
const THREADS = ['market', 'HTTP thread', 'journal', 'projector', 'others'] as const;
type Thread = (typeof THREADS)[number];

interface Round {
  readonly echo: LoadOutcome;
  readonly ours: LoadOutcome;
  readonly orderUs: Readonly<Record<Thread, number>>;
}

/** Prints each round's figures by number of HTTP threads as they come. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const echo = await startEcho();
  const directories = HTTP_THREADS.map(() => scratchDirectory());
  const servers: RealServer[] = [];
  try {
    for (const [at, directory] of directories.entries()) {
      const server = await startServer(directory, 'off', HTTP_THREADS[at]);
      await raiseCaps(server);
      servers.push(server);
    }
    const rounds = servers.map((): Round[] => []);
    for (const target of [echo, ...servers.map(targetOf)]) {
      await sendAll(target, orderRequests(ORDERS), CONNECTIONS);
    }
    for (let count = 0; count < ROUNDS; count += 1) {
      for (const [at, server] of servers.entries()) {
        rounds[at]?.push(await playRound(echo, server));
      }
    }
    return rounds.flatMap((done, at) => summary(HTTP_THREADS[at] ?? 0, done, print));
  } finally {
    echo.stop();
    for (const server of servers) await server.kill();
    for (const directory of directories) removeDirectory(directory);
  }
}

function targetOf({ port }: RealServer) {
  return { port, bodyStart: BODY_START };
}

async function playRound(echo: Echo, server: RealServer): Promise<Round> {
  await waitForHistory(server);
  const peer = await sendAll(echo, orderRequests(ORDERS), CONNECTIONS);
  const before = secondsOf(server);
  const ours = await sendAll(targetOf(server), orderRequests(ORDERS), CONNECTIONS);
  await waitForHistory(server);
  const after = secondsOf(server);
  const usOf = (thread: Thread) => ((after[thread] - before[thread]) * 1e6) / ORDERS;
  const [market, http] = [usOf('market'), usOf('HTTP thread')];
  const [journal, projector, others] = [usOf('journal'), usOf('projector'), usOf('others')];
  return { echo: peer, ours, orderUs: { market, 'HTTP thread': http, journal, projector, others } };
}

function secondsOf({ processId }: RealServer): Record<Thread, number> {
  const seconds = { market: 0, 'HTTP thread': 0, journal: 0, projector: 0, others: 0 };
  for (const [name, spent] of threadSeconds(processId)) {
    const thread = THREADS.find((known) => name.startsWith(known));
    seconds[thread ?? 'others'] += spent;
  }
  return seconds;
}

function summary(
  httpThreads: number,
  rounds: readonly Round[],
  print: (line: string) => void,
): BenchResult[] {
  const value = median(rounds.map(({ ours }) => ours.perSecond));
  const peer = median(rounds.map(({ echo }) => echo.perSecond));
  const ratio = median(rounds.map(({ ours, echo }) => ours.perSecond / echo.perSecond));
  const usOf = (thread: Thread) => median(rounds.map(({ orderUs }) => orderUs[thread]));
  const spent = THREADS.map((thread) => `${thread} ${usOf(thread).toFixed(1)}`).join(', ');
  print(
    `  ${httpThreads} HTTP threads: ${Math.round(value)} requests/s, echo ${Math.round(peer)}, ` +
      `ratio ${ratio.toFixed(2)}, µs of an order: ${spent}`,
  );
  const named = (name: string) => ({ name, size: httpThreads });
  return [
    { ...named('placeOrder through HTTP threads'), value, unit: 'requests/s', peer, ratio },
    ...THREADS.map((thread) => ({
      ...named(`processor time of an order, ${thread}`),
      value: usOf(thread),
      unit: 'µs',
    })),
  ];
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
