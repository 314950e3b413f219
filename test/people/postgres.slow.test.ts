/** The store of people in PostgreSQL does what every store does, on a real server. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { PeopleUnavailable } from '#domain';
import { openPeople } from '#people';
import { newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { storeContract } from './contract.ts';

const server = await postgresOrSkip();
if (server !== undefined) {
  const url = newDatabase(server);
  storeContract({ name: 'PostgreSQL', open: () => openPeople({ kind: 'postgres', url }) });

  test('processes that start at once make the tables once', async () => {
    const fresh = newDatabase(server);
    const opening = [1, 2, 3].map(() => openPeople({ kind: 'postgres', url: fresh }));
    const stores = await Promise.all(opening);
    for (const store of stores) assert.equal(await store.person('nobody'), undefined);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('a server that is not there is said to be away, without its password', async () => {
    const away = 'postgres://ada:secret-word@127.0.0.1:1/venue';
    await assert.rejects(openPeople({ kind: 'postgres', url: away }), (error) => {
      assert.ok(error instanceof PeopleUnavailable);
      assert.doesNotMatch(error.message, /secret-word/);
      return true;
    });
  });
}
