/** The fall of `coin-looks.test.ts` among a hundred thousand accounts. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { fallAmong, LOOKS_MOST } from './coin-fall.ts';

test('a fall looks at the same units among a thousand and among a hundred thousand', () => {
  const among = fallAmong(100_000);
  assert.ok(among.unitsLookedAt <= LOOKS_MOST * among.liquidated.length);
  assert.deepEqual(among, fallAmong(1_000));
});
