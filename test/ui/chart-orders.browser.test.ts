/** Own orders on the chart in a real browser, and moving them there. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { eventually } from '../support/until.ts';
import { isDrawn, openChart, openChartStage, PAIR, tradeWalk } from './chart-floor.ts';
import { boxAtRest, findings } from './looks.ts';
import { rowWith, signIn } from './trading-floor.ts';

const opened = await openChartStage();
closedAtEnd(opened.stage);
await tradeWalk(opened);
const { demo, sandbox } = opened;
// A page that signs by a clock that stands is soon ahead of it.
await sandbox.call('POST', '/clock/run', {});

function proof(
  name: string,
  symbol: string,
  prove: (page: Page) => Promise<void>,
  asksFirst: 'yes' | 'no' = 'yes',
): void {
  test(name, async () => {
    const kept = { 'outcry.orders.confirm': asksFirst };
    const { page, complaints, close } = await openChart(opened, symbol, {}, kept);
    try {
      await signIn(page);
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

function chip(page: Page, text: string) {
  return page.locator('.level').filter({ hasText: text });
}

/** Drags a chip by so many pixels. */
async function drag(page: Page, text: string, down: number): Promise<void> {
  const button = chip(page, text).getByRole('button').first();
  const box = await boxAtRest(button);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + down, { steps: 6 });
  await page.mouse.up();
}

proof('a resting order is dragged to another price, and set by number', PAIR, async (page) => {
  await isDrawn(page);
  await demo.spot(PAIR, 'buy', '29900', '0.1');
  await drag(page, 'Buy 0.1000 BTC', 30);
  const dialog = page.getByRole('dialog', { name: 'Move order' });
  await dialog.getByText('29,900.00 →').waitFor();
  const price = dialog.getByRole('textbox', { name: 'New price' });
  await eventually(
    async () => Number(await price.inputValue()),
    (dropped) => assert.ok(dropped > 0 && dropped < 29_900, `dropped at ${dropped}`),
  );
  assert.deepEqual(await findings(page), []);
  await price.fill('29850.5');
  await dialog.getByRole('button', { name: 'Move to 29,850.50' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rowWith(page, 'Buy', '29,850.50', '0.1');
  // By keyboard as well.
  await chip(page, 'Buy 0.1000 BTC').getByRole('button').first().press('Enter');
  await price.fill('29860');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await rowWith(page, 'Buy', '29,860.00', '0.1');
  await chip(page, 'Buy')
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await page.getByText('No open orders').waitFor();
});
