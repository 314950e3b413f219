/** The grid of a moving price, and how far inventory moves quotes: figures a trader can check. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lots } from '#domain';
import { levelPrice, Shape, skewed, standingGrid } from '#simulation/testing';

/** Centre, price step and spacing in ppm; what the first two levels of each side cost. */
const TABLE = [
  [3_000_000, 1, 200, 'bids 2999400 2998800, asks 3000600 3001200'],
  [3_000_299, 1, 200, 'bids 2999400 2998800, asks 3000600 3001200'],
  [3_000_301, 1, 200, 'bids 3000000 2999400, asks 3001200 3001800'],
  [300_000, 5, 200, 'bids 299950 299900, asks 300050 300100'],
  [6_667, 1, 100, 'bids 6666 6665, asks 6668 6669'],
] as const;

for (const [centre, step, spacingPpm, told] of TABLE) {
  test(`around ${centre}: ${told}`, () => {
    const grid = standingGrid(centre, step, spacingPpm);
    const [bids, asks] = (['buy', 'sell'] as const).map((side) =>
      [1, 2].map((level) => levelPrice(grid, side, level)).join(' '),
    );
    assert.equal(`bids ${bids}, asks ${asks}`, told);
  });
}

test('quotes never cross, and the first ones are half a spacing to one and a half away', () => {
  const centre = fc.integer({ min: 1_000, max: 100_000_000 });
  fc.assert(
    fc.property(centre, fc.integer({ min: 1, max: 10_000 }), (middle, spacingPpm) => {
      const grid = standingGrid(middle, 1, spacingPpm);
      const bid = levelPrice(grid, 'buy', 1) ?? 0;
      const ask = levelPrice(grid, 'sell', 1) ?? 0;
      for (const away of [middle - bid, ask - middle]) {
        assert.ok(away >= grid.spacing * 0.5 && away <= grid.spacing * 1.5, String(away));
      }
    }),
  );
});

/** Held, and where quotes of 10,000 go that want to hold 100, give or take 50, skew 1 %. */
const INVENTORY = [
  [100, 10_000],
  [125, 9_950],
  [150, 9_900],
  [900, 9_900],
  [75, 10_050],
  [0, 10_100],
] as const;

for (const [held, centre] of INVENTORY) {
  test(`holding ${held} of 100 it quotes around ${centre}`, () => {
    const rule = { homeLots: 100, limitLots: 50, skewPpm: 10_000 };
    assert.equal(skewed(10_000, rule, held), centre);
  });
}

const GRID = standingGrid(3_000_000, 1, 200);
const TERMS = { minLots: lots(1), maxLots: lots(100_000_000) };
const LEVELS = 400;

function shape(variationPpm: number, timeMs = 0): Shape {
  const ladder = { symbol: 'BTC-USDT', levelsCount: LEVELS, spacingPpm: 200, levelLots: 5_000 };
  return new Shape({ ...ladder, variationPpm }, TERMS, GRID, timeMs);
}

function sizes(of: Shape): number[] {
  return Array.from({ length: LEVELS }, (_, at) => of.sizeAt('buy', at + 1));
}

test('an even ladder is like a ruler', () => {
  assert.deepEqual(new Set(sizes(shape(0))), new Set([5_000]));
  for (let level = 1; level <= LEVELS; level += 1) {
    assert.equal(shape(0).priceAt('sell', level), levelPrice(GRID, 'sell', level));
  }
});

test('an uneven one has many small sizes and a few large ones, of the same mean', () => {
  const sorted = sizes(shape(1_000_000)).sort((one, other) => one - other);
  const mean = sorted.reduce((sum, size) => sum + size, 0) / LEVELS;
  assert.ok(Math.abs(mean / 5_000 - 1) < 0.2, `mean ${mean}`);
  assert.ok((sorted[LEVELS / 2] ?? 0) < 3_000, `median ${sorted[LEVELS / 2]}`);
  assert.ok((sorted.at(-1) ?? 0) > 20_000, `largest ${sorted.at(-1)}`);
});

test('its prices stay nearer to their own level than to the next, on both sides', () => {
  for (const side of ['buy', 'sell'] as const) {
    const away = Array.from({ length: LEVELS }, (_, at) => {
      const level = levelPrice(GRID, side, at + 1) ?? 0;
      return ((shape(1_000_000).priceAt(side, at + 1) ?? 0) - level) / GRID.spacing;
    });
    assert.ok(away.every((part) => Math.abs(part) <= 0.4));
    assert.ok(new Set(away).size > LEVELS / 4, 'they differ');
  }
});

test('a size belongs to a price, and now and then to another turn', () => {
  const moved = standingGrid(3_000_700, 1, 200);
  const ladder = { symbol: 'BTC-USDT', levelsCount: LEVELS, spacingPpm: 200, levelLots: 5_000 };
  const later = new Shape({ ...ladder, variationPpm: 900_000 }, TERMS, moved, 0);
  assert.equal(later.priceAt('buy', 2), shape(900_000).priceAt('buy', 1));
  assert.equal(later.sizeAt('buy', 2), shape(900_000).sizeAt('buy', 1));
  const changed = (timeMs: number) =>
    sizes(shape(900_000, timeMs)).filter((size, at) => size !== sizes(shape(900_000))[at]).length;
  const second = changed(1_000);
  assert.ok(second > 0 && second < LEVELS / 20, `${second} in a second`);
  assert.ok(changed(60_000) > LEVELS * 0.9, 'nearly all in a minute');
});
