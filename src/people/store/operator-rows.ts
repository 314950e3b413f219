/** Who runs the venue, and the money that waits for a second one of them. */
import type { Kysely, Selectable } from 'kysely';
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalsStore,
} from '../ports/approvals.ts';
import { OPERATOR_ROLES, type OperatorsStore } from '../ports/operators.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

export function operatorRows(db: Kysely<PeopleDatabase>): OperatorsStore {
  return {
    operators: async (limit) => {
      const rows = await db
        .selectFrom('operators')
        .innerJoin('people', 'people.person_id', 'operators.person_id')
        .select(['operators.person_id', 'role', 'since_ms', 'email', 'name', 'state'])
        .select('sealed_factor')
        .orderBy('since_ms')
        .orderBy('operators.person_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        personId: row.person_id,
        email: row.email,
        name: row.name,
        role: word(OPERATOR_ROLES, row.role),
        hasSecondFactor: row.sealed_factor !== null,
        isSuspended: row.state !== 'active',
        sinceMs: row.since_ms,
      }));
    },
    operatorRole: async (personId) => {
      const row = await db
        .selectFrom('operators')
        .select('role')
        .where('person_id', '=', personId)
        .executeTakeFirst();
      return row && word(OPERATOR_ROLES, row.role);
    },
    setOperator: async (personId, role, nowMs) => {
      await db
        .insertInto('operators')
        .values({ person_id: personId, role, since_ms: nowMs })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ role }))
        .execute();
    },
    removeOperator: async (personId) => {
      const removed = await db
        .deleteFrom('operators')
        .where('person_id', '=', personId)
        .returning('person_id')
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
        .where('approval_id', '=', approvalId)
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    openApproval: async ({ kind, accountId, clientOid, nowMs }) => {
      const row = await db
        .selectFrom('approvals')
        .selectAll()
        .where('kind', '=', kind)
        .where('account_id', '=', accountId)
        .where('client_oid', '=', clientOid)
        .where((one) =>
          one.or([
            one('state', '=', 'approved'),
            one.and([one('state', '=', 'pending'), one('expires_ms', '>', nowMs)]),
          ]),
        )
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    approvals: async ({ state, before, limit }) => {
      let query = db
        .selectFrom('approvals')
        .selectAll()
        .orderBy('approval_id', 'desc')
        .limit(limit);
      if (state !== undefined) query = query.where('state', '=', state);
      if (before !== undefined) query = query.where('approval_id', '<', before);
      return (await query.execute()).map(approvalOf);
    },
    decideApproval: async (approvalId, { to, byId, byName, nowMs, outcome }) => {
      const row = await db
        .updateTable('approvals')
        .set({
          state: to,
          decided_by_id: byId,
          decided_by_name: byName,
          decided_ms: nowMs,
          outcome,
        })
        .where('approval_id', '=', approvalId)
        .where('state', '=', 'pending')
        .where('expires_ms', '>', nowMs)
        .returningAll()
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    endApproval: async (approvalId, state, outcome) => {
      const row = await db
        .updateTable('approvals')
        .set({ state, outcome })
        .where('approval_id', '=', approvalId)
        .where('state', '=', 'approved')
        .returningAll()
        .executeTakeFirst();
      return row && approvalOf(row);
    },
    pruneApprovals: async (beforeMs) => {
      await db.deleteFrom('approvals').where('created_ms', '<', beforeMs).execute();
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
    .where('expires_ms', '>', one.createdMs)
    .executeTakeFirstOrThrow();
  if (Number(pending) >= pendingMax) return false;
  const { approvalId, kind, accountId, wallet, coin, amount, clientOid, reason } = one;
  const moved = { kind, account_id: accountId, wallet, coin, amount, client_oid: clientOid };
  const asked = { asked_by_id: one.askedById, asked_by_name: one.askedByName, reason };
  const times = { created_ms: one.createdMs, expires_ms: one.expiresMs };
  const undecided = { decided_by_id: '', decided_by_name: '', decided_ms: 0, outcome: '' };
  await db
    .insertInto('approvals')
    .values({
      ...{ approval_id: approvalId, ...moved, ...asked, ...times },
      ...{ state: 'pending', ...undecided },
    })
    .execute();
  return true;
}

function approvalOf(row: Selectable<PeopleDatabase['approvals']>): Approval {
  return {
    approvalId: row.approval_id,
    kind: word(APPROVAL_KINDS, row.kind),
    accountId: row.account_id,
    wallet: row.wallet,
    coin: row.coin,
    amount: row.amount,
    clientOid: row.client_oid,
    askedById: row.asked_by_id,
    askedByName: row.asked_by_name,
    reason: row.reason,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    state: word(APPROVAL_STATES, row.state),
    decidedById: row.decided_by_id,
    decidedByName: row.decided_by_name,
    decidedMs: row.decided_ms,
    outcome: row.outcome,
  };
}
