/** What goes when a person or an account does. */
import type { Kysely } from 'kysely';
import { accountId } from '#domain';
import type { PersonalStore } from '../ports/personal.ts';
import { forgetTrader } from './competition-rows.ts';
import { forgetPayerOf } from './payment-rows.ts';
import { accessOf } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

export function personalRows(db: Kysely<PeopleDatabase>): PersonalStore {
  return {
    accountsWithAccess: async () => {
      const rows = await db
        .selectFrom('access')
        .select('accountId')
        .union(db.selectFrom('competition_entries').select('accountId'))
        .orderBy('accountId')
        .execute();
      return rows.map((row) => accountId(row.accountId));
    },
    dropAccounts: (accountIds) =>
      accountIds.length === 0
        ? Promise.resolve([])
        : db.transaction().execute((within) => dropAccounts(within, accountIds)),
    changeEmail: async (personId, email) => {
      const changed = await db
        .updateTable('people')
        .set({ email })
        .where('personId', '=', personId)
        .where(({ not, exists }) =>
          not(exists(db.selectFrom('people').select('personId').where('email', '=', email))),
        )
        .returning('personId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    hasLink: async (personId, kind, nowMs) => {
      const found = await db
        .selectFrom('links')
        .select('linkId')
        .where('personId', '=', personId)
        .where('kind', '=', kind)
        .where('expiresMs', '>', nowMs)
        .executeTakeFirst();
      return found !== undefined;
    },
    deletePerson: (personId) =>
      db.transaction().execute((within) => deletePerson(within, personId)),
  };
}

/** Of what has the id of a person in it, in the order in which it would be missed. */
const PERSONAL = ['access', 'links', 'recovery_codes', 'security_events', 'people'] as const;

async function deletePerson(db: Kysely<PeopleDatabase>, personId: string): Promise<string[]> {
  const sessions = await db
    .deleteFrom('sessions')
    .where('personId', '=', personId)
    .returning('sessionId')
    .execute();
  await db.deleteFrom('access_codes').where('madeBy', '=', personId).execute();
  await forgetPayerOf(db, personId);
  await forgetTrader(db, await soleAccounts(db, personId));
  for (const table of PERSONAL) {
    await db.deleteFrom(table).where('personId', '=', personId).execute();
  }
  return sessions.map((row) => row.sessionId);
}

/** Beyond so many the next pruning goes on. */
const UNPROVED_AT_ONCE = 1_000;

/** Nothing stays of a sign-up without its link, unless an operator gave the address something. */
export async function dropUnproved(
  db: Kysely<PeopleDatabase>,
  createdBeforeMs: number,
): Promise<void> {
  const having = (table: 'access' | 'links' | 'operators') =>
    db.selectFrom(table).select('personId');
  const rows = await db
    .selectFrom('people')
    .select('personId')
    .where('state', '=', 'pending')
    .where('createdMs', '<', createdBeforeMs)
    .where('personId', 'not in', having('access'))
    .where('personId', 'not in', having('links'))
    .where('personId', 'not in', having('operators'))
    .limit(UNPROVED_AT_ONCE)
    .execute();
  for (const { personId } of rows) {
    await db.transaction().execute((within) => deletePerson(within, personId));
  }
}

/** Accounts that nobody else manages. */
async function soleAccounts(db: Kysely<PeopleDatabase>, personId: string): Promise<number[]> {
  const own = db.selectFrom('access').select('accountId').where('personId', '=', personId);
  const all = await db.selectFrom('access').selectAll().where('accountId', 'in', own).execute();
  const shared = new Set(
    all
      .map(accessOf)
      .filter((one) => one.personId !== personId && one.rights.includes('manage'))
      .map((one) => Number(one.accountId)),
  );
  const found = all.filter((row) => row.personId === personId).map((row) => row.accountId);
  return found.filter((one) => !shared.has(one));
}

async function dropAccounts(
  db: Kysely<PeopleDatabase>,
  accountIds: readonly number[],
): Promise<string[]> {
  const removed = await db
    .deleteFrom('access')
    .where('accountId', 'in', [...accountIds])
    .returning('personId')
    .execute();
  for (const table of ['access_codes', 'competition_entries'] as const) {
    await db
      .deleteFrom(table)
      .where('accountId', 'in', [...accountIds])
      .execute();
  }
  const personIds = [...new Set(removed.map((row) => row.personId))];
  if (personIds.length > 0) {
    await db
      .updateTable('people')
      .set({ accountsCount: 0 })
      .where('personId', 'in', personIds)
      .where('personId', 'not in', db.selectFrom('access').select('personId'))
      .execute();
  }
  return personIds;
}
