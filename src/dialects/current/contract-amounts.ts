/**
 * Sizes and prices of contracts, in and out. Sizes are in base coin here, so that one contract of
 * 0.001 BTC is "0.001"; the venue counts in lots. Nothing rounds: what is between two steps is
 * refused.
 */
import {
  AVERAGE_EXTRA_SCALE,
  type Contract,
  type FillSums,
  fillAverage,
  isRefused,
  type Lots,
  lots,
  type Ticks,
  ZERO_LOTS,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { baseSize, lotSizeOf } from '../kit/base-size.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type Fields, shown } from '../kit/fields.ts';
import { readPrice } from './amounts.ts';

/** The smallest size there is, and what sizes are multiples of. */
export function stepText(contract: Contract): string {
  return baseSize(contract, 1n);
}

/** Decimal places of a size. */
export function sizeDecimals(contract: Contract): number {
  const [, decimals = ''] = stepText(contract).split('.');
  return decimals.length;
}

/** A size in base coin as lots, above zero; a harmless one after a fault is noted. */
export function readContractSize(fields: Fields, given: string, contract: Contract): Lots {
  const { units, scale } = lotSizeOf(contract);
  const value = readDecimal(given, {
    scale,
    reject: 'quantity_invalid',
    tooPrecise: 'precision_exceeded',
    tooLarge: 'quantity_above_maximum',
  });
  if (isRefused(value)) {
    fields.fail(value);
    return ZERO_LOTS;
  }
  const size = value / units;
  if (size * units !== value) {
    fields.refuse(
      'precision_exceeded',
      `${shown(given)} is not a multiple of ${stepText(contract)}`,
    );
    return ZERO_LOTS;
  }
  if (size <= BigInt(Number.MAX_SAFE_INTEGER)) return lots(Number(size));
  fields.refuse('quantity_above_maximum', `${shown(given)} is too large`);
  return ZERO_LOTS;
}

/** A price on a step of the contract; a harmless one after a fault is noted. */
export function readContractPrice(
  fields: Fields,
  given: string,
  { priceScale, priceStepTicks }: Contract,
): Ticks {
  const price = readPrice(fields, given, priceScale);
  if (price % priceStepTicks !== 0) {
    const step = formatTrimmed(priceStepTicks, priceScale);
    fields.refuse('precision_exceeded', `${shown(given)} is not a multiple of ${step}`);
  }
  return price;
}

/** Average price of an order's fills, exact or cut after many decimals; 0 for none. */
export function contractFillAverage(contract: Contract, sums: FillSums): string {
  if (sums.filledLots === 0) return '0';
  const average = fillAverage(contract.kind, sums, AVERAGE_EXTRA_SCALE);
  return formatTrimmed(average, contract.priceScale + AVERAGE_EXTRA_SCALE);
}
