/** The tables of competitions. What is read as a whole is JSON in one column. */
import type { Kysely } from 'kysely';
import {
  type Described,
  type PeopleDatabase,
  type RowOf,
  TEXT,
  TEXT_OR_NONE,
  WHOLE,
  WHOLE_OR_NONE,
} from '#people';

export const COMPETITION_TABLES = {
  competitions: {
    key: ['competitionId'],
    columns: {
      competitionId: TEXT,
      terms: TEXT,
      createdMs: WHOLE,
      cancelledMs: WHOLE_OR_NONE,
    },
  },
  competition_entries: {
    key: ['entryId'],
    columns: {
      entryId: TEXT,
      competitionId: TEXT,
      accountId: WHOLE,
      name: TEXT,
      team: TEXT,
      isHeld: WHOLE,
      joinedMs: WHOLE,
    },
    unique: {
      competition_entries_account: ['competitionId', 'accountId'],
      competition_entries_name: ['competitionId', 'name'],
    },
  },
  competition_rounds: {
    key: ['roundId'],
    columns: {
      roundId: TEXT,
      competitionId: TEXT,
      number: WHOLE,
      name: TEXT,
      state: TEXT,
      prepareMs: WHOLE,
      startMs: WHOLE,
      durationMs: WHOLE,
      sampleMs: WHOLE,
      scenario: TEXT_OR_NONE,
      isForced: WHOLE,
      startedMs: WHOLE_OR_NONE,
      endMs: WHOLE_OR_NONE,
      madeById: TEXT,
      madeByName: TEXT,
      seats: TEXT,
      seatsCount: WHOLE,
      board: TEXT,
      note: TEXT,
    },
    unique: { competition_rounds_number: ['competitionId', 'number'] },
  },
  competition_samples: {
    key: ['roundId', 'number'],
    columns: {
      roundId: TEXT,
      number: WHOLE,
      timeMs: WHOLE,
      equities: TEXT,
      lastId: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;

export type CompetitionTables = {
  readonly [Name in keyof typeof COMPETITION_TABLES]: RowOf<(typeof COMPETITION_TABLES)[Name]>;
};

/** The tables of people are there, too, and are left to their own room. */
export type CompetitionDb = Kysely<PeopleDatabase & CompetitionTables>;
