/** Real history files that go away after their test. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type History, historyAt } from '#history';
import { scratchDirectory } from './scratch.ts';

export const VENUE_ID = 'a venue';

/** A file name in a directory that goes away after the test. */
export function historyFile(context: Pick<TestContext, 'after'>): string {
  return join(scratchDirectory(context), 'history.sqlite');
}

export function historyOf(file: string): History {
  return historyAt({ kind: 'sqlite', file });
}
