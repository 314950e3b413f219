/**
 * Sizes of contracts as traders count them: in contracts, in coin, or in quote currency. One of the
 * last two is what a contract is of, and exact; the other is its value at a price.
 */
import { valueFloor } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from './contract.ts';
import { exact } from './numbers.ts';

export const SIZE_UNITS = ['contracts', 'base', 'quote'] as const;
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** Decimals that a coin may be typed with, where a lot needs no more. */
const COIN_SCALE = 8;

/** What one lot is of what the contract is of: `units` of 10^-scale. */
function lotOf({ contractValue, quantityScale }: TradedContract) {
  const { value, scale } = exact(contractValue);
  return { units: value, scale: scale + quantityScale };
}

/** Whether the unit is what a contract is of, whatever its price. */
function isFixed({ kind }: TradedContract, unit: SizeUnit): boolean {
  return unit === (kind === 'linear' ? 'base' : 'quote');
}

/** Decimal places of a size that is typed in this unit. */
export function unitScale(contract: TradedContract, unit: SizeUnit): number {
  if (unit === 'contracts') return contract.quantityScale;
  if (!isFixed(contract, unit)) return contract.marginScale;
  return Math.max(COIN_SCALE, lotOf(contract).scale);
}

/** Whole lots of a size in units of 10^-unitScale, rounded down; none while a price is missing. */
export function lotsIn(
  contract: TradedContract,
  unit: SizeUnit,
  size: bigint,
  priceTicks: number,
): bigint {
  if (unit === 'contracts') return size;
  if (isFixed(contract, unit)) {
    const { units, scale } = lotOf(contract);
    return size / (units * 10n ** BigInt(unitScale(contract, unit) - scale));
  }
  if (priceTicks <= 0) return 0n;
  const { kind, valueFactor } = contract;
  const price = BigInt(priceTicks);
  return kind === 'linear' ? size / (valueFactor * price) : (size * price) / valueFactor;
}

/** Lots in this unit; a value at a price is rounded down. Empty while a price is missing. */
export function sizeIn(
  contract: TradedContract,
  unit: SizeUnit,
  lots: number,
  priceTicks: number,
): string {
  if (unit === 'contracts') return formatTrimmed(lots, contract.quantityScale);
  if (isFixed(contract, unit)) {
    const { units, scale } = lotOf(contract);
    return formatTrimmed(BigInt(lots) * units, scale);
  }
  if (priceTicks <= 0) return '';
  return formatTrimmed(valueFloor(contract, lots, priceTicks), contract.marginScale);
}
