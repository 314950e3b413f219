/** When a position is liquidated and at which price it is worth nothing, for random positions. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type BreachPrice,
  bankruptcyTicks,
  breachPrice,
  entryMargin,
  feeOnFine,
  fineEquity,
  finePnl,
  fineToFloor,
  fineValue,
  isBreached,
  liquidationTicks,
  marginRatio,
  type RiskUnit,
  type ValueTerms,
} from '#domain';
import * as arbitrary from './arbitrary.ts';

const RATIO_SCALE = 18;
const PPM_TO_RATIO = 10n ** BigInt(RATIO_SCALE - 6);

function isBeyond(bound: BreachPrice | undefined, mark: number): boolean {
  if (bound === undefined) return false;
  const at = BigInt(mark);
  return bound.direction === 'fall' ? at <= bound.atTicks : at >= bound.atTicks;
}

/** Prices at which the bound could be off by one, and the random one. */
function marksAround(bound: BreachPrice | undefined, mark: number): number[] {
  const at = Number(bound?.atTicks ?? 0n);
  return [mark, at - 1, at, at + 1].filter((found) => found > 0 && Number.isSafeInteger(found));
}

function ratioAt(contract: ValueTerms, unit: RiskUnit, mark: number): bigint {
  return marginRatio(contract, unit, mark, RATIO_SCALE);
}

describe('the breach price', () => {
  test('parts breached marks from all others, to the tick', () => {
    fc.assert(
      fc.property(arbitrary.judged, arbitrary.price, ({ contract, unit }, mark) => {
        const bound = breachPrice(contract, unit);
        for (const at of marksAround(bound, mark)) {
          assert.equal(isBreached(contract, unit, at), isBeyond(bound, at), `mark ${at}`);
        }
        assert.ok(bound?.direction !== 'fall' || bound.atTicks > 0n, 'a price is above zero');
      }),
      { numRuns: 2_000 },
    );
  });

  test('is where the margin ratio is the threshold', () => {
    fc.assert(
      fc.property(arbitrary.judged, arbitrary.price, ({ contract, unit }, mark) => {
        const ratio = ratioAt(contract, unit, mark);
        const threshold = BigInt(unit.thresholdPpm) * PPM_TO_RATIO;
        if (ratio !== threshold) assert.equal(isBreached(contract, unit, mark), ratio < threshold);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** One lot is worth its price (linear), or 9600 units over its price (inverse). */
const PLAIN = { kind: 'linear', valueFactor: 1n, fineFactor: 1n } as const;
const PLAIN_INVERSE = { kind: 'inverse', valueFactor: 9_600n, fineFactor: 1n } as const;

describe('at exactly the threshold', () => {
  const cases: [
    ValueTerms,
    'long' | 'short',
    lots: number,
    entry: number,
    mark: number,
    ppm: number,
    money: bigint,
  ][] = [
    [PLAIN, 'long', 10, 100, 96, 50_000, 88n],
    [PLAIN, 'short', 10, 96, 100, 50_000, 90n],
    [PLAIN_INVERSE, 'long', 1, 100, 96, 50_000, 9n],
    [PLAIN_INVERSE, 'short', 1, 96, 100, 62_500, 10n],
  ];
  for (const [contract, side, size, entry, mark, ppm, money] of cases) {
    test(`a ${contract.kind} ${side} is liquidated, and with one unit more it is not`, () => {
      const open = fineValue(contract, size, entry);
      const unit = arbitrary.unitOf({ contract, side, lots: size, open, money }, ppm);
      assert.equal(isBreached(contract, unit, mark), true);
      assert.equal(breachPrice(contract, unit)?.atTicks, BigInt(mark));
      assert.equal(isBreached(contract, { ...unit, money: money + 1n }, mark), false);
    });
  }
});

describe('where no price decides', () => {
  const even = { longLots: 1, shortLots: 1, thresholdPpm: 0 };
  test('an even hedge without a threshold stands or falls by its money alone', () => {
    for (const contract of [PLAIN, PLAIN_INVERSE]) {
      const unit = { ...even, money: 1n, longOpen: 100n, shortOpen: 100n };
      assert.equal(breachPrice(contract, unit), undefined);
      const poor = { ...unit, money: -1n };
      assert.deepEqual(breachPrice(contract, poor), { direction: 'rise', atTicks: 0n });
    }
    const nothing = { ...even, money: 0n, longOpen: 100n, shortOpen: 100n };
    for (const contract of [PLAIN, PLAIN_INVERSE]) {
      assert.deepEqual(breachPrice(contract, nothing), { direction: 'rise', atTicks: 0n });
    }
  });

  test('an inverse short whose margin is its value is never liquidated', () => {
    const short = {
      contract: PLAIN_INVERSE,
      side: 'short',
      lots: 1,
      open: 100n,
      money: 100n,
    } as const;
    assert.equal(breachPrice(PLAIN_INVERSE, arbitrary.unitOf(short, 5_000)), undefined);
  });

  test('a long that has paid all it can lose is never liquidated', () => {
    const position = { lots: 1, open: 100n, money: 100n };
    assert.equal(bankruptcyTicks(PLAIN, 'long', position, 0, 1), 0);
    const unit = arbitrary.unitOf({ ...position, contract: PLAIN, side: 'long' }, 0);
    assert.equal(breachPrice(PLAIN, unit), undefined);
  });

  test('one worth less than a unit is bankrupt where it was opened, not at no price at all', () => {
    // Three parts in four of a unit at 400; nothing of it is left for a margin.
    const contract: ValueTerms = { kind: 'inverse', valueFactor: 300n, fineFactor: 100n };
    const position = { lots: 1, open: 75n, money: 0n };
    assert.equal(bankruptcyTicks(contract, 'long', position, 0, 1), 400);
    assert.equal(bankruptcyTicks(contract, 'short', position, 0, 1), 400);
    const indebted = { ...position, money: -1n };
    assert.equal(bankruptcyTicks(contract, 'long', indebted, 0, 1), undefined);
  });

  test('a ratio and an equity below zero are rounded down', () => {
    const long = { contract: PLAIN, side: 'long', lots: 1, open: 100n, money: 0n } as const;
    assert.equal(marginRatio(PLAIN, arbitrary.unitOf(long, 0), 99, 4), -102n);
    const inverse = { ...long, contract: PLAIN_INVERSE };
    assert.equal(fineEquity(PLAIN_INVERSE, arbitrary.unitOf(inverse, 0), 95), -2n);
  });
});

describe('the liquidation price', () => {
  test('has the threshold as its margin ratio, within one tick', () => {
    fc.assert(
      fc.property(arbitrary.judged, ({ contract, unit }) => {
        const at = liquidationTicks(contract, unit);
        fc.pre(at > 0);
        const threshold = BigInt(unit.thresholdPpm) * PPM_TO_RATIO;
        const danger = breachPrice(contract, unit)?.direction === 'fall' ? at - 1 : at + 1;
        assert.ok(ratioAt(contract, unit, at) >= threshold - 1n, 'not below it at the price');
        if (danger > 0) assert.ok(ratioAt(contract, unit, danger) <= threshold, 'at it beyond');
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the price of the printed formula', () => {
    fc.assert(
      fc.property(arbitrary.judged, ({ contract, unit }) => {
        const at = liquidationTicks(contract, unit);
        const formula = printedFormula(contract, unit);
        fc.pre(at > 0);
        assert.ok(Math.abs(at - formula) <= 1 + formula * 1e-6, `${at} and ${formula}`);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is there for every side that a mark between entry and nothing would liquidate', () => {
    fc.assert(
      fc.property(arbitrary.holding, arbitrary.thresholdPpm, (held, threshold) => {
        const unit = arbitrary.unitOf(held, threshold);
        const bound = breachPrice(held.contract, unit);
        const dangerous = held.side === 'long' ? 'fall' : 'rise';
        const isSeen = bound?.direction === dangerous && bound.atTicks > 0n;
        const isReal = isSeen && Number.isSafeInteger(Number(bound.atTicks)) && !isDust(held);
        assert.equal(liquidationTicks(held.contract, unit) > 0, isReal);
      }),
    );
  });

  test('moves away with more margin and nearer with more size', () => {
    const grown = fc.tuple(arbitrary.holding, fc.bigInt({ min: 1n, max: 10n ** 12n }));
    fc.assert(
      fc.property(grown, arbitrary.thresholdPpm, ([held, more], threshold) => {
        const distance = (money: bigint, times: number): number => {
          const lots = held.lots * times;
          const open = held.open * BigInt(times);
          const unit = arbitrary.unitOf({ ...held, money, lots, open }, threshold);
          return safety(held.side, liquidationTicks(held.contract, unit));
        };
        assert.ok(distance(held.money + more, 1) >= distance(held.money, 1), 'margin');
        assert.ok(distance(held.money, 3) <= distance(held.money, 1), 'size');
      }),
    );
  });

  test('is none for an inverse short at a leverage of one', () => {
    fc.assert(
      fc.property(arbitrary.holding, arbitrary.thresholdPpm, (held, threshold) => {
        fc.pre(held.contract.kind === 'inverse');
        const money = entryMargin(held.contract, held.open, 1);
        const unit = arbitrary.unitOf({ ...held, side: 'short', money }, threshold);
        assert.equal(liquidationTicks(held.contract, unit), 0);
      }),
    );
  });
});

/** Formulas of a side alone and of a hedge, as one would print them, in floating point. */
function printedFormula(contract: ValueTerms, unit: RiskUnit): number {
  const factor = Number(contract.valueFactor);
  const [long, short] = [unit.longLots * factor, unit.shortLots * factor];
  const larger = Math.max(long, short) * (unit.thresholdPpm / 1_000_000);
  const fine = Number(contract.fineFactor);
  const opens = Number(unit.longOpen - unit.shortOpen) / fine;
  const money = Number(unit.money);
  return contract.kind === 'linear'
    ? (opens - money) / (long - short - larger)
    : (long - short + larger) / (money + opens);
}

/** How safe a liquidation price is: none is the safest. */
function safety(side: 'long' | 'short', at: number): number {
  if (at === 0) return Number.POSITIVE_INFINITY;
  return side === 'long' ? -at : at;
}

/** An inverse position whose margin is its whole value but for a fraction of a unit. */
function isDust({ contract, side, open, money }: arbitrary.Holding): boolean {
  if (contract.kind === 'linear' || side === 'long') return false;
  const missing = open - money * contract.fineFactor;
  return missing > -contract.fineFactor && missing < contract.fineFactor;
}

describe('an even hedge', () => {
  const even = arbitrary.terms.chain((contract) =>
    fc
      .tuple(arbitrary.size, arbitrary.price, arbitrary.price, arbitrary.thresholdPpm)
      .chain(([lots, longPrice, shortPrice, thresholdPpm]) => {
        const longOpen = fineValue(contract, lots, longPrice);
        const shortOpen = fineValue(contract, lots, shortPrice);
        return arbitrary.moneyFor(contract, longOpen + shortOpen).map((money) => {
          const sides = { longLots: lots, longOpen, shortLots: lots, shortOpen };
          return { contract, unit: { money, ...sides, thresholdPpm } };
        });
      }),
  );

  test('has the same equity at every price', () => {
    fc.assert(
      fc.property(even, arbitrary.price, arbitrary.price, ({ contract, unit }, one, other) => {
        assert.equal(fineEquity(contract, unit, one), fineEquity(contract, unit, other));
      }),
    );
  });

  test('shows the price at which its value outgrows its money, in both kinds', () => {
    const sides = { longLots: 1, shortLots: 1, thresholdPpm: 100_000 };
    const unit = { ...sides, money: 20n, longOpen: 100n, shortOpen: 100n };
    assert.equal(liquidationTicks(PLAIN, unit), 200);
    assert.equal(liquidationTicks(PLAIN_INVERSE, unit), 48);
  });

  test('is not liquidated by a small move of the price', () => {
    fc.assert(
      fc.property(even, arbitrary.magnitude(7, 100), ({ contract, unit }, mark) => {
        const threshold = BigInt(unit.thresholdPpm) * PPM_TO_RATIO;
        fc.pre(ratioAt(contract, unit, mark) * 9n > threshold * 10n);
        for (const near of [Math.ceil(mark * 0.95), Math.floor(mark * 1.05)]) {
          assert.equal(isBreached(contract, unit, near), false);
        }
      }),
    );
  });
});

/** What is left of a position's money when all of it closes in one fill. */
function leftAfterClose(held: arbitrary.Holding, atTicks: number, feePpm: number): bigint {
  const { contract, side, lots, open, money } = held;
  const value = fineValue(contract, lots, atTicks);
  const pnl = fineToFloor(contract, finePnl(contract, side, open, value));
  return money + pnl - feeOnFine(contract, value, feePpm);
}

/** What an inverse position keeps back for roundings, unless it is not worth more than that. */
function keptBack({ contract, open }: arbitrary.Holding): bigint {
  return contract.kind === 'inverse' && open > contract.fineFactor ? 1n : 0n;
}

/** What rounding may take that nothing was kept back for. */
function lacking(held: arbitrary.Holding): bigint {
  return held.contract.kind === 'inverse' ? 1n - keptBack(held) : 0n;
}

/** One step from its bankruptcy price is its entry price, where a rounded value leaves the unit. */
const PAID_OUT_AT_ENTRY: arbitrary.Holding = {
  contract: { kind: 'inverse', valueFactor: 100_000_000n, fineFactor: 1_000_000_000_000n },
  side: 'long',
  lots: 1,
  open: 42_660_296_062_454n,
  money: 1n,
};

/** Worth one unit, of which its fee takes all. */
const WORTH_ITS_FEE: arbitrary.Holding = {
  contract: { kind: 'inverse', valueFactor: 10_000_000n, fineFactor: 1_000_000_000_000n },
  side: 'long',
  lots: 1,
  open: 1_000_000_000_000n,
  money: 0n,
};

describe('the bankruptcy price', () => {
  test('leaves nothing below zero, and less than what one step is worth', () => {
    const step = fc.constantFrom(1, 5, 50);
    fc.assert(
      fc.property(arbitrary.holding, arbitrary.feePpm, step, (held, feePpm, stepTicks) => {
        const { contract, side } = held;
        const at = bankruptcyTicks(contract, side, held, feePpm, stepTicks);
        fc.pre(at !== undefined && at > 0);
        assert.equal(at % stepTicks, 0);
        assert.ok(leftAfterClose(held, at, feePpm) >= -lacking(held), 'nobody owes anything');
        const worse = side === 'long' ? at - stepTicks : at + stepTicks;
        if (worse > 0) {
          assert.ok(leftAfterClose(held, worse, feePpm) <= keptBack(held), 'nothing is given away');
        }
        const better = side === 'long' ? at + stepTicks : at - stepTicks;
        if (better > 0) {
          assert.ok(leftAfterClose(held, better, feePpm) >= leftAfterClose(held, at, feePpm));
        }
      }),
      {
        numRuns: 3_000,
        examples: [
          [PAID_OUT_AT_ENTRY, 0, 1],
          [WORTH_ITS_FEE, 1, 1],
        ],
      },
    );
  });

  test('is missing only when no price takes all the money', () => {
    fc.assert(
      fc.property(arbitrary.holding, arbitrary.feePpm, arbitrary.price, (held, feePpm, at) => {
        const found = bankruptcyTicks(held.contract, held.side, held, feePpm, 1);
        if (held.side === 'long' && found === 0) assert.ok(leftAfterClose(held, at, feePpm) >= 0n);
        if (held.side === 'short' && found === undefined) {
          assert.ok(leftAfterClose(held, at, feePpm) >= 0n);
        }
      }),
    );
  });

  test('lies beyond the liquidation price when that is one', () => {
    fc.assert(
      fc.property(arbitrary.holding, arbitrary.feePpm, (held, feePpm) => {
        const { contract, side } = held;
        // The threshold has to be worth more than the roundings.
        fc.pre(held.open > contract.fineFactor * 10_000n);
        const liquidation = liquidationTicks(contract, arbitrary.unitOf(held, 5_000 + feePpm));
        const bankruptcy = bankruptcyTicks(contract, side, held, feePpm, 1);
        fc.pre(liquidation > 0 && bankruptcy !== undefined);
        const between = side === 'long' ? liquidation - bankruptcy : bankruptcy - liquidation;
        assert.ok(between >= -1, `${liquidation} and ${bankruptcy}`);
      }),
    );
  });
});
