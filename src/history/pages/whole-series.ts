/** Tables whose keys have several columns, read as a whole, a page along the key at a time. */
import { type Kysely, sql } from 'kysely';
import type {
  ExportReader,
  SeriesQuery,
  SeriesRecords,
  SeriesRows,
  SeriesTable,
} from '../export-port.ts';
import { assertLimit } from '../range.ts';
import { FUNDING_RATES } from '../tables/contract-tables.ts';
import { DAY_EQUITIES } from '../tables/day-tables.ts';
import type { Database } from '../tables/schema.ts';
import { CANDLES } from '../tables/spot-tables.ts';
import { isOneOf } from './whole-tables.ts';

interface Exported<T extends SeriesTable> {
  readonly key: readonly string[];
  readonly time: string;
  readonly account?: string;
  readonly market?: string;
  readonly seq?: string;
  read(row: never): SeriesRecords[T];
}

const EXPORTED: { readonly [T in SeriesTable]: Exported<T> } = {
  funding_rates: {
    key: FUNDING_RATES.key,
    time: 'funding_time_ms',
    market: 'instrument_id',
    seq: 'settled_seq',
    read: (row) => FUNDING_RATES.read(row),
  },
  candles: {
    key: CANDLES.key,
    time: 'open_time_ms',
    market: 'instrument_id',
    read: (row) => CANDLES.read(row),
  },
  day_equities: {
    key: DAY_EQUITIES.key,
    time: 'day_ms',
    account: 'account_id',
    seq: 'seq',
    read: (row) => DAY_EQUITIES.read(row),
  },
};

export function wholeSeries(db: Kysely<Database>): Pick<ExportReader, 'exportSeries'> {
  return { exportSeries: (query) => rowsOf(db, query) };
}

async function rowsOf<T extends SeriesTable>(
  db: Kysely<Database>,
  query: SeriesQuery<T>,
): Promise<SeriesRows<T>> {
  assertLimit(query.limit);
  const { key, read } = EXPORTED[query.table];
  const order = sql.join(key.map((column) => sql.ref(column)));
  const where = sql.join(conditionsOf(query), sql` and `);
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(query.table)}
    where ${where} order by ${order} limit ${query.limit}`.execute(db);
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => read(row as never)),
    last: last && key.map((column) => Number(last[column])),
  };
}

function conditionsOf<T extends SeriesTable>(query: SeriesQuery<T>) {
  const { table, mark, after, accountIds, instrumentIds, fromMs, beforeMs } = query;
  const { key, time, account, market, seq }: Exported<T> = EXPORTED[table];
  const from = after ?? key.map(() => Number.MIN_SAFE_INTEGER);
  const order = sql.join(key.map((column) => sql.ref(column)));
  const found = [sql`(${order}) > (${sql.join(from)})`];
  if (seq !== undefined) found.push(sql`${sql.ref(seq)} <= ${mark.seq}`);
  if (fromMs !== undefined) found.push(sql`${sql.ref(time)} >= ${fromMs}`);
  if (beforeMs !== undefined) found.push(sql`${sql.ref(time)} < ${beforeMs}`);
  if (accountIds !== undefined && account !== undefined) found.push(isOneOf(account, accountIds));
  if (instrumentIds !== undefined) {
    found.push(market === undefined ? sql`1 = 0` : isOneOf(market, instrumentIds));
  }
  return found;
}
