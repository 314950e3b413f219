/** Prices and sizes of requests in whole units of their market. */
import { type Lots, lots, type Ticks, ticks } from '#domain';
import { formatTrimmed } from '#kernel';
import { noteUnits } from '../kit/decimals.ts';
import type { Fields } from '../kit/fields.ts';
import { isPair, type Market } from './terms.ts';

/** A price above zero, on a step of its market; a harmless one after a fault is noted. */
export function readPrice(fields: Fields, name: string, given: string, market: Market): Ticks {
  const rule = { scale: market.priceScale, reject: 'price_invalid', name } as const;
  const value = noteUnits(fields, given, rule);
  const step = isPair(market) ? 1 : market.priceStepTicks;
  if (value % step !== 0) {
    const shown = formatTrimmed(step, market.priceScale);
    fields.refuse('price_invalid', `${name} goes in steps of ${shown}`);
  }
  return ticks(value);
}

/** A size above zero; a harmless one after a fault is noted. */
export function readSize(fields: Fields, given: string, { quantityScale: scale }: Market): Lots {
  const rule = { scale, reject: 'quantity_invalid', tooLarge: 'quantity_above_maximum' } as const;
  return lots(noteUnits(fields, given, { ...rule, name: 'size' }));
}

/** Two fields that contradict each other. */
export function conflict(fields: Fields, name: string, what: string): void {
  fields.refuse('parameters_conflict', `${name} does not go with ${what}`);
}
