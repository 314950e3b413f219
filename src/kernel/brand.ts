/**
 * Brands: integers that carry their unit in the type, so that a price cannot be passed as a size.
 * This file and the wire room are the only places that cast.
 */
declare const unit: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [unit]: Name };

/** Marks a value with its unit. The caller has checked the range. */
export function brand<B extends Brand<number, string>>(value: number): B {
  return value as B;
}
