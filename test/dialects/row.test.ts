/** Rows of answers are JSON whatever their fields are, and are documented by what they write. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Value from 'typebox/value';
import { columnsOf, decimal, flag, jsonList, onlyIf, row, text } from '#dialects/testing';

interface Item {
  readonly name: string;
  readonly units: number;
  readonly isOpen: boolean;
  readonly limit: number | undefined;
}

const ITEM = row<Item>()({
  units: decimal('Units', '5', ({ units }) => units),
  limit: onlyIf(
    ({ limit }) => limit !== undefined,
    decimal('Limit, if there is one', '9', ({ limit }) => String(limit)),
  ),
  isOpen: flag('Whether it is open', true, ({ isOpen }) => isOpen),
  name: text('Name', 'a "name"', ({ name }) => name),
});

const ITEMS: fc.Arbitrary<Item> = fc.record({
  name: fc.string({ unit: 'binary' }),
  units: fc.nat(),
  isOpen: fc.boolean(),
  limit: fc.option(fc.nat(), { nil: undefined }),
});

function dataOf({ name, units, isOpen, limit }: Item): object {
  const given = limit === undefined ? {} : { limit: String(limit) };
  return { units: String(units), ...given, isOpen: String(isOpen), name };
}

test('a row is the JSON of its fields, in their order, and fits its schema', () => {
  fc.assert(
    fc.property(ITEMS, (item) => {
      const json = ITEM.write(item);
      assert.equal(json, JSON.stringify(dataOf(item)));
      assert.deepEqual([...Value.Errors(ITEM.schema, JSON.parse(json))], []);
    }),
  );
});

test('its example fits its schema', () => {
  assert.deepEqual([...Value.Errors(ITEM.schema, ITEM.example)], []);
});

test('the fields of a row are the same in a larger one', () => {
  const larger = row<{ readonly item: Item }>()({
    count: decimal('Count', '1', () => 1),
    ...columnsOf(ITEM, ({ item }: { readonly item: Item }) => item),
  });
  fc.assert(
    fc.property(ITEMS, (item) => {
      assert.equal(larger.write({ item }), JSON.stringify({ count: '1', ...dataOf(item) }));
    }),
  );
});

test('a list is the JSON of its rows', () => {
  fc.assert(
    fc.property(fc.array(ITEMS), (items) => {
      assert.equal(jsonList(items, ITEM.write), JSON.stringify(items.map(dataOf)));
    }),
  );
});

test('the first field of a row is in every row', () => {
  const sometimes = onlyIf(
    ({ limit }: Item) => limit !== undefined,
    decimal('Limit', '9', ({ limit }) => String(limit)),
  );
  assert.throws(() => row<Item>()({ limit: sometimes }), /an optional field/);
});
