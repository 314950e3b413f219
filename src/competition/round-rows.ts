/** Rounds of competitions, and their samples, as they are kept. */
import type { Selectable } from 'kysely';
import { word } from '#people';
import {
  type CompetitionStore,
  ROUND_STATES,
  type Round,
  type RoundChanges,
  type RoundSummary,
  type Sample,
} from './port.ts';
import type { CompetitionDb, CompetitionTables } from './tables.ts';

type Row<T extends keyof CompetitionTables> = Selectable<CompetitionTables[T]>;

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

export function roundRows(db: CompetitionDb): Rounds {
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
  db: CompetitionDb,
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
  db: CompetitionDb,
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

function sampleReads(db: CompetitionDb): Pick<Rounds, 'samples' | 'sampleNumbers' | 'samplesAt'> {
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
