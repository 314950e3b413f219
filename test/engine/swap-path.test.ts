/** A whole synthetic crash, minute by minute: see swap-day.ts. */
import { test } from 'node:test';
import { seeded } from './swap-crowd.ts';
import { assertDay, type Bar } from './swap-day.ts';

/** Six hours: calm, then down a third in half an hour with bars of up to 9 %, and back; twice. */
function syntheticPath(): Bar[] {
  const random = seeded(1);
  const bars: Bar[] = [];
  let price = 40_000;
  for (let minute = 0; minute < 360; minute += 1) {
    const phase = minute % 180;
    const isCrash = phase >= 60 && phase < 90;
    const drift = isCrash ? -0.0143 : phase >= 90 ? 0.0047 : 0;
    const swing = isCrash ? 0.03 : 0.004;
    const open = price;
    const close = open * (1 + drift + (random() - 0.5) * swing);
    const high = Math.max(open, close) * (1 + random() * swing);
    const low = Math.min(open, close) * (1 - random() * swing);
    bars.push({ open, high, low, close });
    price = close;
  }
  return bars;
}

for (const kind of ['linear', 'inverse'] as const) {
  test(`a synthetic crash, ${kind}: everything adds up and happens again the same way`, () => {
    assertDay('synthetic crash', kind, syntheticPath());
  });
}
