/** The index of migration 12: a trigger order of an account by its client id. */
import type { TableSet } from './table-set.ts';

export const TRIGGER_INDEXES = {
  tables: [],
  indexes: [
    {
      on: 'trigger_orders',
      by: 'client',
      columns: ['account_id', 'client_order_id', 'order_id'],
    },
  ],
  distinctValues: { account_id: 10_000, client_order_id: 1_000 },
} as const satisfies TableSet;
