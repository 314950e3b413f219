/** Migration 0006: the language of a person, and the address that a link is about. */
import type { Kysely } from 'kysely';

export async function personalTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('people')
    .addColumn('language', 'text', (one) => one.notNull().defaultTo('en'))
    .execute();
  await schema.alterTable('links').addColumn('email', 'text').execute();
}
