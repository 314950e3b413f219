/**
 * How the tables came to be, in numbered steps. Append only: a released step is never edited. Each
 * page query has an index that begins with its filters and ends with its order, and no other.
 */

import {
  type Compilable,
  type CreateTableBuilder,
  DummyDriver,
  Kysely,
  type SchemaModule,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { assert } from '#kernel';

export interface Migration {
  readonly version: number;
  readonly statements: (schema: SchemaModule) => readonly Compilable[];
}

/** Builds statements without a connection; the writer runs them. */
const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: createTables }];

for (const [index, migration] of MIGRATIONS.entries()) {
  assert(migration.version === index + 1, 'migrations are numbered without a gap');
}

/** The schema this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The statements that lead from a schema version to the newest. */
export function migrationSql(fromVersion: number): string[] {
  const due = MIGRATIONS.slice(fromVersion);
  return due.flatMap((migration) =>
    migration.statements(builder.schema).map((statement) => statement.compile().sql),
  );
}

function createTables(schema: SchemaModule): Compilable[] {
  return [
    ...metaTables(schema),
    ...ordersTable(schema),
    ...tradesTable(schema),
    ...balanceChangesTable(schema),
    ...transfersTable(schema),
    candlesTable(schema),
  ];
}

/** A table whose columns are all required, with the types SQLite then enforces. */
function table(
  schema: SchemaModule,
  name: string,
  key: readonly string[],
  columns: Readonly<Record<string, 'integer' | 'text'>>,
) {
  let created: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    created = created.addColumn(column, type, (definition) => definition.notNull());
  }
  return created
    .addPrimaryKeyConstraint(`${name}_key`, [...key])
    .modifyEnd(key.length === 1 ? sql`strict` : sql`strict, without rowid`);
}

function index(schema: SchemaModule, on: string, by: string, columns: readonly string[]) {
  return schema
    .createIndex(`${on}_by_${by}`)
    .on(on)
    .columns([...columns]);
}

function metaTables(schema: SchemaModule): Compilable[] {
  return [
    table(schema, 'meta', ['meta_id'], {
      meta_id: 'integer',
      venue_id: 'text',
      projected_seq: 'integer',
    }),
    table(schema, 'instruments', ['instrument_id'], {
      instrument_id: 'integer',
      base_asset_id: 'integer',
      quote_asset_id: 'integer',
      base_units_per_lot: 'text',
    }),
  ];
}

function ordersTable(schema: SchemaModule): Compilable[] {
  return [
    table(schema, 'orders', ['order_id'], {
      order_id: 'integer',
      account_id: 'integer',
      instrument_id: 'integer',
      client_order_id: 'text',
      side: 'text',
      type: 'text',
      force: 'text',
      price_ticks: 'integer',
      size_lots: 'integer',
      quote_budget: 'text',
      filled_lots: 'integer',
      filled_quote: 'text',
      created_time_ms: 'integer',
      reason: 'text',
      closed_seq: 'integer',
      closed_time_ms: 'integer',
    }),
    index(schema, 'orders', 'account', ['account_id', 'order_id']),
    index(schema, 'orders', 'instrument', ['account_id', 'instrument_id', 'order_id']),
    index(schema, 'orders', 'client_id', [
      'account_id',
      'client_order_id',
      'instrument_id',
      'order_id',
    ]).where(sql.ref('client_order_id'), '<>', sql.lit('')),
  ];
}

function tradesTable(schema: SchemaModule): Compilable[] {
  return [
    table(schema, 'trades', ['trade_id'], {
      trade_id: 'integer',
      instrument_id: 'integer',
      quote_asset_id: 'integer',
      price_ticks: 'integer',
      size_lots: 'integer',
      quote_amount: 'text',
      taker_side: 'text',
      taker_is_market: 'integer',
      buyer_account_id: 'integer',
      buyer_order_id: 'integer',
      buyer_fee: 'text',
      buyer_base_before: 'text',
      buyer_quote_before: 'text',
      seller_account_id: 'integer',
      seller_order_id: 'integer',
      seller_fee: 'text',
      seller_base_before: 'text',
      seller_quote_before: 'text',
      time_ms: 'integer',
    }),
    index(schema, 'trades', 'instrument', ['instrument_id', 'trade_id']),
    ...['buyer', 'seller'].flatMap((party) => [
      index(schema, 'trades', `${party}_order`, [`${party}_order_id`, 'trade_id']),
      index(schema, 'trades', `${party}_instrument`, [
        `${party}_account_id`,
        'instrument_id',
        'trade_id',
      ]),
      index(schema, 'trades', `${party}_quote`, [
        `${party}_account_id`,
        'quote_asset_id',
        'trade_id',
      ]),
    ]),
  ];
}

function balanceChangesTable(schema: SchemaModule): Compilable[] {
  const name = 'balance_changes';
  return [
    table(schema, name, ['bill_id'], {
      bill_id: 'integer',
      account_id: 'integer',
      wallet: 'text',
      asset_id: 'integer',
      biz: 'text',
      delta: 'text',
      balance_before: 'text',
      time_ms: 'integer',
    }),
    index(schema, name, 'wallet', ['account_id', 'wallet', 'bill_id']),
    index(schema, name, 'asset', ['account_id', 'wallet', 'asset_id', 'bill_id']),
    index(schema, name, 'biz', ['account_id', 'wallet', 'biz', 'bill_id']),
    index(schema, name, 'asset_and_biz', ['account_id', 'wallet', 'asset_id', 'biz', 'bill_id']),
  ];
}

function transfersTable(schema: SchemaModule): Compilable[] {
  const order = ['time_ms', 'transfer_id'];
  return [
    table(schema, 'transfers', ['transfer_id'], {
      transfer_id: 'integer',
      account_id: 'integer',
      asset_id: 'integer',
      amount: 'text',
      from_wallet: 'text',
      from_kind: 'text',
      to_wallet: 'text',
      client_oid: 'text',
      time_ms: 'integer',
    }),
    index(schema, 'transfers', 'account', ['account_id', ...order]),
    index(schema, 'transfers', 'asset', ['account_id', 'asset_id', ...order]),
    index(schema, 'transfers', 'from_kind', ['account_id', 'from_kind', ...order]),
    index(schema, 'transfers', 'asset_and_from_kind', [
      'account_id',
      'asset_id',
      'from_kind',
      ...order,
    ]),
    index(schema, 'transfers', 'client_oid', ['account_id', 'client_oid', ...order]).where(
      sql.ref('client_oid'),
      '<>',
      sql.lit(''),
    ),
  ];
}

function candlesTable(schema: SchemaModule): Compilable {
  return table(schema, 'candles', ['instrument_id', 'period_id', 'open_time_ms'], {
    instrument_id: 'integer',
    period_id: 'integer',
    open_time_ms: 'integer',
    open_ticks: 'integer',
    high_ticks: 'integer',
    low_ticks: 'integer',
    close_ticks: 'integer',
    base_lots: 'integer',
    quote_amount: 'text',
  });
}
