/** Empty directories that are gone when the tests of a file are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const directories: string[] = [];
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-journal-'));
  directories.push(directory);
  return directory;
}
