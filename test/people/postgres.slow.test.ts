/** The store of people in PostgreSQL does what every store does, on a real server. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { COMPETITION_PART } from '#competition';
import { PeopleUnavailable } from '#domain';
import { openPeople } from '#people';
import { openPostgresPeople } from '#people/testing';
import { execute, newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { reads } from '../support/until.ts';
import { storeContract } from './contract.ts';
import { schemaContract } from './schema-contract.ts';

const server = await postgresOrSkip();
if (server !== undefined) {
  const url = newDatabase(server);
  storeContract({
    name: 'PostgreSQL',
    open: () => openPeople({ kind: 'postgres', url }, COMPETITION_PART),
  });

  schemaContract('PostgreSQL', () => {
    const own = newDatabase(server);
    const inSchema = 'create schema if not exists outcry_people; set search_path = outcry_people; ';
    return {
      open: (schema) => openPostgresPeople(own, COMPETITION_PART, schema),
      run: (statement) => execute(own, inSchema + statement),
    };
  });

  test('processes that start at once make the tables once', async () => {
    const fresh = newDatabase(server);
    const opening = [1, 2, 3].map(() =>
      openPeople({ kind: 'postgres', url: fresh }, COMPETITION_PART),
    );
    const stores = await Promise.all(opening);
    for (const store of stores) assert.equal(await store.person('nobody'), undefined);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('a server that dies under a statement fails that one, and no process', async () => {
    const store = await openPeople({ kind: 'postgres', url }, COMPETITION_PART);
    const holder = new Client({ connectionString: url });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('begin; lock table outcry_people.people');
    const blocked = assert.rejects(store.person('nobody'), PeopleUnavailable);
    await reads(async () => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
      return (await holder.query(waiting)).rowCount;
    }, 1);
    await server.kill();
    await blocked;
    await assert.rejects(store.person('nobody'), PeopleUnavailable);
    await server.startAgain();
    assert.equal(await store.person('nobody'), undefined);
    await Promise.all([store.close(), holder.end().catch(() => undefined)]);
  });

  test('a server that is not there is said to be away, without its password', async () => {
    const away = 'postgres://ada:secret-word@127.0.0.1:1/venue';
    await assert.rejects(openPeople({ kind: 'postgres', url: away }, COMPETITION_PART), (error) => {
      assert.ok(error instanceof PeopleUnavailable);
      assert.doesNotMatch(error.message, /secret-word/);
      return true;
    });
  });
}
