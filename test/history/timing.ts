/** Asking the same questions of a short history and of one ten times as long. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { HistoryReader } from '#history';
import { historyOf } from '../support/history-files.ts';

const ROUNDS = 41;
/** A page may cost this much more in a history ten times as long; a scan would cost ten times. */
const RATIO_MAX = 4;
/** Below this the clock and the machine's other work decide, not the index. */
const NOISE_MS = 1;

/** What is asked, and how many rows it must bring. */
export type Question = readonly [
  name: string,
  rows: number,
  ask: (reader: HistoryReader) => Promise<readonly unknown[]>,
];

/** Runs statements with `:from` and `:to`, and fast: a history is rebuilt if the machine stops. */
export function grow(file: string, statements: readonly string[], from: number, to: number): void {
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  db.transaction(() => {
    for (const statement of statements) db.prepare(statement).run({ from, to });
  })();
  db.close();
}

/** Every question costs after `lengthen` about what it cost before. */
export async function costsTheSame(
  t: TestContext,
  file: string,
  questions: readonly Question[],
  lengthen: () => void,
): Promise<void> {
  const short = await measure(file, questions);
  lengthen();
  const long = await measure(file, questions);
  for (const [index, [name]] of questions.entries()) {
    const [before, after] = [short[index] ?? 0, long[index] ?? Number.NaN];
    t.diagnostic(`${name}: ${before.toFixed(2)} ms, then ${after.toFixed(2)} ms`);
    assert.ok(after < RATIO_MAX * before + NOISE_MS, `${name}: ${before} ms, then ${after} ms`);
  }
}

async function measure(file: string, questions: readonly Question[]): Promise<number[]> {
  const reader = await historyOf(file).openReader();
  const times: number[] = [];
  for (const question of questions) times.push(await medianMs(reader, question));
  await reader.close();
  return times;
}

async function medianMs(reader: HistoryReader, [name, rows, ask]: Question): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const found = await ask(reader);
    times.push(performance.now() - startMs);
    assert.equal(found.length, rows, name);
  }
  return times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}
