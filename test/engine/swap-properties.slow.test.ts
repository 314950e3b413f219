/**
 * Random actions of eight traders in linear and inverse contracts, isolated and cross, hedged and
 * not, and what must hold after every command: the second set of books agrees, whoever a new price
 * breaches is dealt with and nobody else is, a refusal changes nothing, replay gives the same.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type Command,
  type ContractOrderView,
  decodeEntry,
  encodeCommand,
  joinCommands,
  type Step,
} from '#domain';
import { Engine } from '#engine';
import { Audit } from './swap-audit.ts';
import { ScenarioFloor, type Watcher } from './swap-floor.ts';
import { check, HOUSES } from './swap-houses.ts';

/** What a run of a few hundred scenarios has to have seen, and how often at the least. */
const SEEN: Readonly<Record<string, number>> = {
  'trade in the book': 3_000,
  'trade that realises': 600,
  'trade with oneself': 12,
  'trade by deleveraging': 120,
  'trade of a reduction': 6,
  'units breached by a new mark price': 300,
  'units over several contracts breached': 48,
  'liquidated isolated long': 30,
  'liquidated isolated short': 30,
  'liquidated cross long': 12,
  'liquidated cross short': 12,
  'liquidation that pays the fund': 120,
  'liquidation that the fund pays for': 6,
  'liquidation that deleverages': 60,
  'netted by report_index': 12,
  'netted cross': 12,
  'netted isolated': 12,
  'margin adjusted: automatic': 6,
  'margin adjusted: owner': 30,
  'funding collected': 180,
  'funding not collected in full': 3,
  'funding that leaves dust': 30,
  'trigger triggered': 60,
  'trigger failed': 60,
  'take_profit triggered': 12,
  'stop_loss triggered': 12,
  'mark price triggered': 60,
  'index price triggered': 12,
  'all of a position triggered': 12,
  trigger_order_modified: 30,
  'moved in its place': 30,
  'moved to another': 120,
  'order of close_position': 30,
  'take_profit cancelled': 12,
  'order ended: filled': 1_200,
  'order ended: liquidation': 30,
  'order ended: margin_insufficient': 30,
  'order ended: fok_not_fillable': 12,
  'order ended: self_trade': 12,
  'refused: openable_exceeded': 60,
  'refused: margin_insufficient': 60,
  'refused: close_exceeds_position': 60,
  'refused: opens_into_liquidation': 6,
  'refused: account_frozen': 30,
  transferred: 30,
};

describe('after every command', () => {
  const counts = new Map<string, number>();

  for (const { kind, wallets, name } of HOUSES) {
    test(`the books agree and nobody is left below the threshold: ${name}`, () => {
      check(kind, [150, 250], 120, ({ starts, moves }) => {
        const audit = new Audit();
        const watch: Watcher = (command, events, engine) => audit.watch(command, events, engine);
        new ScenarioFloor(kind, starts, watch, wallets).play(moves);
        for (const [what, count] of audit.counts) counts.set(what, (counts.get(what) ?? 0) + count);
      });
    });
  }

  test('everything that can happen has happened', (context: TestContext) => {
    for (const [what, count] of [...counts].sort()) context.diagnostic(`${count} ${what}`);
    for (const [what, least] of Object.entries(SEEN)) {
      const count = counts.get(what) ?? 0;
      assert.ok(count >= least, `${what}: ${count}, expected ${least}`);
    }
    assert.equal(counts.get('liquidation that finds nobody') ?? 0, 0);
  });

  for (const { kind, wallets, name } of HOUSES) {
    test(`a refusal has changed nothing: ${name}`, () => {
      let refusals = 0;
      check(kind, [80, 120], 25, ({ starts, moves }) => {
        let before = '';
        const floor = new ScenarioFloor(kind, starts, undefined, wallets);
        floor.watch((command, events) => {
          const after = floor.stateHash();
          if (events[0]?.kind === 'refused' && before !== '') {
            refusals += 1;
            assert.equal(after, before, command.kind);
          }
          before = after;
        });
        floor.play(moves);
      });
      assert.ok(refusals > 500, `${refusals} refusals`);
    });
  }
});

describe('the state follows from the commands alone', () => {
  for (const { kind, wallets, name } of HOUSES) {
    test(`replaying the journal text gives the same steps and the same state: ${name}`, () => {
      check(kind, [100, 200], 20, ({ starts, moves }) => {
        const venue = new ScenarioFloor(kind, starts, undefined, wallets).play(moves);
        const texts = venue.commands.map(({ timeMs, command }) => encodeCommand(timeMs, command));
        const replayed = Engine.empty();
        const steps: Step[] = decodeEntry(joinCommands(texts)).map(({ timeMs, command }) =>
          replayed.apply(command, timeMs),
        );
        assert.deepEqual(steps, venue.steps);
        assert.deepEqual([...replayed.dump()], [...venue.engine.dump()]);
      });
    });

    test(`a state restored from its dump goes on as if nothing had happened: ${name}`, () => {
      check(kind, [100, 200], 20, ({ starts, moves }) => {
        const floor = new ScenarioFloor(kind, starts, undefined, wallets).play(
          moves.slice(0, moves.length / 2),
        );
        const copy = Engine.restore(floor.engine.dump());
        assert.deepEqual([...copy.dump()], [...floor.engine.dump()]);
        const since = floor.commands.length;
        floor.play(moves.slice(moves.length / 2));
        const steps = floor.commands
          .slice(since)
          .map(({ command, timeMs }) => copy.apply(command, timeMs));
        assert.deepEqual(steps, floor.steps.slice(since));
        assert.deepEqual([...copy.dump()], [...floor.engine.dump()]);
        copy.check();
      });
    });
  }
});

/** What becomes of an order that need not be filled whole. */
function takenInPart(
  engine: Engine,
  command: Command,
  timeMs: number,
): ContractOrderView | undefined {
  if (command.kind !== 'place_contract_order') return undefined;
  const copy = Engine.restore(engine.dump());
  const { events } = copy.apply({ ...command, force: 'ioc' }, timeMs);
  const [accepted] = events;
  if (accepted?.kind !== 'contract_order_accepted') return undefined;
  const closed = events.find(
    (event) => event.kind === 'contract_order_closed' && event.order.orderId === accepted.orderId,
  );
  return closed?.kind === 'contract_order_closed' ? closed.order : undefined;
}

describe('a fill-or-kill order', () => {
  for (const { kind, wallets, name } of HOUSES) {
    test(`is killed only when it could not have been filled whole: ${name}`, () => {
      let killedCount = 0;
      check(kind, [120, 180], 60, ({ starts, moves }) => {
        const venue = new ScenarioFloor(kind, starts, undefined, wallets).play(moves);
        const replayed = Engine.empty();
        for (const [at, { command, timeMs }] of venue.commands.entries()) {
          const isKilled = venue.steps[at]?.events.some(
            (event) =>
              event.kind === 'contract_order_closed' && event.reason === 'fok_not_fillable',
          );
          const order = isKilled === true ? takenInPart(replayed, command, timeMs) : undefined;
          if (order !== undefined) {
            killedCount += 1;
            assert.ok(order.filledLots < order.sizeLots, `order ${order.orderId}`);
          }
          replayed.apply(command, timeMs);
        }
      });
      assert.ok(killedCount >= 50, `${killedCount} were killed`);
    });
  }
});
