/**
 * Brands: integers that carry their unit in the type, so that a price cannot be passed as a size.
 * The rule `casts` of tools/house lists the other places that may cast.
 */
declare const unit: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [unit]: Name };

/** Marks a value with its unit. The caller has checked the range. */
export function brand<B extends Brand<number, string>>(value: number): B {
  return value as B;
}
