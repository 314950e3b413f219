/** Makes the tables of payments. */
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Numbering } from './numbering.ts';

const PAYMENT_TEXTS = ['kind', 'person_id', 'coin', 'amount', 'fee', 'chain', 'address', 'tag'];
const STATE_TEXTS = ['reference', 'client_id', 'state', 'reason'];
const PAYMENT_WHOLES = ['account_id', 'asset_id', 'scale', 'approvals_needed', 'is_settled'];

export async function paymentTables(db: Kysely<unknown>, numbering: Numbering): Promise<void> {
  let payments: CreateTableBuilder<string, string> = db.schema
    .createTable('payments')
    .addColumn('payment_id', 'text', (one) => one.primaryKey().notNull())
    .addColumn('to_account_id', 'bigint');
  for (const name of [...PAYMENT_TEXTS, ...STATE_TEXTS]) {
    payments = payments.addColumn(name, 'text', (one) => one.notNull());
  }
  for (const name of [...PAYMENT_WHOLES, 'created_ms', 'changed_ms']) {
    payments = payments.addColumn(name, 'bigint', (one) => one.notNull());
  }
  await payments.addUniqueConstraint('payments_client', ['person_id', 'client_id']).execute();
  await db.schema
    .createTable('payment_moves')
    .addColumn('payment_id', 'text', (one) => one.notNull())
    .addColumn('number', 'bigint', (one) => one.notNull())
    .addColumn('kind', 'text', (one) => one.notNull())
    .addColumn('account_id', 'bigint', (one) => one.notNull())
    .addColumn('amount', 'text', (one) => one.notNull())
    .addColumn('is_done', 'bigint', (one) => one.notNull())
    .addColumn('gateway', 'text')
    .addColumn('request', 'bigint')
    .addPrimaryKeyConstraint('payment_moves_key', ['payment_id', 'number'])
    .execute();
  await db.schema
    .createTable('payment_approvals')
    .addColumn('payment_id', 'text', (one) => one.notNull())
    .addColumn('operator_id', 'text', (one) => one.notNull())
    .addColumn('operator_name', 'text', (one) => one.notNull())
    .addColumn('time_ms', 'bigint', (one) => one.notNull())
    .addPrimaryKeyConstraint('payment_approvals_key', ['payment_id', 'operator_id'])
    .execute();
  await eventsTable(db, numbering);
  const indexes = [
    ['payments_account', 'payments', ['account_id', 'payment_id']],
    ['payments_person', 'payments', ['person_id', 'created_ms']],
    ['payments_state', 'payments', ['state', 'payment_id']],
    ['payments_moving', 'payments', ['is_settled', 'payment_id']],
    ['payment_events_due', 'payment_events', ['state', 'next_ms']],
  ] as const;
  for (const [name, table, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
}

async function eventsTable(
  { schema }: Kysely<unknown>,
  { type, isDeclared }: Numbering,
): Promise<void> {
  let events = schema
    .createTable('payment_events')
    .addColumn('event_id', type, (one) =>
      isDeclared ? one.primaryKey().autoIncrement() : one.primaryKey(),
    )
    .addColumn('tries', 'bigint', (one) => one.notNull())
    .addColumn('time_ms', 'bigint', (one) => one.notNull())
    .addColumn('next_ms', 'bigint', (one) => one.notNull());
  for (const name of ['payment_id', 'kind', 'body', 'state', 'fault']) {
    events = events.addColumn(name, 'text', (one) => one.notNull());
  }
  await events.execute();
}
