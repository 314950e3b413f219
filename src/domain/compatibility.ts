/** What clients disagree on, and what a venue answers unless its configuration says otherwise. */

export interface Compatibility {
  /** Sign of a charged fee in spot fills. */
  readonly fillFees: 'positive' | 'negative';
  /** Lists of trigger orders: an array, or an object with nextPage and list. */
  readonly planLists: 'array' | 'page';
  /** open_count: an object with openCount, or the number alone as text. */
  readonly openCount: 'object' | 'scalar';
}

export const COMPATIBILITY_DEFAULTS: Compatibility = {
  fillFees: 'positive',
  planLists: 'array',
  openCount: 'object',
};
