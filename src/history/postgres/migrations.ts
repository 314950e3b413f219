/**
 * How the tables came to be, in numbered steps, in a schema of their own. Append only: a released
 * step is never edited. One process at a time takes them.
 */
import { sql } from 'kysely';
import { present } from '#kernel';
import { HistoryUnusable } from '../port.ts';
import { rowSum } from '../rows/row-sum.ts';
import { ACCOUNT_TABLES, INDEX_DROPPED } from '../tables/account-tables.ts';
import { CONTRACT_TABLES } from '../tables/contract-tables.ts';
import { DAY_TABLES } from '../tables/day-tables.ts';
import { FILL_INDEXES } from '../tables/fill-indexes.ts';
import { META, SPOT_TABLES } from '../tables/spot-tables.ts';
import { nameOfIndex, type TableSet } from '../tables/table-set.ts';
import { TRIGGER_INDEXES } from '../tables/trigger-indexes.ts';
import { ACCOUNTS, COINS, MARKETS } from './catalogue.ts';
import { type Connection, SCHEMA, TEMPORARY } from './connection.ts';
import { createIndex, createTable } from './table-statements.ts';
import { VIEWS } from './views.ts';

/** The version of the columns' descriptions that the first step makes. */
const FIRST_COLUMNS = 12;
const DAY_COLUMNS = 13;
/** The version of the schema that says from when on everything is kept. */
const KEPT_FROM = 3;
const FIRST_TABLES: readonly TableSet[] = [
  SPOT_TABLES,
  CONTRACT_TABLES,
  FILL_INDEXES,
  ACCOUNT_TABLES,
  TRIGGER_INDEXES,
  { tables: [COINS, MARKETS, ACCOUNTS], indexes: [], distinctValues: {} },
];

const MIGRATIONS: readonly (readonly string[])[] = [
  [
    ...FIRST_TABLES.flatMap(({ tables }) => tables.map((one) => createTable(one, FIRST_COLUMNS))),
    ...FIRST_TABLES.flatMap(({ indexes }) => indexes)
      .filter((index) => nameOfIndex(index) !== INDEX_DROPPED)
      .map(createIndex),
    ...VIEWS,
  ],
  // What was owned when each day began. Days of before have no rows.
  [
    ...DAY_TABLES.tables.map((one) => createTable(one, DAY_COLUMNS)),
    ...DAY_TABLES.indexes.map(createIndex),
  ],
  // From when on nothing was removed; addMeta and sumMeta make the checksum.
  ['alter table meta add column kept_from_ms bigint not null default 0'],
];

/** The schema this program reads and writes. */
const SCHEMA_VERSION = MIGRATIONS.length;

/** Whoever holds it may change the schema; it goes with the transaction. */
const LOCK = "select pg_advisory_xact_lock(hashtext('outcry history'))";
const VERSIONS =
  'create table schema_versions (version bigint primary key, ' +
  'migrated_at timestamptz not null default now())';
const VERSION = 'select coalesce(max(version), 0)::bigint as version from schema_versions';

/** Makes what is missing, for this venue. Rejects with HistoryUnusable. */
export async function prepare(connection: Connection, venueId: string): Promise<void> {
  await connection.transaction(async () => {
    await connection.query(LOCK);
    const isThere = await hasSchema(connection);
    if (!isThere) await connection.query(`create schema ${SCHEMA}`);
    await migrate(connection, isThere ? await versionOf(connection) : undefined, venueId);
  });
  await requireVenue(connection, venueId);
}

/** All tables for one session, as an empty history. */
export async function prepareTemporary(connection: Connection, venueId: string): Promise<void> {
  await connection.query(`set search_path = ${TEMPORARY}`);
  await connection.transaction(() => migrate(connection, undefined, venueId));
}

/** Rejects with HistoryUnusable when this program cannot read what is there. */
export async function requireReadable(connection: Connection): Promise<void> {
  const version = (await hasSchema(connection)) ? await versionOf(connection) : undefined;
  if (version === SCHEMA_VERSION) return;
  throw new HistoryUnusable(
    `history ${connection.place} has schema ${version ?? 'none'}, this program reads ` +
      `${SCHEMA_VERSION}: start the venue once to upgrade it`,
  );
}

async function hasSchema(connection: Connection): Promise<boolean> {
  const sql = `select to_regnamespace('${SCHEMA}') is not null as found`;
  return present(await connection.first<{ found: boolean }>(sql), 'answer').found;
}

/** Undefined for a schema without tables. */
async function versionOf(connection: Connection): Promise<number | undefined> {
  const { place } = connection;
  const counts = await connection.first<{ ours: boolean; tables: number }>(
    `select to_regclass('${SCHEMA}.schema_versions') is not null as ours, ` +
      `count(*) as tables from pg_tables where schemaname = '${SCHEMA}'`,
  );
  const { ours, tables } = present(counts, 'answer');
  if (!ours && tables === 0) return undefined;
  if (!ours) {
    throw new HistoryUnusable(`${place}: the schema ${SCHEMA} holds something else, not a history`);
  }
  const { version } = present(await connection.first<{ version: number }>(VERSION), 'version');
  if (version <= SCHEMA_VERSION) return version;
  throw new HistoryUnusable(
    `history ${place} has schema ${version}, newer than this program's ${SCHEMA_VERSION}: use ` +
      `the program that wrote it, or drop the schema ${SCHEMA} and it is rebuilt from the journal`,
  );
}

async function migrate(
  connection: Connection,
  from: number | undefined,
  venueId: string,
): Promise<void> {
  if (from === SCHEMA_VERSION) return;
  if (from === undefined) await connection.query(VERSIONS);
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < (from ?? 0)) continue;
    for (const statement of statements) await connection.query(statement);
    await connection.query(`insert into schema_versions values (${index + 1})`);
  }
  if (from === undefined) await addMeta(connection, venueId);
  else if (from < KEPT_FROM) await sumMeta(connection);
}

async function addMeta(connection: Connection, venueId: string): Promise<void> {
  const begun = { projectedSeq: 0, lacksPast: false, keptFromMs: 0 };
  const values = META.valuesOf({ metaId: 1, venueId, ...begun });
  await connection.query(
    `insert into meta (${META.namesAt()}, row_sum) values ($1, $2, $3, $4, $5, $6)`,
    [...values, rowSum(values)],
  );
}

/** The checksum over the columns of now. A row whose sum was wrong must not become sound. */
async function sumMeta({ db }: Connection): Promise<void> {
  const row = await db.selectFrom('meta').selectAll().executeTakeFirst();
  const { row_sum: sum, ...columns } = { row_sum: 0, ...present(row, 'what the history says') };
  const { kept_from_ms: _added, ...before } = columns;
  const wasSound = sum === rowSum(Object.values(before));
  const after = wasSound ? rowSum(Object.values(columns)) : -1;
  await sql`update meta set row_sum = ${after}`.execute(db);
}

async function requireVenue(connection: Connection, venueId: string): Promise<void> {
  const found = await connection.first<{ venue_id: string }>('select venue_id from meta');
  if (found?.venue_id === venueId) return;
  throw new HistoryUnusable(
    `history ${connection.place} belongs to venue ${found?.venue_id ?? 'none'}, the journal to ` +
      `${venueId}. If the journal was lost, restore it from a copy (\`outcry verify-journal\` ` +
      'tells what it holds); if the history is the wrong one, name another database',
  );
}
