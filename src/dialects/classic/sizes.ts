/** Sizes in requests: decimal text in the steps of a market, as whole lots. */
import { type Contract, type Lots, lots, ZERO_LOTS } from '#domain';
import { parseScaled } from '#kernel';
import { noteUnits } from '../kit/decimals.ts';
import { type Fields, shown } from '../kit/fields.ts';

/** A size above zero; a harmless one after a fault is noted. */
export function readSize(
  fields: Fields,
  given: string,
  { quantityScale }: { readonly quantityScale: number },
): Lots {
  const size = noteUnits(fields, given, {
    scale: quantityScale,
    reject: 'quantity_invalid',
    tooLarge: 'quantity_above_maximum',
  });
  return lots(size);
}

/** As readSize, in contracts. */
export function readContracts(fields: Fields, given: string, contract: Contract): Lots {
  const isPart = contract.quantityScale === 0 && parseScaled(given, 0) === 'too_precise';
  if (!isPart) return readSize(fields, given, contract);
  fields.refuse('quantity_invalid', `${shown(given)}: whole contracts only`);
  return ZERO_LOTS;
}
