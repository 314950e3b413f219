/** What accounts have in a contract is found as in a map, whatever ids come in whatever order. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountId } from '#domain';
import { AccountTable } from '#engine/testing';

const ID = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 100_000 }));

test('a table of accounts is a map in the order of their ids', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ID, fc.option(fc.nat())), { maxLength: 60 }), (steps) => {
      const table = new AccountTable<number>();
      const known = new Map<number, number>();
      for (const [id, value] of steps) {
        table.set(accountId(id), value ?? undefined);
        if (value === null) known.delete(id);
        else known.set(id, value);
        assert.equal(table.get(accountId(id)), known.get(id));
        assert.equal(table.get(accountId(id + 1)), known.get(id + 1));
      }
      const byId = [...known].toSorted(([one], [other]) => one - other);
      assert.deepEqual(
        [...table.values()],
        byId.map(([, value]) => value),
      );
    }),
  );
});
