/** Ids on the wire: the engine's numbers as text and as JSON numbers, and back. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatId, parseId } from '#dialects';
import { idBound } from '#dialects/testing';
import { LIMITS } from '#domain';

const EDGES = [1, 999, 1_000, 999_999, 2 ** 31, 2 ** 32, LIMITS.idMax - 1, LIMITS.idMax];
const NUMBER = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.nat({ max: 5_000 }).map((small) => small + 1),
  fc.maxSafeNat().map((any) => (any % LIMITS.idMax) + 1),
);

test('ids have 16 digits, keep the order of numbers, and survive text and JSON', () => {
  let compared = 0;
  fc.assert(
    fc.property(NUMBER, NUMBER, (one, other) => {
      const [text, otherText] = [formatId(one), formatId(other)];
      assert.match(text, /^[1-9][0-9]{15}$/);
      assert.equal(Math.sign(one - other), text < otherText ? -1 : text > otherText ? 1 : 0);
      assert.equal(parseId(text), one);
      assert.equal(JSON.stringify(JSON.parse(`{"id":${text}}`)), `{"id":${text}}`);
      assert.equal(String(Number(text)), text);
      compared += one === other ? 0 : 1;
    }),
    { numRuns: 500 },
  );
  assert.ok(compared > 300, `${compared} pairs of different ids`);
  assert.equal(formatId(28), '1000000000000028');
  assert.throws(() => formatId(LIMITS.idMax + 1));
  assert.throws(() => formatId(0.5));
});

const STRANGERS = [
  ...['', '0', '28', '-1000000000000028', '+1000000000000028', ' 1000000000000028'],
  ...['1000000000000028 ', '1000000000000028.0', '1e15', '0x38d7ea4c68000', '01000000000000028'],
  // Zero numbers nothing, and what is above the engine's last number no order has.
  ...['1000000000000000', '0999999999999999', String(10 ** 15 + LIMITS.idMax + 1)],
  ...['9999999999999999', '700000000000000028', '18446744073709551616'],
];

for (const text of STRANGERS) {
  test(`'${text}' is no id of this venue`, () => assert.equal(parseId(text), undefined));
}

test('any decimal number stands among the ids where its number stands', () => {
  const digits = fc.oneof(fc.stringMatching(/^[0-9]{1,40}$/), NUMBER.map(formatId));
  fc.assert(
    fc.property(digits, NUMBER, (text, number) => {
      const bound = idBound(text) ?? Number.NaN;
      const [asked, id] = [BigInt(text), BigInt(formatId(number))];
      assert.equal(bound < number, asked < id, text);
      assert.equal(bound === number, asked === id || (number === LIMITS.idMax && asked > id));
    }),
    { numRuns: 500 },
  );
  for (const text of ['', '-1', '1.5', '1e3', 'x']) assert.equal(idBound(text), undefined);
});
