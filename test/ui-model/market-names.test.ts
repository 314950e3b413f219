/** Names go out and symbols come in where the lists still speak of names. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import {
  learnSymbols,
  tradedName,
  withNames,
  withSymbols,
} from '../../ui/src/wire/market-names.ts';
import { testListings } from '../support/listings.ts';

test('a market is traded by the name that the interface has for it', () => {
  const { instruments } = testListings();
  assert.ok(instruments.length > 1);
  learnSymbols(instruments.map(({ symbol }) => symbol));
  for (const { symbol } of instruments) {
    const name = CLASSIC_SPELLING.nameOf(symbol);
    assert.equal(tradedName(symbol), name);
    assert.deepEqual(withNames({ symbol, limit: 5 }), { symbol: name, limit: 5 });
    assert.equal(withSymbols(`{"a":"swap/order:${name}"}`), `{"a":"swap/order:${symbol}"}`);
  }
});
