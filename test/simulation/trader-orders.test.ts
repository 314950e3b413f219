/** What becomes of a trader's wish in a book where somebody quotes absurd prices. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { spotOrder } from '#simulation/testing';
import { BTCUSDT, Floor } from '../support/floor.ts';

const HIGHEST = Number.MAX_SAFE_INTEGER;

/** The price of a buy of one lot when this is the best ask; undefined when there is none. */
function buyPrice(askTicks: number, usdt: string): number | undefined {
  const venue = Floor.listed();
  const account = present(venue.engine.account(venue.open('trader', { USDT: usdt })), 'trader');
  const pair = present(venue.engine.listings.spotById(BTCUSDT), 'pair');
  const touch = { bidTicks: 1, askTicks };
  const command = spotOrder(account, pair, { side: 'buy', sizeLots: 1 }, touch);
  const isLimit = command?.kind === 'place_spot_order' && command.type === 'limit';
  return isLimit ? command.priceTicks : undefined;
}

test('a trader reaches a little beyond the best price, but not beyond what can be counted', () => {
  const endless = '9'.repeat(20);
  assert.equal(buyPrice(3_000_000, endless), 3_001_500);
  assert.equal(buyPrice(HIGHEST, endless), HIGHEST);
  assert.equal(buyPrice(HIGHEST - 1_000, endless), HIGHEST - 1_000);
  assert.equal(buyPrice(HIGHEST, '1000'), undefined);
});
