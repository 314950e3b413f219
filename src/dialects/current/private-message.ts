/** What the messages of the private channels have in common: why they are sent, and their rows. */
import type { Event, OrderCause } from '#domain';

/** Why money or positions changed, besides orders; the first that fits counts. */
const REASONS = {
  deposit: 'DepositUpdate',
  transfer_in: 'DepositUpdate',
  withdraw: 'WithdrawUpdate',
  transfer_out: 'WithdrawUpdate',
  funding: 'PositionFundingSettle',
} as const;

const ORDER_UPDATE = 'OrderUpdate';
const LIQUIDATION = { begun: 'StartLiquidating', finished: 'FinishLiquidating' } as const;

/** Of orders that a liquidation places for the account; who is deleveraged is not liquidated. */
const LIQUIDATION_CAUSES: ReadonlySet<OrderCause> = new Set([
  'netting',
  'reduction',
  'liquidation',
]);

/** No client tells reasons apart. */
export const NO_CANCEL_REASON = 'UNKNOWN_ORDER_CANCEL_REASON';

/** What rows of orders have besides, of an order that waits for nothing. */
export const NO_TRIGGER = {
  triggerPrice: '0',
  orderSource: 'API',
  openTpslParentOrderId: '0',
  setOpenTp: false,
  setOpenSl: false,
  triggerTime: '0',
  triggerPriceTime: '0',
  triggerPriceValue: '0',
} as const;

/** What a liquidation does first; money and positions show what it has left. */
const FEEDS_OF_BEGINNING = new Set(['orders', 'fill']);

/** The `data` of a push of these rows of a feed, which these events caused. */
export function messageData(
  feed: string,
  rows: readonly string[],
  events: readonly Event[],
): string {
  return `"msgEvent":"${reasonOf(feed, events)}","d":[${rows.join(',')}]`;
}

/** A liquidation that begins and ends in one step says both: orders and fills the beginning. */
function reasonOf(feed: string, events: readonly Event[]): string {
  const words = events.map(wordOf);
  const { begun, finished } = LIQUIDATION;
  const order = FEEDS_OF_BEGINNING.has(feed) ? [begun, finished] : [finished, begun];
  const word = order.find((one) => words.includes(one));
  return word ?? words.find((one) => one !== undefined) ?? ORDER_UPDATE;
}

function wordOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'balance_changed':
      return REASONS[event.reason];
    case 'liquidated':
      return LIQUIDATION.finished;
    case 'contract_order_accepted':
      return LIQUIDATION_CAUSES.has(event.terms.cause) ? LIQUIDATION.begun : undefined;
    default:
      return undefined;
  }
}
