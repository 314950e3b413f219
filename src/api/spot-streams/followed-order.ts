/** An open spot order as its owner follows it, and each of its changes as a row of the stream. */
import {
  type CloseReason,
  cancelReason,
  clientIdOf,
  formatId,
  lots,
  notional,
  type OrderAccepted,
  type OrderStatus,
  type OrderView,
  openStatus,
  type SpotInstrument,
  type Trade,
  ZERO_LOTS,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { averagePrice, orderQuantity } from '#wire';

/** What one fill added; an order that was not filled by a change has none. */
interface FillRow {
  readonly fillPx: string;
  readonly tradeId: string;
  readonly fillSz: string;
  readonly fillTime: string;
  readonly fillFee: string;
  readonly fillFeeCcy: string;
  readonly execType: string;
}

const NO_FILL: FillRow = {
  fillPx: '0',
  tradeId: '0',
  fillSz: '0',
  fillTime: '0',
  fillFee: '0',
  fillFeeCcy: '',
  execType: '',
};

/** The stream has hyphens where REST has underscores, as on the exchanges clients come from. */
const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  new: 'new',
  partial_fill: 'partial-fill',
  full_fill: 'full-fill',
  cancelled: 'cancelled',
};

/** A resting or new order as it is when its following begins. */
export function followedOrder(order: OrderView): OrderView {
  const { orderId, accountId, instrumentId, clientOrderId, side, type, force } = order;
  const { priceTicks, sizeLots, quoteBudget, filledLots, filledQuote, createdTimeMs } = order;
  const terms = { side, type, force, priceTicks, sizeLots, quoteBudget };
  const ids = { orderId, accountId, instrumentId, clientOrderId };
  return { ...ids, ...terms, filledLots, filledQuote, createdTimeMs };
}

/** An order that was just accepted. */
export function acceptedOrder(event: OrderAccepted, createdTimeMs: number): OrderView {
  const filled = { filledLots: ZERO_LOTS, filledQuote: 0n };
  return followedOrder({ ...event.terms, orderId: event.orderId, ...filled, createdTimeMs });
}

/** The order after a fill of it. */
export function filledOrder(order: OrderView, trade: Trade): OrderView {
  const filledLots = lots(order.filledLots + trade.sizeLots);
  return { ...order, filledLots, filledQuote: order.filledQuote + trade.quoteAmount };
}

/** Status of an order that has not been closed yet: a full one is about to be. */
export function statusAfterFill(order: OrderView): OrderStatus {
  const isFull =
    order.quoteBudget > 0n
      ? order.filledQuote === order.quoteBudget
      : order.filledLots === order.sizeLots;
  return isFull ? 'full_fill' : openStatus(order);
}

/** A change of an order without a fill. */
export function writeOrderChange(
  pair: SpotInstrument,
  order: OrderView,
  status: OrderStatus,
  timeMs: number,
  reason?: CloseReason,
): string {
  return writeRow(pair, order, status, NO_FILL, timeMs, reason);
}

/** A fill of an order. Fees are negative when charged, here and nowhere else in the spot API. */
export function writeOrderFill(
  pair: SpotInstrument,
  order: OrderView,
  trade: Trade,
  timeMs: number,
): string {
  const feeCoin = order.side === 'buy' ? pair.base : pair.quote;
  const fee = order.side === 'buy' ? trade.buyerFee : trade.sellerFee;
  const fill: FillRow = {
    fillPx: formatTrimmed(trade.priceTicks, pair.priceScale),
    tradeId: formatId(trade.tradeId),
    fillSz: formatTrimmed(trade.sizeLots, pair.quantityScale),
    fillTime: String(timeMs),
    fillFee: formatTrimmed(-fee, feeCoin.scale),
    fillFeeCcy: feeCoin.code,
    execType: trade.takerOrderId === order.orderId ? 'T' : 'M',
  };
  return writeRow(pair, order, statusAfterFill(order), fill, timeMs);
}

function writeRow(
  pair: SpotInstrument,
  order: OrderView,
  status: OrderStatus,
  fill: FillRow,
  timeMs: number,
  reason?: CloseReason,
): string {
  const { fillFee, fillFeeCcy } = fill;
  return JSON.stringify({
    instId: pair.symbol,
    ordId: formatId(order.orderId),
    clOrdId: clientIdOf(order),
    px: order.type === 'market' ? '0' : formatDecimal(order.priceTicks, pair.priceScale),
    sz: orderQuantity(pair, order),
    notional: formatTrimmed(orderValue(pair, order), pair.quote.scale),
    ordType: order.type,
    force: order.force === 'gtc' ? 'normal' : order.force,
    side: order.side,
    ...fill,
    accFillSz: formatTrimmed(order.filledLots, pair.quantityScale),
    avgPx: averagePrice(pair, order),
    status: STATUS_WORDS[status],
    orderFee: fillFeeCcy === '' ? [] : [{ feeCcy: fillFeeCcy, fee: fillFee }],
    cTime: String(order.createdTimeMs),
    uTime: String(timeMs),
    cancelReason: cancelReason(reason),
  });
}

/** What the order is worth at its limit; for a market buy what it may spend. */
function orderValue(pair: SpotInstrument, order: OrderView): bigint {
  if (order.quoteBudget > 0n) return order.quoteBudget;
  return notional(pair, order.priceTicks, order.sizeLots);
}
