/** Names that a reader takes for each other. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { firstLookAlike, lookOf } from '#kernel';

for (const [one, other] of [
  ['Ada', 'ADA'],
  ['Ada', 'Аdа'],
  ['paypal', 'раураl'],
  ['Alice', 'A1ice'],
  ['Alice', 'AIice'],
  ['Lovelace', 'Love1ace'],
  ['Bob', 'B0b'],
  ['Omega', 'Ωmega'.replace('Ω', 'Ο')],
  ['Max', 'Μax'],
  ['max', 'rnax'],
  ['Trader 10', 'Trader lO'],
  ['ｆｕｌｌ', 'full'],
  ['𝐁𝐨𝐥𝐝', 'Bold'],
  ['ﬁne', 'fine'],
] as const) {
  test(`${one} looks like ${other}`, () => {
    assert.equal(lookOf(one), lookOf(other));
    assert.equal(firstLookAlike([one, 'x', other]), other);
  });
}

test('names that differ for a reader are not taken for each other', () => {
  const names = ['Ada', 'Adam', 'Áda', 'Трейдер 1', 'Трейдер 2', '交易者', '交易员', 'Trader 11'];
  assert.equal(firstLookAlike(names), undefined);
});
