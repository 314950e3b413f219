/** Client ids of contracts: unique per account over all contracts and both kinds of orders. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '#domain';
import { Engine } from '#engine';
import { TwoContracts } from './two-contracts.ts';

const TAKEN = { message: 'contract_client_id_in_use' };

test('an id is refused in another contract, for an order and for a trigger order', () => {
  const desk = new TwoContracts();
  const { mia, tom, contracts } = desk;
  const [first, second] = contracts;
  const order = desk.bid(mia, first, 'one');
  const plan = desk.plan(mia, second, 'two');
  for (const id of ['one', 'two']) {
    for (const contract of contracts) {
      assert.throws(() => desk.bid(mia, contract, id), TAKEN);
      assert.throws(() => desk.plan(mia, contract, id), TAKEN);
    }
  }
  // Another account's are its own, and ids of what is over stay taken as long as they were.
  desk.bid(tom, second, 'one');
  desk.end(mia, order);
  desk.end(mia, plan);
  assert.throws(() => desk.bid(mia, second, 'one'), TAKEN);
  assert.throws(() => desk.bid(mia, first, 'two'), TAKEN);
  desk.pass(LIMITS.usedIdsHoldMs);
  desk.bid(mia, second, 'one');
  desk.bid(mia, first, 'two');
});

/** One thing that a trader does: places by an id, cancels one of what is open, or waits. */
const DEED = fc.oneof(
  {
    arbitrary: fc.record({
      deed: fc.constantFrom('bid' as const, 'plan' as const),
      contract: fc.nat({ max: 1 }),
      id: fc.constantFrom('a', 'b', 'c'),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ deed: fc.constant('cancel' as const), place: fc.nat() }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      deed: fc.constant('wait' as const),
      waitMs: fc.nat({ max: LIMITS.usedIdsHoldMs }),
    }),
    weight: 1,
  },
);

test('ids are taken as a naive list says, through restarts', () => {
  let refusedCount = 0;
  fc.assert(
    fc.property(fc.array(DEED, { minLength: 20, maxLength: 40 }), (deeds) => {
      const desk = new TwoContracts();
      const { mia, contracts } = desk;
      /** Whatever was ever placed, and from when its id is free; zero while it is open. */
      const named: { order: number; id: string; freeMs: number }[] = [];
      for (const one of deeds) {
        if (one.deed === 'wait') desk.pass(one.waitMs);
        else if (one.deed === 'cancel') {
          const open = named.filter(({ freeMs }) => freeMs === 0);
          const ended = open[one.place % Math.max(open.length, 1)];
          if (ended === undefined) continue;
          desk.end(mia, ended.order);
          ended.freeMs = desk.engine.timeMs + LIMITS.usedIdsHoldMs;
        } else {
          const { contract, id, deed } = one;
          const place = () => desk[deed](mia, contracts[contract] ?? '', id);
          const now = desk.engine.timeMs + 1;
          const isTaken = named.some(
            (other) => other.id === id && (other.freeMs === 0 || other.freeMs > now),
          );
          if (isTaken) refusedCount += 1;
          if (isTaken) assert.throws(place, TAKEN);
          else named.push({ order: place(), id, freeMs: 0 });
        }
        for (const id of ['a', 'b', 'c']) {
          const open = named.findLast((other) => other.id === id && other.freeMs === 0);
          const { engine } = desk;
          const found =
            engine.openContractOrderByClientId(mia, id) ?? engine.waitingTriggerByClientId(mia, id);
          assert.equal(found === undefined, open === undefined);
        }
        assert.deepEqual([...Engine.restore(desk.engine.dump()).dump()], [...desk.engine.dump()]);
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(refusedCount > 200, `${refusedCount} refusals were compared`);
});
