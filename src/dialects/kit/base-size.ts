/** Sizes of contracts in what one contract is of: base coin of linear ones, else quote coin. */
import type { Contract, Lots } from '#domain';
import { formatTrimmed } from '#kernel';

/** What a lot is of the coin: `units` of 10^-scale. */
export interface LotSize {
  readonly units: bigint;
  readonly scale: number;
}

const lotSizes = new WeakMap<Contract, LotSize>();

export function lotSizeOf(contract: Contract): LotSize {
  const known = lotSizes.get(contract);
  if (known !== undefined) return known;
  const { contractValue, quantityScale } = contract;
  const [whole = '', fraction = ''] = contractValue.split('.');
  const decimals = fraction.replace(/0+$/, '');
  const found = { units: BigInt(whole + decimals), scale: decimals.length + quantityScale };
  lotSizes.set(contract, found);
  return found;
}

/** A size of a contract times contract_val, exact and trimmed. */
export function baseSize(contract: Contract, size: Lots | bigint): string {
  const { units, scale } = lotSizeOf(contract);
  return formatTrimmed(BigInt(size) * units, scale);
}
