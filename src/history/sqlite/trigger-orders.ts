/** Trigger orders and TP/SL that wait no more: the page and the single look-up. */
import type { Kysely } from 'kysely';
import { accountId, instrumentId, lots, orderId, ticks } from '#domain';
import type { ClosedTriggerOrder } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import type { PlanOrdersTable } from './contract-schema.ts';
import type { Database } from './schema.ts';

export function triggerOrderPages(
  db: Kysely<Database>,
): Pick<HistoryReader, 'triggers' | 'trigger'> {
  return {
    // By the time of creation, newest first.
    triggers: async (query) => {
      assertOffsetPage(query);
      const { accountId, instrumentId, action, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query;
      const rows = await endedTriggers(db)
        .where((row) =>
          row.and({
            'plan_orders.account_id': accountId,
            'plan_orders.instrument_id': instrumentId,
            ...(action !== undefined && { 'plan_orders.action': action }),
          }),
        )
        .where('plan_orders.created_time_ms', '>=', fromMs)
        .where('plan_orders.created_time_ms', '<=', toMs)
        .orderBy('plan_orders.created_time_ms', 'desc')
        .orderBy('plan_orders.order_id', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map(closedTrigger);
    },
    trigger: async (account, order) => {
      const row = await endedTriggers(db)
        .where('plan_orders.order_id', '=', order)
        .executeTakeFirst();
      return row === undefined || row.account_id !== account ? undefined : closedTrigger(row);
    },
  };
}

/** With what the order that it placed has filled in the end; null while that is open. */
function endedTriggers(db: Kysely<Database>) {
  return db
    .selectFrom('plan_orders')
    .leftJoin('contract_orders as placed', 'placed.order_id', 'plan_orders.placed_order_id')
    .selectAll('plan_orders')
    .select('placed.filled_lots as finally_filled_lots');
}

function closedTrigger(
  row: PlanOrdersTable & { readonly finally_filled_lots: number | null },
): ClosedTriggerOrder {
  return {
    orderId: orderId(row.order_id),
    accountId: accountId(row.account_id),
    instrumentId: instrumentId(row.instrument_id),
    clientOrderId: row.client_order_id,
    action: row.action,
    purpose: row.purpose,
    type: row.type,
    triggerTicks: ticks(row.trigger_ticks),
    direction: row.direction,
    executeTicks: ticks(row.execute_ticks),
    sizeLots: lots(row.size_lots),
    createdPriceTicks: ticks(row.created_price_ticks),
    createdTimeMs: row.created_time_ms,
    status: row.status,
    reason: row.reason,
    placedOrderId: row.placed_order_id === 0 ? 0 : orderId(row.placed_order_id),
    executedLots: lots(row.finally_filled_lots ?? row.executed_lots),
    updatedTimeMs: row.updated_time_ms,
  };
}
