/** A tree of maxima against a plain list: numbers come in runs and change, and are looked for. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MaxTree } from '#kernel';

const VALUE = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), values: fc.array(VALUE, { maxLength: 9 }) }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(), value: VALUE }),
  ),
  { maxLength: 40 },
);
const LOOKS = [Number.NEGATIVE_INFINITY, 0, 7, 20, Number.POSITIVE_INFINITY];

function check(tree: MaxTree, values: readonly number[]): void {
  assert.equal(tree.size, values.length);
  for (let from = 0; from <= values.length; from += 1) {
    for (const least of LOOKS) {
      const expected = values.findIndex((value, at) => at >= from && value >= least);
      assert.equal(tree.firstFrom(from, least), expected, `from ${from}, at least ${least}`);
    }
  }
}

test('finds the first number that is large enough', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const tree = new MaxTree();
      const values: number[] = [];
      for (const step of steps) {
        if (step.kind === 'append') {
          tree.append(Float64Array.from(step.values));
          values.push(...step.values);
        } else if (values.length > 0) {
          const at = step.at % values.length;
          tree.set(at, step.value);
          values[at] = step.value;
        }
        check(tree, values);
      }
    }),
  );
});
