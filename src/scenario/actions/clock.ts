/** Steps that move the venue's clock, and those that keep and restore its state. */
import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import { type Action, action, type Outcome } from '../action.ts';
import { contract, duration, durationMs, line, name } from '../fields.ts';
import type { Stage } from '../stage.ts';

const SPEED = /^([1-9][0-9]{0,3})x$/;

const speed = Type.Refine(
  Type.String(),
  (value) => value === 'pause' || value === 'run' || SPEED.test(value),
  () => 'must be pause, run or a speed such as 10x',
);

async function moved(moving: Promise<{ readonly time: number }>): Promise<string> {
  return clockText((await moving).time);
}

/** 2026-11-21 07:00:00 */
function clockText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** While it waits, and for how long a clock may stand still meanwhile. */
const LOOK_EVERY_MS = 50;
const STILL_MAX_MS = 300_000;

async function idled(time: string, stage: Stage): Promise<Outcome> {
  let now = await stage.venue.timeMs();
  const until = stage.idleUntil(durationMs(time));
  let movedAt = performance.now();
  while (now < until) {
    if (performance.now() - movedAt > STILL_MAX_MS) {
      const misses = [{ place: [], expected: 'time to pass', actual: 'a clock that stands still' }];
      return { said: `idle for ${time}`, misses };
    }
    await delay(LOOK_EVERY_MS);
    const later = await stage.venue.timeMs();
    if (later > now) movedAt = performance.now();
    now = later;
  }
  return { said: `idle for ${time}, it is ${clockText(now)}`, misses: [] };
}

export const CLOCK_ACTIONS: readonly Action[] = [
  action('clock', {
    summary: 'stops the clock, lets it run, or runs it so many times faster',
    example: 'clock: 10x',
    schema: speed,
    run: async (wanted, stage) => {
      const [, times] = SPEED.exec(wanted) ?? [];
      const { sandbox } = stage.venue;
      const isPause = wanted === 'pause';
      const moving = isPause ? sandbox.pauseClock() : sandbox.runClock({ speed: times });
      return `clock: ${wanted}, it is ${await moved(moving)}`;
    },
  }),
  action('pass', {
    summary: 'lets time pass second by second; everything it brings happens',
    example: 'pass: 60s',
    schema: duration,
    run: async (time, stage) => {
      const moving = stage.venue.sandbox.stepClock({ ms: durationMs(time) });
      return `${time} pass, it is ${await moved(moving)}`;
    },
  }),
  action('idle', {
    summary: 'waits until so much time has passed since the last idle, or since the beginning',
    example: 'idle: 30s',
    schema: duration,
    run: (time, stage) => idled(time, stage),
  }),
  action('leap', {
    summary: 'one leap of the clock, as if the venue had slept',
    example: 'leap: 8h',
    schema: duration,
    run: async (time, stage) => {
      const to = (await stage.venue.timeMs()) + durationMs(time);
      return `a leap of ${time}, it is ${await moved(stage.venue.sandbox.jumpClock({ time: to }))}`;
    },
  }),
  action('before_funding', {
    summary: 'leaps to one second before the next funding of a contract and stops the clock',
    example: 'before_funding: BTC-USDT-PERP',
    schema: contract,
    run: async (symbol, stage) => {
      const moving = stage.venue.sandbox.jumpToFunding({ symbol });
      return `just before the funding of ${symbol}, it is ${await moved(moving)}`;
    },
  }),
  action('save', {
    summary: 'saves the state of the whole venue under a name',
    example: 'save: before-the-crash',
    schema: name,
    run: async (wanted, stage) => {
      const { rows } = await stage.venue.sandbox.saveCheckpoint({ name: wanted });
      return `saved as ${wanted}: ${rows} rows`;
    },
  }),
  action('reset', {
    summary: 'brings the state of that name back; time and ids go on',
    example: 'reset: before-the-crash',
    schema: name,
    run: async (wanted, stage) => {
      await stage.venue.sandbox.resetToCheckpoint({ name: wanted });
      return `back to ${wanted}`;
    },
  }),
  action('note', {
    summary: 'prints a line',
    example: 'note: the bids are gone',
    schema: line,
    run: async (text) => `· ${text}`,
  }),
];
