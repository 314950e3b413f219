/**
 * Signed, durable orders over HTTP with so many gateways, against a bare node:http echo in the same
 * rounds, and what an order takes of each thread's processor time: what counts where a machine has
 * fewer cores than the venue has threads. The size is the number of gateways.
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

const GATEWAYS = [0, 1, 2];
const CONNECTIONS = 64;
const ROUNDS = 5;
const ORDERS = 20_000;
const BODY_START = '{"code":"00000"';
/** In the order of the table; what else a process has is its garbage and its compiler. */
const THREADS = ['market', 'gateway', 'journal', 'projector', 'others'] as const;
type Thread = (typeof THREADS)[number];

interface Round {
  readonly echo: LoadOutcome;
  readonly ours: LoadOutcome;
  readonly orderUs: Readonly<Record<Thread, number>>;
}

/** Prints each round's figures by number of gateways as they come. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const echo = await startEcho();
  const directories = GATEWAYS.map(() => scratchDirectory());
  const servers: RealServer[] = [];
  try {
    for (const [at, directory] of directories.entries()) {
      const server = await startServer(directory, 'off', GATEWAYS[at]);
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
    return rounds.flatMap((done, at) => summary(GATEWAYS[at] ?? 0, done, print));
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
  const [market, gateway] = [usOf('market'), usOf('gateway')];
  const [journal, projector, others] = [usOf('journal'), usOf('projector'), usOf('others')];
  return { echo: peer, ours, orderUs: { market, gateway, journal, projector, others } };
}

function secondsOf({ processId }: RealServer): Record<Thread, number> {
  const seconds = { market: 0, gateway: 0, journal: 0, projector: 0, others: 0 };
  for (const [name, spent] of threadSeconds(processId)) {
    const thread = THREADS.find((known) => name.startsWith(known));
    seconds[thread ?? 'others'] += spent;
  }
  return seconds;
}

function summary(
  gateways: number,
  rounds: readonly Round[],
  print: (line: string) => void,
): BenchResult[] {
  const value = median(rounds.map(({ ours }) => ours.perSecond));
  const peer = median(rounds.map(({ echo }) => echo.perSecond));
  const ratio = median(rounds.map(({ ours, echo }) => ours.perSecond / echo.perSecond));
  const usOf = (thread: Thread) => median(rounds.map(({ orderUs }) => orderUs[thread]));
  const spent = THREADS.map((thread) => `${thread} ${usOf(thread).toFixed(1)}`).join(', ');
  print(
    `  ${gateways} gateways: ${Math.round(value)} requests/s, echo ${Math.round(peer)}, ` +
      `ratio ${ratio.toFixed(2)}, µs of an order: ${spent}`,
  );
  const named = (name: string) => ({ name, size: gateways });
  return [
    { ...named('placeOrder through gateways'), value, unit: 'requests/s', peer, ratio },
    ...THREADS.map((thread) => ({
      ...named(`processor time of an order, ${thread}`),
      value: usOf(thread),
      unit: 'µs',
    })),
  ];
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
