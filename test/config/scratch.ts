/** A directory of its own for each test, gone when the test is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function scratchDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
