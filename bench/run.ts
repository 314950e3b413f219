/**
 * Runs benchmarks one after the other, each in a process of its own, and tells how they stand
 * against the budgets. Every run is appended to bench/history.ndjson and shown in
 * docs/PERFORMANCE.md.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromBenchmark } from './child.ts';
import { writePage } from './page.ts';
import { appendHistory, machineLine, tableLines, thisMachine } from './report.ts';
import type { BenchResult } from './result.ts';

const BENCHMARKS = [
  'book',
  'engine',
  'swap-engine',
  'coin-wallets',
  'memory',
  'replay',
  'history',
  'start',
  'cold',
  'keys',
  'http',
  'http-threads',
  'flood',
  'fanout',
  'stall',
  'log',
  'cluster',
] as const;
const CHILD = join(import.meta.dirname, 'child.ts');

/** Runs the named benchmarks, or all when none is named. Rejects on an unknown name. */
export async function runBenchmarks(
  names: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const known: readonly string[] = BENCHMARKS;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`no benchmark ${unknown.join(', ')}: there are ${known.join(', ')}`);
  }
  const machine = thisMachine();
  print(machineLine(machine));
  const results: BenchResult[] = [];
  for (const name of names.length > 0 ? names : known) {
    print(name);
    results.push(...(await runOne(name, print)));
  }
  for (const line of ['', ...tableLines(results)]) print(line);
  appendHistory(machine, results);
  writePage();
}

async function runOne(
  name: string,
  print: (line: string) => void,
): Promise<readonly BenchResult[]> {
  const child = fork(CHILD, [name]);
  let results: readonly BenchResult[] | undefined;
  child.on('message', (message: FromBenchmark) => {
    if (message.kind === 'line') print(message.text);
    else results = message.results;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || results === undefined) throw new Error(`benchmark ${name} failed (${code})`);
  return results;
}

if (import.meta.main) {
  await runBenchmarks(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
}
