/** The demo venue with snapshots so close together that a test sees some. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { scratchDirectory } from '../support/scratch.ts';

/** Its configuration file, gone when the test ends. */
export function demoFile(context: TestContext, snapshotIntervalCommands: number): string {
  const file = join(scratchDirectory(context), 'venue.yaml');
  const demo = readFileSync(join(import.meta.dirname, '../../config/demo.yaml'), 'utf8');
  // The earlier release of an upgrade knows no past of prices, and no cluster here has traders.
  const known = demo.replace(/^ +pastDays: .*\n/m, '');
  writeFileSync(file, `${known}\nsnapshotIntervalCommands: ${snapshotIntervalCommands}\n`);
  return file;
}
