/** What was owned when days began. */
import { accountId, assetId } from '#domain';
import { AMOUNT, NUMBER, Table, whole } from './table.ts';
import type { TableSet } from './table-set.ts';

export const DAY_EQUITIES = new Table('day_equities', ['day_ms', 'account_id', 'asset_id'], {
  day_ms: NUMBER,
  account_id: whole(accountId),
  asset_id: whole(assetId),
  /** The first command of the day. */
  seq: NUMBER,
  equity: AMOUNT,
});

export const DAY_FUNDS = new Table('day_funds', ['day_ms', 'asset_id'], {
  day_ms: NUMBER,
  asset_id: whole(assetId),
  seq: NUMBER,
  fund: AMOUNT,
});

export const DAY_TABLES = {
  tables: [DAY_EQUITIES, DAY_FUNDS],
  indexes: [
    { on: 'day_equities', by: 'account', columns: ['account_id', 'day_ms', 'asset_id'] },
    { on: 'day_funds', by: 'asset', columns: ['asset_id', 'day_ms'] },
  ],
  distinctValues: { account_id: 100_000, asset_id: 10, day_ms: 90 },
} as const satisfies TableSet;
