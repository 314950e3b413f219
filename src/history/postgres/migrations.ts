/**
 * The tables of a new history, in a schema of their own, and the steps by which an older one comes
 * to the same. One process at a time takes them.
 */
import { present } from '#kernel';
import { HistoryUnusable } from '../port.ts';
import { rowSum } from '../rows/row-sum.ts';
import { TABLE_SETS } from '../tables/schema.ts';
import { META } from '../tables/spot-tables.ts';
import type { TableSet } from '../tables/table-set.ts';
import { ACCOUNTS, COINS, MARKETS } from './catalogue.ts';
import { type Connection, SCHEMA, TEMPORARY } from './connection.ts';
import { createIndex, createTable } from './table-statements.ts';
import { VIEWS } from './views.ts';

export interface PostgresSchema {
  /** Makes the tables of the newest version in an empty schema. */
  readonly created: readonly string[];
  /**
   * What leads from version 1 to 2, then from 2 to 3, and so on, each in the transaction of all. A
   * released step is never edited. Rows whose columns it changes need their checksum anew.
   */
  readonly upgrades: readonly ((connection: Connection) => Promise<void>)[];
}

const SETS: readonly TableSet[] = [
  ...TABLE_SETS,
  { tables: [COINS, MARKETS, ACCOUNTS], indexes: [], distinctValues: {} },
];

/** What this program reads and writes. */
export const POSTGRES_SCHEMA: PostgresSchema = {
  created: [
    ...SETS.flatMap(({ tables }) => tables.map(createTable)),
    ...SETS.flatMap(({ indexes }) => indexes.map(createIndex)),
    ...VIEWS,
  ],
  upgrades: [],
};

/** Whoever holds it may change the schema; it goes with the transaction. */
const LOCK = "select pg_advisory_xact_lock(hashtext('outcry history'))";
const VERSIONS =
  'create table schema_versions (version bigint primary key, ' +
  'migrated_at timestamptz not null default now())';
const VERSION = 'select coalesce(max(version), 0)::bigint as version from schema_versions';

/** Makes what is missing, for this venue. Rejects with HistoryUnusable. */
export async function prepare(
  connection: Connection,
  venueId: string,
  schema: PostgresSchema = POSTGRES_SCHEMA,
): Promise<void> {
  await connection.transaction(async () => {
    await connection.query(LOCK);
    const isThere = await hasSchema(connection);
    if (!isThere) await connection.query(`create schema ${SCHEMA}`);
    const found = isThere ? await versionIn(connection) : undefined;
    if (found === undefined) await create(connection, venueId, schema);
    else await upgrade(connection, found, schema);
  });
  await requireVenue(connection, venueId);
}

/** All tables for one session, as an empty history. */
export async function prepareTemporary(connection: Connection, venueId: string): Promise<void> {
  await connection.query(`set search_path = ${TEMPORARY}`);
  await connection.transaction(() => create(connection, venueId, POSTGRES_SCHEMA));
}

/** Rejects with HistoryUnusable when this program cannot read what is there. */
export async function requireReadable(connection: Connection): Promise<void> {
  const known = versionOf(POSTGRES_SCHEMA);
  const version = (await hasSchema(connection)) ? await versionIn(connection) : undefined;
  if (version === known) return;
  if (version !== undefined && version > known) throw tooNew(connection, version, known);
  throw new HistoryUnusable(
    `history ${connection.place} has schema ${version ?? 'none'}, this program reads ` +
      `${known}: start the venue once to upgrade it`,
  );
}

function versionOf({ upgrades }: PostgresSchema): number {
  return 1 + upgrades.length;
}

async function hasSchema(connection: Connection): Promise<boolean> {
  const sql = `select to_regnamespace('${SCHEMA}') is not null as found`;
  return present(await connection.first<{ found: boolean }>(sql), 'answer').found;
}

/** Undefined for a schema without tables. */
async function versionIn(connection: Connection): Promise<number | undefined> {
  const counts = await connection.first<{ ours: boolean; tables: number }>(
    `select to_regclass('${SCHEMA}.schema_versions') is not null as ours, ` +
      `count(*) as tables from pg_tables where schemaname = '${SCHEMA}'`,
  );
  const { ours, tables } = present(counts, 'answer');
  if (!ours && tables === 0) return undefined;
  if (ours) return present(await connection.first<{ version: number }>(VERSION), 'version').version;
  throw new HistoryUnusable(
    `${connection.place}: the schema ${SCHEMA} holds something else, not a history`,
  );
}

/** Before anything was released the numbers were higher, too. */
function tooNew({ place }: Connection, found: number, known: number): HistoryUnusable {
  return new HistoryUnusable(
    `history ${place} has schema ${found}, this program reads ${known}: use the program that ` +
      `wrote it, or drop the schema ${SCHEMA} and it is rebuilt from the journal`,
  );
}

async function create(
  connection: Connection,
  venueId: string,
  schema: PostgresSchema,
): Promise<void> {
  for (const statement of [VERSIONS, ...schema.created]) await connection.query(statement);
  await noteVersion(connection, versionOf(schema));
  const values = META.valuesOf({ metaId: 1, venueId, projectedSeq: 0, keptFromMs: 0 });
  await connection.query(`insert into meta (${META.names}, row_sum) values ($1, $2, $3, $4, $5)`, [
    ...values,
    rowSum(values),
  ]);
}

async function upgrade(
  connection: Connection,
  from: number,
  schema: PostgresSchema,
): Promise<void> {
  if (from > versionOf(schema)) throw tooNew(connection, from, versionOf(schema));
  for (const [index, step] of schema.upgrades.entries()) {
    const version = index + 2;
    if (version <= from) continue;
    await step(connection);
    await noteVersion(connection, version);
  }
}

async function noteVersion(connection: Connection, version: number): Promise<void> {
  await connection.query(`insert into schema_versions values (${version})`);
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
