/**
 * How long calm clients wait for their durable orders beside a flood of 512 connections, against
 * what they wait without one. Server, flood and clients are processes of their own, the limits are
 * those of the demo, and the clients keep to them. Quiet and loud moments take turns, and a
 * percentile is that of all of them: of one moment's orders it would be a single order.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { FLOOD_CONNECTIONS, FLOODS, type Flood, type Flooder, startFlooder } from './flooder.ts';
import { openAccounts, removeDirectory, scratchDirectory, startServer } from './real-server.ts';
import { type Client, DEMO, signedOrder } from './requests.ts';
import type { BenchResult } from './result.ts';

/** With the market thread's own sockets, and with those of a thread beside it. */
const HTTP_THREADS = [0, 1];
/** Many, so that moments are short; few orders of each, so that they are one load and no flood. */
const CLIENTS = 30;
const ORDERS = 10;
const ROUNDS = 5;
/** Below ten orders a second. */
const PAUSE_MS = 105;
/** A flood is under way when it has had an answer for each of its connections. */
const LOOK_EVERY_MS = 25;
const FLOOD_WAIT_MS = 10_000;
/** What it waits beside a flood, as so many times what it waits without. */
const RATIO_MAX = 2;

/** One client with one connection. */
export class CalmClient {
  readonly #socket: Socket;
  readonly #client: Client;

  private constructor(socket: Socket, client: Client) {
    this.#socket = socket;
    this.#client = client;
  }

  static async at(port: number, client = DEMO): Promise<CalmClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new CalmClient(socket, client);
  }

  /** How long each of so many orders took, sorted. */
  async place(count: number): Promise<number[]> {
    const tookMs: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const startMs = performance.now();
      this.#socket.write(signedOrder(this.#client));
      const [answer] = await once(this.#socket, 'data');
      tookMs.push(performance.now() - startMs);
      assert.match(String(answer), /^HTTP\/1\.1 200 /);
      await setTimeout(PAUSE_MS);
    }
    return tookMs.toSorted((left, right) => left - right);
  }

  close(): void {
    this.#socket.destroy();
  }
}

function part(tookMs: readonly number[], share: number): number {
  const sorted = tookMs.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function shown(tookMs: readonly number[]): string {
  return `p50 ${part(tookMs, 0.5).toFixed(1)} ms, p99 ${part(tookMs, 0.99).toFixed(1)} ms`;
}

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const httpThreads of HTTP_THREADS) results.push(...(await runWith(httpThreads, print)));
  return results;
}

/** What `orders` resolves with, had beside a flood, and how many of its requests are answered. */
export async function beside<T>(flood: Flood, port: number, orders: () => Promise<T>) {
  const flooder = await startFlooder(flood, port);
  try {
    await underWay(flooder);
    const startMs = performance.now();
    const before = await flooder.answered();
    const found = await orders();
    const answered = (await flooder.answered()) - before;
    return { found, answeredPerSecond: (answered * 1_000) / (performance.now() - startMs) };
  } finally {
    await flooder.stop();
  }
}

async function underWay(flooder: Flooder): Promise<void> {
  const giveUpMs = performance.now() + FLOOD_WAIT_MS;
  while ((await flooder.answered()) < FLOOD_CONNECTIONS) {
    assert(performance.now() < giveUpMs, 'a flood has an answer for each of its connections');
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** They begin one after the other, so that their orders do not come at one moment. */
async function placeAll(clients: readonly CalmClient[], count: number): Promise<number[]> {
  const begin = async (client: CalmClient, at: number) => {
    await setTimeout((at * PAUSE_MS) / clients.length);
    return client.place(count);
  };
  return (await Promise.all(clients.map(begin))).flat();
}

async function runWith(httpThreads: number, print: (line: string) => void): Promise<BenchResult[]> {
  const directory = scratchDirectory();
  const server = await startServer(directory, 'on', httpThreads);
  const accounts = await openAccounts(server, CLIENTS);
  const clients = await Promise.all(accounts.map((one) => CalmClient.at(server.port, one)));
  const results: BenchResult[] = [];
  try {
    await placeAll(clients, ORDERS);
    for (const flood of FLOODS) {
      const quietMs: number[] = [];
      const loudMs: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        quietMs.push(...(await placeAll(clients, ORDERS)));
        const loud = await beside(flood, server.port, () => placeAll(clients, ORDERS));
        loudMs.push(...loud.found);
        rates.push(Math.round(loud.answeredPerSecond));
      }
      print(`  ${httpThreads} HTTP threads, quiet: ${shown(quietMs)}; beside a flood of one \
${flood}: ${shown(loudMs)}; ${rates.join(', ')} requests of it a second`);
      results.push(summary(flood, httpThreads, part(loudMs, 0.99) / part(quietMs, 0.99)));
    }
    return results;
  } finally {
    for (const client of clients) client.close();
    await server.kill();
    removeDirectory(directory);
  }
}

function summary(flood: Flood, httpThreads: number, value: number): BenchResult {
  const through = httpThreads === 0 ? '' : `, ${httpThreads} HTTP thread`;
  const name = `p99 of an order beside a flood of one ${flood}${through}`;
  return { name, size: FLOOD_CONNECTIONS, value, unit: '× quiet', floor: RATIO_MAX };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
