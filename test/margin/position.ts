/** The position that an example is about, and what our formulas say of it. */
import {
  type FineAmount,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  type HoldSide,
  liquidationTicks,
  type ValueTerms,
} from '#domain';
import type { Example } from '../support/published-examples.ts';

/** Charged where an example prints no fee rate. */
const TAKER_FEE_PPM = 600;

interface Holding {
  readonly terms: ValueTerms;
  readonly side: HoldSide;
  readonly size: number;
  readonly open: FineAmount;
}

/** Opened at the printed entry price. */
export function holdingOf(example: Example): Holding {
  const { terms, side } = example;
  const size = example.size();
  return { terms, side, size, open: fineValue(terms, size, example.price('entry', 'avg')) };
}

export function pnlAt({ terms, side, size, open }: Holding, priceTicks: number): bigint {
  return fineToFloor(terms, finePnl(terms, side, open, fineValue(terms, size, priceTicks)));
}

/** The part of a value in money, rounded up. */
export function partOf(terms: ValueTerms, value: FineAmount, ratePpm: number): bigint {
  return feeOnFine(terms, value, ratePpm);
}

/** With this money behind the position alone. */
export function liquidationOf(example: Example, money: bigint): number {
  const { terms, side, size, open } = holdingOf(example);
  const isLong = side === 'long';
  return liquidationTicks(terms, {
    money,
    longLots: isLong ? size : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : size,
    shortOpen: isLong ? 0n : open,
    thresholdPpm:
      example.ppm('mmr') + (example.has('taker') ? example.ppm('taker') : TAKER_FEE_PPM),
  });
}
