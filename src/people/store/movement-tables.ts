/** The tables of what operators move alone: movements of a day, limits that owners have set. */
import { type Described, TEXT, WHOLE } from './table.ts';

export const MOVEMENT_TABLES = {
  operator_movements: {
    key: ['movement_id'],
    columns: {
      movement_id: TEXT,
      operator_id: TEXT,
      coin: TEXT,
      amount: TEXT,
      account_id: WHOLE,
      time_ms: WHOLE,
    },
    indexes: { operator_movements_time: ['coin', 'time_ms'] },
  },
  operator_limits: {
    key: ['coin'],
    columns: {
      coin: TEXT,
      amount: TEXT,
      changed_by: TEXT,
      changed_ms: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
