/** Labels on the chart: none covers another, their order stays, they move as little as can be. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spread } from '../../ui/src/model/spread.ts';

const BOUNDS = { gap: 20, from: 10, to: 390 };
const SLACK = 1e-6;

const TABLE = [
  [[100], [100]],
  [
    [100, 200],
    [100, 200],
  ],
  [
    [100, 100],
    [90, 110],
  ],
  [
    [110, 100],
    [115, 95],
  ],
  [
    [100, 101, 300],
    [90.5, 110.5, 300],
  ],
  [
    [10, 12],
    [10, 30],
  ],
  [
    [390, 389, 200],
    [390, 370, 200],
  ],
  [
    [100, 115, 130],
    [95, 115, 135],
  ],
] as const;

for (const [wanted, placed] of TABLE) {
  test(`${wanted.join(', ')} become ${placed.join(', ')}`, () => {
    assert.deepEqual(spread(wanted, BOUNDS), placed);
  });
}

test('where there is no room for all, they share it', () => {
  assert.deepEqual(spread([5, 5, 5], { gap: 20, from: 0, to: 30 }), [0, 15, 30]);
});

const positions = fc.array(fc.double({ min: 10, max: 390, noNaN: true }), { maxLength: 19 });

test('no label covers another, their order stays, and they stay within the bounds', () => {
  let moved = 0;
  const property = fc.property(positions, (wanted) => {
    const placed = spread(wanted, BOUNDS);
    const pairs = wanted.map((at, place) => ({ at, to: placed[place] ?? Number.NaN }));
    pairs.sort((a, b) => a.at - b.at || a.to - b.to);
    pairs.forEach(({ at, to }, place) => {
      assert.ok(to >= BOUNDS.from - SLACK && to <= BOUNDS.to + SLACK);
      if (place > 0) assert.ok(to - (pairs[place - 1]?.to ?? 0) >= BOUNDS.gap - SLACK);
      if (Math.abs(at - to) > SLACK) moved += 1;
    });
  });
  fc.assert(property, { endOnFailure: true });
  assert.ok(moved > 100, `${moved} labels were moved`);
});

test('no other placing that is allowed is nearer to where they would be', () => {
  const cost = (wanted: readonly number[], placed: readonly number[]) =>
    wanted.reduce((sum, at, place) => sum + (at - (placed[place] ?? 0)) ** 2, 0);
  const wishes = fc.record({ wanted: positions, other: positions });
  let compared = 0;
  const property = fc.property(wishes, ({ wanted, other }) => {
    const count = Math.min(wanted.length, other.length);
    const mine = wanted.slice(0, count).sort((a, b) => a - b);
    // Any placing that is allowed is the spread of another wish.
    const theirs = spread(
      other.slice(0, count).sort((a, b) => a - b),
      BOUNDS,
    );
    compared += count;
    assert.ok(cost(mine, spread(mine, BOUNDS)) <= cost(mine, theirs) + SLACK);
  });
  fc.assert(property, { endOnFailure: true });
  assert.ok(compared > 100);
});
