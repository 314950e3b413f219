/** Migration 0010: where a move of money between two accounts goes. */
import type { Kysely } from 'kysely';

export async function transferColumns({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('payment_moves').addColumn('to_account_id', 'bigint').execute();
}
