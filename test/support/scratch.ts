/** Directories of the tests' own, in the system's temporary directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** What ends and tidies up: a test, or the file. */
interface Scope {
  after(tidyUp: () => void): void;
}

/** Empty, and gone when the test, or without one the file, is over. */
export function scratchDirectory(context: Scope = { after }): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-test-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
