/** Whole-number arithmetic of the auditor: fractions as two bigints, each rounding by its name. */

export const PPM = 1_000_000n;
export const PPB = 1_000_000_000n;
export const SAFE_MAX = Number.MAX_SAFE_INTEGER;

export function floorDivide(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return floorDivide(-numerator, -denominator);
  const cut = numerator / denominator;
  return cut * denominator > numerator ? cut - 1n : cut;
}

export function ceilDivide(numerator: bigint, denominator: bigint): bigint {
  return -floorDivide(-numerator, denominator);
}

export function least(one: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((found, other) => (other < found ? other : found), one);
}

export function most(one: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((found, other) => (other > found ? other : found), one);
}
