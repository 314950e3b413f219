/**
 * The auditor over waves of liquidations that take several commands, which the runs of the
 * simulator have too few accounts for: it finds nothing in them, and finds what is made wrong.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, Event } from '#domain';
import { Auditor } from '../../sim/auditor/auditor.ts';
import { LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';

const CONTINUE: Command = { kind: 'continue_work' };

/** A floor of which the auditor sees every command; a hand may change what it is shown. */
class Judged extends Floor {
  readonly #auditor = new Auditor();
  forge: (events: readonly Event[]) => readonly Event[] = (events) => events;

  static of(): Judged {
    const options = { checks: false, startMs: 1_795_235_652_000 };
    return new Judged(undefined, options).listCoins().listContract({
      ...LINEAR,
      priceBandPpm: 900_000,
    });
  }

  override run(command: Command): readonly Event[] {
    const events = this.forge(super.run(command));
    this.#auditor.see({ command, timeMs: this.timeMs, events }, this.engine);
    return events;
  }

  judged(what: string): number {
    return this.#auditor.judged.get(`judged: ${what}`) ?? 0;
  }

  checkAll(): void {
    this.#auditor.checkAll(this.engine);
  }
}

/** Longs from 30000 with a leverage of 50 or 100, half of them cross, and as many shorts. */
function crowd(count: number): Judged {
  const venue = Judged.of();
  for (let at = 0; at < count; at += 1) {
    const mode = at % 2 === 0 ? 'cross' : 'isolated';
    const leverage = 100 - (at % 50);
    const money = (30 / leverage + 0.03 + at / 10_000).toFixed(4);
    venue.open(`long${at}`, money, { mode, leverage });
    venue.open(`short${at}`, '100', { leverage: 2 + (at % 7) });
    venue.trade(`long${at}`, `short${at}`, '30000', 1);
  }
  return venue;
}

for (const count of [150, 420]) {
  test(`a wave of ${count} in pieces is found right, with trades in between`, () => {
    const venue = crowd(count);
    for (const name of ['ann', 'bob']) venue.open(name, '100000', { mode: 'cross' });
    venue.index('29000');
    for (let piece = 0; venue.engine.hasWork; piece += 1) {
      if (piece % 2 === 0) venue.trade('ann', 'bob', '29200', 2);
      venue.run(CONTINUE);
    }
    venue.tick();
    venue.checkAll();
    assert.ok(venue.judged('wave of liquidations gone on with') >= 2);
  });
}

for (const mode of ['isolated', 'cross'] as const) {
  test(`one position deleveraged against many is found right (${mode})`, () => {
    const venue = Judged.of();
    for (const name of ['ann', 'bob']) venue.open(name, '100000', { mode: 'cross' });
    venue.open('whale', '160', { leverage: 100, mode });
    for (let at = 0; at < 250; at += 1) {
      venue.open(`short${at}`, '100', { leverage: 2 + (at % 7) });
      venue.trade('whale', `short${at}`, '30000', 2);
    }
    venue.index('29000');
    let pieces = 0;
    for (; venue.engine.hasWork; pieces += 1) {
      if (pieces % 2 === 0) venue.trade('ann', 'bob', '29200', 2);
      venue.run(CONTINUE);
    }
    assert.ok(pieces >= 1, `${pieces} pieces more`);
    assert.equal(venue.position('whale', 'long').lots, 0);
    venue.tick();
    venue.checkAll();
  });
}

test('a unit that is passed over is missed', () => {
  const venue = crowd(150);
  venue.index('29000');
  venue.forge = () => [{ kind: 'work_continued' }];
  assert.throws(() => venue.run(CONTINUE), /breached and left alone/);
});
