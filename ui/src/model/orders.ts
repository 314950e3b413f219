/** Orders of pairs and contracts in one shape, from REST and both streams. */
import type {
  CONTRACT_CANCEL_REASONS,
  ContractAction,
  Force,
  OrderCause,
  OrderStatus,
  OrderType,
  Side,
} from '#domain';
import { present } from '#kernel';
import { compare } from './numbers.ts';
import { wordsOfType } from './order-words.ts';
import { Table } from './table.ts';

export type CancelReason = (typeof CONTRACT_CANCEL_REASONS)[number];

export interface OrderLine {
  readonly id: string;
  readonly clientId: string;
  readonly market: 'spot' | 'swap';
  /** What the market is called where it is traded. */
  readonly symbol: string;
  readonly action: Side | ContractAction;
  /** Who placed it; the venue places orders in contracts only. */
  readonly cause: OrderCause;
  readonly type: OrderType;
  /** Undefined where the spot interface does not say. */
  readonly force: Force | undefined;
  /** Undefined for a market order. */
  readonly price: string | undefined;
  /** Base coin or contracts; the quote coin to spend for a market buy of a pair. */
  readonly size: string;
  /** Base coin or contracts. */
  readonly filled: string;
  /** Average price of what has filled; zero for nothing. */
  readonly average: string;
  readonly status: OrderStatus;
  /** Why the venue or its owner cancelled it; empty otherwise. */
  readonly cancelReason: CancelReason | '';
  /** Paid so far in the margin coin; undefined for pairs, whose fills have it. */
  readonly fee: string | undefined;
  /** Profit and loss realised by a contract order, fees not included. */
  readonly profit: string | undefined;
  readonly createdMs: number;
}

/** trade/orderInfo, open-orders and history of the spot interface. */
export interface SpotOrderRow {
  readonly symbol: string;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly price: string;
  readonly quantity: string;
  readonly orderType: OrderType;
  readonly side: Side;
  readonly status: OrderStatus;
  readonly fillPrice: string;
  readonly fillQuantity: string;
  readonly cTime: string;
  readonly cancelReason: CancelReason | '';
}

/** Channel `orders` of the spot stream. */
export interface SpotOrderPush {
  readonly instId: string;
  readonly ordId: string;
  readonly clOrdId: string;
  readonly px: string;
  readonly sz: string;
  readonly ordType: OrderType;
  readonly force: 'normal' | Exclude<Force, 'gtc'>;
  readonly side: Side;
  readonly fillPx: string;
  readonly fillSz: string;
  readonly tradeId: string;
  readonly fillTime: string;
  /** Below zero when charged. */
  readonly fillFee: string;
  readonly fillFeeCcy: string;
  readonly execType: string;
  readonly accFillSz: string;
  readonly avgPx: string;
  readonly status: keyof typeof STREAM_STATUSES;
  readonly cTime: string;
  readonly cancelReason: CancelReason | '';
}

/** The stream has hyphens where REST has underscores. */
const STREAM_STATUSES = {
  new: 'new',
  'partial-fill': 'partial_fill',
  'full-fill': 'full_fill',
  cancelled: 'cancelled',
} as const satisfies Record<string, OrderStatus>;

/** order/current, order/history and the channel `order` of contracts. */
export interface SwapOrderRow {
  readonly symbol: string;
  readonly size: string;
  readonly client_oid: string;
  readonly createTime: string;
  readonly filled_qty: string;
  /** Below zero when charged. */
  readonly fee: string;
  readonly order_id: string;
  readonly price: string | null;
  readonly price_avg: string;
  readonly status: string;
  readonly type: string;
  readonly order_type: string;
  readonly totalProfits: string;
  readonly cancel_reason: CancelReason | '';
}

export function spotOrder(row: SpotOrderRow): OrderLine {
  return {
    id: row.orderId,
    clientId: row.clientOrderId,
    market: 'spot',
    symbol: row.symbol,
    action: row.side,
    cause: 'owner',
    type: row.orderType,
    force: undefined,
    price: row.orderType === 'market' ? undefined : row.price,
    size: row.quantity,
    filled: row.fillQuantity,
    average: row.fillPrice,
    status: row.status,
    cancelReason: row.cancelReason,
    fee: undefined,
    profit: undefined,
    createdMs: Number(row.cTime),
  };
}

export function spotStreamOrder(row: SpotOrderPush): OrderLine {
  return {
    id: row.ordId,
    clientId: row.clOrdId,
    market: 'spot',
    symbol: row.instId,
    action: row.side,
    cause: 'owner',
    type: row.ordType,
    force: row.force === 'normal' ? 'gtc' : row.force,
    price: row.ordType === 'market' ? undefined : row.px,
    size: row.sz,
    filled: row.accFillSz,
    average: row.avgPx,
    status: STREAM_STATUSES[row.status],
    cancelReason: row.cancelReason,
    fee: undefined,
    profit: undefined,
    createdMs: Number(row.cTime),
  };
}

const STATUSES: ReadonlyMap<string, OrderStatus> = new Map([
  ['-1', 'cancelled'],
  ['0', 'new'],
  ['1', 'partial_fill'],
  ['2', 'full_fill'],
]);
const FORCES: ReadonlyMap<string, Force> = new Map([
  ['0', 'gtc'],
  ['1', 'post_only'],
  ['2', 'fok'],
  ['3', 'ioc'],
]);

export function swapOrder(row: SwapOrderRow): OrderLine {
  return {
    id: row.order_id,
    clientId: row.client_oid,
    market: 'swap',
    symbol: row.symbol,
    ...wordsOfType(row.type),
    type: row.price === null ? 'market' : 'limit',
    force: FORCES.get(row.order_type),
    price: row.price ?? undefined,
    size: row.size,
    filled: row.filled_qty,
    average: row.price_avg,
    status: present(STATUSES.get(row.status), `order status ${row.status}`),
    cancelReason: row.cancel_reason,
    fee: chargedFee(row.fee),
    profit: row.totalProfits,
    createdMs: Number(row.createTime),
  };
}

/** What a fee that is below zero when charged took: "-0.018" is "0.018". */
export function chargedFee(fee: string): string {
  if (fee.startsWith('-')) return fee.slice(1);
  return compare(fee, '0') === 0 ? fee : `-${fee}`;
}

export function isOrderOpen({ status }: OrderLine): boolean {
  return status === 'new' || status === 'partial_fill';
}

/** An order only ever fills more, and then ends. */
function isOrderLater(order: OrderLine, known: OrderLine): boolean {
  if (!isOrderOpen(known)) return false;
  return !isOrderOpen(order) || compare(order.filled, known.filled) > 0;
}

/** Another price or size for what rests, and no fill meanwhile. */
function isOrderMoved(order: OrderLine, known: OrderLine): boolean {
  if (!isOrderOpen(order) || !isOrderOpen(known)) return false;
  const isMoved = order.price !== known.price || order.size !== known.size;
  return isMoved && compare(order.filled, known.filled) === 0;
}

/** Orders, folded from REST and streams. */
export function orderTable(historyMax: number): Table<OrderLine> {
  const rules = { isOpen: isOrderOpen, isLater: isOrderLater, isChanged: isOrderMoved };
  return new Table({ ...rules, historyMax });
}
