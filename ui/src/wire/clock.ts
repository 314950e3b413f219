/** The venue's clock, which signatures follow: measured, never set. */

import { native } from '#client';
import { createStore, type Store } from '../store/store.ts';
import { ask } from './ask.ts';

const MEASURE_EVERY_MS = 60_000;

/** Venue time less local time in milliseconds; undefined before the first measurement. */
export const clockOffsetMs: Store<number | undefined> = createStore<number | undefined>(undefined);

let measuredAtMs = Number.NEGATIVE_INFINITY;
let measuring: Promise<void> | undefined;

/** Resolves with the venue's time in milliseconds, measuring it when that was long ago. */
export async function venueTimeMs(): Promise<number> {
  if (performance.now() - measuredAtMs > MEASURE_EVERY_MS) await measureClock();
  return venueNowMs();
}

/** The venue's time as far as it is known, at once. */
export function venueNowMs(): number {
  return Date.now() + (clockOffsetMs.get() ?? 0);
}

/** Measures anew, as after a timestamp was refused. Calls at the same time share one. */
export function measureClock(): Promise<void> {
  measuring ??= measure().finally(() => {
    measuring = undefined;
  });
  return measuring;
}

async function measure(): Promise<void> {
  const sentMs = Date.now();
  const { time } = await ask(native.time, {});
  // Half of the way there and back is the best guess for when the venue looked at its clock.
  clockOffsetMs.set(Math.round(time - (sentMs + Date.now()) / 2));
  measuredAtMs = performance.now();
}
