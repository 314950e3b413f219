/** Which sides of the book are shown. */

export const SIDES = ['both', 'bids', 'asks'] as const;
export type ShownSides = (typeof SIDES)[number];
