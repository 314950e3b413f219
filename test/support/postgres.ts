/** A PostgreSQL server for the tests of one file, and databases of it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../tools/postgres.ts';

/**
 * Started once for the file, and ended behind its last test. Where it is not installed a test says
 * so and is skipped; CI installs it.
 */
export async function postgresOrSkip(host?: string): Promise<PostgresServer | undefined> {
  if (postgresPrograms() === undefined && process.env.CI === undefined) {
    test('PostgreSQL', (t) => t.skip('PostgreSQL is not installed: apt-get install postgresql'));
    return undefined;
  }
  const server = await startPostgres(undefined, undefined, host);
  after(() => server.close());
  return server;
}

let databasesCount = 0;

/** Gives the address of an empty database. It is there at once, as a new file would be. */
export function newDatabase(server: PostgresServer): string {
  databasesCount += 1;
  const name = `venue_${databasesCount}`;
  const psql = join(postgresPrograms() ?? '', 'psql');
  execFileSync(psql, [server.url, '--quiet', '--command', `create database ${name}`]);
  return server.urlOf(name);
}

/** Runs one statement as an operator would, and gives its rows. */
export async function execute(
  url: string,
  sql: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
