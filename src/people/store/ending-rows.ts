/** What goes when a person or an account does, or is over. */
import type { Kysely } from 'kysely';
import { accountId } from '#domain';
import { accessOf } from '../access/rows.ts';
import { forgetPayerOf } from '../payments/payment-rows.ts';
import type { EndingStore } from './ending-port.ts';
import type { EndingPart } from './part.ts';
import type { PeopleDatabase } from './tables.ts';

export function endingRows(db: Kysely<PeopleDatabase>, part: EndingPart): EndingStore {
  return {
    accountsWithAccess: async () => {
      const rows = await db.selectFrom('access').select('accountId').distinct().execute();
      const all = new Set([...rows.map((row) => row.accountId), ...(await part.accountsKept(db))]);
      return [...all].sort((one, other) => one - other).map(accountId);
    },
    accountsIn: async (id) => (await part.accountsIn(db, id)).map(accountId),
    dropAccounts: (accountIds) =>
      accountIds.length === 0
        ? Promise.resolve([])
        : db.transaction().execute((within) => dropAccounts(within, part, accountIds)),
    deletePerson: (personId) =>
      db.transaction().execute((within) => deletePerson(within, part, personId)),
    prune: async ({ nowMs, eventsBeforeMs, failuresBeforeMs, unprovedBeforeMs }) => {
      await db.deleteFrom('sessions').where('expiresMs', '<=', nowMs).execute();
      await db.deleteFrom('links').where('expiresMs', '<=', nowMs).execute();
      await db.deleteFrom('access_codes').where('expiresMs', '<=', nowMs).execute();
      await db.deleteFrom('security_events').where('timeMs', '<', eventsBeforeMs).execute();
      await db.deleteFrom('failures').where('lastMs', '<', failuresBeforeMs).execute();
      await dropUnproved(db, part, unprovedBeforeMs);
    },
  };
}

/** Of what has the id of a person in it, in the order in which it would be missed. */
const PERSONAL = ['access', 'links', 'recovery_codes', 'security_events', 'people'] as const;

async function deletePerson(
  db: Kysely<PeopleDatabase>,
  part: EndingPart,
  personId: string,
): Promise<string[]> {
  const sessions = await db
    .deleteFrom('sessions')
    .where('personId', '=', personId)
    .returning('sessionId')
    .execute();
  await db.deleteFrom('access_codes').where('madeBy', '=', personId).execute();
  await forgetPayerOf(db, personId);
  await part.forgetOwner(db, await soleAccounts(db, personId));
  for (const table of PERSONAL) {
    await db.deleteFrom(table).where('personId', '=', personId).execute();
  }
  return sessions.map((row) => row.sessionId);
}

/** Beyond so many the next pruning goes on. */
const UNPROVED_AT_ONCE = 1_000;

/** Nothing stays of a sign-up without its link, unless an operator gave the address something. */
async function dropUnproved(
  db: Kysely<PeopleDatabase>,
  part: EndingPart,
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
    await db.transaction().execute((within) => deletePerson(within, part, personId));
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
  part: EndingPart,
  accountIds: readonly number[],
): Promise<string[]> {
  const removed = await db
    .deleteFrom('access')
    .where('accountId', 'in', [...accountIds])
    .returning('personId')
    .execute();
  await db
    .deleteFrom('access_codes')
    .where('accountId', 'in', [...accountIds])
    .execute();
  await part.dropAccounts(db, accountIds);
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
