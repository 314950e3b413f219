/** How a run of the benchmarks is told: the machine, the table, and the line of the history. */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './result.ts';

const HISTORY_FILE = join(import.meta.dirname, 'history.ndjson');
const LESS_IS_BETTER: ReadonlySet<string> = new Set(['bytes', 's', 'ms', 'µs', '× quiet', 'looks']);
const COLUMNS = ['what', 'size', 'value', 'peer', 'ratio', 'floor', 'aim', 'verdict'] as const;

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  /** What was measured; unknown of the first runs, and without git. */
  readonly commit?: string;
}

export function thisMachine(): Machine {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    ...commitHere(),
  };
}

function commitHere(): Pick<Machine, 'commit'> {
  const words = ['describe', '--always', '--dirty', '--exclude', '*'];
  const { status, stdout } = spawnSync('git', words, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? { commit: stdout.trim() } : {};
}

export function machineLine({ date, cpu, cores, memoryBytes, node, commit }: Machine): string {
  const memory = (memoryBytes / 2 ** 30).toFixed(1);
  const machine = `${cpu}, ${cores} cores, ${memory} GiB, Node ${node}, ${date}`;
  return commit === undefined ? machine : `${machine}, commit ${commit}`;
}

/** Keeps a run: one line of JSON, so that runs can be compared over time. */
export function appendHistory(machine: Machine, results: readonly BenchResult[]): void {
  appendFileSync(HISTORY_FILE, `${JSON.stringify({ ...machine, results })}\n`);
}

/** The results as a table in Markdown that also reads well in a terminal. */
export function tableLines(results: readonly BenchResult[]): string[] {
  const rows = results.map(cells);
  const widths = COLUMNS.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => aligned(cell, widths[at] ?? 0, at)).join(' | ')} |`;
  const rule = widths.map((width, at) => (isText(at) ? '-'.repeat(width) : dashes(width)));
  return [line(COLUMNS), `| ${rule.join(' | ')} |`, ...rows.map(line)];
}

function cells(result: BenchResult): string[] {
  const { name, size, value, unit, peer, ratio, floor, aim } = result;
  return [
    name,
    size.toLocaleString('en'),
    `${shown(value)} ${unit}`,
    peer === undefined ? '' : shown(peer),
    ratio === undefined ? '' : shown(ratio),
    floor === undefined ? '' : shown(floor),
    aim === undefined ? '' : shown(aim),
    verdict(result),
  ];
}

/** What the budget says: the aim is reached, the floor is, or not even that. */
export function verdict({ value, unit, ratio, floor, aim }: BenchResult): string {
  if (floor === undefined) return '';
  const reached = ratio ?? value;
  const reaches = (bound: number) =>
    LESS_IS_BETTER.has(unit) ? reached <= bound : reached >= bound;
  if (aim !== undefined && reaches(aim)) return 'aim';
  return reaches(floor) ? 'floor' : 'BELOW FLOOR';
}

function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}

function isText(column: number): boolean {
  return column === 0 || column === COLUMNS.length - 1;
}

function dashes(width: number): string {
  return `${'-'.repeat(width - 1)}:`;
}

function aligned(cell: string, width: number, column: number): string {
  return isText(column) ? cell.padEnd(width) : cell.padStart(width);
}
