/** Trigger orders and TP/SL that wait no more: the page and the single look-up. */
import { type Kysely, sql } from 'kysely';
import { type FillSums, lots } from '#domain';
import type { ClosedTriggerOrder } from '../contract-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertOffsetPage } from '../range.ts';
import { TRIGGER_ORDERS } from '../tables/contract-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';
import { NO_CONTRACT } from './contract-orders.ts';
import { placeBefore } from './places.ts';
import type { Planner } from './planner.ts';

export function triggerOrderPages(
  db: Kysely<Database>,
  planner: Planner,
): Pick<HistoryReader, 'triggers' | 'trigger' | 'triggerByClientId'> {
  return {
    // By the time of creation, newest first.
    triggers: async (query) => {
      assertOffsetPage(query);
      const { accountId, instrumentId, action, except = [] } = query;
      const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = query;
      const below = await placeBefore(db, 'trigger_orders', query.before);
      const rows = await endedTriggers(db)
        .where((row) =>
          row.and({
            'trigger_orders.account_id': accountId,
            ...(instrumentId !== undefined && {
              'trigger_orders.instrument_id': instrumentId,
              ...(action !== undefined && { 'trigger_orders.action': action }),
            }),
          }),
        )
        .where('trigger_orders.created_time_ms', '>=', fromMs)
        .where('trigger_orders.created_time_ms', '<=', toMs)
        .where(below)
        .where(planner.rowByRow<number>('trigger_orders.instrument_id'), 'not in', [
          NO_CONTRACT,
          ...except,
        ])
        .orderBy('trigger_orders.created_time_ms', 'desc')
        .orderBy('trigger_orders.order_id', 'desc')
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return rows.map(closedTrigger);
    },
    trigger: async (account, order) => {
      const row = await endedTriggers(db)
        .where('trigger_orders.order_id', '=', order)
        .executeTakeFirst();
      return row === undefined || row.account_id !== account ? undefined : closedTrigger(row);
    },
    triggerByClientId: async (account, clientOrderId, except = []) => {
      const row = await endedTriggers(db)
        .where('trigger_orders.account_id', '=', account)
        .where('trigger_orders.client_order_id', '=', clientOrderId)
        // The index leaves out those without a client id; SQLite needs the same in the query.
        .where('trigger_orders.client_order_id', '<>', sql.lit(''))
        .where(planner.rowByRow<number>('trigger_orders.instrument_id'), 'not in', [
          NO_CONTRACT,
          ...except,
        ])
        .orderBy('trigger_orders.order_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && closedTrigger(row);
    },
  };
}

/** With what the order that it placed has filled in the end; null while that is open. */
export function endedTriggers(db: Kysely<Database>) {
  return db
    .selectFrom('trigger_orders')
    .leftJoin('contract_orders as placed', 'placed.order_id', 'trigger_orders.placed_order_id')
    .selectAll('trigger_orders')
    .select([
      'placed.filled_lots as placed_lots',
      'placed.filled_tick_lots as placed_tick_lots',
      'placed.filled_per_tick as placed_per_tick',
    ]);
}

interface PlacedColumns {
  readonly placed_lots: number | null;
  readonly placed_tick_lots: string | null;
  readonly placed_per_tick: string | null;
}

export function closedTrigger(
  row: RowOf<typeof TRIGGER_ORDERS> & PlacedColumns,
): ClosedTriggerOrder {
  const { closedSeq, type, executeTicks, ...rest } = TRIGGER_ORDERS.read(row);
  const { workingPrice, takeProfitTicks, takeProfitWorking, ...others } = rest;
  const { stopLossTicks, stopLossWorking, intent, ...facts } = others;
  const executed = executedOf(row);
  const price = type === 'limit' ? { type, executeTicks } : { type };
  return {
    ...facts,
    ...price,
    ...(workingPrice !== 'last' && { workingPrice }),
    ...(takeProfitTicks !== undefined && { takeProfitTicks }),
    ...(takeProfitWorking !== 'last' && { takeProfitWorking }),
    ...(stopLossTicks !== undefined && { stopLossTicks }),
    ...(stopLossWorking !== 'last' && { stopLossWorking }),
    ...(intent !== undefined && { intent }),
    executedLots: lots(executed?.filledLots ?? row.executed_lots),
    ...(executed !== undefined && { executed }),
  };
}

function executedOf(row: PlacedColumns): FillSums | undefined {
  const { placed_lots: filledLots, placed_tick_lots: tickLots, placed_per_tick: perTick } = row;
  if (filledLots === null || tickLots === null || perTick === null) return undefined;
  return { filledLots, filledTickLots: BigInt(tickLots), filledPerTick: BigInt(perTick) };
}
