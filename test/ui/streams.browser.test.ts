/**
 * The stream clients of the pages as modules in a real browser, served from their sources, on a
 * real venue that goes away and comes back.
 */
import { strict as assert } from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { openStage } from '../support/browser.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startVenueProcess } from '../support/venue-process.ts';

const PAGES = resolve(import.meta.dirname, '../../ui');

let page: Page;
const directory = scratchDirectory();
const stage = await openStage({ directory, participants: false });
const ws = { target: stage.venue.url, ws: true };
const proxy = { '/api': stage.venue.url, '/spot/v1/stream': ws, '/ws/v1': ws };
const sources = await createServer({
  configFile: join(PAGES, 'vite.config.ts'),
  logLevel: 'silent',
  server: { port: 0, host: '127.0.0.1', proxy, hmr: false, watch: null },
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
  const { spotStream, swapStream } = await import('/src/wire/streams.ts');
  const { session } = await import('/src/session/session.ts');
  Object.assign(window, { spotStream, swapStream, session, heard: [] });
  window.hear = (name) => [
    ({ isSnapshot, rows }) => heard.push([name, isSnapshot ? 'snapshot' : 'update', rows.length]),
    () => heard.push([name, 'lost', 0]),
  ];
})()`);

/** Waits until the condition holds in the page. */
async function until(condition: string): Promise<void> {
  await page.waitForFunction(condition);
}

test('a topic begins with a snapshot, also for who comes later', async () => {
  await page.evaluate(`
    window.topic = { channel: 'books', symbol: 'BTCUSDT_SPBL' };
    window.stopOne = spotStream.follow(topic, ...hear('one'));
  `);
  await until("heard.some(([name, kind]) => name === 'one' && kind === 'snapshot')");
  await until("spotStream.state.get() === 'live'");
  await page.evaluate("window.stopOther = spotStream.follow(topic, ...hear('other'))");
  await until("heard.some(([name, kind]) => name === 'other' && kind === 'snapshot')");
});

test('what changes comes as an update', async () => {
  await page.evaluate(`session.signIn(
    { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' }, false)`);
  await until("session.state.get().kind === 'signed_in'");
  await page.evaluate(`session.call('POST', '/api/spot/v1/trade/orders', {
    symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal',
    price: '20000', quantity: '0.5',
  })`);
  await until("heard.some(([name, kind]) => name === 'one' && kind === 'update')");
});

test('private topics begin with what is there, for contracts that have nothing too', async () => {
  await page.evaluate(`
    window.stopOrders = spotStream.follow(
      { channel: 'orders', symbol: 'default' }, ...hear('orders'));
    for (const symbol of ['cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd']) {
      swapStream.follow({ channel: 'order', symbol }, ...hear(symbol));
    }
  `);
  await until("heard.some(([name, kind, rows]) => name === 'orders' && rows === 1)");
  await until(`['cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd'].every(
    (symbol) => heard.some(([name, kind, rows]) => name === symbol && kind === 'snapshot'))`);
});

test('after a restart of the venue everything begins again by itself', async () => {
  await page.evaluate('heard.length = 0');
  const port = Number(new URL(stage.venue.url).port);
  await stage.venue.stop('SIGKILL');
  await until("heard.filter(([, kind]) => kind === 'lost').length >= 6");
  await until("spotStream.state.get() === 'connecting'");
  const again = await startVenueProcess({ directory, port, participants: false });
  try {
    await until(`['one', 'other', 'orders', 'cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd'].every(
      (who) => heard.some(([name, kind]) => name === who && kind === 'snapshot'))`);
    await until("spotStream.state.get() === 'live'");
    await page.evaluate('heard.length = 0; session.signOut()');
    await until("heard.some(([name, kind]) => name === 'one' && kind === 'snapshot')");
    assert.equal(
      await page.evaluate("heard.some(([name, kind]) => name === 'orders' && kind !== 'lost')"),
      false,
    );
  } finally {
    await again.stop();
  }
});
