/** Money that operators have moved alone, and the limits of that. */
import type { Kysely } from 'kysely';
import type { MovementsStore } from '../ports/movements.ts';
import type { PeopleDatabase } from './tables.ts';

export function movementRows(db: Kysely<PeopleDatabase>): MovementsStore {
  return {
    addMovement: async ({ movementId, operatorId, accountId, coin, amount, timeMs }) => {
      const place = { movement_id: movementId, operator_id: operatorId, account_id: accountId };
      const added = await db
        .insertInto('operator_movements')
        .values({ ...place, coin, amount, time_ms: timeMs })
        .onConflict((conflict) => conflict.column('movement_id').doNothing())
        .returning('movement_id')
        .executeTakeFirst();
      return added !== undefined;
    },
    dropMovement: async (movementId) => {
      await db.deleteFrom('operator_movements').where('movement_id', '=', movementId).execute();
    },
    movements: async ({ coin, operatorId, accountId, sinceMs, limit }) => {
      const rows = await db
        .selectFrom('operator_movements')
        .selectAll()
        .where('coin', '=', coin)
        .where('time_ms', '>', sinceMs)
        .where((one) =>
          one.or([one('operator_id', '=', operatorId), one('account_id', '=', accountId)]),
        )
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        movementId: row.movement_id,
        operatorId: row.operator_id,
        accountId: row.account_id,
        coin: row.coin,
        amount: row.amount,
        timeMs: row.time_ms,
      }));
    },
    pruneMovements: async (beforeMs) => {
      await db.deleteFrom('operator_movements').where('time_ms', '<=', beforeMs).execute();
    },
    operatorLimits: async () => {
      const rows = await db.selectFrom('operator_limits').selectAll().orderBy('coin').execute();
      return rows.map(({ coin, amount, changed_by, changed_ms }) => {
        return { coin, amount, changedBy: changed_by, changedMs: changed_ms };
      });
    },
    setOperatorLimit: async ({ coin, amount, changedBy, changedMs }) => {
      const set = { amount, changed_by: changedBy, changed_ms: changedMs };
      await db
        .insertInto('operator_limits')
        .values({ coin, ...set })
        .onConflict((conflict) => conflict.column('coin').doUpdateSet(set))
        .execute();
    },
  };
}
