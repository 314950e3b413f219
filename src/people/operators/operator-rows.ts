/** Who runs the venue, and the money that waits for a second one of them. */
import type { Kysely, Selectable } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalsStore,
} from './approvals-port.ts';
import { OPERATOR_ROLES, type OperatorsStore } from './port.ts';

export function operatorRows(db: Kysely<PeopleDatabase>): OperatorsStore {
  return {
    operators: async (limit) => {
      const rows = await db
        .selectFrom('operators')
        .innerJoin('people', 'people.personId', 'operators.personId')
        .select(['operators.personId', 'role', 'sinceMs', 'email', 'name', 'state'])
        .select('sealedFactor')
        .orderBy('sinceMs')
        .orderBy('operators.personId')
        .limit(limit)
        .execute();
      return rows.map(({ role, sealedFactor, state, ...row }) => ({
        ...row,
        role: word(OPERATOR_ROLES, role),
        hasSecondFactor: sealedFactor !== null,
        isSuspended: state !== 'active',
      }));
    },
    operatorRole: async (personId) => {
      const row = await db
        .selectFrom('operators')
        .select('role')
        .where('personId', '=', personId)
        .executeTakeFirst();
      return row && word(OPERATOR_ROLES, row.role);
    },
    setOperator: async (personId, role, nowMs) => {
      await db
        .insertInto('operators')
        .values({ personId, role, sinceMs: nowMs })
        .onConflict((conflict) => conflict.column('personId').doUpdateSet({ role }))
        .execute();
    },
    removeOperator: async (personId) => {
      const removed = await db
        .deleteFrom('operators')
        .where('personId', '=', personId)
        .returning('personId')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

export function approvalRows(db: Kysely<PeopleDatabase>): ApprovalsStore {
  return {
    addApproval: (one, pendingMax) => addApproval(db, one, pendingMax),
    approval: async (approvalId) => {
      const row = await db
        .selectFrom('approvals')
        .selectAll()
        .where('approvalId', '=', approvalId)
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    openApproval: async ({ kind, accountId, clientOid, nowMs }) => {
      const row = await db
        .selectFrom('approvals')
        .selectAll()
        .where('kind', '=', kind)
        .where('accountId', '=', accountId)
        .where('clientOid', '=', clientOid)
        .where((one) =>
          one.or([
            one('state', '=', 'approved'),
            one.and([one('state', '=', 'pending'), one('expiresMs', '>', nowMs)]),
          ]),
        )
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    approvals: async ({ state, before, limit }) => {
      let query = db.selectFrom('approvals').selectAll().orderBy('approvalId', 'desc').limit(limit);
      if (state !== undefined) query = query.where('state', '=', state);
      if (before !== undefined) query = query.where('approvalId', '<', before);
      return (await query.execute()).map(approvalOf);
    },
    decideApproval: async (approvalId, { to, byId, byName, nowMs, outcome }) => {
      const row = await db
        .updateTable('approvals')
        .set({
          state: to,
          decidedById: byId,
          decidedByName: byName,
          decidedMs: nowMs,
          outcome,
        })
        .where('approvalId', '=', approvalId)
        .where('state', '=', 'pending')
        .where('expiresMs', '>', nowMs)
        .returningAll()
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    endApproval: async (approvalId, state, outcome) => {
      const row = await db
        .updateTable('approvals')
        .set({ state, outcome })
        .where('approvalId', '=', approvalId)
        .where('state', '=', 'approved')
        .returningAll()
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    pruneApprovals: async (beforeMs) => {
      await db.deleteFrom('approvals').where('createdMs', '<', beforeMs).execute();
    },
  };
}

async function addApproval(
  db: Kysely<PeopleDatabase>,
  one: Parameters<ApprovalsStore['addApproval']>[0],
  pendingMax: number,
): Promise<boolean> {
  const { pending } = await db
    .selectFrom('approvals')
    .select((all) => all.fn.countAll<number>().as('pending'))
    .where('state', '=', 'pending')
    .where('expiresMs', '>', one.createdMs)
    .executeTakeFirstOrThrow();
  if (Number(pending) >= pendingMax) return false;
  // One by one: who asks may have more of it than is kept.
  const { approvalId, kind, accountId, wallet, coin, amount, clientOid, reason } = one;
  const { askedById, askedByName, createdMs, expiresMs } = one;
  const undecided = { decidedById: '', decidedByName: '', decidedMs: 0, outcome: '' };
  await db
    .insertInto('approvals')
    .values({
      ...{ approvalId, kind, accountId, wallet, coin, amount, clientOid, reason },
      ...{ askedById, askedByName, createdMs, expiresMs, state: 'pending', ...undecided },
    })
    .execute();
  return true;
}

function approvalOf(row: Selectable<PeopleDatabase['approvals']>): Approval {
  return { ...row, kind: word(APPROVAL_KINDS, row.kind), state: word(APPROVAL_STATES, row.state) };
}
