/**
 * One state on every machine: after a command of any kind a snapshot restores the state that is
 * live, a replay of the journal leads to it, and each answers the next commands alike.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { COMMAND_KINDS, type CommandKind, decodeEntry, encodeCommand, joinCommands } from '#domain';
import { Engine } from '#engine';
import { type Floor, rejectOf } from '../support/floor.ts';
import { busyVenue, CASES, MANY } from './every-command.ts';

function rowsOf(engine: Engine): string[] {
  return [...engine.dump()];
}

/** Shows the first row that differs: there are too many for a difference of all of them. */
function sameRows(found: readonly string[], rows: readonly string[], what: string): void {
  const at = rows.findIndex((row, place) => row !== found[place]);
  if (at >= 0) assert.equal(found[at], rows[at], `${what}: row ${at}`);
  assert.equal(found.length, rows.length, `${what}: number of rows`);
}

/** An engine that has read the journal of this venue. */
function replayed({ commands }: Floor): Engine {
  const engine = Engine.empty();
  const texts = commands.map(({ command, timeMs }) => encodeCommand(timeMs, command));
  for (const { command, timeMs } of decodeEntry(joinCommands(texts))) engine.apply(command, timeMs);
  return engine;
}

/** Runs a command of this kind here and on a copy, which has to say the same. */
function runOn(venue: Floor, copy: Engine, kind: CommandKind): void {
  const before = venue.commands.length;
  const events = venue.run(CASES[kind](venue));
  // Settlements that were due came first.
  const answered = venue.commands
    .slice(before)
    .flatMap(({ command, timeMs }) => copy.apply(command, timeMs).events);
  assert.deepEqual(answered, events, `a copy answers ${kind} otherwise`);
}

describe('every kind of command', () => {
  test('has a case', () => {
    assert.deepEqual(Object.keys(CASES).sort(), [...COMMAND_KINDS].sort());
  });

  for (const kind of COMMAND_KINDS) {
    test(`${kind}: what is restored or replayed is the live state, and goes on like it`, () => {
      const venue = busyVenue(MANY);
      const events = venue.run(CASES[kind](venue));
      assert.equal(rejectOf(events), undefined, 'the command of the case is refused');
      const rows = rowsOf(venue.engine);
      const restored = Engine.restore(rows);
      sameRows(rowsOf(restored), rows, 'a snapshot restores another state');
      sameRows(rowsOf(replayed(venue)), rows, 'a replay leads to another state');
      for (const next of COMMAND_KINDS) runOn(venue, restored, next);
      sameRows(rowsOf(restored), rowsOf(venue.engine), 'a copy ends in another state');
      venue.engine.check();
    });
  }

  test('in any order: each restart leads to the live state', () => {
    const counts = new Map<CommandKind, number>();
    const kinds = fc.array(fc.constantFrom(...COMMAND_KINDS), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(kinds, fc.integer({ min: 0, max: 30 }), (drawn, since) => {
        const venue = busyVenue(3);
        let copy = Engine.restore(rowsOf(venue.engine));
        for (const [at, kind] of drawn.entries()) {
          runOn(venue, copy, kind);
          const rows = rowsOf(venue.engine);
          sameRows(rowsOf(copy), rows, `after ${kind}`);
          if (at >= since) copy = Engine.restore(rows);
          if (rejectOf(venue.steps.at(-1)?.events ?? []) === undefined) {
            counts.set(kind, (counts.get(kind) ?? 0) + 1);
          }
        }
        sameRows(rowsOf(replayed(venue)), rowsOf(venue.engine), 'a replay');
      }),
      { numRuns: 40 },
    );
    const missing = COMMAND_KINDS.filter((kind) => !counts.has(kind));
    assert.deepEqual(missing, [], 'kinds that were never carried out');
  });
});
