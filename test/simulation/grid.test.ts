/** The grid of a moving price, and how far inventory moves quotes: figures a trader can check. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lots, ticks } from '#domain';
import { levelPrice, missingLots, skewed, standingGrid, varied } from '#simulation/testing';

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

test('a varied size is the same at the same price, at least half, and uneven', () => {
  const sizeAt = (price: number) => varied(lots(500), ticks(price), 500_000);
  const prices = Array.from({ length: 200 }, (_, at) => 30_000 + at);
  for (const price of prices) {
    const size = sizeAt(price);
    assert.ok(size >= 250 && size <= 500, `${size}`);
    assert.equal(size, sizeAt(price));
    assert.equal(missingLots(size, lots(500)), 0, 'no level is refilled because it is varied');
  }
  assert.ok(new Set(prices.map(sizeAt)).size > 100, 'they differ');
  assert.equal(varied(lots(500), ticks(30_000)), 500);
});
