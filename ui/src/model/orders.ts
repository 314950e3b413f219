/** Orders of pairs and contracts as the pages show them. */
import type { native } from '#client';
import {
  CONTRACT_CANCEL_REASONS,
  type ContractAction,
  type Force,
  type OrderCause,
  type OrderStatus,
  type OrderType,
  type Side,
} from '#domain';
import { compare } from './numbers.ts';
import { actionOf } from './order-words.ts';
import { Table } from './table.ts';

export type CancelReason = (typeof CONTRACT_CANCEL_REASONS)[number];

export interface OrderLine {
  readonly id: string;
  readonly clientId: string;
  /** What the market is called where it is traded. */
  readonly symbol: string;
  readonly action: Side | ContractAction;
  /** Who placed it; the venue places orders in contracts only. */
  readonly cause: OrderCause;
  readonly type: OrderType;
  readonly force: Force;
  /** Undefined for a market order. */
  readonly price: string | undefined;
  /** Base coin or contracts; where it spends, the quote coin that it may spend. */
  readonly size: string;
  /** A market buy of a pair that says what to spend. */
  readonly spends: boolean;
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

export function orderLine(row: native.OrderAnswer): OrderLine {
  return {
    id: row.id,
    clientId: row.clientId ?? '',
    symbol: row.symbol,
    action: actionOf(row),
    cause: row.cause,
    type: row.type,
    force: row.timeInForce,
    price: row.price ?? undefined,
    size: row.size ?? row.spend ?? '0',
    spends: row.spend !== null,
    filled: row.filled,
    average: row.average,
    status: row.status,
    cancelReason: CONTRACT_CANCEL_REASONS.find((reason) => reason === row.reason) ?? '',
    fee: row.fee ?? undefined,
    profit: row.realizedPnl ?? undefined,
    createdMs: row.time,
  };
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

/** Orders, folded from pages and the stream. */
export function orderTable(historyMax: number): Table<OrderLine> {
  const rules = { isOpen: isOrderOpen, isLater: isOrderLater, isChanged: isOrderMoved };
  return new Table({ ...rules, historyMax });
}
