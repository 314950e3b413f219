/** Persons, and the accounts they may use. */
import type { Kysely, Updateable } from 'kysely';
import type { AccountId } from '#domain';
import type { Access, AccessRight, ActiveMaker, PeopleStore, PersonChanges } from '../port.ts';
import { accessOf, personOf, rightsText } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Persons = Pick<
  PeopleStore,
  | 'addPerson'
  | 'person'
  | 'personByEmail'
  | 'people'
  | 'activeMakers'
  | 'changePerson'
  | 'choosePassword'
>;

export function personRows(db: Kysely<PeopleDatabase>): Persons {
  const all = () => db.selectFrom('people').selectAll();
  return {
    addPerson: async (person) => {
      const added = await db
        .insertInto('people')
        .values({
          ...person,
          passwordHash: person.passwordHash ?? null,
          sealedFactor: null,
          sealedNewFactor: null,
          factorStep: 0,
          accountsCount: 0,
          language: person.language ?? 'en',
          keysSinceMs: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('personId')
        .executeTakeFirst();
      return added !== undefined;
    },
    person: async (personId) => {
      const row = await all().where('personId', '=', personId).executeTakeFirst();
      return row && personOf(row);
    },
    personByEmail: async (email) => {
      const row = await all().where('email', '=', email).executeTakeFirst();
      return row && personOf(row);
    },
    people: async ({ after, email, limit }) => {
      let query = all().orderBy('personId').limit(limit);
      if (after !== undefined) query = query.where('personId', '>', after);
      if (email !== undefined) query = query.where('email', '=', email);
      return (await query.execute()).map(personOf);
    },
    activeMakers: (personIds) => activeMakers(db, personIds),
    changePerson: async (personId, changes) => {
      const changed = await db
        .updateTable('people')
        .set(changedColumns(changes))
        .where('personId', '=', personId)
        .returning('personId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    choosePassword: async (personId, chosen) => {
      const changed = await db
        .updateTable('people')
        .set(changedColumns({ ...chosen, state: 'active' }))
        .where('personId', '=', personId)
        .where('state', '!=', 'suspended')
        .returning('personId')
        .executeTakeFirst();
      return changed !== undefined;
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

/** What is counted of a person, each time by one at most. */
export function countRows(
  db: Kysely<PeopleDatabase>,
): Pick<PeopleStore, 'takeFactorStep' | 'noteAccount' | 'takeAccountNumber'> {
  return {
    takeFactorStep: async (personId, step) => {
      const taken = await db
        .updateTable('people')
        .set({ factorStep: step })
        .where('personId', '=', personId)
        .where('factorStep', '<', step)
        .returning('personId')
        .executeTakeFirst();
      return taken !== undefined;
    },
    noteAccount: async (personId) => {
      await db
        .updateTable('people')
        .set({ accountsCount: 1 })
        .where('personId', '=', personId)
        .where('accountsCount', '=', 0)
        .execute();
    },
    takeAccountNumber: async (personId, max) => {
      const taken = await db
        .updateTable('people')
        .set((one) => ({ accountsCount: one('accountsCount', '+', 1) }))
        .where('personId', '=', personId)
        .where('accountsCount', '<', max)
        .returning('accountsCount')
        .executeTakeFirst();
      return taken && taken.accountsCount - 1;
    },
  };
}

/** Only what is named changes; what is named as undefined is emptied. */
function changedColumns(changes: PersonChanges): Updateable<PeopleDatabase['people']> {
  return {
    ...changes,
    ...('passwordHash' in changes ? { passwordHash: changes.passwordHash ?? null } : {}),
    ...('sealedFactor' in changes ? { sealedFactor: changes.sealedFactor ?? null } : {}),
    ...('sealedNewFactor' in changes ? { sealedNewFactor: changes.sealedNewFactor ?? null } : {}),
  };
}

type AccessPart = Pick<
  PeopleStore,
  'addAccess' | 'accessOf' | 'accessTo' | 'changeAccess' | 'removeAccess'
>;

export function accessRows(db: Kysely<PeopleDatabase>): AccessPart {
  return {
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
