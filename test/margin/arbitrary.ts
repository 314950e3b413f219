/** Random contracts and positions for the properties of the formulas. */
import fc from 'fast-check';
import {
  type FineAmount,
  fineFactorOf,
  fineValue,
  type HoldSide,
  type RiskUnit,
  type ValueTerms,
} from '#domain';
import { holdSide as side } from '../support/arbitraries.ts';

/** Whole numbers of every order of magnitude up to the largest. */
export function magnitude(digitsMax: number, min = 1): fc.Arbitrary<number> {
  return fc
    .integer({ min: 0, max: digitsMax })
    .chain((digits) => fc.integer({ min, max: Math.max(min, 10 ** digits) }));
}

const linear: fc.Arbitrary<ValueTerms> = magnitude(6).map((factor) => ({
  kind: 'linear',
  valueFactor: BigInt(factor),
  fineFactor: fineFactorOf('linear'),
}));

/** A lot at a price of 10^7 ticks is worth at least one unit of the margin coin. */
const inverse: fc.Arbitrary<ValueTerms> = fc
  .tuple(magnitude(3), fc.integer({ min: 7, max: 14 }))
  .map(([factor, zeros]) => ({
    kind: 'inverse',
    valueFactor: BigInt(factor) * 10n ** BigInt(zeros),
    fineFactor: fineFactorOf('inverse'),
  }));

export const terms: fc.Arbitrary<ValueTerms> = fc.oneof(linear, inverse);
export const leverage = fc.integer({ min: 1, max: 125 });
export const feePpm = fc.integer({ min: 0, max: 2_000 });
/** Ten ticks at the least, so that a price a little lower is still one. */
export const price = magnitude(7, 10);
export const size = magnitude(6);
export const thresholdPpm = fc.integer({ min: 0, max: 110_000 });

export interface Side {
  readonly lots: number;
  readonly open: FineAmount;
}

const fill = fc.record({ size, price });

/** A side opened by up to three fills around one price. */
function opened(contract: ValueTerms): fc.Arbitrary<Side> {
  return fc.array(fill, { minLength: 1, maxLength: 3 }).map((fills) => ({
    lots: fills.reduce((sum, one) => sum + one.size, 0),
    open: fills.reduce((sum, one) => sum + fineValue(contract, one.size, one.price), 0n),
  }));
}

/** Money as a part of what was opened: next to nothing, a common margin, or more than all. */
export function moneyFor(contract: ValueTerms, open: FineAmount): fc.Arbitrary<bigint> {
  return fc
    .oneof(
      fc.nat({ max: 1_000 }),
      fc.integer({ min: 5_000, max: 200_000 }),
      fc.nat({ max: 3_000_000 }),
    )
    .map((part) => (open * BigInt(part)) / (1_000_000n * contract.fineFactor));
}

export interface Holding extends Side {
  readonly contract: ValueTerms;
  readonly side: HoldSide;
  readonly money: bigint;
}

/** One side of a fixed account. */
export const holding: fc.Arbitrary<Holding> = fc
  .record({ contract: terms, side })
  .chain(({ contract, side: held }) =>
    opened(contract).chain((position) =>
      moneyFor(contract, position.open).map((money) => ({
        ...position,
        contract,
        side: held,
        money,
      })),
    ),
  );

export function unitOf({ side: held, lots, open, money }: Holding, threshold: number): RiskUnit {
  const isLong = held === 'long';
  return {
    money,
    longLots: isLong ? lots : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : lots,
    shortOpen: isLong ? 0n : open,
    thresholdPpm: threshold,
  };
}

export interface Judged {
  readonly contract: ValueTerms;
  readonly unit: RiskUnit;
}

/** A whole crossed account that holds both sides. */
const hedged: fc.Arbitrary<Judged> = terms.chain((contract) =>
  fc.tuple(opened(contract), opened(contract), thresholdPpm).chain(([long, short, threshold]) =>
    moneyFor(contract, long.open + short.open).map((money) => ({
      contract,
      unit: {
        money,
        longLots: long.lots,
        longOpen: long.open,
        shortLots: short.lots,
        shortOpen: short.open,
        thresholdPpm: threshold,
      },
    })),
  ),
);

const single: fc.Arbitrary<Judged> = fc
  .tuple(holding, thresholdPpm)
  .map(([held, threshold]) => ({ contract: held.contract, unit: unitOf(held, threshold) }));

/** One side or both, of either kind of contract. */
export const judged: fc.Arbitrary<Judged> = fc.oneof(single, hedged);
