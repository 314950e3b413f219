/** How traders decide: which way each style leans, and that none gets further than its limit. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Prng } from '#kernel';
import { Averages, type TraderStyle, wishOf } from '#simulation/testing';

const RULES = { sizeLots: 10, limitLots: 100, chancePpm: 1_000_000 };
const WISHES = 400;

/** Averages after prices that rose, fell or stood still. */
function market(move: 'rose' | 'fell' | 'stood'): Averages {
  const averages = new Averages();
  const step = { rose: 3, fell: -3, stood: 0 }[move];
  for (let tick = 0; tick < 60; tick += 1) averages.notice(30_000 + tick * step);
  return averages;
}

/** Parts of the wishes that are buys and sells, in whole percent. */
function leaning(style: TraderStyle, averages: Averages, surplusLots: number): string {
  const prng = new Prng(1, 'styles');
  let buys = 0;
  let sells = 0;
  for (let at = 0; at < WISHES; at += 1) {
    const wish = wishOf(style, RULES, { middleTicks: 30_000, surplusLots }, averages, prng);
    if (wish?.side === 'buy') buys += 1;
    if (wish?.side === 'sell') sells += 1;
  }
  const word = (count: number) =>
    count === 0 ? 'never' : count > WISHES * 0.6 ? 'mostly' : 'half';
  return `buys ${word(buys)}, sells ${word(sells)}`;
}

const TABLE = [
  ['noise', 'stood', 0, 'buys half, sells half'],
  ['noise', 'rose', 0, 'buys half, sells half'],
  ['noise', 'stood', 80, 'buys half, sells mostly'],
  ['noise', 'stood', -80, 'buys mostly, sells half'],
  ['momentum', 'rose', 0, 'buys mostly, sells never'],
  ['momentum', 'fell', 0, 'buys never, sells mostly'],
  ['momentum', 'stood', 0, 'buys never, sells never'],
  ['momentum', 'stood', 50, 'buys never, sells mostly'],
  ['momentum', 'rose', 100, 'buys never, sells never'],
  ['reversion', 'rose', 0, 'buys never, sells mostly'],
  ['reversion', 'fell', 0, 'buys mostly, sells never'],
  ['reversion', 'stood', -50, 'buys mostly, sells never'],
] as const;

for (const [style, move, surplus, told] of TABLE) {
  test(`${style}, prices ${move}, holding ${surplus} too many: ${told}`, () => {
    assert.equal(leaning(style, market(move), surplus), told);
  });
}

test('whatever the prices do, nobody gets further than the limit', () => {
  const style = fc.constantFrom<TraderStyle>('noise', 'momentum', 'reversion');
  const prices = fc.array(fc.integer({ min: 20_000, max: 40_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(style, prices, fc.nat(), (way, path, seed) => {
      const averages = new Averages();
      const prng = new Prng(seed, 'walk');
      let surplusLots = 0;
      for (const middleTicks of path) {
        averages.notice(middleTicks);
        const wish = wishOf(way, RULES, { middleTicks, surplusLots }, averages, prng);
        surplusLots +=
          wish === undefined ? 0 : wish.side === 'buy' ? wish.sizeLots : -wish.sizeLots;
        assert.ok(Math.abs(surplusLots) <= RULES.limitLots, String(surplusLots));
      }
    }),
  );
});
