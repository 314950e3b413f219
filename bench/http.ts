/**
 * The whole server over HTTP against a bare node:http echo, in one run on one machine: the same
 * load generator, the same requests, rounds in turn. Orders are durable before they are answered.
 * The size is how many accounts there are, each with one order resting at a price of its own.
 */
import { type Echo, startEcho } from './echo.ts';
import { restingCommands, writeJournal } from './journal-data.ts';
import { type LoadOutcome, sendAll, type Target } from './load.ts';
import { median } from './measure.ts';
import {
  fundContracts,
  type RealServer,
  raiseCaps,
  removeDirectory,
  scratchDirectory,
  startServer,
  waitForHistory,
} from './real-server.ts';
import {
  contractOrderRequests,
  currentOrderRequests,
  orderRequests,
  publicReads,
  signedReads,
} from './requests.ts';
import type { BenchResult } from './result.ts';
import { firstThreadMicroseconds } from './thread-time.ts';

const SIZES = [1_000, 10_000];
const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_REQUESTS = 20_000;
const COMMANDS_PER_ENTRY = 1_024;
/** The slowest of a hundred answers, as so many times the echo's. */
const LATENESS_MAX = 2;

interface Measure {
  readonly name: string;
  /** What the body of every good answer starts with. */
  readonly bodyStart: string;
  readonly requests: (count: number) => Buffer[];
  readonly requestsPerRound: number;
  readonly floor: number;
  readonly aim: number;
}

const ENVELOPE = '{"code":"00000"';
const READ = { bodyStart: ENVELOPE, requestsPerRound: 15_000, floor: 0.5, aim: 0.8 };

const MEASURES: readonly Measure[] = [
  {
    name: 'placeOrder, signed, durable',
    bodyStart: ENVELOPE,
    requests: orderRequests,
    requestsPerRound: 25_000,
    floor: 0.45,
    aim: 0.65,
  },
  {
    name: 'swap placeOrder, signed, durable',
    bodyStart: '{"client_oid"',
    requests: contractOrderRequests,
    requestsPerRound: 25_000,
    floor: 0.45,
    aim: 0.65,
  },
  reading('market/depth', '/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&type=step0&limit=100'),
  reading('market/ticker', '/api/spot/v1/market/ticker?symbol=BTCUSDT_SPBL'),
  reading('market/tickers', '/api/spot/v1/market/tickers'),
  {
    name: 'account/assets, signed',
    requests: (count) => signedReads('/api/spot/v1/account/assets', count),
    ...READ,
  },
  {
    name: 'current order, signed, durable',
    bodyStart: '{"symbol"',
    requests: currentOrderRequests,
    requestsPerRound: 25_000,
    floor: 0.45,
    aim: 0.65,
  },
  readingCurrent(
    'market/depth',
    '{"lastUpdateId"',
    '/api/v3/market/depth?symbol=BTCUSDT&limit=200',
  ),
  readingCurrent('market/ticker/24hr', '[{', '/api/v3/market/ticker/24hr?symbol=BTCUSDT'),
  {
    ...READ,
    name: 'current account, signed',
    bodyStart: '{"makerCommission"',
    requests: (count) => signedReads('/api/v3/account/', count),
  },
];

function readingCurrent(name: string, bodyStart: string, target: string): Measure {
  const requests = (count: number) => publicReads(target, count);
  return { ...READ, name: `current ${name}`, bodyStart, requests };
}

function reading(name: string, target: string): Measure {
  return { name, requests: (count) => publicReads(target, count), ...READ };
}

interface Runner {
  readonly size: number;
  readonly server: RealServer;
}

function targetOf({ server }: Runner, { bodyStart }: Measure): Target {
  return { port: server.port, bodyStart };
}

/** Measures orders and reads at every size and prints each result as it comes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const echo = await startEcho();
  const directories: string[] = [];
  const runners: Runner[] = [];
  try {
    for (const size of SIZES) {
      const directory = scratchDirectory();
      directories.push(directory);
      await writeJournal(directory, restingCommands(size), COMMANDS_PER_ENTRY);
      const server = await startServer(directory);
      await raiseCaps(server);
      await fundContracts(server);
      runners.push({ size, server });
    }
    const results: BenchResult[] = [];
    for (const measure of MEASURES) results.push(...(await compare(measure, echo, runners, print)));
    return results;
  } finally {
    echo.stop();
    for (const { server } of runners) await server.kill();
    for (const directory of directories) removeDirectory(directory);
  }
}

/** What a load brought, and how long the thread that answers was busy with each request. */
interface Played extends LoadOutcome {
  readonly threadUs: number;
}

/** One round: the echo and right after it the server, so that both meet the same machine. */
interface Round {
  readonly echo: Played;
  readonly ours: Played;
}

async function compare(
  measure: Measure,
  echo: Echo,
  runners: readonly Runner[],
  print: (line: string) => void,
): Promise<BenchResult[]> {
  const rounds = new Map<Runner, Round[]>(runners.map((runner) => [runner, []]));
  const warm = Math.min(WARM_REQUESTS, measure.requestsPerRound);
  for (const target of [echo, ...runners.map((runner) => targetOf(runner, measure))]) {
    await sendAll(target, measure.requests(warm), CONNECTIONS);
  }
  for (let count = 0; count < ROUNDS; count += 1) {
    for (const [runner, done] of rounds) done.push(await playRound(measure, echo, runner));
  }
  return Array.from(rounds, ([{ size }, done]) => summary(measure, size, done, print)).flat();
}

async function playRound(measure: Measure, echo: Echo, runner: Runner): Promise<Round> {
  const requests = () => measure.requests(measure.requestsPerRound);
  // The history of the round before is not written at the expense of this one.
  await waitForHistory(runner.server);
  const peer = await play(echo, echo.processId, requests());
  const ours = await play(targetOf(runner, measure), runner.server.processId, requests());
  await waitForHistory(runner.server);
  return { echo: peer, ours };
}

async function play(target: Target, processId: number, requests: Buffer[]): Promise<Played> {
  const beforeUs = firstThreadMicroseconds(processId);
  const outcome = await sendAll(target, requests, CONNECTIONS);
  const threadUs = (firstThreadMicroseconds(processId) - beforeUs) / requests.length;
  return { ...outcome, threadUs };
}

function summary(
  { name, floor, aim }: Measure,
  size: number,
  rounds: readonly Round[],
  print: (line: string) => void,
): BenchResult[] {
  const row = (label: string, unit: string, of: (each: Played) => number) =>
    compared(`${label}${name}`, size, unit, rounds, of);
  const rate = row('', 'requests/s', ({ perSecond }) => perSecond);
  const busy = row('processor time of ', 'µs', ({ threadUs }) => threadUs);
  const middle = row('p50 of ', 'ms', (each) => percentileMs(each, 50));
  const late = row('p99 of ', 'ms', (each) => percentileMs(each, 99));
  const words = [rate, busy, middle, late].map(inWords).join(', ');
  print(`  ${name} ${size}: ${words}`);
  return [{ ...rate, floor, aim }, busy, middle, { ...late, floor: LATENESS_MAX }];
}

type Compared = BenchResult & Required<Pick<BenchResult, 'peer' | 'ratio'>>;

/** A figure of the server beside the echo's: medians of the rounds, as is their ratio. */
function compared(
  name: string,
  size: number,
  unit: string,
  rounds: readonly Round[],
  of: (each: Played) => number,
): Compared {
  return {
    name,
    size,
    value: median(rounds.map(({ ours }) => of(ours))),
    unit,
    peer: median(rounds.map(({ echo }) => of(echo))),
    ratio: median(rounds.map(({ ours, echo }) => of(ours) / of(echo))),
  };
}

function percentileMs({ latenciesMs }: LoadOutcome, percent: number): number {
  return latenciesMs[Math.floor((latenciesMs.length * percent) / 100)] ?? Number.NaN;
}

function inWords({ value, unit, peer, ratio }: Compared): string {
  const [ours, echo] = [value, peer].map((figure) =>
    figure >= 100 ? Math.round(figure) : figure.toPrecision(2),
  );
  return `${ours} ${unit} for ${echo} (${ratio.toFixed(2)})`;
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
