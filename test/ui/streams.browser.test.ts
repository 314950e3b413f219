/**
 * The stream of the pages as a module in a real browser, served from its sources, on a real venue
 * that goes away and comes back.
 */
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { openStage } from '../support/browser.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startVenueProcess } from '../support/venue-process.ts';
import { Hand } from './hand.ts';

const PAGES = resolve(import.meta.dirname, '../../ui');

let page: Page;
const directory = scratchDirectory();
const stage = await openStage({ directory, participants: false });
const ws = { target: stage.venue.url, ws: true };
const sources = await createServer({
  configFile: join(PAGES, 'vite.config.ts'),
  logLevel: 'silent',
  server: { port: 0, host: '127.0.0.1', proxy: { '/v1': ws }, hmr: false, watch: null },
});
after(async () => {
  await sources.close();
  await stage.close();
});
await sources.listen();
({ page } = await stage.open('/ops'));
const [origin = ''] = sources.resolvedUrls?.local ?? [];
await page.goto(`${origin}ops.html`);
await page.evaluate(`(async () => {
  const { stream, streamState } = await import('/src/wire/stream.ts');
  Object.assign(window, { stream, streamState, heard: [] });
  window.follow = (name) => stream.follow('book:BTC-USDT', {
    onMessage: ({ type }) => heard.push([name, type]),
    onLost: () => heard.push([name, 'lost']),
  });
})()`);

/** Waits until the condition holds in the page. */
async function until(condition: string): Promise<void> {
  await page.waitForFunction(condition);
}

test('a channel begins with a snapshot, also for who comes later', async () => {
  await page.evaluate("window.stopOne = follow('one')");
  await until("heard.some(([name, kind]) => name === 'one' && kind === 'snapshot')");
  await until("streamState.get() === 'live'");
  await page.evaluate("window.stopOther = follow('other')");
  await until("heard.some(([name, kind]) => name === 'other' && kind === 'snapshot')");
});

test('what changes comes as an update', async () => {
  await new Hand(stage.venue.url, 'demo').spot('BTC-USDT', 'buy', '20000', '0.5');
  await until("heard.some(([name, kind]) => name === 'one' && kind === 'update')");
});

test('after a restart of the venue everything begins again by itself', async () => {
  await page.evaluate('heard.length = 0');
  const port = Number(new URL(stage.venue.url).port);
  await stage.venue.stop('SIGKILL');
  await until("heard.filter(([, kind]) => kind === 'lost').length >= 2");
  await until("streamState.get() === 'connecting'");
  const again = await startVenueProcess({ directory, port, participants: false });
  try {
    await until(`['one', 'other'].every(
      (who) => heard.some(([name, kind]) => name === who && kind === 'snapshot'))`);
    await until("streamState.get() === 'live'");
  } finally {
    await again.stop();
  }
});
