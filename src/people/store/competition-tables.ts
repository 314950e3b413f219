/** The tables of competitions. What is read as a whole is JSON in one column. */
import { type Described, TEXT, TEXT_OR_NONE, WHOLE, WHOLE_OR_NONE } from './table.ts';

export const COMPETITION_TABLES = {
  competitions: {
    key: ['competition_id'],
    columns: {
      competition_id: TEXT,
      terms: TEXT,
      created_ms: WHOLE,
      cancelled_ms: WHOLE_OR_NONE,
    },
  },
  competition_entries: {
    key: ['entry_id'],
    columns: {
      entry_id: TEXT,
      competition_id: TEXT,
      account_id: WHOLE,
      name: TEXT,
      team: TEXT,
      is_held: WHOLE,
      joined_ms: WHOLE,
    },
    unique: {
      competition_entries_account: ['competition_id', 'account_id'],
      competition_entries_name: ['competition_id', 'name'],
    },
  },
  competition_rounds: {
    key: ['round_id'],
    columns: {
      round_id: TEXT,
      competition_id: TEXT,
      number: WHOLE,
      name: TEXT,
      state: TEXT,
      prepare_ms: WHOLE,
      start_ms: WHOLE,
      duration_ms: WHOLE,
      sample_ms: WHOLE,
      scenario: TEXT_OR_NONE,
      is_forced: WHOLE,
      started_ms: WHOLE_OR_NONE,
      end_ms: WHOLE_OR_NONE,
      made_by_id: TEXT,
      made_by_name: TEXT,
      seats: TEXT,
      seats_count: WHOLE,
      board: TEXT,
      note: TEXT,
    },
    unique: { competition_rounds_number: ['competition_id', 'number'] },
  },
  competition_samples: {
    key: ['round_id', 'number'],
    columns: {
      round_id: TEXT,
      number: WHOLE,
      time_ms: WHOLE,
      equities: TEXT,
      last_id: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
