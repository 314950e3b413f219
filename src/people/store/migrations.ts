/** How the tables came to be, in numbered steps. Append only: a released step is never edited. */
import type { CreateTableBuilder, Kysely } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { competitionCodes } from './competition-migration.ts';
import { competitionTables } from './competition-tables.ts';
import { deskTables } from './desk-migration.ts';
import { movementTables } from './movement-migration.ts';
import type { Numbering } from './numbering.ts';
import { operatorTables } from './operator-migration.ts';
import { paymentTables } from './payment-migration.ts';
import { personalTables } from './personal-migration.ts';
import type { PeopleDatabase } from './tables.ts';
import { transferColumns } from './transfer-migration.ts';

type Table = CreateTableBuilder<string, string>;

function texts(table: Table, ...names: readonly string[]): Table {
  let made: Table = table;
  for (const name of names) made = made.addColumn(name, 'text', (one) => one.notNull());
  return made;
}

function optionalTexts(table: Table, ...names: readonly string[]): Table {
  let made: Table = table;
  for (const name of names) made = made.addColumn(name, 'text');
  return made;
}

function wholes(table: Table, ...names: readonly string[]): Table {
  let made: Table = table;
  for (const name of names) made = made.addColumn(name, 'bigint', (one) => one.notNull());
  return made;
}

async function firstTables(db: Kysely<unknown>, numbering: Numbering): Promise<void> {
  const { schema } = db;
  const keyed = (name: string, key: string): Table =>
    schema.createTable(name).addColumn(key, 'text', (one) => one.primaryKey().notNull());
  const people = texts(keyed('people', 'person_id'), 'email', 'name', 'state');
  const secrets = optionalTexts(people, 'password_hash', 'sealed_factor', 'sealed_new_factor');
  await wholes(secrets, 'created_ms', 'factor_step', 'accounts_count')
    .addUniqueConstraint('people_email', ['email'])
    .execute();
  const access = texts(schema.createTable('access'), 'person_id', 'label', 'rights');
  await wholes(access, 'account_id', 'created_ms')
    .addPrimaryKeyConstraint('access_key', ['person_id', 'account_id'])
    .execute();
  const sessions = texts(
    keyed('sessions', 'session_id'),
    ...['token_hash', 'person_id', 'address', 'agent'],
  );
  await wholes(sessions, 'created_ms', 'confirmed_ms', 'last_seen_ms', 'expires_ms')
    .addUniqueConstraint('sessions_token', ['token_hash'])
    .execute();
  const links = optionalTexts(
    texts(keyed('links', 'token_hash'), 'kind', 'person_id'),
    'sealed_token',
  );
  await wholes(links, 'created_ms', 'expires_ms').execute();
  const invitations = texts(keyed('invitations', 'invitation_id'), 'code_hash', 'label');
  await wholes(invitations, 'uses', 'used', 'created_ms', 'expires_ms')
    .addUniqueConstraint('invitations_code', ['code_hash'])
    .execute();
  const codes = texts(keyed('access_codes', 'code_hash'), 'rights', 'made_by');
  await wholes(codes, 'account_id', 'expires_ms').execute();
  await texts(schema.createTable('recovery_codes'), 'person_id', 'code_hash')
    .addPrimaryKeyConstraint('recovery_codes_key', ['person_id', 'code_hash'])
    .execute();
  await wholes(keyed('failures', 'subject'), 'count', 'last_ms', 'until_ms').execute();
  await eventsTable(db, numbering);
}

async function eventsTable({ schema }: Kysely<unknown>, numbering: Numbering): Promise<void> {
  const { type, isDeclared } = numbering;
  const events: Table = schema
    .createTable('security_events')
    .addColumn('event_id', type, (one) =>
      isDeclared ? one.primaryKey().autoIncrement() : one.primaryKey(),
    );
  const named = texts(events, 'person_id', 'kind', 'address', 'agent', 'detail');
  await wholes(named, 'time_ms').execute();
  const indexes = [
    ['access_account', 'access', ['account_id']],
    ['sessions_person', 'sessions', ['person_id']],
    ['links_person', 'links', ['person_id']],
    ['security_events_person', 'security_events', ['person_id', 'event_id']],
  ] as const;
  for (const [name, table, columns] of indexes) {
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
}

/** Brings the tables up to date. Throws when a newer program has made them. */
export async function migrate(
  db: Kysely<PeopleDatabase>,
  numbering: Numbering,
  migrationTableSchema?: string,
): Promise<void> {
  const provider: MigrationProvider = {
    getMigrations: async () => ({
      '0001': { up: (one: Kysely<unknown>) => firstTables(one, numbering) },
      '0002': { up: operatorTables },
      '0003': { up: (one: Kysely<unknown>) => paymentTables(one, numbering) },
      '0004': { up: competitionTables },
      '0005': { up: deskTables },
      '0006': { up: personalTables },
      '0007': { up: competitionCodes },
      '0008': { up: movementTables },
      '0010': { up: transferColumns },
    }),
  };
  const place = migrationTableSchema === undefined ? {} : { migrationTableSchema };
  const migrator = new Migrator({ db, provider, ...place });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
