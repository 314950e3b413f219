/**
 * What opening costs: the margin and the fee that an order sets aside and what each piece of it
 * takes, how much can be opened with an amount, and what margin may be taken out of a position.
 */
import { wholeToBigInt } from '#kernel';
import type { Contract } from '../contract.ts';
import { tierOf } from '../contract.ts';
import { leveragedParts, ratedParts } from '../number-parts.ts';
import { type Amount, type Lots, lots, PPM, PPM_BIG, type Ticks } from '../units.ts';
import { numberCost, numberValue, type ValueTerms } from './number-terms.ts';
import { type FineAmount, fineValue, type TradeValue, tickLots } from './value.ts';

/**
 * What rounding the pieces of one order has left over; it counts with the next piece. So all of
 * them together pay what one piece would: the fee rounded up once, the margin rounded down once.
 */
export interface Carry {
  /** Charged beyond the exact fee so far: less than a unit, in PPM parts of a fine unit. */
  readonly feeAhead: bigint;
  /** Opened value that does not make a whole unit of margin yet, in fine units. */
  readonly marginOwed: FineAmount;
}

export const NO_CARRY: Carry = { feeAhead: 0n, marginOwed: 0n };

/**
 * What an opening order freezes: V / L + V * fee rate at its price, rounded up once. So a size
 * costs no more than an amount exactly when openableLots says that it can be opened with it. What
 * a freeze falls by when a piece is filled is never less than fee and margin of that piece: the
 * carry of the pieces before it is part of what is rounded.
 */
export function openingCost(
  contract: ValueTerms,
  size: number,
  priceTicks: number,
  leverage: number,
  feePpm: number,
  carry: Carry = NO_CARRY,
): Amount {
  if (size === 0) return 0n;
  if (isNone(carry)) return firstCost(contract, size, priceTicks, leverage, feePpm);
  const { fineFactor } = contract;
  const { cost, price, whole } = exactCost(contract, size, priceTicks, leverage, feePpm);
  const fineCost = cost * fineFactor + carriedCost(leverage, carry) * price;
  return divideCeil(fineCost, price * whole * fineFactor);
}

/** Of an order that has not filled yet, as most have not. */
function firstCost(
  contract: ValueTerms,
  size: number,
  priceTicks: number,
  leverage: number,
  feePpm: number,
): Amount {
  const found = numberCost(numberValue(contract, size, priceTicks), leverage, feePpm);
  if (!Number.isNaN(found)) return wholeToBigInt(found);
  const { cost, price, whole } = exactCost(contract, size, priceTicks, leverage, feePpm);
  return divideCeil(cost, price * whole);
}

function divideCeil(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

function isNone({ feeAhead, marginOwed }: Carry): boolean {
  return feeAhead === 0n && marginOwed === 0n;
}

/** What the pieces so far still owe, in L PPM parts of a fine unit; fees ahead make it less. */
function carriedCost(leverage: number, { feeAhead, marginOwed }: Carry): bigint {
  return marginOwed * PPM_BIG - feeAhead * BigInt(leverage);
}

/** The fee of the next piece of an order, so that the fees of all of them are rounded up once. */
export function pieceFee(
  { fineFactor }: ValueTerms,
  worth: TradeValue,
  feePpm: number,
  feeAhead: bigint,
): { readonly fee: Amount; readonly feeAhead: bigint } {
  const { number } = worth;
  if (feeAhead === 0n && !Number.isNaN(number)) {
    const { units, rest } = ratedParts(number, feePpm);
    if (rest === 0) return { fee: wholeToBigInt(units), feeAhead };
    return { fee: wholeToBigInt(units + 1), feeAhead: BigInt(PPM - rest) * fineFactor };
  }
  const due = worth.fine * BigInt(feePpm) - feeAhead;
  const whole = PPM_BIG * fineFactor;
  const least = due / whole;
  const rest = due % whole;
  return rest > 0n ? { fee: least + 1n, feeAhead: whole - rest } : { fee: least, feeAhead: -rest };
}

/** The margin of the next piece of an opening order: V / L of all of them is rounded down once. */
export function pieceMargin(
  { fineFactor }: ValueTerms,
  worth: TradeValue,
  leverage: number,
  marginOwed: FineAmount,
): { readonly margin: Amount; readonly marginOwed: FineAmount } {
  const { number } = worth;
  if (marginOwed === 0n && !Number.isNaN(number)) {
    const { units, rest } = leveragedParts(number, leverage);
    return {
      margin: wholeToBigInt(units),
      marginOwed: rest === 0 ? 0n : BigInt(rest) * fineFactor,
    };
  }
  const owed = marginOwed + worth.fine;
  const whole = fineFactor * BigInt(leverage);
  return { margin: owed / whole, marginOwed: owed % whole };
}

/** What opening costs as an exact ratio: V (1/L + f) with V = c n P or c n / P. */
function exactCost(
  { kind, valueFactor }: ValueTerms,
  size: number,
  priceTicks: number,
  leverage: number,
  feePpm: number,
): { readonly cost: bigint; readonly price: bigint; readonly whole: bigint } {
  const share = valueFactor * BigInt(PPM + leverage * feePpm);
  const whole = BigInt(leverage * PPM);
  return kind === 'linear'
    ? { cost: tickLots(size, priceTicks) * share, price: 1n, whole }
    : { cost: BigInt(size) * share, price: BigInt(priceTicks), whole };
}

/** The most lots whose opening costs no more than the amount, tiers not considered. */
export function affordableLots(
  contract: ValueTerms,
  amount: Amount,
  priceTicks: number,
  leverage: number,
  feePpm: number,
  carry: Carry = NO_CARRY,
): number {
  if (amount <= 0n || priceTicks === 0) return 0;
  const { fineFactor } = contract;
  const { cost, price, whole } = exactCost(contract, 1, priceTicks, leverage, feePpm);
  const paid = amount * fineFactor * whole - carriedCost(leverage, carry);
  const found = (paid * price) / (cost * fineFactor);
  if (found <= 0n) return 0;
  return found > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(found);
}

/**
 * The openable count: what the amount pays for, no more than the tiers allow a position to hold at
 * this leverage, and no more than one order may ask for. None when that is less than the smallest
 * order. Taker fee.
 */
export function openableLots(
  contract: ValueTerms & Pick<Contract, 'tiers' | 'takerFeePpm' | 'minLots' | 'maxLots'>,
  amount: Amount,
  priceTicks: Ticks,
  leverage: number,
): Lots {
  const paid = affordableLots(contract, amount, priceTicks, leverage, contract.takerFeePpm);
  const allowed = leveragedLotsMax(contract, leverage);
  const found = Math.min(paid, allowed, contract.maxLots);
  return lots(found < contract.minLots ? 0 : found);
}

/** How many lots a position may hold at a leverage: the last tier that still allows it. */
export function leveragedLotsMax(contract: Pick<Contract, 'tiers'>, leverage: number): number {
  let found = 0;
  for (const tier of contract.tiers) if (leverage <= tier.leverageMax) found = tier.contractsMax;
  return found;
}

/** The highest leverage that a position of this size allows; below 1 when it is too large. */
export function leverageMaxOf(contract: Pick<Contract, 'tiers'>, size: number): number {
  const last = contract.tiers.at(-1);
  return last === undefined || size > last.contractsMax ? 0 : tierOf(contract, size).leverageMax;
}

/** Margin of a position by its entry value: V(E) / L in margin units, rounded down. */
export function entryMargin(contract: ValueTerms, open: FineAmount, leverage: number): Amount {
  return open / (contract.fineFactor * BigInt(leverage));
}

/**
 * Margin that may be taken out of an isolated position: what it has above V(E) / L, and what it
 * would have above the initial margin at the mark price; rounded down, never below zero.
 */
export function removableMargin(
  contract: ValueTerms,
  position: { readonly lots: number; readonly open: FineAmount; readonly margin: Amount },
  leverage: number,
  unrealizedPnl: Amount,
  markTicks: number,
): Amount {
  const aboveEntry = position.margin - entryMargin(contract, position.open, leverage);
  const needed = ceilOf(fineValue(contract, position.lots, markTicks), contract, leverage);
  const aboveMark = position.margin + unrealizedPnl - needed;
  const least = aboveEntry < aboveMark ? aboveEntry : aboveMark;
  return least > 0n ? least : 0n;
}

/**
 * Automatic replenishment: brings margin + unrealised profit up to V(M) / L, as far as the
 * available balance goes. Rounded up; never below zero.
 */
export function replenishment(
  contract: ValueTerms,
  position: { readonly lots: number; readonly margin: Amount },
  leverage: number,
  unrealizedPnl: Amount,
  markTicks: number,
  available: Amount,
): Amount {
  const target = ceilOf(fineValue(contract, position.lots, markTicks), contract, leverage);
  const missing = target - (position.margin + unrealizedPnl);
  if (missing <= 0n || available <= 0n) return 0n;
  return missing < available ? missing : available;
}

function ceilOf(value: FineAmount, contract: ValueTerms, leverage: number): Amount {
  return divideCeil(value, contract.fineFactor * BigInt(leverage));
}
