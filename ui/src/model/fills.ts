/** Fills of pairs and contracts as the pages show them. */
import type { native } from '#client';
import type { ContractAction, OrderCause, Side } from '#domain';
import { actionOf } from './order-words.ts';
import { Table } from './table.ts';

export interface FillLine {
  /** Trade and order: an account that trades with itself has two fills of one trade. */
  readonly id: string;
  readonly tradeId: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly action: Side | ContractAction;
  readonly cause: OrderCause;
  readonly price: string;
  readonly size: string;
  /** Paid; below zero when it was received. */
  readonly fee: string;
  readonly feeCoin: string;
  readonly role: 'taker' | 'maker';
  readonly timeMs: number;
}

export function fillLine(row: native.FillsRow): FillLine {
  const { id: tradeId, order: orderId, cause, price, size, fee, feeCoin, role } = row;
  return {
    ...{ id: `${tradeId}.${orderId}`, tradeId, orderId },
    ...{ symbol: row.symbol, action: actionOf(row), cause },
    ...{ price, size, fee, feeCoin, role, timeMs: row.time },
  };
}

/** Fills are history at once: `open` is always empty, and a fill never changes. */
export function fillTable(historyMax: number): Table<FillLine> {
  const never = () => false;
  return new Table({ isOpen: never, isLater: never, isChanged: never, historyMax });
}
