/** Migration 0005: announcements, maintenance windows, imports of accounts, fee levels. */
import type { CreateTableBuilder, Kysely } from 'kysely';

type Table = CreateTableBuilder<string, string>;

/** The columns of a table: its key, then text, then whole numbers. */
interface Columns {
  readonly key: readonly [name: string, type: 'text' | 'bigint'];
  readonly texts: readonly string[];
  readonly wholes: readonly string[];
}

const TABLES: Readonly<Record<string, Columns>> = {
  announcements: {
    key: ['announcement_id', 'text'],
    texts: ['level', 'title_en', 'title_zh', 'text_en', 'text_zh'],
    wholes: ['created_ms', 'from_ms', 'until_ms'],
  },
  maintenance_windows: {
    key: ['window_id', 'text'],
    texts: ['state', 'instruments', 'halted', 'text_en', 'text_zh'],
    wholes: ['created_ms', 'from_ms', 'until_ms'],
  },
  account_imports: {
    key: ['reference', 'text'],
    texts: ['digest', 'content', 'state', 'fault'],
    wholes: ['lines_count', 'done_count', 'created_ms', 'updated_ms'],
  },
  /** A rate of -1 stands for that of each market. */
  fee_levels: {
    key: ['account_id', 'bigint'],
    texts: ['volume'],
    wholes: [
      'level',
      'counted_ms',
      'applied_taker_ppm',
      'applied_maker_ppm',
      'wanted_taker_ppm',
      'wanted_maker_ppm',
    ],
  },
};

export async function deskTables({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { key, texts, wholes }] of Object.entries(TABLES)) {
    const [column, type] = key;
    let table: Table = schema
      .createTable(name)
      .addColumn(column, type, (one) => one.primaryKey().notNull());
    for (const text of texts) table = table.addColumn(text, 'text', (one) => one.notNull());
    for (const whole of wholes) table = table.addColumn(whole, 'bigint', (one) => one.notNull());
    await table.execute();
  }
  await schema
    .createIndex('maintenance_windows_state')
    .on('maintenance_windows')
    .columns(['state', 'from_ms'])
    .execute();
  await schema
    .createIndex('account_imports_state')
    .on('account_imports')
    .columns(['state', 'created_ms'])
    .execute();
}
