/**
 * What contracts are worth, in fine units, of which a margin unit has contract.fineFactor: what a
 * part of a position was opened for is a quotient, and so is any inverse value. Rounding is in the
 * function's name, or an argument.
 */
import { assert, wholeToBigInt, wholeToNumber } from '#kernel';
import type { ContractKind, HoldSide } from '../contract.ts';
import { type Amount, PPM_BIG } from '../units.ts';
import { numberValue, type ValueTerms } from './number-terms.ts';

/** An amount in fine units of a contract's margin coin. */
export type FineAmount = bigint;

/** Digits that values keep beyond those of the margin coin. */
const FINE_DIGITS = { linear: 12n, inverse: 24n } as const;

/**
 * Fine units per margin unit. An inverse lot is worth at least 10^8 of them at any price, so that
 * no position is worth nothing and averages are exact enough.
 */
export function fineFactorOf(kind: ContractKind): bigint {
  return 10n ** FINE_DIGITS[kind];
}

/** Value of a size at a price, in fine units; an inverse one is cut after its last digit. */
export function fineValue(contract: ValueTerms, size: number, priceTicks: number): FineAmount {
  assert(priceTicks > 0, 'a value needs a price');
  const { kind, valueFactor, fineFactor } = contract;
  if (kind === 'linear') return tickLots(size, priceTicks) * valueFactor * fineFactor;
  return (BigInt(size) * contract.valueFactor * contract.fineFactor) / BigInt(priceTicks);
}

/** Price times size, exact. */
export function tickLots(size: number, priceTicks: number): bigint {
  const product = size * priceTicks;
  return Number.isSafeInteger(product) ? wholeToBigInt(product) : BigInt(size) * BigInt(priceTicks);
}

/** What a trade is worth. */
export interface TradeValue {
  readonly fine: FineAmount;
  /** In margin units, rounded down; of a linear contract that is all of it. */
  readonly units: Amount;
  /** The same of a linear contract as a number; NaN where that is not exact. */
  readonly number: number;
}

/** Of a linear contract: most trades are worked out without the fine units. */
class LinearValue implements TradeValue {
  readonly units: Amount;
  readonly number: number;
  readonly #fineFactor: bigint;

  constructor(units: Amount, number: number, fineFactor: bigint) {
    this.units = units;
    this.number = number;
    this.#fineFactor = fineFactor;
  }

  get fine(): FineAmount {
    return this.units * this.#fineFactor;
  }
}

/** Value of a size at a price, in fine units and in margin units. */
export function tradeValue(contract: ValueTerms, size: number, priceTicks: number): TradeValue {
  if (contract.kind === 'inverse') {
    const fine = fineValue(contract, size, priceTicks);
    return { fine, units: fineToFloor(contract, fine), number: Number.NaN };
  }
  assert(priceTicks > 0, 'a value needs a price');
  const number = numberValue(contract, size, priceTicks);
  const units = Number.isNaN(number)
    ? tickLots(size, priceTicks) * contract.valueFactor
    : wholeToBigInt(number);
  return new LinearValue(units, number, contract.fineFactor);
}

/** Value of a size at a price in margin units, rounded down. */
export function valueFloor(contract: ValueTerms, size: number, priceTicks: number): Amount {
  return tradeValue(contract, size, priceTicks).units;
}

/** Fine units as whole margin units, toward negative infinity. */
export function fineToFloor(contract: ValueTerms, amount: FineAmount): Amount {
  return fineParts(contract, amount).units;
}

/** Fine units as whole margin units, toward negative infinity, and what that leaves over. */
export function fineParts(
  { fineFactor }: ValueTerms,
  amount: FineAmount,
): { readonly units: Amount; readonly rest: FineAmount } {
  const units = amount / fineFactor;
  const rest = amount % fineFactor;
  return rest < 0n ? { units: units - 1n, rest: rest + fineFactor } : { units, rest };
}

/** The fee on a fine value in margin units, rounded up. */
export function feeOnFine(contract: ValueTerms, value: FineAmount, feePpm: number): Amount {
  const part = value * BigInt(feePpm);
  const whole = PPM_BIG * contract.fineFactor;
  const quotient = part / whole;
  return quotient * whole === part ? quotient : quotient + 1n;
}

/**
 * Profit of a position with this open value, worth `value` now, in fine units and exact.
 * Linear: s (value - open). Inverse: s (open - value), because a coin that gains is worth less of
 * itself per contract.
 */
export function finePnl(
  contract: ValueTerms,
  side: HoldSide,
  open: FineAmount,
  value: FineAmount,
): FineAmount {
  return gainsWithValue(contract, side) ? value - open : open - value;
}

/** Whether a side gains when its contracts are worth more of the margin coin. */
function gainsWithValue({ kind }: ValueTerms, side: HoldSide): boolean {
  return (side === 'long') === (kind === 'linear');
}

/**
 * The share of an open value that belongs to part of the lots, rounded so that its profit is no
 * larger than the exact one; the last part takes the rest.
 */
export function openShare(
  contract: ValueTerms,
  side: HoldSide,
  open: FineAmount,
  part: number,
  whole: number,
): FineAmount {
  assert(part <= whole, 'a part is no larger than the whole');
  if (part === whole) return open;
  const product = open * BigInt(part);
  const rounded = gainsWithValue(contract, side) ? product + BigInt(whole - 1) : product;
  return rounded / BigInt(whole);
}

/** The part of an amount that goes with part of the lots, rounded down. */
export function partOf(amount: Amount, part: number, whole: number): Amount {
  if (part === whole || amount === 0n) return amount;
  const product = wholeToNumber(amount) * part;
  if (product >= 0 && product <= Number.MAX_SAFE_INTEGER)
    return wholeToBigInt(Math.floor(product / whole));
  return (amount * BigInt(part)) / BigInt(whole);
}

/**
 * Average entry price in 10^-extraScale ticks, rounded half up: linear open / (lots * factor),
 * inverse lots * factor / open (the harmonic mean). Zero when nothing is open.
 */
export function averageEntry(
  contract: ValueTerms,
  open: FineAmount,
  size: number,
  extraScale: number,
): bigint {
  if (size === 0 || open === 0n) return 0n;
  const scale = 10n ** BigInt(extraScale);
  const whole = BigInt(size) * contract.valueFactor * contract.fineFactor;
  if (contract.kind === 'linear') return divideHalfUp(open * scale, whole);
  return divideHalfUp(whole * scale, open);
}

/** What lots over a price is counted in. */
const PER_TICK = 10n ** 24n;

/** Lots over their price in 10^-24, rounded down: what an inverse average is made of. */
export function lotsPerTick(size: number, priceTicks: number): bigint {
  return (BigInt(size) * PER_TICK) / BigInt(priceTicks);
}

/** What the fills of an order sum up to, as far as its average price needs it. */
export interface FillSums {
  readonly filledLots: number;
  /** Price ticks times lots, exact. */
  readonly filledTickLots: bigint;
  /** Of inverse orders, lots over price ticks in 10^-24, each fill rounded down; otherwise zero. */
  readonly filledPerTick: bigint;
}

/**
 * Average price of fills in 10^-extraScale ticks, rounded half up: the price at which all of them
 * together would be worth what they are worth, so that of inverse ones is the harmonic mean. Zero
 * when nothing has filled.
 */
export function fillAverage(kind: ContractKind, sums: FillSums, extraScale: number): bigint {
  const { filledLots, filledTickLots, filledPerTick } = sums;
  if (filledLots === 0) return 0n;
  const scaled = 10n ** BigInt(extraScale);
  if (kind === 'linear' || filledPerTick === 0n) {
    return divideHalfUp(filledTickLots * scaled, BigInt(filledLots));
  }
  return divideHalfUp(BigInt(filledLots) * PER_TICK * scaled, filledPerTick);
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
