/**
 * Encodes contract orders and fills. A market order has no price, which is null; a fee is below
 * zero when it was charged; everything else is as plain as the wire's numbers are.
 */
import type { DataJson } from '#api';
import {
  type Amount,
  type Contract,
  type ContractAction,
  type ContractCloseReason,
  type ContractOrderView,
  cancelReason,
  type Force,
  formatId,
  type Lots,
  type OrderCause,
  type OrderId,
  type OrderStatus,
  type Refused,
  type Ticks,
  type TradeId,
} from '#domain';
import { rejectText, WIRE_REJECTS } from './rejects.ts';
import {
  formatFee,
  formatFillAverage,
  formatMoney,
  formatPrice,
  formatSize,
} from './swap-format.ts';
import { delegateTypeNumber, orderTypeNumber } from './swap-type-numbers.ts';

const STATUS_NUMBERS: Readonly<Record<OrderStatus, string>> = {
  cancelled: '-1',
  new: '0',
  partial_fill: '1',
  full_fill: '2',
};

const FORCE_NUMBERS: Readonly<Record<Force, string>> = {
  gtc: '0',
  post_only: '1',
  fok: '2',
  ioc: '3',
};

/** What clients send and read with a market order that is not fill or kill. */
const MARKET_FORCE = FORCE_NUMBERS.gtc;

/** One order of a list, for jsonList. */
export function writeContractOrder(
  contract: Contract,
  order: ContractOrderView,
  status: OrderStatus,
  reason?: ContractCloseReason,
): string {
  return JSON.stringify(orderRow(contract, order, status, reason));
}

/** One order alone, with the field that only this answer has. */
export function writeContractOrderDetail(
  contract: Contract,
  order: ContractOrderView,
  status: OrderStatus,
  nowMs: number,
  reason?: ContractCloseReason,
): DataJson {
  const row = orderRow(contract, order, status, reason);
  return JSON.stringify({ ...row, timestamp: String(nowMs) });
}

/** Market orders take what they can at once: clients call that a normal order. */
function isPlainMarket({ type, force }: ContractOrderView): boolean {
  return type === 'market' && force === 'ioc';
}

function orderRow(
  contract: Contract,
  order: ContractOrderView,
  status: OrderStatus,
  reason: ContractCloseReason | undefined,
) {
  const { filledLots, action, cause } = order;
  return {
    symbol: contract.symbol,
    size: formatSize(contract, order.sizeLots),
    client_oid: order.clientOrderId,
    createTime: String(order.createdTimeMs),
    filled_qty: formatSize(contract, filledLots),
    fee: formatMoney(contract, -order.fee),
    order_id: formatId(order.orderId),
    price: order.type === 'market' ? null : formatPrice(contract, order.priceTicks),
    price_avg: formatFillAverage(contract, order),
    status: STATUS_NUMBERS[status],
    type: String(orderTypeNumber(action, cause)),
    order_type: isPlainMarket(order) ? MARKET_FORCE : FORCE_NUMBERS[order.force],
    totalProfits: formatMoney(contract, order.realizedPnl),
    cancel_reason: cancelReason(reason),
  };
}

export interface ContractFillValues {
  readonly tradeId: TradeId;
  readonly orderId: OrderId;
  readonly role: 'taker' | 'maker';
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Charged; never negative. */
  readonly fee: Amount;
  readonly timeMs: number;
}

/** One fill of a list: order_qty is what traded, as on the exchanges the interface comes from. */
export function writeContractFill(contract: Contract, fill: ContractFillValues): string {
  const delegateType = String(delegateTypeNumber(fill.action, fill.cause));
  return JSON.stringify({
    symbol: contract.symbol,
    trade_id: formatId(fill.tradeId),
    order_id: formatId(fill.orderId),
    price: formatPrice(contract, fill.priceTicks),
    order_qty: formatSize(contract, fill.sizeLots),
    fee: formatFee(contract, fill.fee),
    timestamp: String(fill.timeMs),
    exec_type: fill.role === 'taker' ? 'T' : 'M',
    side: delegateType,
    delegateType,
  });
}

/** An order or plan order that got its id. */
export interface PlacedOrder {
  readonly orderId: OrderId;
  /** The client's, or made up by the venue. */
  readonly clientOrderId: string;
}

/** The ids of an order or plan order that was just placed. */
export function writePlaced({ orderId, clientOrderId }: PlacedOrder): DataJson {
  return JSON.stringify({ client_oid: clientOrderId, order_id: formatId(orderId) });
}

/** One item of a batch that was placed. */
export function writePlacedItem({ orderId, clientOrderId }: PlacedOrder): string {
  return JSON.stringify({
    result: true,
    client_oid: clientOrderId,
    order_id: formatId(orderId),
    error_code: null,
    error_message: null,
  });
}

/** One item of a batch that was refused, with the code and text it would have had alone. */
export function writeRefusedItem(clientOrderId: string, refused: Refused): string {
  return JSON.stringify({
    result: false,
    client_oid: clientOrderId,
    order_id: '',
    error_code: WIRE_REJECTS[refused.reject].code,
    error_message: rejectText(refused),
  });
}

/** Why an order or plan order could not be cancelled; null for both when it was. */
export function cancelError(refused: Refused | undefined) {
  if (refused === undefined) return { err_code: null, err_msg: null };
  return { err_code: WIRE_REJECTS[refused.reject].code, err_msg: rejectText(refused) };
}

/** The order that a cancel took off the book. */
export function writeCancelled(contract: Contract, order: PlacedOrder): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    order_id: formatId(order.orderId),
    client_oid: order.clientOrderId,
    result: true,
    ...cancelError(undefined),
  });
}

/** A cancel that could not be done, which is no error of the call: clients read err_msg. */
export function writeNotCancelled(contract: Contract, idText: string, why: Refused): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    order_id: idText,
    client_oid: null,
    result: false,
    ...cancelError(why),
  });
}

export interface CancelFailure {
  readonly idText: string;
  readonly why: Refused;
}

/** What a batch cancel did: the ids that are cancelled, and why the others are not. */
export function writeCancelBatch(
  contract: Contract,
  cancelled: readonly OrderId[],
  failures: readonly CancelFailure[],
): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    result: true,
    order_ids: cancelled.map(formatId),
    fail_infos: failures.map(({ idText, why }) => ({ order_id: idText, ...cancelError(why) })),
  });
}
