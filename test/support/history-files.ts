/** Real history files that go away after their test. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Step } from '#domain';
import { openHistoryReader, openHistoryWriter } from '#history';
import { scratchDirectory } from './scratch.ts';

export const VENUE_ID = 'a venue';

/** A file name in a directory that goes away after the test. */
export function historyFile(context: Pick<TestContext, 'after'>): string {
  return join(scratchDirectory(context), 'history.sqlite');
}

/** Projects everything a venue did and opens the result for reading. */
export function readerOf(context: TestContext, venue: { readonly steps: readonly Step[] }) {
  const file = historyFile(context);
  const writer = openHistoryWriter(file, VENUE_ID);
  writer.project(venue.steps);
  const reader = openHistoryReader(file);
  context.after(async () => {
    await reader.close();
    writer.close();
  });
  return reader;
}
