/** 19 May 2021, minute by minute, when bitcoin lost a third in hours: see swap-day.ts. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { RECORDINGS } from '../../tools/tiers.ts';
import { assertDay, type Bar } from './swap-day.ts';

const FILE = resolve(RECORDINGS, 'btcusdt_1m_202104_202105.csv.gz');
const DAY_START_MS = Date.UTC(2021, 4, 19);
const DAY_MS = 86_400_000;

function realPath(): Bar[] {
  const bars: Bar[] = [];
  for (const line of gunzipSync(readFileSync(FILE)).toString().split('\n')) {
    const [timeMs = 0, open = 0, high = 0, low = 0, close = 0] = line.split(',').map(Number);
    if (timeMs >= DAY_START_MS && timeMs < DAY_START_MS + DAY_MS) {
      bars.push({ open, high, low, close });
    }
  }
  return bars;
}

for (const kind of ['linear', 'inverse'] as const) {
  test(`19 May 2021, ${kind}: everything adds up and happens again the same way`, () => {
    const bars = realPath();
    assert.equal(bars.length, 1_440);
    assertDay('19 May 2021', kind, bars);
  });
}
