/**
 * Client ids of contracts: unique per account over all contracts and both kinds of orders. Under
 * rules 2 they were in each contract; what was written then replays as it ran.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EARLIEST_RULES, encodeCommand, joinCommands, LIMITS, RULES_VERSION } from '#domain';
import { Engine } from '#engine';
import { recoverEngine } from '#venue';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
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

test('orders of rules 2 that share an id go on, and it is taken until all are over', () => {
  const desk = new TwoContracts();
  const { mia, contracts } = desk;
  const [first, second] = contracts;
  const { engine } = desk;
  desk.rules = EARLIEST_RULES;
  const older = desk.bid(mia, second, 'same');
  assert.throws(() => desk.bid(mia, second, 'same'), TAKEN);
  const newer = desk.bid(mia, first, 'same');
  assert.deepEqual([...Engine.restore(engine.dump()).dump()], [...engine.dump()]);
  desk.rules = RULES_VERSION;
  assert.throws(() => desk.bid(mia, first, 'same'), TAKEN);
  assert.equal(engine.openContractOrderByClientId(mia, 'same')?.orderId, newer);
  desk.end(mia, newer);
  assert.equal(engine.openContractOrderByClientId(mia, 'same')?.orderId, older);
  desk.end(mia, older);
  assert.equal(engine.openContractOrderByClientId(mia, 'same'), undefined);
  assert.throws(() => desk.bid(mia, first, 'same'), TAKEN);
});

test('ids used up under rules 2 are taken in all contracts, also after a restart', () => {
  const desk = new TwoContracts();
  const { mia, contracts } = desk;
  const [first, second] = contracts;
  desk.rules = EARLIEST_RULES;
  desk.end(mia, desk.bid(mia, first, 'used'));
  desk.end(mia, desk.bid(mia, second, 'used'));
  assert.throws(() => desk.bid(mia, second, 'used'), TAKEN);
  desk.rules = RULES_VERSION;
  const restored = new TwoContracts(desk.engine.dump());
  for (const at of [desk, restored]) {
    at.pass(LIMITS.usedIdsHoldMs / 2);
    assert.throws(() => at.bid(mia, first, 'used'), TAKEN);
    assert.throws(() => at.bid(mia, second, 'used'), TAKEN);
  }
});

test('a journal of rules 2 with one id in two contracts replays to the same state', async (t) => {
  const desk = new TwoContracts();
  const { mia, contracts } = desk;
  desk.rules = EARLIEST_RULES;
  for (const contract of contracts) desk.bid(mia, contract, 'same');
  for (const contract of contracts) desk.end(mia, desk.bid(mia, contract, 'used'));
  const { commands, engine } = desk;
  const directory = scratchDirectory(t);
  const journal = await logOf(directory, { rules: EARLIEST_RULES }).openWriter();
  const texts = commands.map(({ command, timeMs }) => encodeCommand(timeMs, command));
  await journal.append(1, commands.length, joinCommands(texts));
  await journal.close();
  const replayed = await recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 });
  assert.deepEqual([...replayed.dump()], [...engine.dump()]);
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

test('ids are taken as a naive list says, through a change of the rules and restarts', () => {
  let refusedCount = 0;
  fc.assert(
    fc.property(
      fc.array(DEED, { minLength: 20, maxLength: 40 }),
      fc.nat({ max: 20 }),
      (deeds, underRules2) => {
        const desk = new TwoContracts();
        const { mia, contracts } = desk;
        /** Whatever was ever placed, and from when its id is free; zero while it is open. */
        const named: { order: number; id: string; contract: number; freeMs: number }[] = [];
        for (const [at, one] of deeds.entries()) {
          desk.rules = at < underRules2 ? EARLIEST_RULES : RULES_VERSION;
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
              (other) =>
                other.id === id &&
                (other.freeMs === 0 || other.freeMs > now) &&
                (at >= underRules2 || other.contract === contract),
            );
            if (isTaken) refusedCount += 1;
            if (isTaken) assert.throws(place, TAKEN);
            else named.push({ order: place(), id, contract, freeMs: 0 });
          }
          for (const id of ['a', 'b', 'c']) {
            const open = named.findLast((other) => other.id === id && other.freeMs === 0);
            const { engine } = desk;
            const found =
              engine.openContractOrderByClientId(mia, id) ??
              engine.waitingTriggerByClientId(mia, id);
            assert.equal(found === undefined, open === undefined);
          }
          assert.deepEqual([...Engine.restore(desk.engine.dump()).dump()], [...desk.engine.dump()]);
        }
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(refusedCount > 200, `${refusedCount} refusals were compared`);
});
