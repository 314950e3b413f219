/** Which accounts persons may use, and what in them. */
import type { Kysely } from 'kysely';
import type { AccountId } from '#domain';
import type { PeopleDatabase } from '../store/tables.ts';
import type { Access, AccessRight, AccessStore, ActiveMaker } from './port.ts';
import { accessOf, rightsText } from './rows.ts';

type AccessPart = Pick<
  AccessStore,
  'activeMakers' | 'addAccess' | 'accessOf' | 'accessTo' | 'changeAccess' | 'removeAccess'
>;

export function accessRows(db: Kysely<PeopleDatabase>): AccessPart {
  return {
    activeMakers: (personIds) => activeMakers(db, personIds),
    addAccess: async ({ personId, accountId, label, rights }, createdMs) => {
      const values = { label, rights: rightsText(rights), managePlace: 0 };
      await db.transaction().execute(async (within) => {
        await within
          .insertInto('access')
          .values({ personId, accountId, createdMs, ...values })
          .onConflict((conflict) =>
            conflict.columns(['personId', 'accountId']).doUpdateSet({ rights: values.rights }),
          )
          .execute();
        await placeManager(within, personId, accountId, rights);
      });
    },
    accessOf: async (personId) => {
      const rows = await db
        .selectFrom('access')
        .selectAll()
        .where('personId', '=', personId)
        .orderBy('accountId')
        .execute();
      return rows.map(accessOf);
    },
    accessTo: async (accountId, whose = 'proved') => {
      const rows = await db
        .selectFrom('access')
        .innerJoin('people', 'people.personId', 'access.personId')
        .selectAll('access')
        .select('people.name')
        .where('accountId', '=', accountId)
        .$if(whose === 'proved', (one) => one.where('people.state', '!=', 'pending'))
        .orderBy('access.createdMs')
        .execute();
      const owner = ownerIn(rows);
      return rows.map((row) => {
        return { ...accessOf(row), name: row.name, isOwner: row.personId === owner };
      });
    },
    changeAccess: (personId, accountId, { label, rights }) =>
      db.transaction().execute(async (within) => {
        const changed = await within
          .updateTable('access')
          .set({
            label,
            ...(rights === undefined ? {} : { rights: rightsText(rights) }),
          })
          .where('personId', '=', personId)
          .where('accountId', '=', accountId)
          .returning('personId')
          .executeTakeFirst();
        if (rights !== undefined) await placeManager(within, personId, accountId, rights);
        return changed !== undefined;
      }),
    removeAccess: async (personId, accountId) => {
      const removed = await db
        .deleteFrom('access')
        .where('personId', '=', personId)
        .where('accountId', '=', accountId)
        .returning('personId')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

async function activeMakers(
  db: Kysely<PeopleDatabase>,
  personIds: readonly string[],
): Promise<readonly ActiveMaker[]> {
  if (personIds.length === 0) return [];
  const rows = await db
    .selectFrom('people')
    .select(['personId', 'keysSinceMs'])
    .where('personId', 'in', personIds)
    .where('state', '=', 'active')
    .execute();
  const access = await accessOfAll(db, personIds);
  return rows.map((row) => ({ ...row, access: access.get(row.personId) ?? [] }));
}

/** By person, in the order of the accounts. */
export async function accessOfAll(
  db: Kysely<PeopleDatabase>,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Access[]>> {
  if (personIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('access')
    .selectAll()
    .where('personId', 'in', personIds)
    .orderBy('accountId')
    .execute();
  return Map.groupBy(rows.map(accessOf), ({ personId }) => personId);
}

/** Behind all who manage it already, as long as it may; who may no longer has no place. */
async function placeManager(
  db: Kysely<PeopleDatabase>,
  personId: string,
  account: AccountId,
  rights: readonly AccessRight[],
): Promise<void> {
  const own = db
    .updateTable('access')
    .where('personId', '=', personId)
    .where('accountId', '=', account);
  if (!rights.includes('manage')) {
    await own.set({ managePlace: 0 }).execute();
    return;
  }
  const { last } = await db
    .selectFrom('access')
    .select((all) => all.fn.max<number>('managePlace').as('last'))
    .where('accountId', '=', account)
    .executeTakeFirstOrThrow();
  await own
    .set({ managePlace: Number(last) + 1 })
    .where('managePlace', '=', 0)
    .execute();
}

/** The first of those who manage it. */
function ownerIn(
  rows: readonly { readonly personId: string; readonly managePlace: number }[],
): string | undefined {
  const managers = rows.filter((row) => row.managePlace > 0);
  return managers.sort((one, other) => one.managePlace - other.managePlace)[0]?.personId;
}
