/** Closed orders: the page and the two single look-ups. */

import { type Kysely, sql } from 'kysely';
import { closedStatus, orderId, type SpotOrderTerms } from '#domain';
import type { ClosedOrder, HistoryReader, OrdersQuery } from '../port.ts';
import { assertOffsetPage, rangeOf } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { ORDERS } from '../tables/spot-tables.ts';
import type { RecordOf, RowOf } from '../tables/table.ts';
import { withinTime } from './id-bounds.ts';

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
  return {
    order,
    orders: async (query) => {
      const rows = await pageOf(db, query);
      return rows.map(closedOrder);
    },
    // Ids of one client order id rise with time: it is free again only once its order has closed.
    orderByClientId: async (account, instrument, clientOrderId) => {
      const newest = await db
        .selectFrom('orders')
        .select((row) => row.fn.max('order_id').as('order_id'))
        .where((row) =>
          row.and({
            account_id: account,
            client_order_id: clientOrderId,
            ...(instrument !== undefined && { instrument_id: instrument }),
          }),
        )
        // The index leaves orders without a client id out; SQLite needs the same in the query.
        .where('client_order_id', '<>', sql.lit(''))
        .executeTakeFirst();
      // Of no rows at all, the highest is null.
      return newest?.order_id ? order(account, orderId(newest.order_id)) : undefined;
    },
  };
}

async function pageOf(db: Kysely<Database>, query: OrdersQuery) {
  const { limit, offset = 0 } = query;
  assertOffsetPage({ offset, limit });
  const asked = rangeOf(query.afterId, query.beforeId);
  const range = await withinTime(db, 'orders', asked, query);
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
    .limit(limit)
    .offset(offset)
    .execute();
}

function closedOrder(row: RowOf<typeof ORDERS>): ClosedOrder {
  const record = ORDERS.read(row);
  const { type, side, force, priceTicks, sizeLots, quoteBudget, ...facts } = record;
  return { ...facts, ...termsOf(record), status: closedStatus(facts.reason) };
}

/** Columns that an order has no value for are zero. */
function termsOf(record: RecordOf<typeof ORDERS>): SpotOrderTerms {
  const { type, side, force, priceTicks, sizeLots, quoteBudget } = record;
  if (type === 'limit') return { type, side, force, priceTicks, sizeLots };
  // A budget is above zero.
  return quoteBudget === 0n
    ? { type, side, force, sizeLots }
    : { type, side: 'buy', force, quoteBudget };
}
