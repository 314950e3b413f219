/** A heap against a sorted list: entries come, move, leave one by one and leave together. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap, type HeapEntry } from '#kernel';

interface Item extends HeapEntry {
  value: number;
  readonly number: number;
}

const VALUES = fc.integer({ min: 0, max: 40 });
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), value: VALUES }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(), value: VALUES }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('take' as const), value: VALUES }),
  ),
  { maxLength: 120 },
);

function isBefore(one: Item, other: Item): boolean {
  return one.value < other.value || (one.value === other.value && one.number < other.number);
}

function sorted(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => one.value - other.value || one.number - other.number);
}

/** Does the same to a heap and to a list, and compares them after each step. */
class Pair {
  readonly #heap = new Heap<Item>(isBefore);
  #items: Item[] = [];
  #count = 0;

  add(value: number): void {
    this.#count += 1;
    const item = { value, number: this.#count, heapIndex: -1 };
    this.#heap.add(item);
    this.#items.push(item);
  }

  move(at: number, value: number): void {
    const item = this.#pick(at);
    if (item === undefined) return;
    item.value = value;
    this.#heap.moved(item);
  }

  remove(at: number): void {
    const item = this.#pick(at);
    if (item === undefined) return;
    this.#heap.remove(item);
    this.#items = this.#items.filter((one) => one !== item);
  }

  take(below: number): void {
    const taken: Item[] = [];
    this.#heap.takeWhile(({ value }) => value < below, taken);
    assert.deepEqual(
      sorted(taken),
      sorted(this.#items.filter(({ value }) => value < below)),
      'exactly what meets the condition is taken',
    );
    for (const { heapIndex } of taken) assert.equal(heapIndex, -1, 'what is taken is outside');
    this.#items = this.#items.filter(({ value }) => value >= below);
  }

  check(): void {
    assert.equal(this.#heap.size, this.#items.length);
    assert.equal(this.#heap.first, sorted(this.#items)[0]);
  }

  /** Takes one after the other: they come in their order. */
  drain(): void {
    for (const item of sorted(this.#items)) {
      assert.equal(this.#heap.first, item);
      this.#heap.remove(item);
    }
    assert.equal(this.#heap.size, 0);
  }

  #pick(at: number): Item | undefined {
    return this.#items[at % Math.max(1, this.#items.length)];
  }
}

test('a heap keeps its order whatever is added, moved and taken', () => {
  fc.assert(
    fc.property(fc.array(VALUES, { maxLength: 60 }), STEPS, (values, steps) => {
      const pair = new Pair();
      for (const value of values) pair.add(value);
      for (const step of steps) {
        if (step.kind === 'add') pair.add(step.value);
        else if (step.kind === 'move') pair.move(step.at, step.value);
        else if (step.kind === 'remove') pair.remove(step.at);
        else pair.take(step.value);
        pair.check();
      }
      pair.drain();
    }),
    { numRuns: 300 },
  );
});
