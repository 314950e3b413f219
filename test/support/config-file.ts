/** A configuration file of the test's own: what it loads as, and what is complained about. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Config, ConfigFault, type ConfigFlags, DEMO_CONFIG_FILE, loadConfig } from '#config';
import { scratchDirectory } from './scratch.ts';

/** The text of the demo venue, with these sections in place of what it says of people. */
export function demoWith(sections: string): string {
  const demo = readFileSync(DEMO_CONFIG_FILE, 'utf8');
  const without = demo.replace(/^people:\n(?: .*\n)+/m, '');
  assert.notEqual(without, demo);
  return `${without}\n${sections}`;
}

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
