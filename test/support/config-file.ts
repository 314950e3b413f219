/** A configuration file of the test's own: what it loads as, and what is complained about. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Config, ConfigFault, type ConfigFlags, loadConfig } from '#config';
import { scratchDirectory } from './scratch.ts';

export function load(context: TestContext, text: string, flags: ConfigFlags = {}): Config {
  const file = join(scratchDirectory(context), 'venue.yaml');
  writeFileSync(file, text);
  return loadConfig({ ...flags, config: file }, {});
}

/** Every complaint, without the name of the file in front. */
export function complaints(context: TestContext, text: string): string[] {
  try {
    load(context, text);
  } catch (error) {
    assert.ok(error instanceof ConfigFault, String(error));
    return error.complaints.map((line) => line.replace(/^.*venue\.yaml:/, ''));
  }
  return [];
}
