/** Fills of pairs and contracts in one shape, from REST and the spot stream. */
import type { ContractAction, OrderCause, Side } from '#domain';
import { wordsOfDelegate } from './order-words.ts';
import { chargedFee, type SpotOrderPush } from './orders.ts';
import { Table } from './table.ts';

export interface FillLine {
  /** Trade and order: an account that trades with itself has two fills of one trade. */
  readonly id: string;
  readonly tradeId: string;
  readonly orderId: string;
  readonly market: 'spot' | 'swap';
  readonly symbol: string;
  readonly action: Side | ContractAction;
  readonly cause: OrderCause;
  readonly price: string;
  readonly size: string;
  /** Paid; below zero when it was received. */
  readonly fee: string;
  /** Undefined for contracts: their margin coin. */
  readonly feeCoin: string | undefined;
  /** Undefined where the spot interface does not say. */
  readonly role: 'taker' | 'maker' | undefined;
  readonly timeMs: number;
}

/** trade/fills of the spot interface. */
export interface SpotFillRow {
  readonly symbol: string;
  readonly orderId: string;
  readonly fillId: string;
  readonly side: Side;
  readonly fillPrice: string;
  readonly fillQuantity: string;
  readonly cTime: string;
  readonly feeCcy: string;
  readonly fees: string;
}

/** order/fills of contracts. */
export interface SwapFillRow {
  readonly symbol: string;
  readonly trade_id: string;
  readonly order_id: string;
  readonly price: string;
  readonly order_qty: string;
  readonly fee: string;
  readonly timestamp: string;
  readonly exec_type: string;
  readonly delegateType: string;
}

export function spotFill(row: SpotFillRow): FillLine {
  const { fillId: tradeId, orderId, symbol, side: action } = row;
  const ids = { id: fillId(tradeId, orderId), tradeId, orderId };
  return {
    ...{ ...ids, market: 'spot', symbol, action, cause: 'owner' },
    price: row.fillPrice,
    size: row.fillQuantity,
    fee: row.fees,
    feeCoin: row.feeCcy,
    role: undefined,
    timeMs: Number(row.cTime),
  };
}

/** The fill in an order row of the spot stream; undefined when there is none. */
export function spotStreamFill(row: SpotOrderPush): FillLine | undefined {
  const { tradeId, ordId: orderId, instId: symbol, side: action } = row;
  if (tradeId === '0') return undefined;
  const ids = { id: fillId(tradeId, orderId), tradeId, orderId };
  return {
    ...{ ...ids, market: 'spot', symbol, action, cause: 'owner' },
    price: row.fillPx,
    size: row.fillSz,
    fee: chargedFee(row.fillFee),
    feeCoin: row.fillFeeCcy,
    role: row.execType === 'T' ? 'taker' : 'maker',
    timeMs: Number(row.fillTime),
  };
}

export function swapFill(row: SwapFillRow): FillLine {
  const { trade_id: tradeId, order_id: orderId, symbol, price, order_qty: size } = row;
  return {
    ...{ id: fillId(tradeId, orderId), tradeId, orderId, market: 'swap', symbol, price, size },
    ...wordsOfDelegate(row.delegateType),
    fee: chargedFee(row.fee),
    feeCoin: undefined,
    role: row.exec_type === 'T' ? 'taker' : 'maker',
    timeMs: Number(row.timestamp),
  };
}

function fillId(tradeId: string, orderId: string): string {
  return `${tradeId}.${orderId}`;
}

/** Fills are history at once: `open` is always empty, and a fill never changes. */
export function fillTable(historyMax: number): Table<FillLine> {
  const never = () => false;
  return new Table({ isOpen: never, isLater: never, isChanged: never, historyMax });
}
