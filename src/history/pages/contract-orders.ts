/** Closed contract orders: the page and the two single look-ups. */
import { type Kysely, sql } from 'kysely';
import type { ClosedContractOrder, ContractOrdersQuery } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import { CONTRACT_ORDERS } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';
import { placeBefore } from './places.ts';
import type { Planner } from './planner.ts';

/** An id that no market has: a list of what is left out is never empty in SQL. */
export const NO_CONTRACT = -1;

export function contractOrderPages(
  db: Kysely<Database>,
  planner: Planner,
): Pick<HistoryReader, 'contractOrders' | 'contractOrder' | 'contractOrderByClientId'> {
  return {
    // Ids rise with time, so the order of creation is the order of ids.
    contractOrders: async (query) => {
      assertOffsetPage(query);
      const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query;
      const below = await placeBefore(db, 'contract_orders', query.before);
      const rows = await ordersOf(db, query)
        .where('created_time_ms', '>=', fromMs)
        .where('created_time_ms', '<=', toMs)
        .where(below)
        .where(planner.rowByRow<number>('instrument_id'), 'not in', [
          NO_CONTRACT,
          ...(query.except ?? []),
        ])
        .orderBy('created_time_ms', 'desc')
        .orderBy('order_id', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map(closedOrder);
    },
    contractOrder: async (account, order) => {
      const row = await db
        .selectFrom('contract_orders')
        .selectAll()
        .where('order_id', '=', order)
        .executeTakeFirst();
      return row === undefined || row.account_id !== account ? undefined : closedOrder(row);
    },
    contractOrderByClientId: async (account, instrument, clientOrderId, except = []) => {
      const named = ordersOf(db, { accountId: account })
        .where('client_order_id', '=', clientOrderId)
        // The index leaves orders without a client id out; SQLite needs the same in the query.
        .where('client_order_id', '<>', sql.lit(''));
      // An id is used again only after a while: few orders share it, and each is looked at.
      const wanted =
        instrument === undefined
          ? named
          : named.where(planner.rowByRow<number>('instrument_id'), '=', instrument);
      const row = await wanted
        .where(planner.rowByRow<number>('instrument_id'), 'not in', [NO_CONTRACT, ...except])
        .orderBy('order_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : closedOrder(row);
    },
  };
}

function ordersOf(
  db: Kysely<Database>,
  { accountId, instrumentId }: Pick<ContractOrdersQuery, 'accountId' | 'instrumentId'>,
) {
  return db
    .selectFrom('contract_orders')
    .selectAll()
    .where((row) =>
      row.and({
        account_id: accountId,
        ...(instrumentId !== undefined && { instrument_id: instrumentId }),
      }),
    );
}

export function closedOrder(row: RowOf<typeof CONTRACT_ORDERS>): ClosedContractOrder {
  const { type, priceTicks, ...facts } = CONTRACT_ORDERS.read(row);
  return type === 'limit' ? { ...facts, type, priceTicks } : { ...facts, type };
}
