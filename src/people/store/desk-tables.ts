/** The tables that the desk added to those of people. Lists of ids are text, with commas. */
import { type Described, TEXT, WHOLE } from './table.ts';

export const DESK_TABLES = {
  announcements: {
    key: ['announcementId'],
    columns: {
      announcementId: TEXT,
      level: TEXT,
      titleEn: TEXT,
      titleZh: TEXT,
      textEn: TEXT,
      textZh: TEXT,
      createdMs: WHOLE,
      fromMs: WHOLE,
      untilMs: WHOLE,
    },
  },
  maintenance_windows: {
    key: ['windowId'],
    columns: {
      windowId: TEXT,
      state: TEXT,
      instruments: TEXT,
      halted: TEXT,
      textEn: TEXT,
      textZh: TEXT,
      createdMs: WHOLE,
      fromMs: WHOLE,
      untilMs: WHOLE,
    },
    indexes: { maintenance_windows_state: ['state', 'fromMs'] },
  },
  account_imports: {
    key: ['reference'],
    columns: {
      reference: TEXT,
      digest: TEXT,
      content: TEXT,
      state: TEXT,
      fault: TEXT,
      linesCount: WHOLE,
      doneCount: WHOLE,
      createdMs: WHOLE,
      updatedMs: WHOLE,
    },
    indexes: { account_imports_state: ['state', 'createdMs'] },
  },
  fee_levels: {
    key: ['accountId'],
    columns: {
      accountId: WHOLE,
      level: WHOLE,
      volume: TEXT,
      countedMs: WHOLE,
      appliedTakerPpm: WHOLE,
      appliedMakerPpm: WHOLE,
      wantedTakerPpm: WHOLE,
      wantedMakerPpm: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
