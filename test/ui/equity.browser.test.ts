/**
 * What an account owns, in one coin and day by day, and what a contract tells of itself: funding,
 * its insurance fund and who was liquidated.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand, venueTimeMs } from './hand.ts';
import { findings } from './looks.ts';
import { openTab, place, prove, rowWith, signIn } from './trading-floor.ts';

const DAY_MS = 86_400_000;
const CONTRACT = 'BTC-USDT-PERP';
const PAIR = 'BTC-USDT';

/** A quiet venue: nobody trades but the test, and time goes on when it says so. */
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
const { sandbox, admin: operator } = stage.venue;
await demo.isolate(CONTRACT);
await sandbox.pauseClock();

/** The first moment of the next day, and one command of it. */
async function nextDay(): Promise<void> {
  const nowMs = await venueTimeMs(stage.venue.url);
  const time = nowMs - (nowMs % DAY_MS) + DAY_MS + 1_000;
  await sandbox.jumpClock({ time });
  await sandbox.stepClock({ ms: 1_000 });
}

function proof(name: string, at: string, body: (page: Page) => Promise<void>): void {
  test(name, async () => prove(await stage.open(`/#${at}`), body));
}

function totalOf(page: Page): Promise<string> {
  return page.locator('.total-value').innerText();
}

proof('balances have a value in the coin that is chosen, and it is kept', PAIR, async (page) => {
  await maker.spot(PAIR, 'sell', '30000', '0.1');
  await place(page, { Price: '30000', Quantity: '0.1' });
  await openTab(page, 'Balances');
  await eventually(
    () => rowWith(page, 'Spot', 'BTC').then((row) => row.innerText()),
    (text) => assert.match(text, /3,00[0-9],[0-9]{3}\.[0-9]{4}/),
  );
  // Nothing was traded in this pair: its coin has no price, which is said and not counted.
  await rowWith(page, 'ETH', 'No price');
  await reads(async () => /no price: .*ETH/.test(await totalOf(page)), true);
  await page.getByRole('combobox', { name: 'Value in' }).selectOption('BTC');
  await eventually(
    () => totalOf(page),
    (text) => assert.match(text, /[0-9.]+ BTC/),
  );
  assert.deepEqual(await findings(page), []);
  await page.reload();
  await signIn(page);
  await openTab(page, 'Balances');
  await page.getByText('Value (BTC)').waitFor();
});

proof('the equity of past days is a curve without what was paid in', PAIR, async (page) => {
  // From here on every coin of the account has a price.
  await maker.spot('ETH-USDT', 'sell', '2000', '1');
  await demo.spot('ETH-USDT', 'buy', '2000', '1');
  await openTab(page, 'Balances');
  await pick(page.getByRole('radio', { name: 'Equity, 30 days' }));
  await page.getByText('No equity curve yet').waitFor();
  await nextDay();
  await sandbox.credit({ account: 'demo', coin: 'USDT', amount: '5000' });
  await nextDay();
  await pick(page.getByRole('radio', { name: 'Balances' }));
  await pick(page.getByRole('radio', { name: 'Equity, 30 days' }));
  const days = page.locator('.equity tbody tr');
  await reads(() => days.count(), 3);
  await days.filter({ hasText: 'Now' }).waitFor();
  // The last point is of now: prices come every few seconds.
  await eventually(
    () => days.locator('td:last-child').allInnerTexts(),
    (texts) => {
      const values = texts.map((text) => Number(text.replace(/,| .*/g, '')));
      const [now = Number.NaN, second = 0, first = 0] = values;
      assert.deepEqual([now - second, second - first], [0, 5_000]);
    },
  );
  // 5000 more are there, and none of it was gained.
  const gained = page.locator('.equity-figures .fact').filter({ hasText: 'PnL without' });
  await eventually(
    () => gained.innerText(),
    (text) => assert.match(text, /\n0\.0000 USDT/),
  );
  await page.getByRole('img', { name: /Equity from \d{4}-\d\d-\d\d to/ }).waitFor();
  assert.deepEqual(await findings(page), []);
});

proof('a contract tells its funding, its fund and who was liquidated', CONTRACT, async (page) => {
  await operator.fundInsurance({ coin: 'USDT', amount: '1234.5' });
  await nextDay();
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
  await maker.open(CONTRACT, 'short', '30000', '100');
  await place(page, { Price: '30000', Quantity: '100' });
  await openTab(page, 'Positions');
  await rowWith(page, 'BTC/USDT perp', 'Long', '100');
  await maker.open(CONTRACT, 'long', '28400', '500');
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '28500' });
  await page.getByText('No positions').waitFor();
  await page.getByRole('button', { name: 'Market info' }).click();
  const dialog = page.getByRole('dialog', { name: /^Market info: BTC\/USDT/ });
  const row = dialog.locator('tbody tr').filter({ hasText: 'Long' }).first();
  await row.filter({ hasText: '100' }).waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('tab', { name: 'Insurance fund' }).click();
  await dialog.locator('tbody tr').filter({ hasText: '1,234.5000 USDT' }).first().waitFor();
  await dialog.getByText('In the fund now').waitFor();
  await dialog.getByRole('tab', { name: 'Funding history' }).click();
  await dialog.locator('tbody tr').filter({ hasText: '%' }).first().waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await openTab(page, 'Balances');
  await pick(page.getByRole('radio', { name: 'Funding payments' }));
  await page.getByRole('region', { name: 'Funding payments' }).waitFor();
});
