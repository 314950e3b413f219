/** The tables of payments. Amounts are whole numbers as text: a database would round them. */
import type { CreateTableBuilder, Generated, Kysely } from 'kysely';
import type { Numbering } from './migrations.ts';

export interface PaymentTables {
  readonly payments: {
    payment_id: string;
    kind: string;
    person_id: string;
    account_id: number;
    to_account_id: number | null;
    coin: string;
    asset_id: number;
    scale: number;
    amount: string;
    fee: string;
    chain: string;
    address: string;
    tag: string;
    reference: string;
    client_id: string;
    approvals_needed: number;
    state: string;
    reason: string;
    is_settled: number;
    created_ms: number;
    changed_ms: number;
  };
  readonly payment_moves: {
    payment_id: string;
    number: number;
    kind: string;
    account_id: number;
    amount: string;
    is_done: number;
    gateway: string | null;
    request: number | null;
  };
  readonly payment_approvals: {
    payment_id: string;
    operator_id: string;
    operator_name: string;
    time_ms: number;
  };
  readonly payment_events: {
    event_id: Generated<number>;
    payment_id: string;
    kind: string;
    body: string;
    time_ms: number;
    state: string;
    tries: number;
    next_ms: number;
    fault: string;
  };
}

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
