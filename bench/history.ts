/**
 * Writing the history: rows a second from steps that are in memory, into a file as the projector
 * writes it and into a PostgreSQL server of this machine, in turn. The server does not sync, so
 * that the disk of this machine does not decide. Where it is not installed it is left out. And what
 * a trade of contracts costs the projector in processor time, with its orders and its ledger.
 */
import { join } from 'node:path';
import type { Event, Step } from '#domain';
import { Engine } from '#engine';
import { type HistoryPlace, historyAt } from '#history';
import { type PostgresServer, postgresPrograms, startPostgres } from '../tools/postgres.ts';
import { recordStream, STREAM_ACCOUNTS, setupCommands } from './engine.ts';
import { median } from './measure.ts';
import { removeDirectory, scratchDirectory } from './real-server.ts';
import type { BenchResult } from './result.ts';
import { streamSteps } from './swap-engine.ts';

const SIZE = 100_000;
const STEPS_PER_TRANSACTION = 5_000;
const ROUNDS = 3;
/** A venue does something every few milliseconds. */
const STEP_MS = 5;
const START_MS = Date.parse('2026-03-01T12:00:00Z');
/** Candles come on top: a few for each transaction. */
const ROWS: ReadonlySet<Event['kind']> = new Set(['trade', 'order_closed', 'balance_changed']);

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const steps = stepsOf(SIZE);
  const rows = steps.flatMap(({ events }) => events).filter(({ kind }) => ROWS.has(kind)).length;
  const server = postgresPrograms() === undefined ? undefined : await startPostgres();
  if (server === undefined) print('  PostgreSQL is not installed: only the file is measured');
  try {
    const [file, database] = await rounds(steps, rows, server);
    const found = [result('history rows into SQLite', file)];
    if (server !== undefined) found.push(result('history rows into PostgreSQL', database));
    found.push(await contractTrades());
    for (const { name, value, unit } of found) print(`  ${name}: ${value.toFixed(1)} ${unit}`);
    return found;
  } finally {
    await server?.close();
  }
}

function result(name: string, rates: readonly number[]): BenchResult {
  return { name, size: SIZE, value: median(rates), unit: 'rows/s' };
}

async function contractTrades(): Promise<BenchResult> {
  const steps = streamSteps(SIZE, START_MS, STEP_MS);
  const events = steps.flatMap((step) => step.events);
  const trades = events.filter(({ kind }) => kind === 'contract_trade').length;
  const spent: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const directory = scratchDirectory();
    const before = process.cpuUsage();
    await seconds({ kind: 'sqlite', file: join(directory, 'h.sqlite') }, steps);
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / trades);
    removeDirectory(directory);
  }
  const name = 'a contract trade into SQLite, processor time';
  return { name, size: SIZE, value: median(spent), unit: 'µs' };
}

async function rounds(
  steps: readonly Step[],
  rows: number,
  server: PostgresServer | undefined,
): Promise<[number[], number[]]> {
  const [file, database]: [number[], number[]] = [[], []];
  const url = server?.url;
  for (let round = 0; round < ROUNDS; round += 1) {
    const directory = scratchDirectory();
    file.push(rows / (await seconds({ kind: 'sqlite', file: join(directory, 'h.sqlite') }, steps)));
    removeDirectory(directory);
    if (url === undefined) continue;
    database.push(rows / (await seconds({ kind: 'postgres', url }, steps)));
    await historyAt({ kind: 'postgres', url }).setAside();
  }
  return [file, database];
}

async function seconds(place: HistoryPlace, steps: readonly Step[]): Promise<number> {
  const writer = await historyAt(place).openWriter('the venue of a benchmark');
  const startMs = performance.now();
  for (let at = 0; at < steps.length; at += STEPS_PER_TRANSACTION) {
    await writer.project(steps.slice(at, at + STEPS_PER_TRANSACTION));
  }
  const spentMs = performance.now() - startMs;
  await writer.close();
  return spentMs / 1_000;
}

function stepsOf(size: number): Step[] {
  const engine = Engine.empty();
  const commands = [...setupCommands(STREAM_ACCOUNTS), ...recordStream(size)];
  return commands.map((command, index) => engine.apply(command, START_MS + STEP_MS * index));
}
