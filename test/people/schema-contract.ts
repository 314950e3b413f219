/** How every store of people comes to its tables: made at once, upgraded by steps, or refused. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { PeopleUnavailable } from '#domain';
import type { PeopleStore } from '#people';
import { PEOPLE_SCHEMA, type PeopleSchema } from '#people/testing';

/** One empty place. */
export interface SchemaPlace {
  open(schema?: PeopleSchema): Promise<PeopleStore>;
  /** Runs a statement as an operator would. */
  run(statement: string): Promise<unknown>;
}

const ADA = { personId: 'ada', email: 'ada@example.com', name: 'Ada', createdMs: 1 };

/** Persons get a nickname. */
const VERSION_2: PeopleSchema = {
  ...PEOPLE_SCHEMA,
  upgrades: [(db) => db.schema.alterTable('people').addColumn('nickname', 'text').execute()],
};

const FAILING: PeopleSchema = {
  ...PEOPLE_SCHEMA,
  upgrades: [
    async (db) => {
      await db.schema.alterTable('people').addColumn('nickname', 'text').execute();
      await db.schema.alterTable('nobody').addColumn('nickname', 'text').execute();
    },
  ],
};

async function has(place: SchemaPlace, schema?: PeopleSchema): Promise<string | undefined> {
  const store = await place.open(schema);
  const person = await store.person('ada');
  await store.close();
  return person?.email;
}

export function schemaContract(name: string, newPlace: () => SchemaPlace): void {
  test(`${name}: tables of version 1 are upgraded once, in one transaction`, async () => {
    const place = newPlace();
    const store = await place.open();
    await store.addPerson({ ...ADA, state: 'active', passwordHash: undefined });
    await store.close();
    await assert.rejects(place.open(FAILING), /nobody/);
    assert.equal(await has(place), ADA.email, 'it is of version 1 still');
    for (const _ of [1, 2]) assert.equal(await has(place, VERSION_2), ADA.email);
    await place.run("update people set nickname = 'A' where person_id = 'ada'");
    await assert.rejects(place.open(), {
      name: 'PeopleUnavailable',
      message:
        /^people .*: it has version 2, this program reads version 1: use the program that made/,
    });
  });

  test(`${name}: tables of a checkout before 0.2.0 are refused, and stay`, async () => {
    const place = newPlace();
    await place.run('create table people (person_id text primary key)');
    await place.run("insert into people values ('ada')");
    for (const _ of [1, 2]) {
      await assert.rejects(place.open(), (error) => {
        assert.ok(error instanceof PeopleUnavailable);
        assert.match(error.message, /it has tables without a version, this program reads/);
        return true;
      });
    }
    await place.run("update people set person_id = 'bob'");
  });
}
