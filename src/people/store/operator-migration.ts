/** Migration 0002: operators with roles, the log of what they do, approvals of money. */
import type { CreateTableBuilder, Kysely } from 'kysely';

type Table = CreateTableBuilder<string, string>;

interface Columns {
  readonly key: readonly [name: string, type: 'text' | 'bigint'];
  readonly texts: readonly string[];
  readonly wholes: readonly string[];
}

const LOG_TEXTS = [
  ...['operator_id', 'operator_name', 'role', 'kind', 'path', 'account', 'address'],
  ...['request_id', 'reason', 'asked', 'outcome', 'answer', 'hash'],
];
const APPROVAL_TEXTS = [
  ...['kind', 'wallet', 'coin', 'amount', 'asked_by_id', 'asked_by_name', 'reason', 'state'],
  ...['decided_by_id', 'decided_by_name', 'outcome'],
];

const TABLES: Readonly<Record<string, Columns>> = {
  operators: { key: ['person_id', 'text'], texts: ['role'], wholes: ['since_ms'] },
  operator_log: {
    key: ['entry_id', 'bigint'],
    texts: LOG_TEXTS,
    wholes: ['action_id', 'time_ms'],
  },
  operator_log_ends: { key: ['name', 'text'], texts: ['hash'], wholes: ['entry_id'] },
  approvals: {
    key: ['approval_id', 'text'],
    texts: APPROVAL_TEXTS,
    wholes: ['account_id', 'created_ms', 'expires_ms', 'decided_ms'],
  },
};

const INDEXES = [
  ['operator_log_action', 'operator_log', ['action_id']],
  ['operator_log_time', 'operator_log', ['time_ms']],
  ['approvals_state', 'approvals', ['state']],
] as const;

export async function operatorTables({ schema }: Kysely<unknown>): Promise<void> {
  for (const [name, { key, texts, wholes }] of Object.entries(TABLES)) {
    const [column, type] = key;
    let table: Table = schema
      .createTable(name)
      .addColumn(column, type, (one) => one.primaryKey().notNull());
    for (const text of texts) table = table.addColumn(text, 'text', (one) => one.notNull());
    for (const whole of wholes) table = table.addColumn(whole, 'bigint', (one) => one.notNull());
    await table.execute();
  }
  for (const [name, table, columns] of INDEXES) {
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
}
