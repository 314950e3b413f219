/**
 * Encodes what belongs to one account as the JSON of `data`: orders, fills, balances, bills and
 * transfers. Order price and quantity have the decimals of the pair; balances and bills at least
 * eight; filled values and fees are trimmed.
 */
import type { DataJson } from '#api';
import {
  type AccountId,
  type Amount,
  type Asset,
  type CloseReason,
  cancelReason,
  clientIdOf,
  formatId,
  isMarketBuy,
  type Lots,
  type OrderId,
  type OrderStatus,
  type OrderType,
  type OrderView,
  type Refused,
  type Side,
  type SpotInstrument,
  type Ticks,
  type TradeId,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { rejectText, WIRE_REJECTS } from './rejects.ts';

/** One order of a list, for jsonList. */
export function writeOrder(
  pair: SpotInstrument,
  order: OrderView,
  status: OrderStatus,
  reason?: CloseReason,
): string {
  return JSON.stringify({
    accountId: String(order.accountId),
    symbol: pair.symbol,
    orderId: formatId(order.orderId),
    clientOrderId: clientIdOf(order),
    price: order.type === 'market' ? '0' : formatDecimal(order.priceTicks, pair.priceScale),
    quantity: orderQuantity(pair, order),
    orderType: order.type,
    side: order.side,
    status,
    fillPrice: averagePrice(pair, order),
    fillQuantity: formatTrimmed(order.filledLots, pair.quantityScale),
    fillTotalAmount: formatTrimmed(order.filledQuote, pair.quote.scale),
    cTime: String(order.createdTimeMs),
    cancelReason: cancelReason(reason),
  });
}

/** What the client asked for: base coin, or the quote coin that a market buy may spend. */
export function orderQuantity(pair: SpotInstrument, order: OrderView): string {
  if (isMarketBuy(order)) return formatTrimmed(order.quoteBudget, pair.quote.scale);
  return formatDecimal(order.sizeLots, pair.quantityScale);
}

/**
 * Filled quote over filled base, at the quote coin's decimals, rounded half up: the average of two
 * prices needs more decimals than either. It is for show; fillTotalAmount is exact.
 */
export function averagePrice(pair: SpotInstrument, order: OrderView): string {
  if (order.filledLots === 0) return '0';
  const filled = BigInt(order.filledLots);
  const scaled = order.filledQuote * 10n ** BigInt(pair.quantityScale);
  return formatTrimmed((2n * scaled + filled) / (2n * filled), pair.quote.scale);
}

/** The ids of an order that was just placed. */
export function writeOrderIds(orderId: OrderId, clientOrderId: string): DataJson {
  return JSON.stringify({
    orderId: formatId(orderId),
    clientOrderId: clientIdOf({ orderId, clientOrderId }),
  });
}

/** One id, as a JSON string. */
export function writeId(id: number): string {
  return `"${formatId(id)}"`;
}

/** A refused order of a batch, with the text and code it would have had alone. */
export function writeBatchFailure(clientOrderId: string, refused: Refused, orderId = ''): string {
  const errorCode = WIRE_REJECTS[refused.reject].code;
  return JSON.stringify({ orderId, clientOrderId, errorCode, errorMsg: rejectText(refused) });
}

export interface FillValues {
  readonly fillId: TradeId;
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAmount: Amount;
  readonly feeAmount: Amount;
  readonly timeMs: number;
}

/** One fill of a list, its fee with the sign that the clients of this venue expect. */
export function writeFill(pair: SpotInstrument, fill: FillValues, sign: 1n | -1n = 1n): string {
  const feeCoin = fill.side === 'buy' ? pair.base : pair.quote;
  return JSON.stringify({
    accountId: String(fill.accountId),
    symbol: pair.symbol,
    orderId: formatId(fill.orderId),
    fillId: formatId(fill.fillId),
    orderType: fill.orderType,
    side: fill.side,
    fillPrice: formatDecimal(fill.priceTicks, pair.priceScale),
    fillQuantity: formatDecimal(fill.sizeLots, pair.quantityScale),
    fillTotalAmount: formatTrimmed(fill.quoteAmount, pair.quote.scale),
    cTime: String(fill.timeMs),
    feeCcy: feeCoin.code,
    fees: shownFee(sign * fill.feeAmount, feeCoin),
  });
}

/** Fees are shown as what was paid, positive. The one place that decides the sign. */
function shownFee(fee: Amount, coin: Asset): string {
  return formatTrimmed(fee, coin.scale);
}
