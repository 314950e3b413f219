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
          person_id: person.personId,
          email: person.email,
          name: person.name,
          state: person.state,
          created_ms: person.createdMs,
          password_hash: person.passwordHash ?? null,
          sealed_factor: null,
          sealed_new_factor: null,
          factor_step: 0,
          accounts_count: 0,
          language: person.language ?? 'en',
          keys_since_ms: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('person_id')
        .executeTakeFirst();
      return added !== undefined;
    },
    person: async (personId) => {
      const row = await all().where('person_id', '=', personId).executeTakeFirst();
      return row && personOf(row);
    },
    personByEmail: async (email) => {
      const row = await all().where('email', '=', email).executeTakeFirst();
      return row && personOf(row);
    },
    people: async ({ after, email, limit }) => {
      let query = all().orderBy('person_id').limit(limit);
      if (after !== undefined) query = query.where('person_id', '>', after);
      if (email !== undefined) query = query.where('email', '=', email);
      return (await query.execute()).map(personOf);
    },
    activeMakers: (personIds) => activeMakers(db, personIds),
    changePerson: async (personId, changes) => {
      const changed = await db
        .updateTable('people')
        .set(changedColumns(changes))
        .where('person_id', '=', personId)
        .returning('person_id')
        .executeTakeFirst();
      return changed !== undefined;
    },
    choosePassword: async (personId, chosen) => {
      const changed = await db
        .updateTable('people')
        .set(changedColumns({ ...chosen, state: 'active' }))
        .where('person_id', '=', personId)
        .where('state', '!=', 'suspended')
        .returning('person_id')
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
    .select(['person_id', 'keys_since_ms'])
    .where('person_id', 'in', personIds)
    .where('state', '=', 'active')
    .execute();
  const access = await accessOfAll(db, personIds);
  return rows.map((row) => ({
    personId: row.person_id,
    keysSinceMs: row.keys_since_ms,
    access: access.get(row.person_id) ?? [],
  }));
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
    .where('person_id', 'in', personIds)
    .orderBy('account_id')
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
        .set({ factor_step: step })
        .where('person_id', '=', personId)
        .where('factor_step', '<', step)
        .returning('person_id')
        .executeTakeFirst();
      return taken !== undefined;
    },
    noteAccount: async (personId) => {
      await db
        .updateTable('people')
        .set({ accounts_count: 1 })
        .where('person_id', '=', personId)
        .where('accounts_count', '=', 0)
        .execute();
    },
    takeAccountNumber: async (personId, max) => {
      const taken = await db
        .updateTable('people')
        .set((one) => ({ accounts_count: one('accounts_count', '+', 1) }))
        .where('person_id', '=', personId)
        .where('accounts_count', '<', max)
        .returning('accounts_count')
        .executeTakeFirst();
      return taken && taken.accounts_count - 1;
    },
  };
}

/** Only what is named changes; what is named as undefined is emptied. */
function changedColumns(changes: PersonChanges): Updateable<PeopleDatabase['people']> {
  return {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.state === undefined ? {} : { state: changes.state }),
    ...(changes.keysSinceMs === undefined ? {} : { keys_since_ms: changes.keysSinceMs }),
    ...(changes.language === undefined ? {} : { language: changes.language }),
    ...('passwordHash' in changes ? { password_hash: changes.passwordHash ?? null } : {}),
    ...('sealedFactor' in changes ? { sealed_factor: changes.sealedFactor ?? null } : {}),
    ...('sealedNewFactor' in changes ? { sealed_new_factor: changes.sealedNewFactor ?? null } : {}),
  };
}

type AccessPart = Pick<
  PeopleStore,
  'addAccess' | 'accessOf' | 'accessTo' | 'changeAccess' | 'removeAccess'
>;

export function accessRows(db: Kysely<PeopleDatabase>): AccessPart {
  return {
    addAccess: async ({ personId, accountId, label, rights }, createdMs) => {
      const values = { label, rights: rightsText(rights), manage_place: 0 };
      await db.transaction().execute(async (within) => {
        await within
          .insertInto('access')
          .values({ person_id: personId, account_id: accountId, created_ms: createdMs, ...values })
          .onConflict((conflict) =>
            conflict.columns(['person_id', 'account_id']).doUpdateSet({ rights: values.rights }),
          )
          .execute();
        await placeManager(within, personId, accountId, rights);
      });
    },
    accessOf: async (personId) => {
      const rows = await db
        .selectFrom('access')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('account_id')
        .execute();
      return rows.map(accessOf);
    },
    accessTo: async (accountId, whose = 'proved') => {
      const rows = await db
        .selectFrom('access')
        .innerJoin('people', 'people.person_id', 'access.person_id')
        .selectAll('access')
        .select('people.name')
        .where('account_id', '=', accountId)
        .$if(whose === 'proved', (one) => one.where('people.state', '!=', 'pending'))
        .orderBy('access.created_ms')
        .execute();
      const owner = ownerIn(rows);
      return rows.map((row) => {
        return { ...accessOf(row), name: row.name, isOwner: row.person_id === owner };
      });
    },
    changeAccess: (personId, accountId, { label, rights }) =>
      db.transaction().execute(async (within) => {
        const changed = await within
          .updateTable('access')
          .set({
            ...(label === undefined ? {} : { label }),
            ...(rights === undefined ? {} : { rights: rightsText(rights) }),
          })
          .where('person_id', '=', personId)
          .where('account_id', '=', accountId)
          .returning('person_id')
          .executeTakeFirst();
        if (rights !== undefined) await placeManager(within, personId, accountId, rights);
        return changed !== undefined;
      }),
    removeAccess: async (personId, accountId) => {
      const removed = await db
        .deleteFrom('access')
        .where('person_id', '=', personId)
        .where('account_id', '=', accountId)
        .returning('person_id')
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
    .where('person_id', '=', personId)
    .where('account_id', '=', account);
  if (!rights.includes('manage')) {
    await own.set({ manage_place: 0 }).execute();
    return;
  }
  const { last } = await db
    .selectFrom('access')
    .select((all) => all.fn.max<number>('manage_place').as('last'))
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow();
  await own
    .set({ manage_place: Number(last) + 1 })
    .where('manage_place', '=', 0)
    .execute();
}

/** The first of those who manage it. */
function ownerIn(
  rows: readonly { readonly person_id: string; readonly manage_place: number }[],
): string | undefined {
  const managers = rows.filter((row) => row.manage_place > 0);
  return managers.sort((one, other) => one.manage_place - other.manage_place)[0]?.person_id;
}
