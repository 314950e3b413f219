/**
 * How much the terminal asks of a browser: 200 changes of the book a second, and own fills, on the
 * main thread and in memory. UI_SOAK_MINUTES=10 makes the short look at memory a long one.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { openStage } from '../support/browser.ts';
import { BookLoad } from './book-load.ts';
import { signIn } from './trading-floor.ts';

const PAIR = 'BTCUSDT_SPBL';
const UPDATES_PER_S = 200;
/** Of one core, in time of its own, so that other programs do not count. */
const MAIN_THREAD_SHARE_MAX = 0.5;
const MEASURED_MS = 6_000;
/** Two updates of a topic are at least 50 ms apart; a busy machine has fewer. */
const PAINTS_PER_S_MIN = 5;

const SOAK_MS = Number(process.env.UI_SOAK_MINUTES ?? 0.3) * 60_000;
const SAMPLES = 12;
/** What the lists may still take up that hold the last 500 orders and fills, and the noise. */
const GROWTH_MAX_BYTES = 1_500_000;
const GROWTH_MAX_NODES = 300;

let page: Page;
let load: BookLoad;
const stage = await openStage({ participants: false });
after(async () => {
  try {
    await load?.stop();
  } finally {
    await stage.close();
  }
});
({ page } = await stage.open(`/#${PAIR}`, { size: 'desk' }));
await signIn(page);
const inspector = await page.context().newCDPSession(page);
await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
load = new BookLoad(stage.venue.url, PAIR, UPDATES_PER_S);
await load.start(2 * UPDATES_PER_S);
await page.locator('.book-line').nth(20).waitFor();

async function metric(name: string): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return present(metrics.find((one) => one.name === name)?.value, name);
}

/** Counts in the page how often parts of it change, and the most changes between two frames. */
const COUNT_PAINTS = `
  window.paints = { all: 0, mostInFrame: 0, frames: 0 };
  for (const part of document.querySelectorAll('.book-rows, .trades')) {
    let inFrame = 0;
    new MutationObserver(() => {
      paints.all += 1;
      inFrame += 1;
      paints.mostInFrame = Math.max(paints.mostInFrame, inFrame);
    }).observe(part, { subtree: true, childList: true, characterData: true, attributes: true });
    const begin = () => { inFrame = 0; paints.frames += 1; requestAnimationFrame(begin); };
    requestAnimationFrame(begin);
  }
`;

test('200 changes of the book a second use less than half of a core', async (context) => {
  const work = () => metric('TaskDuration');
  const [workBefore, updatesBefore, startMs] = [await work(), load.updates, performance.now()];
  await delay(MEASURED_MS);
  const seconds = (performance.now() - startMs) / 1_000;
  const rate = (load.updates - updatesBefore) / seconds;
  const share = ((await work()) - workBefore) / seconds;
  context.diagnostic(`main thread ${(share * 100).toFixed(1)} % at ${rate.toFixed(0)} changes/s`);
  assert.ok(rate > UPDATES_PER_S * 0.9, `only ${rate} changes a second were made`);
  assert.ok(share > 0 && share < MAIN_THREAD_SHARE_MAX, `the main thread is busy for ${share}`);
});

test('book and trades are painted at most once a frame', async (context) => {
  await page.evaluate(COUNT_PAINTS);
  await delay(MEASURED_MS / 2);
  const told = JSON.stringify(await page.evaluate('paints'));
  const { all, mostInFrame } = JSON.parse(told);
  context.diagnostic(told);
  assert.ok(all > (PAINTS_PER_S_MIN * MEASURED_MS) / 2_000, `${all} paints`);
  assert.equal(mostInFrame, 1);
});

interface Memory {
  readonly bytes: number;
  readonly nodes: number;
}

async function memory(): Promise<Memory> {
  await inspector.send('HeapProfiler.collectGarbage');
  return { bytes: await metric('JSHeapUsedSize'), nodes: await metric('Nodes') };
}

/** The least of some readings: what is left when nothing is on its way. */
function least(readings: readonly Memory[], name: keyof Memory): number {
  return Math.min(...readings.map((reading) => reading[name]));
}

test('memory stays flat under the load', { timeout: SOAK_MS + 60_000 }, async (context) => {
  const readings: Memory[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await delay(SOAK_MS / SAMPLES);
    readings.push(await memory());
  }
  context.diagnostic(readings.map(({ bytes, nodes }) => `${bytes} B ${nodes}`).join(', '));
  const [early, late] = [readings.slice(0, 4), readings.slice(-4)];
  const grown = (name: keyof Memory) => least(late, name) - least(early, name);
  assert.ok(grown('bytes') < GROWTH_MAX_BYTES, `${grown('bytes')} bytes more`);
  assert.ok(grown('nodes') < GROWTH_MAX_NODES, `${grown('nodes')} nodes more`);
});
