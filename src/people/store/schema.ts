/** The tables of new people, and the steps by which older ones come to the same. */
import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import { PeopleUnavailable } from '#domain';
import { type Described, NUMBERED, TEXT, TEXT_OR_NONE, WHOLE } from './table.ts';
import { type PeopleDatabase, TABLES } from './tables.ts';

/** What databases do not have in common. */
export interface Making {
  /** Names the database in messages. */
  readonly place: string;
  /** Whose numbers are given to rows by a type of their own, or by a word behind the type. */
  readonly numbers: 'bigserial' | 'autoincrement';
  /** Where tables are in a schema of that name. */
  readonly schema?: string;
  /** Has other processes wait until the transaction is over, where it does not do so by itself. */
  readonly lock?: RawBuilder<unknown>;
}

export interface PeopleSchema {
  /** Those of the newest version, of which a new database is made at once. */
  readonly tables: Readonly<Record<string, Described>>;
  /** What leads from version 1 to 2, from 2 to 3, and so on. A released one is never edited. */
  readonly upgrades: readonly ((db: Kysely<PeopleDatabase>) => Promise<void>)[];
}

/** What this program reads and writes. */
export const PEOPLE_SCHEMA: PeopleSchema = { tables: TABLES, upgrades: [] };

/** The same with the tables of a part, whose upgrades are steps among those of people. */
export function withPart(schema: PeopleSchema, { tables }: PartTables): PeopleSchema {
  return { ...schema, tables: { ...schema.tables, ...tables } };
}

type PartTables = Pick<PeopleSchema, 'tables'>;

type Versions = { readonly schema_versions: { readonly version: number } };

type Versioned = Kysely<PeopleDatabase & Versions>;

/** Makes what is missing, all or nothing. Rejects with PeopleUnavailable what it cannot read. */
export async function prepare(
  db: Kysely<PeopleDatabase>,
  making: Making,
  schema: PeopleSchema,
): Promise<void> {
  const known = 1 + schema.upgrades.length;
  await db.transaction().execute(async (transaction) => {
    await making.lock?.execute(transaction);
    const all = transaction.withTables<Versions>();
    const found = await versionIn(all, making);
    if (found === known) return;
    if (found > known) throw unreadable(making, `version ${found}`, known);
    if (found === 0) await create(all, making, schema);
    else for (const upgrade of schema.upgrades.slice(found - 1)) await upgrade(transaction);
    await all.insertInto('schema_versions').values({ version: known }).execute();
  });
}

/** 0 where nothing was made yet. */
async function versionIn(db: Versioned, making: Making): Promise<number> {
  const tables = await db.introspection.getTables();
  const ours = tables.filter(({ schema }) => schema === making.schema).map(({ name }) => name);
  if (ours.length === 0) return 0;
  if (!ours.includes('schema_versions')) throw unreadable(making, 'tables without a version', 1);
  const newest = await db
    .selectFrom('schema_versions')
    .select((row) => row.fn.max('version').as('version'))
    .executeTakeFirstOrThrow();
  return newest.version;
}

/** Of a later release, or of a checkout before the first one. */
function unreadable({ place }: Making, found: string, known: number): PeopleUnavailable {
  return new PeopleUnavailable(
    `people ${place}: it has ${found}, this program reads version ${known}: use the program ` +
      'that made it, or name another place',
  );
}

async function create(db: Versioned, making: Making, { tables }: PeopleSchema): Promise<void> {
  await db.schema
    .createTable('schema_versions')
    .addColumn('version', 'bigint', (one) => one.primaryKey().notNull())
    .execute();
  for (const [name, described] of Object.entries(tables)) {
    await createTable(db, name, described, making);
    for (const [index, columns] of Object.entries(described.indexes ?? {})) {
      await db.schema
        .createIndex(index)
        .on(name)
        .columns([...columns])
        .execute();
    }
  }
}

async function createTable(
  { schema }: Versioned,
  name: string,
  { key, columns, unique = {} }: Described,
  { numbers }: Making,
): Promise<void> {
  let made: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    if (kind === NUMBERED) made = numbered(made, column, numbers);
    else {
      const isRequired = kind === TEXT || kind === WHOLE;
      const type = kind === TEXT || kind === TEXT_OR_NONE ? 'text' : 'bigint';
      made = made.addColumn(column, type, (one) => (isRequired ? one.notNull() : one));
    }
  }
  for (const [constraint, names] of Object.entries(unique)) {
    made = made.addUniqueConstraint(constraint, [...names]);
  }
  const isNumbered = Object.values(columns).includes(NUMBERED);
  if (!isNumbered) made = made.addPrimaryKeyConstraint(`${name}_key`, [...key]);
  await made.execute();
}

function numbered(
  table: CreateTableBuilder<string, string>,
  column: string,
  numbers: Making['numbers'],
): CreateTableBuilder<string, string> {
  if (numbers === 'bigserial') return table.addColumn(column, numbers, (one) => one.primaryKey());
  return table.addColumn(column, 'integer', (one) => one.primaryKey().autoIncrement());
}
