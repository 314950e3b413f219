/** Numbers of the venue's sequence as text, and back. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatId, parseId } from '#domain';

test('an id is a seven and seventeen digits, whichever ids come before it', () => {
  const id = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 5_000 }));
  assert.equal(formatId(0), '700000000000000000');
  fc.assert(
    fc.property(fc.array(id, { minLength: 1 }), (ids) => {
      for (const one of ids) {
        const text = formatId(one);
        assert.equal(text, `7${String(one).padStart(17, '0')}`);
        assert.equal(parseId(text), one === 0 ? undefined : one);
      }
    }),
  );
});
