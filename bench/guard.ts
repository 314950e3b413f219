/**
 * The guard against what makes the program slower unnoticed: this checkout beside the commit before
 * it, in one run and in turns, by processor time, because the clock on the wall belongs to whoever
 * else uses the machine. More than a tenth slower in engine, replay or HTTP fails. Two processes
 * with the same code may differ by a tenth, by what the compiler has made of it, so engines and
 * replays run in several and the best process of each side counts; what seems slower all the same
 * is measured again in new ones.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commitBefore, unpackEarlier } from '../tools/earlier.ts';
import { SIDE_MEASURES, type SideMeasure, type ToSide } from './guard-side.ts';
import { sendAll } from './load.ts';
import { median } from './measure.ts';
import {
  type RealServer,
  removeDirectory,
  scratchDirectory,
  startServer,
  waitForHistory,
} from './real-server.ts';
import { orderRequests, publicReads } from './requests.ts';
import { firstThreadMicroseconds } from './thread-time.ts';

const HERE = resolve(import.meta.dirname, '..');
const LOSS_MAX = 1.1;
const ATTEMPTS = 3;
/** Processes of each side for engines and replays. */
const PROCESSES = 3;
const WARM_ROUNDS = 2;
const ROUNDS = 7;
const REQUESTS = 5_000;
/** Before the first round: until then half of what is measured is the compiler's doing. */
const WARM_REQUESTS = 20_000;
const CONNECTIONS = 32;
const PARTS = ['package.json', 'bin', 'config', 'src', 'bench', 'tools'];
const TICKER = '/api/spot/v1/market/ticker?symbol=BTCUSDT_SPBL';

const HTTP_MEASURES = ['orders over HTTP', 'reads over HTTP'] as const;
type HttpMeasure = (typeof HTTP_MEASURES)[number];
type Measure = SideMeasure | HttpMeasure;

/** Microseconds of processor time that one thing takes, in each round of a process of each side. */
interface Pair {
  readonly earlier: number[];
  readonly now: number[];
}

type Pairs = Map<Measure, Pair[]>;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The checkouts and the journals, in one directory. */
interface Ground {
  readonly earlier: string;
  readonly journals: string;
}

/** Resolves with whether it is as fast as before. */
async function guard(): Promise<boolean> {
  const commit = commitBefore();
  const directory = scratchDirectory();
  const ground = { earlier: join(directory, 'earlier'), journals: join(directory, 'journals') };
  try {
    mkdirSync(ground.earlier);
    if (!unpackEarlier(commit, ground.earlier, PARTS)) {
      print(`nothing to compare with: this clone does not have ${commit}`);
      return true;
    }
    print(`processor time beside ${commit}, ${ROUNDS} rounds in turn`);
    return await isAsFast(ground);
  } finally {
    removeDirectory(directory);
  }
}

async function isAsFast(ground: Ground): Promise<boolean> {
  let due: readonly Measure[] = [...SIDE_MEASURES, ...HTTP_MEASURES];
  for (let attempt = 1; attempt <= ATTEMPTS && due.length > 0; attempt += 1) {
    const slower: Measure[] = [];
    for (const [measure, pairs] of await measured(ground, due)) {
      if (!isAsFastIn(measure, pairs)) slower.push(measure);
    }
    due = slower;
    if (due.length > 0) print(`more than a tenth slower, attempt ${attempt}: ${due.join(', ')}`);
  }
  return due.length === 0;
}

/** What only the earlier commit cannot do has nothing to be compared with. */
function isAsFastIn(measure: Measure, pairs: readonly Pair[]): boolean {
  if (pairs.some(({ earlier }) => earlier.some(Number.isNaN))) {
    print(`  ${measure}: the earlier commit cannot do what is measured`);
    return true;
  }
  const before = Math.min(...pairs.map(({ earlier }) => median(earlier)));
  const now = Math.min(...pairs.map((pair) => median(pair.now)));
  const ratio = now / before;
  const figures = [before, now].map((spent) => `${spent.toFixed(2)} µs`);
  print(`  ${measure}: ${figures.join(' before, ')} now, ratio ${ratio.toFixed(3)}`);
  return ratio <= LOSS_MAX;
}

async function measured(ground: Ground, due: readonly Measure[]): Promise<Pairs> {
  const found: Pairs = new Map(due.map((measure) => [measure, []]));
  const inProcess = SIDE_MEASURES.filter((measure) => due.includes(measure));
  const overHttp = HTTP_MEASURES.filter((measure) => due.includes(measure));
  for (let count = 0; inProcess.length > 0 && count < PROCESSES; count += 1) {
    await measureSides(ground, inProcess, found);
  }
  if (overHttp.length > 0) await measureServers(ground, overHttp, found);
  return found;
}

async function measureSides(
  { earlier, journals }: Ground,
  measures: readonly SideMeasure[],
  found: Pairs,
): Promise<void> {
  const sides = { earlier: await startSide(earlier), now: await startSide(HERE) };
  try {
    // Each reads the journals that it has written: their formats may differ.
    const directoryOf = ({ pid }: ChildProcess): string => `${journals}-${pid}`;
    for (const side of Object.values(sides)) {
      const directory = directoryOf(side);
      for (const name of ['spot', 'contracts'])
        mkdirSync(join(directory, name), { recursive: true });
      await ask(side, { kind: 'write', directory });
    }
    for (const measure of measures) {
      const spent = (side: ChildProcess) =>
        ask(side, { kind: 'measure', measure, directory: directoryOf(side) });
      const pair = await inTurns(
        () => spent(sides.earlier),
        () => spent(sides.now),
      );
      found.get(measure)?.push(pair);
    }
  } finally {
    for (const side of Object.values(sides)) side.kill();
  }
}

async function startSide(checkout: string): Promise<ChildProcess> {
  const side = fork(join(HERE, 'bench/guard-child.ts'), [checkout]);
  await answerOf(side);
  return side;
}

function ask(side: ChildProcess, message: ToSide): Promise<number> {
  const answer = answerOf(side);
  side.send(message);
  return answer;
}

async function answerOf(side: ChildProcess): Promise<number> {
  const ending = new AbortController();
  const { signal } = ending;
  const ended = once(side, 'exit', { signal }).then(([code]) => {
    throw new Error(`a side of the guard ended with ${String(code)}`);
  });
  try {
    const [answer] = await Promise.race([once(side, 'message', { signal }), ended]);
    // NaN where it could not.
    return answer ?? Number.NaN;
  } finally {
    ending.abort();
    await ended.catch(() => undefined);
  }
}

/** Who goes first changes with each round. */
async function inTurns(earlier: () => Promise<number>, now: () => Promise<number>): Promise<Pair> {
  const pair: Pair = { earlier: [], now: [] };
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await earlier() : undefined;
    const spent = await now();
    const before = first ?? (await earlier());
    if (Number.isNaN(before)) return { earlier: [before], now: [spent] };
    if (round < 0) continue;
    pair.earlier.push(before);
    pair.now.push(spent);
  }
  return pair;
}

async function measureServers(
  { earlier, journals }: Ground,
  measures: readonly HttpMeasure[],
  found: Pairs,
): Promise<void> {
  const servers: RealServer[] = [];
  try {
    for (const checkout of [earlier, HERE]) {
      const directory = `${journals}-server-${process.hrtime.bigint()}`;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      servers.push(await startServer(directory, 'off', 0, checkout));
    }
    const [before, now] = servers;
    if (before === undefined || now === undefined) throw new Error('two servers are compared');
    for (const measure of measures) {
      for (const server of servers) await load(server, measure, WARM_REQUESTS);
      const pair = await inTurns(
        () => load(before, measure, REQUESTS),
        () => load(now, measure, REQUESTS),
      );
      found.get(measure)?.push(pair);
    }
  } finally {
    for (const server of servers) await server.kill();
  }
}

/** What the server's main thread spends on a request. */
async function load(server: RealServer, measure: HttpMeasure, count: number): Promise<number> {
  const isOrder = measure === 'orders over HTTP';
  const requests = isOrder ? orderRequests(count) : publicReads(TICKER, count);
  const before = firstThreadMicroseconds(server.processId);
  const target = { port: server.port, bodyStart: '{"code":"00000"' };
  await sendAll(target, requests, CONNECTIONS);
  const spent = firstThreadMicroseconds(server.processId) - before;
  await waitForHistory(server);
  return spent / count;
}

process.exitCode = (await guard()) ? 0 : 1;
