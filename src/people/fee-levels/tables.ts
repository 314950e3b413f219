/** The table of fee levels. Amounts are text: a database would round them. */
import { type Described, TEXT, WHOLE } from '../store/table.ts';

export const FEE_LEVEL_TABLES = {
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
