/** Money that operators have moved alone, and the limits of that. */
import type { Kysely } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import type { MovementsStore } from './movements-port.ts';

export function movementRows(db: Kysely<PeopleDatabase>): MovementsStore {
  return {
    addMovement: async (movement) => {
      const added = await db
        .insertInto('operator_movements')
        .values(movement)
        .onConflict((conflict) => conflict.column('movementId').doNothing())
        .returning('movementId')
        .executeTakeFirst();
      return added !== undefined;
    },
    dropMovement: async (movementId) => {
      await db.deleteFrom('operator_movements').where('movementId', '=', movementId).execute();
    },
    movements: ({ coin, operatorId, accountId, sinceMs, limit }) =>
      db
        .selectFrom('operator_movements')
        .selectAll()
        .where('coin', '=', coin)
        .where('timeMs', '>', sinceMs)
        .where((one) =>
          one.or([one('operatorId', '=', operatorId), one('accountId', '=', accountId)]),
        )
        .limit(limit)
        .execute(),
    pruneMovements: async (beforeMs) => {
      await db.deleteFrom('operator_movements').where('timeMs', '<=', beforeMs).execute();
    },
    operatorLimits: () => db.selectFrom('operator_limits').selectAll().orderBy('coin').execute(),
    setOperatorLimit: async ({ coin, amount, changedBy, changedMs }) => {
      const set = { amount, changedBy, changedMs };
      await db
        .insertInto('operator_limits')
        .values({ coin, ...set })
        .onConflict((conflict) => conflict.column('coin').doUpdateSet(set))
        .execute();
    },
  };
}
