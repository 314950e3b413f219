/**
 * Random actions of eight traders, a checkpoint in the middle, more actions, and the way back: the
 * state is the one that was saved, ids and time only go on, and replay gives the same.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeEntry, type Event, encodeCommand, joinCommands, type Step } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { lastIdOf, resetRows, untoldRows, venueRows } from './sandbox-rows.ts';
import { ScenarioFloor } from './swap-floor.ts';
import { FLOORS, type FloorKind } from './swap-floors.ts';
import { type Scenario, scenario } from './swap-random.ts';

const KINDS = Object.keys(FLOORS) as FloorKind[];
const SEED = 20_261_121;
const RUNS = 60;

function check(kind: FloorKind, property: (drawn: Scenario) => void): void {
  const drawn = scenario(FLOORS[kind].length, 80, 140);
  fc.assert(fc.property(drawn, property), { numRuns: RUNS, seed: SEED, endOnFailure: true });
}

interface Told {
  readonly floor: ScenarioFloor;
  /** What was saved, and when. */
  readonly savedMs: number;
  readonly rows: ReturnType<typeof venueRows>;
}

/** A third of the scenario, a checkpoint, another third. */
function told(kind: FloorKind, { starts, moves }: Scenario): Told {
  const floor = new ScenarioFloor(kind, starts).play(moves.slice(0, moves.length / 3));
  const [saved] = floor.run({ kind: 'save_checkpoint', name: 'kept' });
  assert.equal(saved?.kind, 'checkpoint_saved');
  const { engine } = floor;
  const rows = venueRows(engine);
  const savedMs = engine.timeMs;
  floor.play(moves.slice(moves.length / 3, (2 * moves.length) / 3));
  return { floor, savedMs, rows };
}

function reset(floor: ScenarioFloor): readonly Event[] {
  const events = floor.run({ kind: 'reset_to_checkpoint', name: 'kept' });
  assert.equal(events[0]?.kind, 'venue_reset');
  return events;
}

function isStale(engine: Engine): boolean[] {
  return [...engine.listings.contracts.values()].map(
    ({ instrumentId }) => present(engine.contractPrices(instrumentId), 'prices').indexStale,
  );
}

for (const kind of KINDS) {
  describe(`after a reset: ${kind}`, () => {
    test('the state is the saved one, but for its time, its number and its last id', () => {
      let changed = 0;
      check(kind, (drawn) => {
        const { floor, savedMs, rows } = told(kind, drawn);
        const { engine } = floor;
        const lastId = lastIdOf(engine);
        if (lastId > Number(rows[0]?.[4])) changed += 1;
        reset(floor);
        assert.equal(lastIdOf(engine), lastId);
        assert.equal(engine.seq, floor.steps.length);
        assert.deepEqual(untoldRows(engine), resetRows(rows, savedMs, engine));
        engine.check();
        const again = reset(floor);
        assert.deepEqual(untoldRows(engine), resetRows(rows, savedMs, engine));
        assert.ok(again.every((event) => event.kind !== 'balance_changed'));
      });
      assert.ok(changed > RUNS / 2, `${changed} scenarios changed something that was undone`);
    });

    test('nobody pays for the time between, and an index is as fresh as it was', () => {
      check(kind, (drawn) => {
        const { floor } = told(kind, { ...drawn, moves: drawn.moves.slice(0, 60) });
        const { engine } = floor;
        reset(floor);
        const copy = Engine.restore(engine.dump());
        floor.wait(26 * 3_600_000);
        reset(floor);
        const events = floor.run({ kind: 'tick' });
        assert.ok(events.every((event) => event.kind !== 'funding_settled'));
        copy.apply({ kind: 'tick' }, copy.timeMs + 1);
        assert.deepEqual(isStale(engine), isStale(copy));
        for (const contract of floor.contracts) {
          const prices = present(engine.contractPrices(contract.instrumentId), 'prices');
          assert.ok(prices.nextFundingMs > engine.timeMs);
        }
      });
    });

    test('trading goes on, every id is new, and replay gives the same steps and state', () => {
      check(kind, (drawn) => {
        const { floor } = told(kind, drawn);
        const { commands, steps, engine } = floor;
        reset(floor);
        floor.play(drawn.moves.slice((2 * drawn.moves.length) / 3));
        engine.check();
        assertNewIds(steps);
        const texts = commands.map(({ timeMs, command }) => encodeCommand(timeMs, command));
        const replayed = Engine.empty();
        const replayedSteps = decodeEntry(joinCommands(texts)).map(({ timeMs, command }) =>
          replayed.apply(command, timeMs),
        );
        assert.deepEqual(replayedSteps, steps);
        assert.deepEqual([...replayed.dump()], [...engine.dump()]);
        assert.deepEqual([...Engine.restore(engine.dump()).dump()], [...engine.dump()]);
      });
    });
  });
}

/** The ids that a step gives out are above all that any step before it gave. */
function assertNewIds(steps: readonly Step[]): void {
  let highest = 0;
  for (const { events, seq } of steps) {
    const ids = events.flatMap(givenIds);
    for (const id of ids) assert.ok(id > highest, `step ${seq} gives ${id} again`);
    highest = Math.max(highest, ...ids);
  }
  assert.ok(highest > 0);
}

function givenIds(event: Event): number[] {
  switch (event.kind) {
    case 'contract_order_accepted':
      return [event.orderId];
    case 'trigger_order_accepted':
      return [event.trigger.orderId];
    case 'contract_trade':
      return [event.tradeId];
    case 'balance_changed':
      return [event.billId];
    default:
      return [];
  }
}
