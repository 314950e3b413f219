/** Closed orders: the page and the two single look-ups. */

import { type Kysely, sql } from 'kysely';
import {
  accountId,
  closedStatus,
  instrumentId,
  lots,
  orderId,
  parseId,
  type SpotOrderTerms,
  ticks,
} from '#domain';
import type { ClosedOrder, HistoryReader, OrdersQuery } from '../port.ts';
import { assertLimit, rangeOf } from '../range.ts';
import type { Database, OrdersTable } from './schema.ts';

export function orderPages(
  db: Kysely<Database>,
): Pick<HistoryReader, 'orders' | 'order' | 'orderByClientId'> {
  const order: HistoryReader['order'] = async (account, orderId) => {
    const row = await db
      .selectFrom('orders')
      .selectAll()
      .where('order_id', '=', orderId)
      .executeTakeFirst();
    return row === undefined || row.account_id !== account ? undefined : closedOrder(row);
  };
  /** An order whose client chose no id is called by its own. */
  const namedByItsId: HistoryReader['orderByClientId'] = async (account, instrument, name) => {
    const id = parseId(name);
    const found = id === undefined ? undefined : await order(account, orderId(id));
    const isMeant = found?.clientOrderId === '' && found.instrumentId === instrument;
    return isMeant ? found : undefined;
  };
  return {
    order,
    orders: async (query) => {
      const rows = await pageOf(db, query).execute();
      return rows.map(closedOrder);
    },
    // Ids of one client order id rise with time: it is free again only once its order has closed.
    orderByClientId: async (account, instrument, clientOrderId) => {
      const row = await db
        .selectFrom('orders')
        .selectAll()
        .where('account_id', '=', account)
        .where('client_order_id', '=', clientOrderId)
        // The index leaves orders without a client id out; SQLite needs the same in the query.
        .where('client_order_id', '<>', sql.lit(''))
        .where('instrument_id', '=', instrument)
        .orderBy('order_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined
        ? namedByItsId(account, instrument, clientOrderId)
        : closedOrder(row);
    },
  };
}

function pageOf(db: Kysely<Database>, query: OrdersQuery) {
  assertLimit(query.limit);
  const range = rangeOf(query.afterId, query.beforeId);
  return db
    .selectFrom('orders')
    .selectAll()
    .where((row) =>
      row.and({
        account_id: query.accountId,
        ...(query.instrumentId !== undefined && { instrument_id: query.instrumentId }),
      }),
    )
    .where('order_id', '>', range.above)
    .where('order_id', '<', range.below)
    .orderBy('order_id', range.direction)
    .limit(query.limit);
}

function closedOrder(row: OrdersTable): ClosedOrder {
  return {
    orderId: orderId(row.order_id),
    accountId: accountId(row.account_id),
    instrumentId: instrumentId(row.instrument_id),
    clientOrderId: row.client_order_id,
    ...termsOf(row),
    filledLots: lots(row.filled_lots),
    filledQuote: BigInt(row.filled_quote),
    createdTimeMs: row.created_time_ms,
    status: closedStatus(row.reason),
    reason: row.reason,
    closedSeq: row.closed_seq,
    closedTimeMs: row.closed_time_ms,
  };
}

/** Columns that an order has no value for are zero. */
function termsOf({ type, side, force, ...row }: OrdersTable): SpotOrderTerms {
  const sizeLots = lots(row.size_lots);
  if (type === 'limit') return { type, side, force, priceTicks: ticks(row.price_ticks), sizeLots };
  if (side === 'sell') return { type, side, force, sizeLots };
  return { type, side, force, quoteBudget: BigInt(row.quote_budget) };
}
