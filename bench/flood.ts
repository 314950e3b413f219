/**
 * How long a calm client waits for its durable orders beside a flood of 512 connections, against
 * what it waits without one. Server, flood and client are processes of their own, the limits are
 * those of the demo, and the client keeps to them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { FLOOD_CONNECTIONS, FLOODS, type Flood, startFlooder } from './flooder.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory, startServer } from './real-server.ts';
import { DEMO, signedOrder } from './requests.ts';
import type { BenchResult } from './result.ts';

/** With the market thread's own sockets, and with those of a thread beside it. */
const GATEWAYS = [0, 1];
const ORDERS = 150;
const ROUNDS = 3;
/** Below ten orders a second. */
const PAUSE_MS = 105;
/** Until the flood is under way. */
const FLOOD_MS = 1_000;
/** What it waits beside a flood, as so many times what it waits without. */
const RATIO_MAX = 2;

/** One client with one connection. */
export class CalmClient {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async at(port: number): Promise<CalmClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new CalmClient(socket);
  }

  /** How long each of so many orders took, sorted. */
  async place(count: number): Promise<number[]> {
    const tookMs: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const startMs = performance.now();
      this.#socket.write(signedOrder(DEMO));
      const [answer] = await once(this.#socket, 'data');
      tookMs.push(performance.now() - startMs);
      assert.match(String(answer), /^HTTP\/1\.1 200 /);
      await setTimeout(PAUSE_MS);
    }
    return tookMs.toSorted((left, right) => left - right);
  }

  /** The same beside a flood, and how many of its requests a second are answered. */
  async placeBeside(flood: Flood, port: number, count: number) {
    const flooder = await startFlooder(flood, port);
    try {
      await setTimeout(FLOOD_MS);
      const startMs = performance.now();
      const before = await flooder.answered();
      const tookMs = await this.place(count);
      const answered = (await flooder.answered()) - before;
      return { tookMs, answeredPerSecond: (answered * 1_000) / (performance.now() - startMs) };
    } finally {
      await flooder.stop();
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function shown(tookMs: readonly number[]): string {
  return `p50 ${part(tookMs, 0.5).toFixed(1)} ms, p99 ${part(tookMs, 0.99).toFixed(1)} ms`;
}

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const gateways of GATEWAYS) results.push(...(await runWith(gateways, print)));
  return results;
}

interface Round {
  readonly beside: number;
  readonly quiet: number;
}

async function runWith(gateways: number, print: (line: string) => void): Promise<BenchResult[]> {
  const directory = scratchDirectory();
  const server = await startServer(directory, 'on', gateways);
  const client = await CalmClient.at(server.port);
  const rounds = new Map<Flood, Round[]>(FLOODS.map((one) => [one, []]));
  try {
    await client.place(ORDERS / 3);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [flood, found] of rounds) {
        const quiet = await client.place(ORDERS);
        const { tookMs, answeredPerSecond } = await client.placeBeside(flood, server.port, ORDERS);
        print(`  ${gateways} gateways, quiet: ${shown(quiet)}; beside a flood of one ${flood}: \
${shown(tookMs)}, ${Math.round(answeredPerSecond)} requests of it a second`);
        found.push({ beside: part(tookMs, 0.99), quiet: part(quiet, 0.99) });
      }
    }
    return Array.from(rounds, ([flood, found]) => summary(flood, gateways, found));
  } finally {
    client.close();
    await server.kill();
    removeDirectory(directory);
  }
}

function summary(flood: Flood, gateways: number, rounds: readonly Round[]): BenchResult {
  const value = median(rounds.map(({ beside, quiet }) => beside / quiet));
  const through = gateways === 0 ? '' : `, ${gateways} gateway`;
  const name = `p99 of an order beside a flood of one ${flood}${through}`;
  return { name, size: FLOOD_CONNECTIONS, value, unit: '× quiet', floor: RATIO_MAX };
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
