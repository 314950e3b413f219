/** Competitions, their entries, rounds and samples. */
import type { Kysely, Selectable } from 'kysely';
import { accountId } from '#domain';
import {
  type Competition,
  type CompetitionStore,
  type Entry,
  ROUND_STATES,
  type Round,
  type RoundChanges,
  type RoundSummary,
} from '../ports/competition.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;
type Database = Kysely<PeopleDatabase>;

function competitionOf(row: Row<'competitions'>): Competition {
  return {
    competitionId: row.competition_id,
    terms: JSON.parse(row.terms),
    codeHash: row.code_hash ?? undefined,
    createdMs: row.created_ms,
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
  return { ...round, seats: JSON.parse(row.seats), board, note };
}

type Competitions = Pick<
  CompetitionStore,
  | 'addCompetition'
  | 'competitions'
  | 'competition'
  | 'competitionByCode'
  | 'changeCompetition'
  | 'removeCompetition'
>;

export function competitionRows(db: Database): Competitions {
  return {
    addCompetition: async ({ competitionId, terms, codeHash, createdMs }) => {
      const named = { competition_id: competitionId, terms: JSON.stringify(terms) };
      const values = { ...named, code_hash: codeHash ?? null, created_ms: createdMs };
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
    competitionByCode: async (codeHash) => {
      const row = await db
        .selectFrom('competitions')
        .selectAll()
        .where('code_hash', '=', codeHash)
        .executeTakeFirst();
      return row && competitionOf(row);
    },
    changeCompetition: async (competitionId, changes) => {
      const changed = await db
        .updateTable('competitions')
        .set({
          ...(changes.terms === undefined ? {} : { terms: JSON.stringify(changes.terms) }),
          ...('codeHash' in changes ? { code_hash: changes.codeHash ?? null } : {}),
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
    const ofIt = ['competition_rounds', 'competition_entries'] as const;
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
  'addEntry' | 'entries' | 'heldEntries' | 'changeEntry' | 'removeEntry'
>;

export function entryRows(db: Database): Entries {
  return {
    addEntry: async (entry) => {
      const added = await db
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
      return added !== undefined;
    },
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

/** A name is looked for in the statement itself: two changes cannot both find it free. */
async function changedEntry(
  db: Database,
  entryId: string,
  { name, team, isHeld }: Partial<Pick<Entry, 'name' | 'team' | 'isHeld'>>,
): Promise<boolean> {
  const update = db
    .updateTable('competition_entries')
    .set({
      entry_id: entryId,
      ...(name === undefined ? {} : { name }),
      ...(team === undefined ? {} : { team }),
      ...(isHeld === undefined ? {} : { is_held: isHeld ? 1 : 0 }),
    })
    .where('entry_id', '=', entryId);
  const free =
    name === undefined
      ? update
      : update.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('competition_entries as other')
                .select('other.entry_id')
                .whereRef('other.competition_id', '=', 'competition_entries.competition_id')
                .where('other.name', '=', name)
                .where('other.entry_id', '!=', entryId),
            ),
          ),
        );
  return (await free.returning('entry_id').executeTakeFirst()) !== undefined;
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
  const { state, prepareMs, startMs, isForced, startedMs, endMs, seats, note } = changes;
  return {
    ...(state === undefined ? {} : { state }),
    ...(prepareMs === undefined ? {} : { prepare_ms: prepareMs }),
    ...(startMs === undefined ? {} : { start_ms: startMs }),
    ...(isForced === undefined ? {} : { is_forced: isForced ? 1 : 0 }),
    ...(startedMs === undefined ? {} : { started_ms: startedMs }),
    ...(endMs === undefined ? {} : { end_ms: endMs }),
    ...(seats === undefined ? {} : seatColumns(seats)),
    ...(note === undefined ? {} : { note }),
  };
}

function sampleRows(db: Database): Pick<Rounds, 'addSample' | 'samples'> {
  return {
    addSample: (roundId, { number, timeMs, values }, board) =>
      db.transaction().execute(async (all) => {
        const taken = await all
          .updateTable('competition_rounds')
          .set({ board })
          .where('round_id', '=', roundId)
          .where('state', '=', 'running')
          .returning('round_id')
          .executeTakeFirst();
        if (taken === undefined) return;
        await all
          .insertInto('competition_samples')
          .values({ round_id: roundId, number, time_ms: timeMs, equities: values })
          .onConflict((one) => one.doNothing())
          .execute();
      }),
    samples: async (roundId) => {
      const rows = await db
        .selectFrom('competition_samples')
        .selectAll()
        .where('round_id', '=', roundId)
        .orderBy('number')
        .execute();
      return rows.map((row) => ({
        number: row.number,
        timeMs: row.time_ms,
        values: row.equities,
      }));
    },
  };
}
