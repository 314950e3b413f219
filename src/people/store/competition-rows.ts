/** Competitions, their entries, rounds and samples. */
import type { Kysely, Selectable } from 'kysely';
import { accountId } from '#domain';
import { lookOf } from '#kernel';
import {
  type Competition,
  type CompetitionStore,
  type Entry,
  ROUND_STATES,
  type Round,
  type RoundChanges,
  type RoundSummary,
  type Sample,
} from '../ports/competition.ts';
import type { PeopleDatabase } from './tables.ts';
import { word } from './words.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;
type Database = Kysely<PeopleDatabase>;

function competitionOf(row: Row<'competitions'>): Competition {
  return { ...row, terms: JSON.parse(row.terms), cancelledMs: row.cancelledMs ?? undefined };
}

function entryOf(row: Row<'competition_entries'>): Entry {
  return { ...row, accountId: accountId(row.accountId), isHeld: row.isHeld === 1 };
}

const SUMMARY = [
  ...(['roundId', 'competitionId', 'number', 'name', 'state', 'prepareMs'] as const),
  ...(['startMs', 'durationMs', 'sampleMs', 'scenario'] as const),
  ...(['isForced', 'startedMs', 'endMs', 'seatsCount'] as const),
] as const;

function summaryOf(row: Pick<Row<'competition_rounds'>, (typeof SUMMARY)[number]>): RoundSummary {
  return { ...row, ...read(row) };
}

function roundOf(row: Row<'competition_rounds'>): Round {
  const { seatsCount: _count, madeById: id, madeByName: name, ...round } = row;
  return { ...round, ...read(row), madeBy: { id, name }, seats: JSON.parse(row.seats) };
}

function read(row: Pick<Row<'competition_rounds'>, (typeof SUMMARY)[number]>) {
  return {
    state: word(ROUND_STATES, row.state),
    scenario: row.scenario ?? undefined,
    isForced: row.isForced === 1,
    startedMs: row.startedMs ?? undefined,
    endMs: row.endMs ?? undefined,
  };
}

type Competitions = Pick<
  CompetitionStore,
  'addCompetition' | 'competitions' | 'competition' | 'changeCompetition' | 'removeCompetition'
>;

export function competitionRows(db: Database): Competitions {
  return {
    addCompetition: async ({ competitionId, terms, createdMs, cancelledMs }) => {
      const texts = { terms: JSON.stringify(terms), cancelledMs: cancelledMs ?? null };
      await db
        .insertInto('competitions')
        .values({ competitionId, createdMs, ...texts })
        .execute();
    },
    competitions: async (limit) => {
      const rows = await db
        .selectFrom('competitions')
        .selectAll()
        .orderBy('createdMs', 'desc')
        .orderBy('competitionId', 'desc')
        .limit(limit)
        .execute();
      return rows.map(competitionOf);
    },
    competition: async (competitionId) => {
      const row = await db
        .selectFrom('competitions')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .executeTakeFirst();
      return row && competitionOf(row);
    },
    changeCompetition: async (competitionId, changes) => {
      const changed = await db
        .updateTable('competitions')
        .set({
          competitionId,
          ...(changes.terms === undefined ? {} : { terms: JSON.stringify(changes.terms) }),
          ...(changes.cancelledMs === undefined ? {} : { cancelledMs: changes.cancelledMs }),
        })
        .where('competitionId', '=', competitionId)
        .returning('competitionId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    removeCompetition: (competitionId) => removed(db, competitionId),
  };
}

async function removed(db: Database, competitionId: string): Promise<boolean> {
  return db.transaction().execute(async (all) => {
    const rounds = all
      .selectFrom('competition_rounds')
      .select('roundId')
      .where('competitionId', '=', competitionId);
    await all.deleteFrom('competition_samples').where('roundId', 'in', rounds).execute();
    const ofIt = ['competition_rounds', 'competition_entries', 'invitations'] as const;
    for (const table of ofIt) {
      await all.deleteFrom(table).where('competitionId', '=', competitionId).execute();
    }
    const gone = await all
      .deleteFrom('competitions')
      .where('competitionId', '=', competitionId)
      .returning('competitionId')
      .executeTakeFirst();
    return gone !== undefined;
  });
}

type Entries = Pick<
  CompetitionStore,
  'addEntry' | 'entries' | 'entriesOf' | 'heldEntries' | 'changeEntry' | 'removeEntry'
>;

/** Of two who come at once the second sees the first. */
async function takeCompetition(db: Database, competitionId: string): Promise<void> {
  await db
    .updateTable('competitions')
    .set({ competitionId })
    .where('competitionId', '=', competitionId)
    .execute();
}

async function enteredOf(
  db: Database,
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
  db: Database,
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

export function entryRows(db: Database): Entries {
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
  db: Database,
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

type Rounds = Pick<
  CompetitionStore,
  | 'addRound'
  | 'rounds'
  | 'roundSummaries'
  | 'round'
  | 'roundsIn'
  | 'changeRound'
  | 'addSample'
  | 'samples'
  | 'sampleNumbers'
  | 'samplesAt'
>;

export function roundRows(db: Database): Rounds {
  return {
    addRound: async ({ madeBy, seats, ...round }) => {
      const added = await db
        .insertInto('competition_rounds')
        .values({
          ...round,
          scenario: round.scenario ?? null,
          isForced: round.isForced ? 1 : 0,
          startedMs: round.startedMs ?? null,
          endMs: round.endMs ?? null,
          madeById: madeBy.id,
          madeByName: madeBy.name,
          ...seatColumns(seats),
        })
        .onConflict((one) => one.doNothing())
        .returning('roundId')
        .executeTakeFirst();
      return added !== undefined;
    },
    changeRound: async (roundId, from, changes) => {
      const changed = await db
        .updateTable('competition_rounds')
        .set({ roundId, ...columnsOf(changes) })
        .where('roundId', '=', roundId)
        .where('state', 'in', [...from])
        .returning('roundId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    ...roundReads(db),
    ...sampleRows(db),
  };
}

function roundReads(
  db: Database,
): Pick<Rounds, 'rounds' | 'roundSummaries' | 'round' | 'roundsIn'> {
  return {
    rounds: async (competitionId) => {
      const rows = await db
        .selectFrom('competition_rounds')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .orderBy('number')
        .execute();
      return rows.map(roundOf);
    },
    roundSummaries: async () => {
      const rows = await db
        .selectFrom('competition_rounds')
        .select(SUMMARY)
        .orderBy('number')
        .execute();
      return rows.map(summaryOf);
    },
    round: async (competitionId, number) => {
      const row = await db
        .selectFrom('competition_rounds')
        .selectAll()
        .where('competitionId', '=', competitionId)
        .where('number', '=', number)
        .executeTakeFirst();
      return row && roundOf(row);
    },
    roundsIn: async (states) => {
      const rows = await db
        .selectFrom('competition_rounds')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('startMs')
        .orderBy('roundId')
        .execute();
      return rows.map(roundOf);
    },
  };
}

function seatColumns(seats: Round['seats']) {
  return { seats: JSON.stringify(seats), seatsCount: seats.length };
}

function columnsOf({ isForced, seats, ...changes }: RoundChanges) {
  return {
    ...changes,
    ...(isForced === undefined ? {} : { isForced: isForced ? 1 : 0 }),
    ...(seats === undefined ? {} : seatColumns(seats)),
  };
}

function sampleRows(
  db: Database,
): Pick<Rounds, 'addSample' | 'samples' | 'sampleNumbers' | 'samplesAt'> {
  return {
    addSample: (roundId, { number, timeMs, values, lastId }, board) =>
      db.transaction().execute(async (all) => {
        const taken = await all
          .updateTable('competition_rounds')
          .set({ board })
          .where('roundId', '=', roundId)
          .where('state', '=', 'running')
          .where(({ not, exists, selectFrom }) =>
            // A leader that was replaced may come with one that was taken again since.
            not(
              exists(
                selectFrom('competition_samples')
                  .select('number')
                  .where('roundId', '=', roundId)
                  .where('number', '>=', number),
              ),
            ),
          )
          .returning('roundId')
          .executeTakeFirst();
        if (taken === undefined) return;
        await all
          .insertInto('competition_samples')
          .values({
            ...{ roundId, number, timeMs },
            ...{ equities: values, lastId },
          })
          .onConflict((one) => one.doNothing())
          .execute();
      }),
    ...sampleReads(db),
  };
}

function sampleReads(db: Database): Pick<Rounds, 'samples' | 'sampleNumbers' | 'samplesAt'> {
  const ofRound = (roundId: string) =>
    db.selectFrom('competition_samples').where('roundId', '=', roundId).orderBy('number');
  return {
    samples: async (roundId) => (await ofRound(roundId).selectAll().execute()).map(sampleOf),
    sampleNumbers: async (roundId) => {
      const rows = await ofRound(roundId).select('number').execute();
      return rows.map((row) => row.number);
    },
    samplesAt: async (roundId, numbers) => {
      if (numbers.length === 0) return [];
      const wanted = ofRound(roundId).where('number', 'in', [...numbers]);
      return (await wanted.selectAll().execute()).map(sampleOf);
    },
  };
}

function sampleOf(row: Row<'competition_samples'>): Sample {
  const { number, timeMs, equities, lastId } = row;
  return { number, timeMs, values: equities, lastId };
}

/** What a round keeps of who took part, as JSON. */
interface NamedSeat {
  readonly accountId: number;
  readonly name: string;
}

/**
 * Takes the names under which accounts took part out of all rounds: their figures stay, in results
 * that others are compared by. They take part in no further round.
 */
export async function forgetTrader(db: Database, accountIds: readonly number[]): Promise<void> {
  for (const account of accountIds) {
    await db.deleteFrom('competition_entries').where('accountId', '=', account).execute();
    const rounds = await db
      .selectFrom('competition_rounds')
      .select(['roundId', 'seats', 'note'])
      .where('seats', 'like', `%"accountId":${account},%`)
      .execute();
    for (const { roundId, seats, note } of rounds) {
      const all: readonly NamedSeat[] = JSON.parse(seats);
      const at = all.findIndex((seat) => seat.accountId === account);
      const { name = '' } = all[at] ?? {};
      await db
        .updateTable('competition_rounds')
        .set({
          seats: JSON.stringify(
            all.map((seat, one) => (one === at ? { ...seat, name: '' } : seat)),
          ),
          note: name !== '' && note.includes(name) ? '' : note,
        })
        .where('roundId', '=', roundId)
        .execute();
    }
  }
}
