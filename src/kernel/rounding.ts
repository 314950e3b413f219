/**
 * Integer division with its direction in the name. Money code never divides in any other way:
 * what a party owes rounds up, what it receives rounds down, so that dust stays with the venue.
 */
import { assert } from './assert.ts';

/** value * numerator / denominator, rounded toward negative infinity. Denominator above zero. */
export function mulDivFloor(value: bigint, numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n, 'the denominator must be above zero');
  const product = value * numerator;
  const quotient = product / denominator;
  return product < 0n && quotient * denominator !== product ? quotient - 1n : quotient;
}

/** value * numerator / denominator, rounded toward positive infinity. Denominator above zero. */
export function mulDivCeil(value: bigint, numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n, 'the denominator must be above zero');
  const product = value * numerator;
  const quotient = product / denominator;
  return product > 0n && quotient * denominator !== product ? quotient + 1n : quotient;
}
