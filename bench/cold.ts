/**
 * A venue that has just started on an empty directory, as every venue of a CI run has: orders in
 * the first, third and tenth second after its ready line, beside a bare echo that is just as cold.
 * The load generator is warm.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_CONFIG_FILE } from '#config';
import { startEcho } from './echo.ts';
import { sendAll, sendFor } from './load.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory, startServer } from './real-server.ts';
import { orderRequests } from './requests.ts';
import type { BenchResult } from './result.ts';

const BUILD = join(import.meta.dirname, '../tools/build.ts');
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 10;
const WARM_REQUESTS = 50_000;
/** More than a venue takes in ten seconds. The echo is sent the same again and again. */
const ORDERS = 200_000;
const ECHO_TIMES = 4;
const SHOWN = [
  ['first', 0],
  ['third', 2],
  ['tenth', 9],
] as const;

/** Orders answered in each second. */
interface Round {
  readonly ours: readonly number[];
  readonly echo: readonly number[];
}

/** Measures in rounds that take turns, and prints the result of each second. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  execFileSync(process.execPath, [BUILD]);
  const directory = scratchDirectory();
  try {
    const configFile = roomyConfig(directory);
    await warmUp();
    const rounds: Round[] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      const orders = orderRequests(ORDERS);
      rounds.push({ ours: await coldVenue(configFile, orders), echo: await coldEcho(orders) });
    }
    return SHOWN.map(([word, second]) => {
      const result = summary(`orders in the ${word} second after a start`, second, rounds);
      const { name, value, peer, ratio } = result;
      print(`  ${name}: ${value} for ${peer} (${ratio.toFixed(2)})`);
      return result;
    });
  } finally {
    removeDirectory(directory);
  }
}

/** The demo's, whose accounts may have open what ten seconds of orders leave in the book. */
function roomyConfig(directory: string): string {
  const demo = readFileSync(DEMO_CONFIG_FILE, 'utf8');
  const file = join(directory, 'cold.yaml');
  writeFileSync(file, demo.replaceAll(/openOrdersMax: \d+/g, 'openOrdersMax: 1000000'));
  return file;
}

/** Of the generator: a cold one would measure itself. */
async function warmUp(): Promise<void> {
  const echo = await startEcho();
  try {
    const requests = orderRequests(WARM_REQUESTS);
    await sendAll(echo, requests, CONNECTIONS);
    await sendFor(echo, echoed(requests), CONNECTIONS, 1);
  } finally {
    echo.stop();
  }
}

async function coldVenue(configFile: string, orders: Buffer[]): Promise<readonly number[]> {
  const directory = scratchDirectory();
  const server = await startServer(directory, 'off', 0, undefined, configFile);
  try {
    const target = { port: server.port, bodyStart: '{"code":"00000"' };
    return await sendFor(target, orders, CONNECTIONS, SECONDS);
  } finally {
    await server.kill();
    removeDirectory(directory);
  }
}

async function coldEcho(orders: Buffer[]): Promise<readonly number[]> {
  const echo = await startEcho();
  try {
    return await sendFor(echo, echoed(orders), CONNECTIONS, SECONDS);
  } finally {
    echo.stop();
  }
}

function echoed(orders: readonly Buffer[]): Buffer[] {
  return Array.from({ length: ECHO_TIMES }, () => orders).flat();
}

function summary(name: string, second: number, rounds: readonly Round[]) {
  const of = (counts: readonly number[]) => counts[second] ?? Number.NaN;
  return {
    name,
    size: CONNECTIONS,
    value: median(rounds.map(({ ours }) => of(ours))),
    unit: 'requests/s',
    peer: median(rounds.map(({ echo }) => of(echo))),
    ratio: median(rounds.map(({ ours, echo }) => of(ours) / of(echo))),
  };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
