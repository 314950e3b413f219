/** Sizes in requests: decimal text in the steps of a market, as whole lots. */
import { type Lots, lots, ZERO_LOTS } from '#domain';
import { parseScaled } from '#kernel';
import { type Fields, whyNot } from '../fields.ts';

/** A size above zero; a harmless one after a fault is noted. */
export function readSize(
  fields: Fields,
  given: string,
  { quantityScale }: { readonly quantityScale: number },
): Lots {
  const value = parseScaled(given, quantityScale);
  if (typeof value === 'number' && value > 0) return lots(value);
  const reject = value === 'too_large' ? 'quantity_above_maximum' : 'quantity_invalid';
  fields.refuse(reject, whyNot(given, value, quantityScale));
  return ZERO_LOTS;
}
