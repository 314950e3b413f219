/**
 * What every history must do, wherever it is kept: a `historyTest` runs once for each adapter.
 * Another database joins all of them with a row here.
 */
import { type TestContext, test } from 'node:test';
import type { Step } from '#domain';
import type { History, HistoryReader } from '#history';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';

interface Adapter {
  readonly name: string;
  /** A history that nobody has written, which goes away after the test. */
  make(t: TestContext): History;
}

const ADAPTERS: readonly Adapter[] = [{ name: 'SQLite', make: (t) => historyOf(historyFile(t)) }];

export interface Stage {
  newHistory(): History;
  /** Projects everything a venue did and opens the result for reading. */
  readerOf(venue: { readonly steps: readonly Step[] }): Promise<HistoryReader>;
}

export function historyTest(name: string, body: (stage: Stage) => Promise<void>): void {
  for (const adapter of ADAPTERS) {
    test(`${adapter.name}: ${name}`, (t) => body(stageOf(t, adapter)));
  }
}

function stageOf(t: TestContext, adapter: Adapter): Stage {
  const newHistory = (): History => adapter.make(t);
  return {
    newHistory,
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
export async function project(history: History, steps: readonly Step[]): Promise<void> {
  const writer = await history.openWriter(VENUE_ID);
  try {
    await writer.project(steps);
  } finally {
    await writer.close();
  }
}
