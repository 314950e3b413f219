/** Who takes part in competitions, as it is kept. */
import type { Selectable } from 'kysely';
import { accountId } from '#domain';
import { lookOf } from '#kernel';
import type { CompetitionStore, Entry } from './port.ts';
import type { CompetitionDb, CompetitionTables } from './tables.ts';

function entryOf(row: Selectable<CompetitionTables['competition_entries']>): Entry {
  return { ...row, accountId: accountId(row.accountId), isHeld: row.isHeld === 1 };
}

type Entries = Pick<
  CompetitionStore,
  'addEntry' | 'entries' | 'entriesOf' | 'heldEntries' | 'changeEntry' | 'removeEntry'
>;

/** Of two who come at once the second sees the first. */
async function takeCompetition(db: CompetitionDb, competitionId: string): Promise<void> {
  await db
    .updateTable('competitions')
    .set({ competitionId })
    .where('competitionId', '=', competitionId)
    .execute();
}

async function enteredOf(
  db: CompetitionDb,
  { competitionId, accountId: account }: Entry,
  ownIds: readonly number[],
): Promise<'account_in' | 'person_in' | undefined> {
  await takeCompetition(db, competitionId);
  const rows = await db
    .selectFrom('competition_entries')
    .select('accountId')
    .where('competitionId', '=', competitionId)
    .where('accountId', 'in', [account, ...ownIds])
    .execute();
  if (rows.some((row) => row.accountId === account)) return 'account_in';
  return rows.length > 0 ? 'person_in' : undefined;
}

/** Whether another entry of the competition looks like it. */
async function isLookTaken(
  db: CompetitionDb,
  { competitionId, entryId, name }: Pick<Entry, 'competitionId' | 'entryId' | 'name'>,
): Promise<boolean> {
  const rows = await db
    .selectFrom('competition_entries')
    .select('name')
    .where('competitionId', '=', competitionId)
    .where('entryId', '!=', entryId)
    .execute();
  const look = lookOf(name);
  return rows.some((row) => lookOf(row.name) === look);
}

export function entryRows(db: CompetitionDb): Entries {
  return {
    addEntry: (entry, ownIds = []) =>
      db.transaction().execute(async (within) => {
        const taking = await enteredOf(within, entry, ownIds);
        if (taking !== undefined) return taking;
        if (await isLookTaken(within, entry)) return 'name_taken';
        const added = await within
          .insertInto('competition_entries')
          .values({ ...entry, isHeld: entry.isHeld ? 1 : 0 })
          .onConflict((one) => one.doNothing())
          .returning('entryId')
          .executeTakeFirst();
        return added === undefined ? 'name_taken' : 'added';
      }),
    entries: async (competitionId) => {
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .orderBy('joinedMs')
        .orderBy('entryId')
        .execute();
      return rows.map(entryOf);
    },
    entriesOf: async (accountIds) => {
      if (accountIds.length === 0) return [];
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('accountId', 'in', [...accountIds])
        .orderBy('joinedMs')
        .orderBy('entryId')
        .execute();
      return rows.map(entryOf);
    },
    heldEntries: async () => {
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('isHeld', '=', 1)
        .execute();
      return rows.map(entryOf);
    },
    changeEntry: (entryId, changes) => changedEntry(db, entryId, changes),
    removeEntry: async (competitionId, entryId) => {
      const gone = await db
        .deleteFrom('competition_entries')
        .where('competitionId', '=', competitionId)
        .where('entryId', '=', entryId)
        .returning('entryId')
        .executeTakeFirst();
      return gone !== undefined;
    },
  };
}

/** False where another entry of the competition has the name, or looks like it. */
async function changedEntry(
  db: CompetitionDb,
  entryId: string,
  { name, team, isHeld }: Partial<Pick<Entry, 'name' | 'team' | 'isHeld'>>,
): Promise<boolean> {
  const all = db.selectFrom('competition_entries').where('entryId', '=', entryId);
  const row = await all.select('competitionId').executeTakeFirst();
  const competitionId = row?.competitionId ?? '';
  return db.transaction().execute(async (within) => {
    await takeCompetition(within, competitionId);
    if (name !== undefined && (await isLookTaken(within, { competitionId, entryId, name })))
      return false;
    const changed = await within
      .updateTable('competition_entries')
      .set({
        entryId,
        name,
        team,
        ...(isHeld === undefined ? {} : { isHeld: isHeld ? 1 : 0 }),
      })
      .where('entryId', '=', entryId)
      .returning('entryId')
      .executeTakeFirst();
    return changed !== undefined;
  });
}
