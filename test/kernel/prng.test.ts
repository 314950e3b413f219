/** Seeded numbers: the same on every machine and for ever, and as random as a simulation needs. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Prng } from '#kernel';

const DRAWS = 20_000;

function draws(seed: number, label: string): number[] {
  const prng = new Prng(seed, label);
  return Array.from({ length: 4 }, () => prng.word());
}

test('a seed and a label mean these numbers for ever', () => {
  assert.deepEqual(draws(2_021, 'BTC'), [2_836_912_294, 28_497_006, 3_523_656_377, 2_846_466_991]);
});

test('another seed or label draws other numbers', () => {
  const labels = ['BTC', 'ETH', 'BTC ', ''];
  const sources = [1, 2, 2 ** 32, 2 ** 40].flatMap((seed) =>
    labels.map((label) => draws(seed, label).join()),
  );
  assert.equal(new Set(sources).size, sources.length);
});

test('a bounded number is below its bound, and every number comes up', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, bound) => {
      const drawn = new Prng(seed, 'bound').below(bound);
      assert.ok(Number.isInteger(drawn) && drawn >= 0 && drawn < bound);
    }),
  );
  const prng = new Prng(1, 'die');
  const counts = new Map<number, number>();
  for (let at = 0; at < DRAWS; at += 1) {
    const face = prng.below(6);
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  for (const count of counts.values()) assert.ok(Math.abs(count * 6 - DRAWS) < DRAWS / 10);
  assert.equal(counts.size, 6);
});

test('a chance of a quarter comes true a quarter of the time', () => {
  const prng = new Prng(7, 'chance');
  let hits = 0;
  for (let at = 0; at < DRAWS; at += 1) if (prng.chance(250_000)) hits += 1;
  assert.ok(Math.abs(hits / DRAWS - 0.25) < 0.015, String(hits));
  assert.equal(prng.chance(0), false);
  assert.equal(prng.chance(1_000_000), true);
});

test('normal numbers have mean 0, variance 1 and stay within 6', () => {
  const prng = new Prng(11, 'normal');
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < DRAWS; at += 1) {
    const draw = prng.normal();
    assert.ok(Math.abs(draw) <= 6);
    sum += draw;
    squares += draw * draw;
  }
  assert.ok(Math.abs(sum / DRAWS) < 0.03, String(sum / DRAWS));
  assert.ok(Math.abs(squares / DRAWS - 1) < 0.05, String(squares / DRAWS));
});
