/** Closed contract orders and ended trigger orders in one list, by their creation. */
import type { Kysely } from 'kysely';
import { present } from '#kernel';
import type { ContractOrdersQuery, EndedContractOrder } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { closedOrder } from './contract-orders.ts';
import type { Planner } from './planner.ts';
import { closedTrigger, endedTriggers } from './trigger-orders.ts';

export function contractPastPages(
  db: Kysely<Database>,
  planner: Planner,
): Pick<HistoryReader, 'contractPast'> {
  return {
    contractPast: async (query) => {
      assertOffsetPage(query);
      const page = await createdIn(db, planner, 'contract_orders', query)
        .unionAll(createdIn(db, planner, 'trigger_orders', query))
        .orderBy('created_time_ms', 'desc')
        .orderBy('order_id', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      const found = await endedById(
        db,
        page.map(({ order_id }) => order_id),
      );
      return page.map(({ order_id }) => present(found.get(order_id), 'order of the page'));
    },
  };
}

function createdIn(
  db: Kysely<Database>,
  planner: Planner,
  table: 'contract_orders' | 'trigger_orders',
  query: ContractOrdersQuery,
) {
  const { accountId, instrumentId, except = [] } = query;
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query;
  const created = db
    .selectFrom(table)
    .select(['order_id', 'created_time_ms'])
    .where((row) =>
      row.and({
        account_id: accountId,
        ...(instrumentId !== undefined && { instrument_id: instrumentId }),
      }),
    )
    .where('created_time_ms', '>=', fromMs)
    .where('created_time_ms', '<=', toMs);
  // Without it the index alone has all that is asked for.
  if (except.length === 0) return created;
  return created.where(planner.rowByRow<number>('instrument_id'), 'not in', except);
}

/** Orders and trigger orders share one sequence of ids. */
async function endedById(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, EndedContractOrder>> {
  if (ids.length === 0) return new Map();
  const orders = await db
    .selectFrom('contract_orders')
    .selectAll()
    .where('order_id', 'in', ids)
    .execute();
  const triggers = await endedTriggers(db).where('trigger_orders.order_id', 'in', ids).execute();
  return new Map<number, EndedContractOrder>([
    ...orders.map((row) => [row.order_id, { kind: 'order', order: closedOrder(row) }] as const),
    ...triggers.map(
      (row) => [row.order_id, { kind: 'trigger', trigger: closedTrigger(row) }] as const,
    ),
  ]);
}
