/** How a table keeps an amount: exact, without a largest value. */

/** An amount in the smallest unit of its asset, as digits. */
export type AmountText = string;
