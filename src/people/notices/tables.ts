/** The tables of notices. Lists of ids are text, with commas. */
import { type Described, TEXT, WHOLE } from '../store/table.ts';

export const NOTICE_TABLES = {
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
} as const satisfies Readonly<Record<string, Described>>;
