/** What a process remembers of its numbers: by the names of /metrics, bounded, read alike. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { MetricsPast } from '#api/testing';
import { readReading, withReading } from '../../ui/src/ops/health/samples.ts';
import { House } from '../support/house.ts';

function pastOn(clock: { nowMs: number }, seq: () => number): MetricsPast {
  const gauges = [
    { name: 'outcry_released_seq', help: '', read: seq },
    { name: 'outcry_by_kind', help: '', label: 'kind', read: () => [] },
  ];
  return new MetricsPast(gauges, [0.001, 0.5], () => clock.nowMs);
}

test('the desk makes the same figures of the past as of the present', () => {
  const clock = { nowMs: 1_000 };
  let seq = 100;
  const past = pastOn(clock, () => seq);
  past.look();
  for (let count = 0; count < 99; count += 1) past.answered('/orders', 0);
  past.answered('/orders', -1);
  past.answered('/metrics', 1);
  past.refused('rate_exceeded');
  seq = 150;
  clock.nowMs += 5_000;
  past.look();
  clock.nowMs += 1_000;
  const pages = past.pages();
  assert.deepEqual(
    pages.map(({ ageMs }) => ageMs),
    [6_000, 1_000],
  );
  const samples = pages
    .map(({ ageMs, text }) => readReading(text, 1_000_000 - ageMs))
    .reduce(withReading, []);
  const last = samples.at(-1);
  assert.equal(last?.commandsPerS, 10);
  assert.equal(last?.requestsPerS, 20);
  assert.equal(last?.refusalsPerS, 0.2);
  assert.equal(last?.requestP99Ms, 1);
  assert.ok((last?.memoryBytes ?? 0) > 0);
});

test('no more than ten minutes are kept', () => {
  const clock = { nowMs: 0 };
  const past = pastOn(clock, () => 1);
  for (let count = 0; count < 500; count += 1) {
    clock.nowMs += 5_000;
    past.look();
  }
  const pages = past.pages();
  assert.equal(pages.length, 120);
  assert.equal(pages.at(0)?.ageMs, 595_000);
});

test('the venue serves it beside /metrics', async () => {
  const house = await House.open();
  after(() => house.close());
  const { status, text } = await house.get('/metrics/past');
  assert.equal(status, 200);
  const pages: readonly { readonly text: string }[] = JSON.parse(text);
  for (const page of pages) assert.match(page.text, /^process_start_time_seconds \d{9,}$/m);
});
