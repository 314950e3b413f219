/**
 * What every history must do, wherever it is kept: a `historyTest` runs with SQLite, and with every
 * other database in a file that chooses it and imports those with the tests.
 */
import { type TestContext, test } from 'node:test';
import type { History, HistoryReader, ProjectedStep } from '#history';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';

export interface Adapter {
  readonly name: string;
  /** A history that nobody has written, which goes away after the test. */
  make(t: TestContext): History;
  /** The part of a test's random days that is enough here: a database costs more than a file. */
  readonly runsShare: number;
}

const FILE: Adapter = { name: 'SQLite', make: (t) => historyOf(historyFile(t)), runsShare: 1 };

let adapter = FILE;

/** For all files with tests that are imported afterwards. */
export function chooseAdapter(chosen: Adapter): void {
  adapter = chosen;
}

export interface Stage {
  newHistory(): History;
  /** How many random days a property is tried on that takes so many with a file. */
  runs(count: number): number;
  /** Projects everything a venue did and opens the result for reading. */
  readerOf(venue: { readonly steps: readonly ProjectedStep[] }): Promise<HistoryReader>;
}

export function historyTest(name: string, body: (stage: Stage) => Promise<void>): void {
  const chosen = adapter;
  test(`${chosen.name}: ${name}`, (t) => body(stageOf(t, chosen)));
}

/** What is about the file itself, and so has nothing to show with another database. */
export function fileTest(name: string, body: (t: TestContext) => Promise<void>): void {
  if (adapter === FILE) test(name, body);
}

function stageOf(t: TestContext, chosen: Adapter): Stage {
  const newHistory = (): History => chosen.make(t);
  return {
    newHistory,
    runs: (count) => Math.ceil(count * chosen.runsShare),
    readerOf: async ({ steps }) => {
      const history = newHistory();
      await project(history, steps);
      const reader = await history.openReader();
      t.after(() => reader.close());
      return reader;
    },
  };
}

/** Writes these steps and leaves. */
export async function project(history: History, steps: readonly ProjectedStep[]): Promise<void> {
  const writer = await history.openWriter(VENUE_ID);
  try {
    await writer.project(steps);
  } finally {
    await writer.close();
  }
}
