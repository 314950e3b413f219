/** Orders and fills of an account as they are answered. */
import {
  type OpenOrderView,
  type OrderStatus,
  type OrderView,
  openStatus,
  type SpotInstrument,
  spendsBudget,
} from '#domain';
import type { ClosedOrder, Fill } from '#history';
import { formatDecimal, formatTrimmed } from '#kernel';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { averagePrice } from '../kit/ratios.ts';
import { decimal, idNumber, listedName, oneOf, row, text, truth, whole } from '../kit/row.ts';
import {
  FORCE_WORDS,
  forceWord,
  ORDER_TYPE_WORDS,
  orderTypeWord,
  SIDE_WORDS,
  STATUS_WORDS,
  sideWord,
  statusWord,
} from './enums.ts';
import { TIME_MS } from './spot-terms.ts';
import { marketName } from './symbols.ts';

interface PairOrder {
  readonly pair: SpotInstrument;
  readonly order: OrderView;
  readonly status: OrderStatus;
  readonly isOpen: boolean;
  readonly updatedTimeMs: number;
}

export const ORDER = row<PairOrder>()({
  symbol: listedName('Pair', 'BTCUSDT', ({ pair }) => marketName(pair.symbol)),
  orderId: idNumber('Order id', ({ order }) => formatId(order.orderId)),
  clientOrderId: text('Id chosen by the client, or the order id', 'grid-7', ({ order }) =>
    clientIdOf(order),
  ),
  side: oneOf(SIDE_WORDS, 'Order direction', 'BUY', ({ order }) => sideWord(order.side)),
  type: oneOf(ORDER_TYPE_WORDS, 'Order type', 'LIMIT', ({ order }) => orderTypeWord(order.type)),
  timeInForce: oneOf(FORCE_WORDS, 'IOC for a market order', 'GTC', ({ order }) =>
    forceWord(order.type, order.force),
  ),
  status: oneOf(STATUS_WORDS, 'NEW is open, also partly filled', 'NEW', ({ status }) =>
    statusWord(status),
  ),
  price: decimal('Limit price; of a market order its average', '29400.00', shownPrice),
  origQty: decimal('Base coin', '0.0005', ({ pair, order }) =>
    formatTrimmed(sizeOf(order), pair.quantityScale),
  ),
  executedQty: decimal('Filled, in base coin', '0', ({ pair, order }) =>
    formatTrimmed(order.filledLots, pair.quantityScale),
  ),
  cummulativeQuoteQty: decimal('Filled, in quote coin', '0', ({ pair, order }) =>
    formatTrimmed(order.filledQuote, pair.quote.scale),
  ),
  time: whole('When it was placed', TIME_MS, ({ order }) => order.createdTimeMs),
  updateTime: whole(
    'When it was closed; while it is open, when it was filled, moved or placed last',
    TIME_MS,
    ({ updatedTimeMs }) => updatedTimeMs,
  ),
  isWorking: truth('Whether it is open', true, ({ isOpen }) => isOpen),
});

function shownPrice({ pair, order }: PairOrder): string {
  if (order.type === 'market') return averagePrice(pair, order);
  return formatDecimal(order.priceTicks, pair.priceScale);
}

/** An order of another interface may say what to spend: then its size is what it got. */
function sizeOf(order: OrderView): number {
  return spendsBudget(order) ? order.filledLots : order.sizeLots;
}

export function writeOpen(pair: SpotInstrument, order: OpenOrderView): string {
  const { updatedTimeMs } = order;
  return ORDER.write({ pair, order, status: openStatus(order), isOpen: true, updatedTimeMs });
}

export function writeClosed(pair: SpotInstrument, order: ClosedOrder): string {
  const { status, closedTimeMs: updatedTimeMs } = order;
  return ORDER.write({ pair, order, status, isOpen: false, updatedTimeMs });
}

interface PairFill {
  readonly pair: SpotInstrument;
  readonly fill: Fill;
}

export const FILL = row<PairFill>()({
  symbol: listedName('Pair', 'BTCUSDT', ({ pair }) => marketName(pair.symbol)),
  id: idNumber('Trade id', ({ fill }) => formatId(fill.fillId)),
  orderId: idNumber('Order id', ({ fill }) => formatId(fill.orderId)),
  price: decimal('Price', '30010.00', ({ pair, fill }) =>
    formatDecimal(fill.priceTicks, pair.priceScale),
  ),
  qty: decimal('Quantity in base coin', '0.0005', ({ pair, fill }) =>
    formatTrimmed(fill.sizeLots, pair.quantityScale),
  ),
  quoteQty: decimal('Value in quote coin', '15.005', ({ pair, fill }) =>
    formatTrimmed(fill.quoteAmount, pair.quote.scale),
  ),
  commission: decimal('Fee, in the coin received', '0.0000005', ({ pair, fill }) =>
    formatTrimmed(fill.feeAmount, (fill.side === 'buy' ? pair.base : pair.quote).scale),
  ),
  time: whole('When it traded', TIME_MS, ({ fill }) => fill.timeMs),
  isBuyer: truth('Whether the account bought', true, ({ fill }) => fill.side === 'buy'),
});
