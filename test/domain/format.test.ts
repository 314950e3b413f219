/** Which commands a process of an earlier release could not read. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_VERSION, formatOf } from '#domain';

test('every command is of the first format', () => {
  assert.equal(FORMAT_VERSION, 1);
  assert.equal(formatOf({ kind: 'tick' }), 1);
  assert.equal(formatOf({ kind: 'continue_work' }), 1);
});
