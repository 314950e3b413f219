/** What the messages of the private channels have in common: why they are sent, and their rows. */
import type { Event } from '#domain';

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

/** The `data` of a push of these rows, which these events caused. */
export function messageData(rows: readonly string[], events: readonly Event[]): string {
  return `"msgEvent":"${reasonOf(events)}","d":[${rows.join(',')}]`;
}

function reasonOf(events: readonly Event[]): string {
  const words = events.map(wordOf);
  const word = [LIQUIDATION.finished, LIQUIDATION.begun].find((one) => words.includes(one));
  return word ?? words.find((one) => one !== undefined) ?? ORDER_UPDATE;
}

function wordOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'balance_changed':
      return REASONS[event.reason];
    case 'liquidated':
      return LIQUIDATION.finished;
    case 'contract_order_accepted':
      return event.terms.cause === 'owner' ? undefined : LIQUIDATION.begun;
    default:
      return undefined;
  }
}
