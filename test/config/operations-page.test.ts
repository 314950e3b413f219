/** docs/OPERATIONS.md names every operator endpoint, flag and configuration key there is. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADMIN_ENDPOINTS } from '#wire';
import { FILE_SCHEMA } from '../../src/config/schema.ts';

const page = readFileSync(new URL('../../docs/OPERATIONS.md', import.meta.url), 'utf8');

test('its table of calls is the table of endpoints, in the same order', () => {
  const shown = [...page.matchAll(/^\| `([A-Z]+ \/admin\/\S+)` \|/gm)].map((match) => match[1]);
  const rows = Object.values(ADMIN_ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(shown, rows);
});

test('every key of the configuration file is named', () => {
  for (const key of Object.keys(FILE_SCHEMA.properties)) {
    assert.ok(page.includes(`\`${key}\``), key);
  }
});
