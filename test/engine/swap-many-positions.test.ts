/** A settlement with more bills than a function call takes arguments. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';

const TRADERS = 65_000;
const EIGHT_HOURS_MS = 28_800_000;

test('funding is settled between any number of positions', () => {
  const venue = Floor.ofContract(LINEAR, { checks: false });
  for (let at = 0; at < TRADERS; at += 1) {
    const name = `trader${at}`;
    venue.open(name, '100');
    // Each one sells to the next, so almost all of them hold both sides.
    if (at > 0) venue.order(name, 'open_long', '30000', 1);
    venue.order(name, 'open_short', '30000', 1);
  }
  const events = venue.tick(EIGHT_HOURS_MS);
  const settled = events.find(({ kind }) => kind === 'funding_settled');
  assert.ok(settled?.kind === 'funding_settled' && settled.collected > 0n);
  const bills = events.filter(({ kind }) => kind === 'balance_changed');
  assert.equal(bills.length, 2 * (TRADERS - 1));
  venue.engine.check();
});
