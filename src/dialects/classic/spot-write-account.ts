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
  type BalanceView,
  type CloseReason,
  cancelReason,
  clientIdOf,
  formatId,
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
  type Wallet,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { formatPadded } from '../amount.ts';
import { rejectText, WIRE_REJECTS } from './rejects.ts';

const AMOUNT_DECIMALS_MIN = 8;

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
  if (order.quoteBudget > 0n) return formatTrimmed(order.quoteBudget, pair.quote.scale);
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

/** One balance of a list. */
export function writeAsset(coin: Asset, balance: BalanceView): string {
  return JSON.stringify({
    coinId: String(coin.coinId),
    coinName: coin.code,
    available: formatAmount(balance.available, coin.scale),
    frozen: formatAmount(balance.held, coin.scale),
    lock: formatAmount(balance.locked, coin.scale),
    uTime: String(balance.updatedTimeMs),
  });
}

export interface BillValues {
  readonly billId: number;
  readonly group: string;
  readonly biz: string;
  readonly delta: Amount;
  readonly fee: Amount;
  readonly balanceBefore: Amount;
  readonly timeMs: number;
}

/** One bill of a list. */
export function writeBill(coin: Asset, bill: BillValues): string {
  return JSON.stringify({
    cTime: String(bill.timeMs),
    coinId: String(coin.coinId),
    coinName: coin.code,
    groupType: bill.group,
    bizType: bill.biz.replace('_', '-'),
    quantity: formatAmount(bill.delta, coin.scale),
    balance: formatAmount(bill.balanceBefore, coin.scale),
    fees: formatAmount(bill.fee, coin.scale),
    billId: formatId(bill.billId),
  });
}

export interface TransferValues {
  readonly amount: Amount;
  readonly from: Wallet;
  readonly to: Wallet;
  readonly timeMs: number;
}

/** One transfer of a list. */
export function writeTransferRecord(coin: Asset, transfer: TransferValues): string {
  return JSON.stringify({
    coinName: coin.code,
    status: 'SUCCESS',
    toType: walletKind(transfer.to),
    toSymbol: walletSymbol(transfer.to),
    fromType: walletKind(transfer.from),
    fromSymbol: walletSymbol(transfer.from),
    amount: formatTrimmed(transfer.amount, coin.scale),
    tradeTime: String(transfer.timeMs),
  });
}

/** The ids of a transfer that was just made. */
export function writeTransferIds(transferId: number, clientOid: string): DataJson {
  return JSON.stringify({ transferId: formatId(transferId), clientOid });
}

function walletKind(wallet: Wallet): string {
  return wallet === 'spot' ? 'EXCHANGE' : 'CONTRACT';
}

function walletSymbol(wallet: Wallet): string {
  return wallet === 'spot' ? '' : wallet;
}

/** Exactly, with at least eight decimals. */
export function formatAmount(amount: Amount, scale: number): string {
  return formatPadded(amount, scale, AMOUNT_DECIMALS_MIN);
}
