/** Rates of answers as text, and prices and sizes of requests as whole units. */
import {
  type Lots,
  lots,
  type RejectKind,
  type Ticks,
  ticks,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { noteUnits } from '../kit/decimals.ts';
import type { Fields } from '../kit/fields.ts';

const PPM_SCALE = 6;

/** A rate in millionths as a fraction: 1000 is 0.001. */
export function ratioText(ppm: number): string {
  return formatTrimmed(ppm, PPM_SCALE);
}

/** A price above zero; a harmless one after a fault is noted. */
export function readPrice(fields: Fields, given: string, scale: number): Ticks {
  return ticks(units(fields, given, scale, 'price_invalid')) || ZERO_TICKS;
}

/** A size above zero; a harmless one after a fault is noted. */
export function readSize(fields: Fields, given: string, scale: number): Lots {
  return lots(units(fields, given, scale, 'quantity_invalid')) || ZERO_LOTS;
}

function units(fields: Fields, given: string, scale: number, reject: RejectKind): number {
  const tooLarge = reject === 'quantity_invalid' ? 'quantity_above_maximum' : reject;
  return noteUnits(fields, given, { scale, reject, tooPrecise: 'precision_exceeded', tooLarge });
}
