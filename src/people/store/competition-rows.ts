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
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;
type Database = Kysely<PeopleDatabase>;

function competitionOf(row: Row<'competitions'>): Competition {
  return {
    competitionId: row.competition_id,
    terms: JSON.parse(row.terms),
    createdMs: row.created_ms,
    cancelledMs: row.cancelled_ms ?? undefined,
  };
}

function entryOf(row: Row<'competition_entries'>): Entry {
  return {
    entryId: row.entry_id,
    competitionId: row.competition_id,
    accountId: accountId(row.account_id),
    name: row.name,
    team: row.team,
    isHeld: row.is_held === 1,
    joinedMs: row.joined_ms,
  };
}

const SUMMARY = [
  ...(['round_id', 'competition_id', 'number', 'name', 'state', 'prepare_ms'] as const),
  ...(['start_ms', 'duration_ms', 'sample_ms', 'scenario'] as const),
  ...(['is_forced', 'started_ms', 'end_ms', 'seats_count'] as const),
] as const;

function summaryOf(row: Pick<Row<'competition_rounds'>, (typeof SUMMARY)[number]>): RoundSummary {
  return {
    roundId: row.round_id,
    competitionId: row.competition_id,
    number: row.number,
    name: row.name,
    state: word(ROUND_STATES, row.state),
    prepareMs: row.prepare_ms,
    startMs: row.start_ms,
    durationMs: row.duration_ms,
    sampleMs: row.sample_ms,
    scenario: row.scenario ?? undefined,
    isForced: row.is_forced === 1,
    startedMs: row.started_ms ?? undefined,
    endMs: row.end_ms ?? undefined,
    seatsCount: row.seats_count,
  };
}

function roundOf(row: Row<'competition_rounds'>): Round {
  const { seatsCount: _count, ...round } = summaryOf(row);
  const { board, note } = row;
  const madeBy = { id: row.made_by_id, name: row.made_by_name };
  return { ...round, madeBy, seats: JSON.parse(row.seats), board, note };
}

type Competitions = Pick<
  CompetitionStore,
  'addCompetition' | 'competitions' | 'competition' | 'changeCompetition' | 'removeCompetition'
>;

export function competitionRows(db: Database): Competitions {
  return {
    addCompetition: async ({ competitionId, terms, createdMs, cancelledMs }) => {
      const named = { competition_id: competitionId, terms: JSON.stringify(terms) };
      const times = { created_ms: createdMs, cancelled_ms: cancelledMs ?? null };
      const values = { ...named, ...times };
      await db.insertInto('competitions').values(values).execute();
    },
    competitions: async (limit) => {
      const rows = await db
        .selectFrom('competitions')
        .selectAll()
        .orderBy('created_ms', 'desc')
        .orderBy('competition_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(competitionOf);
    },
    competition: async (competitionId) => {
      const row = await db
        .selectFrom('competitions')
        .selectAll()
        .where('competition_id', '=', competitionId)
        .executeTakeFirst();
      return row && competitionOf(row);
    },
    changeCompetition: async (competitionId, changes) => {
      const changed = await db
        .updateTable('competitions')
        .set({
          competition_id: competitionId,
          ...(changes.terms === undefined ? {} : { terms: JSON.stringify(changes.terms) }),
          ...(changes.cancelledMs === undefined ? {} : { cancelled_ms: changes.cancelledMs }),
        })
        .where('competition_id', '=', competitionId)
        .returning('competition_id')
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
      .select('round_id')
      .where('competition_id', '=', competitionId);
    await all.deleteFrom('competition_samples').where('round_id', 'in', rounds).execute();
    const ofIt = ['competition_rounds', 'competition_entries', 'invitations'] as const;
    for (const table of ofIt) {
      await all.deleteFrom(table).where('competition_id', '=', competitionId).execute();
    }
    const gone = await all
      .deleteFrom('competitions')
      .where('competition_id', '=', competitionId)
      .returning('competition_id')
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
    .set({ competition_id: competitionId })
    .where('competition_id', '=', competitionId)
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
    .select('account_id')
    .where('competition_id', '=', competitionId)
    .where('account_id', 'in', [account, ...ownIds])
    .execute();
  if (rows.some((row) => row.account_id === account)) return 'account_in';
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
    .where('competition_id', '=', competitionId)
    .where('entry_id', '!=', entryId)
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
          .values({
            entry_id: entry.entryId,
            competition_id: entry.competitionId,
            account_id: entry.accountId,
            name: entry.name,
            team: entry.team,
            is_held: entry.isHeld ? 1 : 0,
            joined_ms: entry.joinedMs,
          })
          .onConflict((one) => one.doNothing())
          .returning('entry_id')
          .executeTakeFirst();
        return added === undefined ? 'name_taken' : 'added';
      }),
    entries: async (competitionId) => {
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('competition_id', '=', competitionId)
        .orderBy('joined_ms')
        .orderBy('entry_id')
        .execute();
      return rows.map(entryOf);
    },
    entriesOf: async (accountIds) => {
      if (accountIds.length === 0) return [];
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('account_id', 'in', [...accountIds])
        .orderBy('joined_ms')
        .orderBy('entry_id')
        .execute();
      return rows.map(entryOf);
    },
    heldEntries: async () => {
      const rows = await db
        .selectFrom('competition_entries')
        .selectAll()
        .where('is_held', '=', 1)
        .execute();
      return rows.map(entryOf);
    },
    changeEntry: (entryId, changes) => changedEntry(db, entryId, changes),
    removeEntry: async (competitionId, entryId) => {
      const gone = await db
        .deleteFrom('competition_entries')
        .where('competition_id', '=', competitionId)
        .where('entry_id', '=', entryId)
        .returning('entry_id')
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
  const all = db.selectFrom('competition_entries').where('entry_id', '=', entryId);
  const row = await all.select('competition_id').executeTakeFirst();
  const competitionId = row?.competition_id ?? '';
  return db.transaction().execute(async (within) => {
    await takeCompetition(within, competitionId);
    if (name !== undefined && (await isLookTaken(within, { competitionId, entryId, name })))
      return false;
    const changed = await within
      .updateTable('competition_entries')
      .set({
        entry_id: entryId,
        ...(name === undefined ? {} : { name }),
        ...(team === undefined ? {} : { team }),
        ...(isHeld === undefined ? {} : { is_held: isHeld ? 1 : 0 }),
      })
      .where('entry_id', '=', entryId)
      .returning('entry_id')
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
    addRound: async (round) => {
      const added = await db
        .insertInto('competition_rounds')
        .values({
          round_id: round.roundId,
          competition_id: round.competitionId,
          number: round.number,
          name: round.name,
          state: round.state,
          prepare_ms: round.prepareMs,
          start_ms: round.startMs,
          duration_ms: round.durationMs,
          sample_ms: round.sampleMs,
          scenario: round.scenario ?? null,
          is_forced: round.isForced ? 1 : 0,
          started_ms: round.startedMs ?? null,
          end_ms: round.endMs ?? null,
          made_by_id: round.madeBy.id,
          made_by_name: round.madeBy.name,
          ...seatColumns(round.seats),
          board: round.board,
          note: round.note,
        })
        .onConflict((one) => one.doNothing())
        .returning('round_id')
        .executeTakeFirst();
      return added !== undefined;
    },
    changeRound: async (roundId, from, changes) => {
      const changed = await db
        .updateTable('competition_rounds')
        .set({ round_id: roundId, ...columnsOf(changes) })
        .where('round_id', '=', roundId)
        .where('state', 'in', [...from])
        .returning('round_id')
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
        .where('competition_id', '=', competitionId)
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
        .where('competition_id', '=', competitionId)
        .where('number', '=', number)
        .executeTakeFirst();
      return row && roundOf(row);
    },
    roundsIn: async (states) => {
      const rows = await db
        .selectFrom('competition_rounds')
        .selectAll()
        .where('state', 'in', [...states])
        .orderBy('start_ms')
        .orderBy('round_id')
        .execute();
      return rows.map(roundOf);
    },
  };
}

function seatColumns(seats: Round['seats']) {
  return { seats: JSON.stringify(seats), seats_count: seats.length };
}

function columnsOf(changes: RoundChanges): Partial<Row<'competition_rounds'>> {
  const { name, state, prepareMs, startMs, durationMs, sampleMs } = changes;
  const { isForced, startedMs, endMs, seats, note } = changes;
  return {
    ...(state === undefined ? {} : { state }),
    ...(prepareMs === undefined ? {} : { prepare_ms: prepareMs }),
    ...(startMs === undefined ? {} : { start_ms: startMs }),
    ...(name === undefined ? {} : { name }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...(sampleMs === undefined ? {} : { sample_ms: sampleMs }),
    ...(isForced === undefined ? {} : { is_forced: isForced ? 1 : 0 }),
    ...(startedMs === undefined ? {} : { started_ms: startedMs }),
    ...(endMs === undefined ? {} : { end_ms: endMs }),
    ...(seats === undefined ? {} : seatColumns(seats)),
    ...(note === undefined ? {} : { note }),
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
          .where('round_id', '=', roundId)
          .where('state', '=', 'running')
          .where(({ not, exists, selectFrom }) =>
            // A leader that was replaced may come with one that was taken again since.
            not(
              exists(
                selectFrom('competition_samples')
                  .select('number')
                  .where('round_id', '=', roundId)
                  .where('number', '>=', number),
              ),
            ),
          )
          .returning('round_id')
          .executeTakeFirst();
        if (taken === undefined) return;
        await all
          .insertInto('competition_samples')
          .values({
            ...{ round_id: roundId, number, time_ms: timeMs },
            ...{ equities: values, last_id: lastId },
          })
          .onConflict((one) => one.doNothing())
          .execute();
      }),
    ...sampleReads(db),
  };
}

function sampleReads(db: Database): Pick<Rounds, 'samples' | 'sampleNumbers' | 'samplesAt'> {
  const ofRound = (roundId: string) =>
    db.selectFrom('competition_samples').where('round_id', '=', roundId).orderBy('number');
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
  const { number, time_ms, equities, last_id } = row;
  return { number, timeMs: time_ms, values: equities, lastId: last_id };
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
    await db.deleteFrom('competition_entries').where('account_id', '=', account).execute();
    const rounds = await db
      .selectFrom('competition_rounds')
      .select(['round_id', 'seats', 'note'])
      .where('seats', 'like', `%"accountId":${account},%`)
      .execute();
    for (const { round_id, seats, note } of rounds) {
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
        .where('round_id', '=', round_id)
        .execute();
    }
  }
}
