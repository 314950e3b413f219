/** Labels of prices on a chart: which are shown, and which share one. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chipsInSight } from '../../ui/src/model/chips.ts';

const BOUNDS = { from: 10, to: 110, height: 20 };
const y = (at: number): number => at;

test('each in sight has its own while there is room for all', () => {
  const chips = chipsInSight([-5, 10, 10, 40, 41, 110, 111], y, BOUNDS);
  assert.deepEqual(
    chips.map(({ of }) => of),
    [[10], [10], [40], [41], [110]],
  );
});

test('those within the height of a label share one where there is no room for all', () => {
  const chips = chipsInSight([9, 10, 12, 29, 30, 50, 51, 110, 120], y, BOUNDS);
  assert.deepEqual(
    chips.map(({ of }) => of),
    [[10, 12, 29], [30], [50, 51], [110]],
  );
  assert.deepEqual(
    chips.map((chip) => chip.y),
    [10, 30, 50, 110],
  );
});

test('all in sight have a part in one, from the top, and no more than there is room for', () => {
  const prices = fc.array(fc.integer({ min: -50, max: 200 }), { maxLength: 300 });
  const property = fc.property(prices, (given) => {
    const sorted = given.toSorted((one, other) => one - other);
    const chips = chipsInSight(sorted, y, BOUNDS);
    const inSight = sorted.filter((one) => one >= BOUNDS.from && one <= BOUNDS.to);
    assert.deepEqual(
      chips.flatMap(({ of }) => of),
      inSight,
    );
    assert.ok(chips.length <= 6, `${chips.length} labels of 20 in 100`);
  });
  fc.assert(property, { endOnFailure: true });
});
