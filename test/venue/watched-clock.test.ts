/** The system clock against the monotonic one: which of its times are believed. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '#kernel';
import { WatchedClock } from '#venue';

const NOON_MS = Date.UTC(2026, 5, 1, 12);
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Row {
  readonly name: string;
  /** `+1s` lets time pass, `step +1d` sets the clock, `confirm` is the operator's. */
  readonly happens: string;
  /** Time since noon, and how far the system clock is ahead of it. */
  readonly reads: readonly [nowMs: number, heldMs: number];
}

const ROWS: readonly Row[] = [
  { name: 'time passes', happens: '+1s +1d', reads: [DAY_MS + SECOND_MS, 0] },
  { name: 'a small step forward', happens: 'step +5s', reads: [5 * SECOND_MS, 0] },
  { name: 'a large step forward', happens: 'step +1d', reads: [0, DAY_MS] },
  { name: 'time passes after it', happens: 'step +1d +4s', reads: [4 * SECOND_MS, DAY_MS] },
  { name: 'it comes back', happens: 'step +1d +4s step -1d +1s', reads: [5 * SECOND_MS, 0] },
  { name: 'it is confirmed', happens: 'step +1d confirm +1s', reads: [DAY_MS + SECOND_MS, 0] },
  { name: 'a second step', happens: 'step +1d confirm step +1h', reads: [DAY_MS, HOUR_MS] },
  { name: 'it goes back', happens: 'step -1h +1s', reads: [SECOND_MS - HOUR_MS, 0] },
  { name: 'back and forth', happens: 'step -1h +1s step +1h', reads: [SECOND_MS, 0] },
  { name: 'back and too far', happens: 'step -1h step +2h', reads: [-HOUR_MS, 2 * HOUR_MS] },
  { name: 'back, caught up, forth', happens: 'step -1h +1h step +1h', reads: [0, HOUR_MS] },
];

const UNITS: Readonly<Record<string, number>> = { s: SECOND_MS, h: HOUR_MS, d: DAY_MS };

function milliseconds(word: string): number {
  return Number(word.slice(0, -1)) * (UNITS[word.at(-1) ?? ''] ?? Number.NaN);
}

function play(happens: string, system: ManualClock, clock: WatchedClock): void {
  const words = happens.split(' ');
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === 'confirm') clock.confirm();
    else if (word === 'step') {
      at += 1;
      system.step(milliseconds(words[at] ?? ''));
    } else system.advance(milliseconds(word));
    clock.nowMs();
  }
}

for (const { name, happens, reads } of ROWS) {
  test(`${name}: ${happens}`, () => {
    const system = new ManualClock(NOON_MS);
    const clock = new WatchedClock(system);
    play(happens, system, clock);
    assert.deepEqual([clock.nowMs() - NOON_MS, clock.heldMs], reads);
  });
}

test('a clock that was behind at the start may return to the time that was reached', () => {
  const system = new ManualClock(NOON_MS);
  const clock = new WatchedClock(system, NOON_MS + HOUR_MS);
  assert.equal(clock.nowMs(), NOON_MS);
  system.step(HOUR_MS);
  assert.equal(clock.nowMs(), NOON_MS + HOUR_MS);
});

test('whatever steps it makes, it gains at most the bound on the time that passes', () => {
  const move = fc.record({
    stepMs: fc.integer({ min: -DAY_MS, max: DAY_MS }),
    passMs: fc.nat(9_999),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
      const system = new ManualClock(NOON_MS);
      const clock = new WatchedClock(system);
      let latestMs = NOON_MS;
      for (const { stepMs, passMs } of moves) {
        system.step(stepMs);
        system.advance(passMs);
        const nowMs = clock.nowMs();
        assert.ok(nowMs <= latestMs + passMs + 5 * SECOND_MS, `${nowMs} after ${latestMs}`);
        latestMs = Math.max(latestMs + passMs, nowMs);
      }
    }),
  );
});
