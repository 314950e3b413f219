/** Trigger orders and TP/SL that wait no more: the page and the single look-up. */
import type { Kysely } from 'kysely';
import { lots } from '#domain';
import type { ClosedTriggerOrder } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import { TRIGGER_ORDERS } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';

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
            ...(instrumentId !== undefined && {
              'plan_orders.instrument_id': instrumentId,
              ...(action !== undefined && { 'plan_orders.action': action }),
            }),
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
export function endedTriggers(db: Kysely<Database>) {
  return db
    .selectFrom('plan_orders')
    .leftJoin('contract_orders as placed', 'placed.order_id', 'plan_orders.placed_order_id')
    .selectAll('plan_orders')
    .select('placed.filled_lots as finally_filled_lots');
}

export function closedTrigger(
  row: RowOf<typeof TRIGGER_ORDERS> & { readonly finally_filled_lots: number | null },
): ClosedTriggerOrder {
  const { closedSeq, type, executeTicks, ...rest } = TRIGGER_ORDERS.read(row);
  const { workingPrice, takeProfitTicks, takeProfitWorking, ...others } = rest;
  const { stopLossTicks, stopLossWorking, ...facts } = others;
  const price = type === 'limit' ? { type, executeTicks } : { type };
  const executedLots = lots(row.finally_filled_lots ?? row.executed_lots);
  return {
    ...facts,
    ...price,
    ...(workingPrice === 'mark' && { workingPrice }),
    ...(takeProfitTicks !== undefined && { takeProfitTicks }),
    ...(takeProfitWorking === 'mark' && { takeProfitWorking }),
    ...(stopLossTicks !== undefined && { stopLossTicks }),
    ...(stopLossWorking === 'mark' && { stopLossWorking }),
    executedLots,
  };
}
