/** A price path is read from seven weeks of real candles. */
import { strict as assert } from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readRecording } from '#config';
import { RECORDINGS } from '../../tools/tiers.ts';

const COIN = 10 ** 8;

test('real candles with two known gaps are read whole', () => {
  const file = resolve(RECORDINGS, 'btcusdt_1m_202104_202105.csv.gz');
  const { timesMs, prices, validMs } = readRecording(file);
  assert.equal(validMs, 60_000);
  assert.equal(timesMs.length % 4, 0);
  const gaps = timesMs.filter((timeMs, at) => timeMs - (timesMs[at - 1] ?? timeMs) > 3_600_000);
  assert.deepEqual(
    gaps.map((timeMs) => new Date(timeMs).toISOString().slice(0, 10)),
    ['2021-04-20', '2021-04-25'],
  );
  const low = prices.reduce((least, price) => Math.min(least, price));
  assert.equal(low / COIN, 30_000, 'the low of 19 May 2021');
});
