/** A change of a spot order as a row of the stream. */

import type { SpotOrderChange } from '#api';
import {
  cancelReason,
  clientIdOf,
  closedStatus,
  formatId,
  isMarketBuy,
  notional,
  type OrderStatus,
  type OrderView,
  openStatus,
  type SpotInstrument,
  type Trade,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { averagePrice, limitPrice, orderQuantity } from './spot-orders.ts';
import { pairName } from './symbols.ts';

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

/** Status of an order that has not been closed yet: a full one is about to be. */
function statusAfterFill(order: OrderView): OrderStatus {
  const isFull = isMarketBuy(order)
    ? order.filledQuote === order.quoteBudget
    : order.filledLots === order.sizeLots;
  return isFull ? 'full_fill' : openStatus(order);
}

/** Whether the last fill has said already that the order is done. */
export function isRepeated({ order, reason }: SpotOrderChange): boolean {
  return reason === 'filled' && statusAfterFill(order) === 'full_fill';
}

/** A change of an order. Fees are negative when charged, here and nowhere else in the spot API. */
export function writeOrder(pair: SpotInstrument, change: SpotOrderChange): string {
  const { order, timeMs, trade, reason } = change;
  const fill = trade === undefined ? NO_FILL : fillOf(pair, order, trade, timeMs);
  const { fillFee, fillFeeCcy } = fill;
  return JSON.stringify({
    instId: pairName(pair.symbol),
    ordId: formatId(order.orderId),
    clOrdId: clientIdOf(order),
    px: limitPrice(pair, order),
    sz: orderQuantity(pair, order),
    notional: formatTrimmed(orderValue(pair, order), pair.quote.scale),
    ordType: order.type,
    force: order.force === 'gtc' ? 'normal' : order.force,
    side: order.side,
    ...fill,
    accFillSz: formatTrimmed(order.filledLots, pair.quantityScale),
    avgPx: averagePrice(pair, order),
    status: STATUS_WORDS[reason === undefined ? statusAfterFill(order) : closedStatus(reason)],
    orderFee: fillFeeCcy === '' ? [] : [{ feeCcy: fillFeeCcy, fee: fillFee }],
    cTime: String(order.createdTimeMs),
    uTime: String(timeMs),
    cancelReason: cancelReason(reason),
  });
}

function fillOf(pair: SpotInstrument, order: OrderView, trade: Trade, timeMs: number): FillRow {
  const feeCoin = order.side === 'buy' ? pair.base : pair.quote;
  const fee = order.side === 'buy' ? trade.buyerFee : trade.sellerFee;
  return {
    fillPx: formatTrimmed(trade.priceTicks, pair.priceScale),
    tradeId: formatId(trade.tradeId),
    fillSz: formatTrimmed(trade.sizeLots, pair.quantityScale),
    fillTime: String(timeMs),
    fillFee: formatTrimmed(-fee, feeCoin.scale),
    fillFeeCcy: feeCoin.code,
    execType: trade.takerOrderId === order.orderId ? 'T' : 'M',
  };
}

/** What the order is worth at its limit; for a market buy what it may spend. */
function orderValue(pair: SpotInstrument, order: OrderView): bigint {
  if (order.type === 'limit') return notional(pair, order.priceTicks, order.sizeLots);
  return order.side === 'buy' ? order.quoteBudget : 0n;
}
