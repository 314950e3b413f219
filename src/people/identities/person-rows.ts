/** Persons, and what is counted of them. */
import type { Kysely, Updateable } from 'kysely';
import type { PeopleDatabase } from '../store/tables.ts';
import type { IdentitiesStore, PersonChanges } from './port.ts';
import { personOf } from './rows.ts';

type Persons = Pick<
  IdentitiesStore,
  | 'addPerson'
  | 'person'
  | 'personByEmail'
  | 'people'
  | 'changePerson'
  | 'changeEmail'
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
    changePerson: async (personId, changes) => {
      const changed = await db
        .updateTable('people')
        .set(changedColumns(changes))
        .where('personId', '=', personId)
        .returning('personId')
        .executeTakeFirst();
      return changed !== undefined;
    },
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

/** What is counted of a person, each time by one at most. */
export function countRows(
  db: Kysely<PeopleDatabase>,
): Pick<IdentitiesStore, 'takeFactorStep' | 'noteAccount' | 'takeAccountNumber'> {
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
