/** A draft outlives its form; its price is filled in once, unless the trader had a say in it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { begin, change, firstPrice } from '../../ui/src/terminal/trade/kept-draft.ts';

const EMPTY = { price: '', size: '' };
const FRESH = { owner: 'BTC-USDT 1', draft: EMPTY };

test('a form begins at the last price, or takes the first one that comes', () => {
  assert.equal(begin(undefined, FRESH, '30000').draft.price, '30000');
  const early = begin(undefined, FRESH, '');
  assert.equal(early.draft.price, '');
  const filled = firstPrice(early, '30000');
  assert.equal(filled.draft.price, '30000');
  assert.equal(firstPrice(filled, '30001').draft.price, '30000');
});

test('a price that was typed or cleared stays, also when the form comes back', () => {
  const early = begin(undefined, FRESH, '');
  for (const price of ['29000', '']) {
    const own = change(early, { price });
    assert.equal(firstPrice(own, '30000').draft.price, price);
    assert.equal(begin(own, FRESH, '30000').draft.price, price);
  }
});

test('a half-typed order comes back, at the price of now while the trader left it alone', () => {
  const typed = change(begin(undefined, FRESH, '30000'), { size: '0.5' });
  assert.deepEqual(begin(typed, FRESH, '30100').draft, { price: '30100', size: '0.5' });
  assert.deepEqual(begin(typed, FRESH, '').draft, { price: '30000', size: '0.5' });
});

test('another market or account starts anew', () => {
  const typed = change(begin(undefined, FRESH, '30000'), { size: '0.5', price: '1' });
  const other = { owner: 'BTC-USDT 2', draft: EMPTY };
  assert.deepEqual(begin(typed, other, '30100').draft, { price: '30100', size: '' });
});
