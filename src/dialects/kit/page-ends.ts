/** How pages end that would leave rows out if they ended anywhere, as the documents say it. */
import { LIMITS } from '#domain';

const MORE = `up to ${LIMITS.pageOverrunMax} rows more than the limit`;

/** Of rows that the next page asks for by time. */
export const ENDS_BY_TIME = `A page does not end inside a millisecond: it holds ${MORE}`;

/** Of transfers, which have no ids that a page could begin at. */
export const TRANSFERS_END =
  `${ENDS_BY_TIME}, and of more transfers in one millisecond the rest is only found by other ` +
  'filters';

/** Of fills that the next page asks for by order. */
export const FILLS_END =
  `A page does not end inside an order: it holds ${MORE}, and of an order with more fills the ` +
  'rest is asked for with its orderId and the id of the last fill';
