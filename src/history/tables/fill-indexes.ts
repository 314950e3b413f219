/**
 * Migration 4: an account's fills in a pair by order, which is how its pages go. Released, so not
 * to be edited.
 */
import type { Index, TableSet } from './table-set.ts';

const INDEXES: readonly Index[] = (['buyer', 'seller'] as const).map((party) => ({
  on: 'trades',
  by: `${party}_fill`,
  columns: [`${party}_account_id`, 'instrument_id', `${party}_order_id`, 'trade_id'],
}));

export const FILL_INDEXES: TableSet = {
  tables: [],
  indexes: INDEXES,
  distinctValues: {
    buyer_account_id: 10_000,
    seller_account_id: 10_000,
    instrument_id: 100,
    buyer_order_id: 1_000_000,
    seller_order_id: 1_000_000,
  },
};
