/** Whoever has much waits for himself alone, and what he added stays in order, for any mixture. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue, present } from '#kernel';

const SHARE_MAX = 3;

interface Item {
  readonly owner: number;
  /** Among those of its owner. */
  readonly number: number;
  /** With so many more taken it is taken, too. */
  readonly dueAt: number;
}

test('everything comes out once, in the order of its owner, and soon for those with little', () => {
  const act = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 2 });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
      const queue = new FairQueue<number, Item>(SHARE_MAX);
      const waiting = new Map<number, Item[]>();
      let takenCount = 0;
      const waitingCount = () => [...waiting.values()].flat().length;
      const take = (): void => {
        const item = queue.take();
        assert.equal(item === undefined, waitingCount() === 0);
        if (item === undefined) return;
        assert.equal(present(waiting.get(item.owner), 'owner').shift(), item);
        takenCount += 1;
        assert.ok(takenCount <= item.dueAt, `${takenCount} taken, due at ${item.dueAt}`);
      };
      const add = (owner: number, number: number): void => {
        const own = waiting.get(owner) ?? [];
        waiting.set(owner, own);
        // Before one of little comes at most what others have a right to, and as much of the rest.
        const isFew = own.length < SHARE_MAX && own.every(({ dueAt }) => dueAt < Infinity);
        const others = [...waiting.values()].map(({ length }) => Math.min(length, SHARE_MAX));
        const ahead = others.reduce((sum, count) => sum + count, 0);
        const dueAt = isFew ? takenCount + 2 * (ahead + 1) : Infinity;
        const item = { owner, number, dueAt };
        own.push(item);
        queue.add(owner, item);
        assert.equal(queue.countOf(owner), own.length);
        assert.equal(queue.lastOf(owner), item);
      };
      for (const [at, owner] of acts.entries()) {
        if (owner === undefined) take();
        else add(owner, at);
      }
      while (queue.size > 0) take();
      assert.equal(waitingCount(), 0);
    }),
  );
});

test('those with much take turns, and one with little has every second', () => {
  const queue = new FairQueue<string, string>(1);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) queue.add(item.charAt(0), item);
  assert.deepEqual(queue.last(), ['a3', 'b3']);
  const found = [queue.take(), queue.take(), queue.take()];
  queue.add('c', 'c1');
  for (let left = queue.size; left > 0; left -= 1) found.push(queue.take());
  assert.deepEqual(found, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'b3']);
});
