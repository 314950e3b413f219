/** Index, mark, band and funding rates, for random inputs and for the cases a trader asks about. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  countedSources,
  fundingDue,
  fundingRatePpb,
  fundingValue,
  type IndexInput,
  lastFundingMs,
  type MarkInput,
  markPrice,
  meanPrice,
  middle,
  nextFundingMs,
  premiumPpb,
  priceBand,
} from '#domain';
import * as arbitrary from './arbitrary.ts';

function indexPrice(inputs: readonly IndexInput[], lastIndexTicks: number, outlierPpm: number) {
  return meanPrice(countedSources(inputs, lastIndexTicks, outlierPpm));
}

const PPB = 1_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NO_BOUND_PPM = 1_000_000;
const price = fc.integer({ min: 1_000, max: 10 ** 10 });

describe('the index', () => {
  const cases: [what: string, prices: number[], last: number, index: number | undefined][] = [
    ['one source', [30_000], 30_000, 30_000],
    ['two sources that agree', [30_000, 30_100], 30_000, 30_050],
    ['three sources', [30_000, 30_030, 30_060], 30_000, 30_030],
    ['one of three is wild', [30_000, 30_060, 90_000], 30_000, 30_030],
    ['one of two is wild: the last index tells which', [30_000, 90_000], 30_000, 30_000],
    ['both of two left the last index together', [60_000, 60_060], 30_000, 60_030],
    ['one source that jumps too far is not believed', [90_000], 30_000, undefined],
    ['the first price ever is believed', [90_000], 0, 90_000],
    ['a source exactly at the bound counts', [30_000, 30_000, 31_500], 30_000, 30_500],
    ['no source', [], 30_000, undefined],
  ];
  for (const [what, prices, last, index] of cases) {
    test(`${what}: ${prices.join(', ')} after ${last} is ${index}`, () => {
      const inputs = prices.map((priceTicks) => ({ priceTicks, weight: 1 }));
      assert.equal(indexPrice(inputs, last, 50_000), index);
    });
  }

  test('weighs its sources, to the nearest tick', () => {
    const inputs = [
      { priceTicks: 100, weight: 3 },
      { priceTicks: 103, weight: 1 },
    ];
    assert.equal(indexPrice(inputs, 100, NO_BOUND_PPM), 101);
  });

  const sources: fc.Arbitrary<IndexInput[]> = fc.array(
    fc.record({ priceTicks: price, weight: fc.integer({ min: 1, max: 100 }) }),
    { minLength: 1, maxLength: 6 },
  );

  test('lies among its sources, in whatever order they come', () => {
    fc.assert(
      fc.property(sources, fc.nat({ max: 1_000_000 }), (inputs, outlierPpm) => {
        const index = indexPrice(inputs, 0, outlierPpm);
        assert.equal(indexPrice(inputs.toReversed(), 0, outlierPpm), index);
        fc.pre(index !== undefined);
        const prices = inputs.map(({ priceTicks }) => priceTicks);
        assert.ok(index >= Math.min(...prices) && index <= Math.max(...prices));
      }),
    );
  });

  test('is not moved by any one source out of three or more that agree', () => {
    const honest = fc.integer({ min: 3, max: 6 });
    fc.assert(
      fc.property(price, honest, fc.integer({ min: 1, max: 10 ** 12 }), (fair, count, wild) => {
        const inputs = Array.from({ length: count }, () => ({ priceTicks: fair, weight: 1 }));
        const room = Math.floor(fair / 20);
        const index = indexPrice([...inputs, { priceTicks: wild, weight: 1 }], 0, 50_000);
        assert.ok(index !== undefined && Math.abs(index - fair) <= room);
      }),
    );
  });
});

describe('the mark', () => {
  const calm: MarkInput = {
    indexTicks: 300_000,
    lastTicks: 0,
    basisTicks: undefined,
    fundingRatePpb: 0,
    untilFundingMs: 2 * HOUR_MS,
    fundingIntervalMs: 8 * HOUR_MS,
    clampPpm: 30_000,
  };
  const cases: [what: string, input: Partial<MarkInput>, mark: number][] = [
    ['nothing but the index', {}, 300_000],
    ['a last price alone is outvoted', { lastTicks: 310_000 }, 300_000],
    ['a basis alone is outvoted', { basisTicks: 600 }, 300_000],
    ['the middle of three', { lastTicks: 310_000, basisTicks: 600 }, 300_600],
    ['the middle of three below', { lastTicks: 299_000, basisTicks: -3_000 }, 299_000],
    ['funding to come', { fundingRatePpb: 100_000 }, 300_008],
    ['a last price and funding', { lastTicks: 299_000, fundingRatePpb: 100_000 }, 300_008],
    ['funding to be had', { fundingRatePpb: -100_000 }, 299_992],
    ['the clamp above', { lastTicks: 500_000, basisTicks: 90_000 }, 309_000],
    ['the clamp below', { lastTicks: 100_000, basisTicks: -90_000 }, 291_000],
  ];
  for (const [what, input, mark] of cases) {
    test(`${what}: ${mark}`, () => {
      assert.equal(markPrice({ ...calm, ...input }), mark);
    });
  }

  const input = fc.record({
    indexTicks: price,
    lastTicks: fc.oneof(fc.constant(0), price),
    basisTicks: fc.option(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { nil: undefined }),
    fundingRatePpb: fc.integer({ min: -PPB / 100, max: PPB / 100 }),
    untilFundingMs: fc.nat({ max: 8 * HOUR_MS }),
    fundingIntervalMs: fc.constant(8 * HOUR_MS),
    clampPpm: fc.nat({ max: 500_000 }),
  });

  test('stays within the clamp around the index', () => {
    fc.assert(
      fc.property(input, (given) => {
        const away = Math.abs(markPrice(given) - given.indexTicks);
        assert.ok(BigInt(away) * 1_000_000n <= BigInt(given.indexTicks) * BigInt(given.clampPpm));
      }),
      { numRuns: 1_000 },
    );
  });

  test('follows no single input: two that agree decide', () => {
    fc.assert(
      fc.property(input, price, (given, last) => {
        const agreed = { ...given, fundingRatePpb: 0, basisTicks: 0 };
        assert.equal(markPrice({ ...agreed, lastTicks: last }), given.indexTicks);
      }),
    );
  });

  test('the middle is the median', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: 1 }), (prices) => {
        const found = middle(prices);
        const below = prices.filter((one) => one <= found).length;
        const above = prices.filter((one) => one >= found).length;
        assert.ok(2 * below >= prices.length && 2 * (above + 1) >= prices.length);
      }),
    );
  });
});

test('the price band is whole steps inside the band, and one step more is outside', () => {
  const step = fc.constantFrom(1, 5, 100);
  fc.assert(
    fc.property(price, fc.nat({ max: 900_000 }), step, (mark, bandPpm, stepTicks) => {
      const { highestTicks, lowestTicks } = priceBand(mark, bandPpm, stepTicks);
      const isInside = (at: number): boolean =>
        BigInt(Math.abs(at - mark)) * 1_000_000n <= BigInt(mark) * BigInt(bandPpm);
      assert.equal(highestTicks % stepTicks, 0);
      assert.equal(lowestTicks % stepTicks, 0);
      // A band narrower than a step holds no price at all.
      if (highestTicks >= lowestTicks) assert.ok(isInside(highestTicks) && isInside(lowestTicks));
      assert.ok(!isInside(highestTicks + stepTicks) && !isInside(lowestTicks - stepTicks));
    }),
  );
});

describe('the premium', () => {
  const cases: [what: string, bid: number | undefined, ask: number | undefined, ppb: number][] = [
    ['the index between both', 9_990, 10_010, 0],
    ['bids above the index', 10_020, 10_030, 2_000_000],
    ['asks below the index', 9_970, 9_980, -2_000_000],
    ['bids too thin, asks below', undefined, 9_980, -2_000_000],
    ['asks too thin, bids above', 10_020, undefined, 2_000_000],
    ['both too thin', undefined, undefined, 0],
  ];
  for (const [what, bid, ask, ppb] of cases) {
    test(`${what}: ${ppb}`, () => assert.equal(premiumPpb(bid, ask, 10_000), ppb));
  }
});

describe('the funding rate', () => {
  const terms = { fundingInterestPpm: 100, fundingClampPpm: 500, fundingCapPpm: 3_750 };
  const cases: [what: string, premium: number, rate: number][] = [
    ['no premium: the interest', 0, 100_000],
    ['a small premium: still the interest', 300_000, 100_000],
    ['a premium beyond the clamp', 1_000_000, 500_000],
    ['a discount beyond the clamp', -1_000_000, -500_000],
    ['the cap', 9_000_000, 3_750_000],
    ['the cap below', -9_000_000, -3_750_000],
  ];
  for (const [what, premium, rate] of cases) {
    test(`${what}: ${premium} ppb is ${rate}`, () => {
      assert.equal(fundingRatePpb(terms, premium), rate);
    });
  }

  test('is within the cap and the clamp, and never minus zero', () => {
    const ppm = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(
        fc.record({
          fundingInterestPpm: fc.integer({ min: -1_000, max: 1_000 }),
          fundingClampPpm: ppm,
          fundingCapPpm: ppm,
        }),
        fc.integer({ min: -50_000_000, max: 50_000_000 }),
        (given, premium) => {
          const rate = fundingRatePpb(given, premium);
          const capPpb = given.fundingCapPpm * 1_000;
          assert.ok(Math.abs(rate) <= capPpb, 'cap');
          assert.ok(!Object.is(rate, -0), 'a snapshot would lose it');
          const away = Math.abs(rate - premium) <= given.fundingClampPpm * 1_000;
          assert.ok(away || Math.abs(rate) === capPpb, 'clamp');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is plain zero when the cap or the clamp is', () => {
    const none = { fundingInterestPpm: 0, fundingClampPpm: 0, fundingCapPpm: 0 };
    assert.ok(Object.is(fundingRatePpb(none, -1_000), 0));
    assert.ok(Object.is(fundingRatePpb({ ...none, fundingInterestPpm: -5 }, 0), 0));
  });

  test('what is due rounds up for the payer and down for the receiver', () => {
    fc.assert(
      fc.property(
        arbitrary.holding,
        fc.integer({ min: -(10 ** 7), max: 10 ** 7 }),
        (held, rate) => {
          const { contract } = held;
          const value = fundingValue(contract, held.lots, 1_000);
          const [up, down] = [
            fundingDue(contract, value, rate, 'up'),
            fundingDue(contract, value, rate, 'down'),
          ];
          const exact = value * BigInt(Math.abs(rate));
          const parts = contract.kind === 'linear' ? 1n : contract.fineFactor;
          const whole = parts * BigInt(PPB);
          assert.ok(down * whole <= exact && exact <= up * whole && up - down <= 1n);
        },
      ),
    );
  });
});

describe('funding times', () => {
  const minutes = fc
    .uniqueArray(fc.nat({ max: 1_439 }), { minLength: 1, maxLength: 24 })
    .map((times) => times.toSorted((one, other) => one - other));
  const timeMs = fc.nat({ max: 2 ** 41 });

  test('07:00, 15:00 and 23:00', () => {
    const times = [420, 900, 1_380];
    const next = (text: string) => new Date(nextFundingMs(times, Date.parse(text))).toISOString();
    assert.equal(next('2026-11-21T06:59:59.999Z'), '2026-11-21T07:00:00.000Z');
    assert.equal(next('2026-11-21T07:00:00.000Z'), '2026-11-21T15:00:00.000Z');
    assert.equal(next('2026-11-21T23:00:00.000Z'), '2026-11-22T07:00:00.000Z');
  });

  test('the next one is later, within a day, and none lies between', () => {
    fc.assert(
      fc.property(minutes, timeMs, (times, atMs) => {
        const next = nextFundingMs(times, atMs);
        const last = lastFundingMs(times, atMs);
        assert.ok(last <= atMs && atMs < next && next - last <= DAY_MS);
        assert.equal(nextFundingMs(times, last), next);
        assert.equal(lastFundingMs(times, next - 1), last);
        assert.equal(lastFundingMs(times, next), next);
        assert.ok(times.includes((next % DAY_MS) / 60_000));
      }),
    );
  });
});
