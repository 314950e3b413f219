/** The tables that the desk added to those of people. Lists of ids are text, with commas. */
import { type Described, TEXT, WHOLE } from './table.ts';

export const DESK_TABLES = {
  announcements: {
    key: ['announcement_id'],
    columns: {
      announcement_id: TEXT,
      level: TEXT,
      title_en: TEXT,
      title_zh: TEXT,
      text_en: TEXT,
      text_zh: TEXT,
      created_ms: WHOLE,
      from_ms: WHOLE,
      until_ms: WHOLE,
    },
  },
  maintenance_windows: {
    key: ['window_id'],
    columns: {
      window_id: TEXT,
      state: TEXT,
      instruments: TEXT,
      halted: TEXT,
      text_en: TEXT,
      text_zh: TEXT,
      created_ms: WHOLE,
      from_ms: WHOLE,
      until_ms: WHOLE,
    },
    indexes: { maintenance_windows_state: ['state', 'from_ms'] },
  },
  account_imports: {
    key: ['reference'],
    columns: {
      reference: TEXT,
      digest: TEXT,
      content: TEXT,
      state: TEXT,
      fault: TEXT,
      lines_count: WHOLE,
      done_count: WHOLE,
      created_ms: WHOLE,
      updated_ms: WHOLE,
    },
    indexes: { account_imports_state: ['state', 'created_ms'] },
  },
  fee_levels: {
    key: ['account_id'],
    columns: {
      account_id: WHOLE,
      level: WHOLE,
      volume: TEXT,
      counted_ms: WHOLE,
      applied_taker_ppm: WHOLE,
      applied_maker_ppm: WHOLE,
      wanted_taker_ppm: WHOLE,
      wanted_maker_ppm: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
