/** What can be done to positions and to all orders at once: TP/SL, reverse, close all, by side. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import { choose, field, form, noticed, openTab, place, prove, rowWith } from './trading-floor.ts';

const CONTRACT = 'BTC-USDT-PERP';

/** A quiet venue: nobody trades but the test. */
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
const { sandbox } = stage.venue;
await demo.isolate(CONTRACT);
await sandbox.saveCheckpoint({ name: 'untouched' });

/** A proof in a page that is signed in, on an account that holds nothing yet. */
function proof(name: string, body: (page: Page) => Promise<void>): void {
  test(name, async () => {
    await sandbox.resetToCheckpoint({ name: 'untouched' });
    await prove(await stage.open(`/#${CONTRACT}`), body);
  });
}

/** Opens 100 contracts at 30,000 against a resting order of the other side. */
async function openLong(page: Page) {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await place(page, { Price: '30000', Quantity: '100' });
  await openTab(page, 'Positions');
  return rowWith(page, 'BTC/USDT perp', 'Long', '100', '30,000.0');
}

proof('profit shows in money and in per cent of the margin', async (page) => {
  await openLong(page);
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '30300' });
  const cell = page.locator('.desk-account tbody td').filter({ hasText: /^[0-9.]+ \(\+/ });
  await eventually(
    () => cell.innerText(),
    (text) => {
      const [, gained = '', percent = ''] = /^([0-9.]+) \(\+([0-9.]+)%\)$/.exec(text) ?? [];
      // Of 150 USDT of margin.
      assert.equal(percent, (Math.trunc((Number(gained) / 150) * 1e6) / 1e4).toFixed(2));
      assert.ok(Number(gained) > 0);
    },
  );
});

proof('take-profit of a part and stop-loss of the whole wait, and one fires', async (page) => {
  const row = await openLong(page);
  await row.getByRole('button', { name: 'TP/SL' }).click();
  const dialog = page.getByRole('dialog', { name: 'TP/SL: BTC/USDT perp Long' });
  await dialog.getByRole('textbox', { name: 'Stop-loss' }).fill('29500');
  await dialog.getByText('Est. loss 50.0000 USDT').waitFor();
  await dialog.getByRole('combobox', { name: 'Trigger by' }).selectOption('Mark price');
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'TP/SL' }).click();
  await dialog.getByRole('listitem').filter({ hasText: '29,500.0' }).waitFor();
  await dialog.getByRole('textbox', { name: 'Take-profit' }).fill('31000');
  await dialog.getByRole('button', { name: '50%' }).click();
  await dialog.getByText('Est. profit 50.0000 USDT').waitFor();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
  await openTab(page, 'Trigger orders');
  await rowWith(page, 'Close long', 'Take-profit', '31,000.0', '50 cont.');
  await rowWith(page, 'Close long', 'Stop-loss', '29,500.0', 'Whole position');
  await maker.open(CONTRACT, 'long', '29400', '300');
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '29400' });
  await noticed(page, 'Trigger order triggered', 'Close long');
  await openTab(page, 'Positions');
  await page.getByText('No positions').waitFor();
});

proof('a position is reversed by as much as could be closed', async (page) => {
  const row = await openLong(page);
  await maker.open(CONTRACT, 'long', '29900', '160');
  await row.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse: BTC/USDT perp Long' });
  await dialog.getByText('This closes 100 cont. at market, then opens a short').waitFor();
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Of 160 on the other side 100 close the long: 60 are left for the short.
  await rowWith(page, 'Short', '60', '29,900.0');
  await reads(() => page.locator('.desk-account tbody tr').count(), 1);
});

proof('all positions are closed at once, in every market', async (page) => {
  await openLong(page);
  await maker.open('ETH-USDT-PERP', 'long', '2000', '100');
  await demo.open('ETH-USDT-PERP', 'short', '2000', '100');
  await rowWith(page, 'ETH/USDT perp', 'Short');
  await maker.open(CONTRACT, 'long', '29900', '100');
  await maker.open('ETH-USDT-PERP', 'short', '2010', '100');
  await page.getByRole('button', { name: 'Close all positions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close 2 positions' }).click();
  await page.getByText('No positions').waitFor();
});

proof('orders are cancelled by their side', async (page) => {
  await place(page, { Price: '29000', Quantity: '1' });
  await place(page, { Price: '28000', Quantity: '2' });
  await choose(page, 'Short');
  await place(page, { Price: '31000', Quantity: '3' });
  await openTab(page, 'Open orders');
  await rowWith(page, 'Open short', '3 cont.');
  await page.getByRole('button', { name: 'Cancel buys' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel buys' });
  await question.getByRole('button', { name: 'Cancel 2 orders' }).click();
  await page.getByText('Open long').nth(1).waitFor({ state: 'detached' });
  await page.locator('td').getByText('Open long').waitFor({ state: 'detached' });
  await rowWith(page, 'Open short', '3 cont.');
  await page.getByRole('button', { name: 'Cancel sells' }).click();
  await page.getByRole('button', { name: 'Cancel 1 order' }).click();
  await page.getByText('No open orders').waitFor();
  await reads(() => field(form(page), 'Price').count(), 1);
});
