/** The names by which the terminal trades are those that the venue takes. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import { compactSymbol } from '#domain';
import { bareName, tradedName } from '../../ui/src/wire/market-names.ts';
import { testListings } from '../support/listings.ts';

test('a market is traded by the name that the interface has for it', () => {
  const { instruments } = testListings();
  assert.ok(instruments.length > 1);
  for (const { symbol } of instruments) {
    assert.equal(tradedName(symbol), CLASSIC_SPELLING.nameOf(symbol));
    assert.equal(bareName(tradedName(symbol)), compactSymbol(symbol));
    assert.equal(CLASSIC_SPELLING.neutralOf(tradedName(symbol)), symbol);
  }
});
