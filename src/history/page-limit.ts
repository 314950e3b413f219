/** How many rows a page has at most, and where it may end. */

/**
 * How many rows a page has, and what it does not end in the middle of: then it holds up to
 * LIMITS.pageOverrunMax rows more. It never ends between the two sides of a trade with oneself.
 */
export interface PageLimit {
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
  /** The order, where the rows are one order's, or what has the time of its last row. */
  readonly whole?: 'order' | 'millisecond' | undefined;
}
