/** The demo venue as every release of a cluster can read it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse, stringify } from 'yaml';
import { scratchDirectory } from '../support/scratch.ts';

const DEMO = join(import.meta.dirname, '../../config/demo.yaml');
/**
 * Simulated traders, which no cluster here has; the release before knows other terms of them. And
 * sign-up as in a demo, which is for one machine.
 */
const LEFT_OUT = ['paths', 'liquidity', 'participants', 'people'];

/** Its configuration file, gone when the test ends. */
export function demoFile(
  context: TestContext,
  snapshotIntervalCommands: number,
  sections: Readonly<Record<string, unknown>> = {},
): string {
  const file = join(scratchDirectory(context), 'venue.yaml');
  const demo: Record<string, unknown> = parse(readFileSync(DEMO, 'utf8'));
  for (const part of LEFT_OUT) delete demo[part];
  writeFileSync(file, stringify({ ...demo, ...sections, snapshotIntervalCommands }));
  return file;
}
