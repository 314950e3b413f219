/** The HMAC of entries against Node's own, for texts of any length and letters, in any order. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChainHmac } from '#log/testing';

const expected = (key: Uint8Array, text: string) =>
  createHmac('sha256', key).update(text, 'utf8').digest('hex');

test('any key and text give what the HMAC of Node gives, whatever came before', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(fc.string()), (key, texts) => {
      const hmac = new ChainHmac(key);
      for (const text of texts) assert.equal(hmac.of(text), expected(key, text));
    }),
  );
});

test('texts of one to three bytes a letter, from short to longer than any entry', () => {
  const key = randomBytes(32);
  const hmac = new ChainHmac(key);
  for (const letter of ['a', 'é', '€', '😀']) {
    for (const length of [1, 4_000, 174_741, 174_742, 300_000, 2_000_000, 40]) {
      const text = letter.repeat(length);
      assert.equal(hmac.of(text), expected(key, text), `${length} of ${letter}`);
    }
  }
});
