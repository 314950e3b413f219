/** Long tables keep only the rows in sight in the page; rows that lead somewhere take Enter. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { openDesk } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import { openTab, prove, rowWith } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const BATCH = 40;
const ORDERS = 1 + 4 * BATCH;
/** What a desk of this size may have in sight, with the rows ahead on both sides. */
const ROWS_MAX = 80;

const stage = closedAtEnd(await openStage({ participants: false }));
const demo = new Hand(stage.venue.url, 'demo');

test('161 open orders: those in sight are in the page, and all can be scrolled to', async () => {
  const sight = await stage.open(`/#${PAIR}`);
  await prove(sight, async (page) => {
    const order = { side: 'buy', price: '20000', size: '0.001' } as const;
    const ids = [await demo.spot(PAIR, 'buy', '20001', '0.001')];
    for (let made = 1; made < ORDERS; made += BATCH) {
      ids.push(
        ...(await demo.spotBatch(
          PAIR,
          Array.from({ length: BATCH }, () => order),
        )),
      );
    }
    await openTab(page, 'Open orders');
    await rowWith(page, 'Buy', '20,000.00');
    const table = page.locator('.desk-account table');
    await reads(() => table.getAttribute('aria-rowcount'), String(ORDERS + 1));
    const rows = table.locator('tbody tr[aria-rowindex]');
    assert.ok((await rows.count()) < ROWS_MAX, `${await rows.count()} rows are in the page`);
    assert.deepEqual(await findings(page), []);
    const box = page.locator('.desk-account .table-box');
    await box.evaluate((found) => found.scrollTo(0, found.scrollHeight));
    await rowWith(page, 'Buy', '20,001.00');
    await reads(() => rows.last().getAttribute('aria-rowindex'), String(ORDERS + 1));
    assert.ok((await rows.count()) < ROWS_MAX, `${await rows.count()} rows are in the page`);
    for (let at = 0; at < ids.length; at += BATCH) {
      await demo.cancelSpot(PAIR, ids.slice(at, at + BATCH));
    }
  });
});

test('a row that leads to a page is opened by Enter', async () => {
  const { page, close } = await openDesk(stage, 'accounts');
  const line = page.locator('tbody tr').filter({ hasText: 'demo' });
  await line.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/accounts\/demo|accounts\/\d+/);
  await close();
});
