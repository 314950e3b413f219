/** Migration 0008: money that operators have moved alone, and limits that owners have set. */
import type { Kysely } from 'kysely';

export async function movementTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('operator_movements')
    .addColumn('movement_id', 'text', (one) => one.primaryKey().notNull())
    .addColumn('operator_id', 'text', (one) => one.notNull())
    .addColumn('coin', 'text', (one) => one.notNull())
    .addColumn('amount', 'text', (one) => one.notNull())
    .addColumn('account_id', 'bigint', (one) => one.notNull())
    .addColumn('time_ms', 'bigint', (one) => one.notNull())
    .execute();
  await schema
    .createIndex('operator_movements_time')
    .on('operator_movements')
    .columns(['coin', 'time_ms'])
    .execute();
  await schema
    .createTable('operator_limits')
    .addColumn('coin', 'text', (one) => one.primaryKey().notNull())
    .addColumn('amount', 'text', (one) => one.notNull())
    .addColumn('changed_by', 'text', (one) => one.notNull())
    .addColumn('changed_ms', 'bigint', (one) => one.notNull())
    .execute();
}
