/** The HMAC of requests against published cases and against Node's own, for any secret and text. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { RequestHmac } from '#api/testing';

/** RFC 4231: test cases 1, 2, 3, 6 and 7, the last two with keys longer than a block. */
const PUBLISHED = [
  {
    secret: Buffer.alloc(20, 0x0b),
    text: 'Hi There',
    hex: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    secret: Buffer.from('Jefe'),
    text: 'what do ya want for nothing?',
    hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    secret: Buffer.alloc(20, 0xaa),
    text: '\xdd'.repeat(50),
    hex: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  },
  {
    secret: Buffer.alloc(131, 0xaa),
    text: 'Test Using Larger Than Block-Size Key - Hash Key First',
    hex: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
  {
    secret: Buffer.alloc(131, 0xaa),
    text:
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
      'The key needs to be hashed before being used by the HMAC algorithm.',
    hex: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  },
];

for (const { secret, text, hex } of PUBLISHED) {
  test(`a published case: ${text.slice(0, 28)}`, () => {
    assert.equal(Buffer.from(new RequestHmac(secret).of(text), 'base64').toString('hex'), hex);
  });
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given));

test('any secret, text and body give what the HMAC of Node gives', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.option(bytes, { nil: undefined }), (secret, text, body) => {
      const expected = createHmac('sha256', secret).update(text);
      if (body !== undefined) expected.update(body);
      const actual = new RequestHmac(secret).of(text.toString('latin1'), body);
      assert.equal(actual, expected.digest('base64'));
    }),
    { numRuns: 500 },
  );
});

test('an HMAC used again gives the same, whatever came in between', () => {
  const hmac = new RequestHmac(Buffer.from('secret'));
  const first = hmac.of('one', Buffer.from('body'));
  assert.notEqual(hmac.of('two', Buffer.from('body')), first);
  assert.equal(hmac.of('one', Buffer.from('body')), first);
});
