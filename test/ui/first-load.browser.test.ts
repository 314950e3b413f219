/** What the first look at the terminal costs: scripts, and the time until its largest part shows. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { isDrawn } from './chart-floor.ts';

const SCRIPT_GZIP_MAX_BYTES = 250_000;
const LARGEST_PAINT_MAX_MS = 1_000;
/** A machine that is busy with something else is late in some of them, a slow page in all. */
const LOADS_MAX = 10;

const stage = closedAtEnd(await openStage());

/** Names of the scripts that a page has loaded, workers included. */
async function scriptsOf(page: Page): Promise<readonly string[]> {
  const names: unknown = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name)",
  );
  assert.ok(Array.isArray(names));
  return names.map(String).filter((name) => name.endsWith('.js'));
}

test('the first load is light: all scripts together, as gzip', async (t) => {
  const { page, close } = await stage.open();
  await isDrawn(page);
  await page.waitForLoadState('networkidle');
  let bytes = 0;
  for (const script of await scriptsOf(page)) {
    const answer = await fetch(script, { headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(answer.headers.get('content-length'));
  }
  await close();
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes > 10_000 && bytes < SCRIPT_GZIP_MAX_BYTES, `${bytes} bytes`);
});

test('the chart is loaded behind the page, indicators when there is one', async () => {
  const html = await (await fetch(stage.venue.url)).text();
  assert.match(html, /index-[\w-]+\.js/);
  assert.doesNotMatch(html, /chart|indicator/);
  const { page, close } = await stage.open();
  await isDrawn(page);
  await page.waitForLoadState('networkidle');
  const loaded = await scriptsOf(page);
  assert.ok(loaded.some((name) => name.includes('candle-chart')));
  assert.ok(!loaded.some((name) => name.includes('indicator')));
  const worker = page.waitForEvent('worker', (one) => one.url().includes('indicator-worker'));
  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await page.getByRole('button', { name: 'Simple moving average' }).click();
  await worker;
  await close();
});

/** When the largest part of the page was painted, once nothing larger comes. */
const LARGEST_PAINT = `new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

for (const size of ['desk', 'phone'] as const) {
  test(`on a ${size} the largest part shows within a second`, async (t) => {
    const times: number[] = [];
    while (times.length < LOADS_MAX && times.every((time) => time > LARGEST_PAINT_MAX_MS)) {
      const { page, close } = await stage.open('/', { size });
      await isDrawn(page);
      await page.waitForLoadState('networkidle');
      times.push(Math.round(Number(await page.evaluate(LARGEST_PAINT))));
      await close();
    }
    t.diagnostic(`${times.join(', ')} ms`);
    assert.ok(Math.min(...times) <= LARGEST_PAINT_MAX_MS, `${times.join(', ')} ms`);
  });
}
