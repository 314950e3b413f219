/** The store of people in a file: what every store does, and what is a file's own. */
import { strict as assert } from 'node:assert/strict';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { COMPETITION_PART } from '#competition';
import { PeopleUnavailable } from '#domain';
import { checkPeople, copyPeople, LazyPeople, openPeople } from '#people';
import { openSqlitePeople } from '#people/testing';
import { scratchDirectory } from '../support/scratch.ts';
import { storeContract } from './contract.ts';
import { type SchemaPlace, schemaContract } from './schema-contract.ts';

const file = join(scratchDirectory(), 'people.sqlite');
storeContract({
  name: 'SQLite',
  open: () => openPeople({ kind: 'sqlite', file }, COMPETITION_PART),
});

schemaContract('SQLite', (): SchemaPlace => {
  const own = join(scratchDirectory(), 'people.sqlite');
  return {
    open: (schema) => openSqlitePeople(own, COMPETITION_PART, schema),
    run: async (statement) => {
      const db = new Sqlite(own);
      db.exec(statement);
      db.close();
    },
  };
});

test('the file is its owner’s alone', async () => {
  const own = join(scratchDirectory(), 'people.sqlite');
  const store = await openPeople({ kind: 'sqlite', file: own }, COMPETITION_PART);
  try {
    for (const name of [own, `${own}-wal`]) assert.equal(statSync(name).mode & 0o077, 0, name);
  } finally {
    await store.close();
  }
});

test('a file that is none is refused, and asked for again by the next question', async () => {
  const own = join(scratchDirectory(), 'people.sqlite');
  writeFileSync(own, 'not a database, and longer than the head of one would be: '.repeat(20));
  const people = new LazyPeople(() => openPeople({ kind: 'sqlite', file: own }, COMPETITION_PART));
  await assert.rejects(people.get(), PeopleUnavailable);
  writeFileSync(own, '');
  assert.equal(await (await people.get()).person('nobody'), undefined);
  await people.close();
});

test('a copy is made while the file is in use, is whole, and is its owner’s alone', async () => {
  const directory = scratchDirectory();
  const [own, copy] = [join(directory, 'people.sqlite'), join(directory, 'copy.sqlite')];
  const store = await openPeople({ kind: 'sqlite', file: own }, COMPETITION_PART);
  const person = { personId: 'ada', email: 'ada@example.com', name: 'Ada', createdMs: 1 };
  await store.addPerson({ ...person, state: 'active', passwordHash: undefined });
  copyPeople(own, copy);
  await store.close();
  checkPeople(copy);
  assert.equal(statSync(copy).mode & 0o077, 0);
  const copied = await openPeople({ kind: 'sqlite', file: copy }, COMPETITION_PART);
  assert.equal((await copied.person('ada'))?.email, 'ada@example.com');
  await copied.close();
  truncateSync(copy, 8_192);
  assert.throws(() => checkPeople(copy), PeopleUnavailable);
});
