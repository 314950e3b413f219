/** The tables of what operators move alone: movements of a day, limits that owners have set. */
import { type Described, TEXT, WHOLE } from './table.ts';

export const MOVEMENT_TABLES = {
  operator_movements: {
    key: ['movementId'],
    columns: {
      movementId: TEXT,
      operatorId: TEXT,
      coin: TEXT,
      amount: TEXT,
      accountId: WHOLE,
      timeMs: WHOLE,
    },
    indexes: { operator_movements_time: ['coin', 'timeMs'] },
  },
  operator_limits: {
    key: ['coin'],
    columns: {
      coin: TEXT,
      amount: TEXT,
      changedBy: TEXT,
      changedMs: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
