/** Orders of a pair, open and closed in one list: from the venue's memory and from the history. */
import type { DataJson, Services } from '#api';
import {
  type AccountId,
  LIMITS,
  type OrderId,
  type Refused,
  refuse,
  type SpotInstrument,
  type StateReader,
} from '#domain';
import type { ClosedOrder } from '#history';
import { jsonList } from '../kit/row.ts';
import { writeClosed, writeOpen } from './spot-order-row.ts';
import type { AskedRange } from './time-range.ts';

export interface OrdersAsked extends AskedRange {
  readonly accountId: AccountId;
  readonly pair: SpotInstrument;
  readonly limit: number;
  /** Rows of earlier pages. */
  readonly skip: number;
}

interface OrderRow {
  readonly orderId: OrderId;
  readonly json: string;
}

/** How far back a list is served by its place. */
const ROWS_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

/** Open ones are read first: one that closes in between is shown as open, and not left out. */
export async function allOrders(
  services: Services,
  asked: OrdersAsked,
): Promise<DataJson | Refused> {
  const { pair, limit, skip } = asked;
  if (skip + limit > ROWS_MAX) return refuse('page_window_exceeded');
  const open = await services.venue.read((state) => openRows(state, asked), asked.accountId);
  // Of the rows before the page, all but so many are closed: those are not read.
  const offset = Math.max(skip - open.length, 0);
  const closed = await closedOrders(services, asked, offset, skip + limit);
  const known = new Set(open.map(({ orderId }) => orderId));
  const rows = closed
    .filter(({ orderId }) => !known.has(orderId))
    .map((order) => ({ orderId: order.orderId, json: writeClosed(pair, order) }));
  const merged = [...open, ...rows].sort((one, other) => other.orderId - one.orderId);
  return jsonList(merged.slice(skip - offset, skip - offset + limit), ({ json }) => json);
}

function openRows(state: StateReader, { accountId, pair, fromMs, toMs }: OrdersAsked): OrderRow[] {
  const rows: OrderRow[] = [];
  for (const order of state.openOrders(accountId)) {
    const { orderId, instrumentId, createdTimeMs } = order;
    const isMeant =
      instrumentId === pair.instrumentId &&
      createdTimeMs >= (fromMs ?? 0) &&
      createdTimeMs <= (toMs ?? Number.POSITIVE_INFINITY);
    if (isMeant) rows.push({ orderId, json: writeOpen(pair, order) });
  }
  return rows;
}

/** Closed orders from one place of their list to another, newest first. */
async function closedOrders(
  { history, historyReady }: Services,
  { accountId, pair: { instrumentId }, fromMs, toMs }: OrdersAsked,
  from: number,
  to: number,
): Promise<readonly ClosedOrder[]> {
  await historyReady();
  const closed: ClosedOrder[] = [];
  for (let offset = from; offset < to; offset += LIMITS.historyRowsMax) {
    const limit = Math.min(to - offset, LIMITS.historyRowsMax);
    const query = { accountId, instrumentId, fromMs, toMs, limit, offset };
    const page = await history.orders(query);
    closed.push(...page);
    if (page.length < limit) break;
  }
  return closed;
}
