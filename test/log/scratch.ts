/** What a test file leaves behind when one of its tests fails, and its tidying up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Journal } from '#log';

const directories: string[] = [];
const journals: Journal[] = [];

// An open journal keeps its process alive: a failed test would hang instead of failing.
after(async () => {
  await Promise.all(journals.map((journal) => journal.close()));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** An empty directory that is gone when the tests of a file are. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-journal-'));
  directories.push(directory);
  return directory;
}

/** The journal, which is closed at the latest when the tests of a file are over. */
export function closedInTheEnd(journal: Journal): Journal {
  journals.push(journal);
  return journal;
}
