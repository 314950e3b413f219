/** What goes when a person or an account does. */
import type { Kysely } from 'kysely';
import { accountId } from '#domain';
import type { PersonalStore } from '../ports/personal.ts';
import type { PeopleDatabase } from './tables.ts';

export function personalRows(db: Kysely<PeopleDatabase>): PersonalStore {
  return {
    accountsWithAccess: async () => {
      const rows = await db
        .selectFrom('access')
        .select('account_id')
        .distinct()
        .orderBy('account_id')
        .execute();
      return rows.map((row) => accountId(row.account_id));
    },
    dropAccounts: (accountIds) =>
      accountIds.length === 0
        ? Promise.resolve([])
        : db.transaction().execute((within) => dropAccounts(within, accountIds)),
  };
}

async function dropAccounts(
  db: Kysely<PeopleDatabase>,
  accountIds: readonly number[],
): Promise<string[]> {
  const removed = await db
    .deleteFrom('access')
    .where('account_id', 'in', [...accountIds])
    .returning('person_id')
    .execute();
  await db
    .deleteFrom('access_codes')
    .where('account_id', 'in', [...accountIds])
    .execute();
  const personIds = [...new Set(removed.map((row) => row.person_id))];
  if (personIds.length > 0) {
    await db
      .updateTable('people')
      .set({ accounts_count: 0 })
      .where('person_id', 'in', personIds)
      .where('person_id', 'not in', db.selectFrom('access').select('person_id'))
      .execute();
  }
  return personIds;
}
