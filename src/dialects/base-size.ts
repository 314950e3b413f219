/** Sizes of contracts in what one contract is of: base coin of linear ones, else quote coin. */
import type { Contract, Lots } from '#domain';
import { assert, formatTrimmed, parseDecimal } from '#kernel';

type SizeTerms = Pick<Contract, 'contractValue' | 'quantityScale'>;

/** One lot is `unit` times 10^-scale of the coin. */
export function baseUnitOf({ contractValue, quantityScale }: SizeTerms): {
  readonly unit: bigint;
  readonly scale: number;
} {
  const [, decimals = ''] = contractValue.split('.');
  const unit = parseDecimal(contractValue, decimals.length);
  assert(typeof unit === 'bigint', 'a listed contract has a value');
  return { unit, scale: decimals.length + quantityScale };
}

/** A size of a contract times contract_val, exact and trimmed. */
export function baseSize(contract: SizeTerms, size: Lots): string {
  const { unit, scale } = baseUnitOf(contract);
  return formatTrimmed(BigInt(size) * unit, scale);
}
