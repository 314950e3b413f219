/** Trading a pair in the terminal: the form, open orders, history, fills, money. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, type Sight } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import {
  choose,
  column,
  estimate,
  exportedRows,
  field,
  form,
  holds,
  noticed,
  openTab,
  place,
  prove,
  rowWith,
  send,
  signIn,
} from './trading-floor.ts';

const PAIR = 'BTC-USDT';

/** A quiet venue: nobody trades but the test. */
const stage = closedAtEnd(await openStage({ participants: false }));
const maker = new Hand(stage.venue.url, 'maker');

/** A proof in a page that is signed in. */
function proof(name: string, body: (page: Page, sight: Sight) => Promise<void>): void {
  test(name, async () => {
    await prove(await stage.open(`/#${PAIR}`, { timezoneId: 'Asia/Kolkata' }), body);
  });
}

test('who has not signed in sees the form and is invited', async () => {
  const { page, close } = await stage.open(`/#${PAIR}`);
  await form(page).getByRole('button', { name: 'Sign in to trade' }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await form(page).getByRole('button', { name: 'Buy BTC' }).waitFor();
  await close();
});

proof('a limit order rests, holds its cost, and is cancelled', async (page) => {
  await field(page, 'Price').fill('25000');
  await field(page, 'Quantity').fill('0.5');
  await estimate(page, 'Cost', '12,500');
  await estimate(page, 'Fee', '0.0005');
  await estimate(page, 'You receive', '0.4995');
  await field(page, 'Quantity').press('Enter');
  const row = await rowWith(page, 'Buy', '25,000.00', '0.5000 BTC');
  await form(page).getByText('987,500.0000').waitFor();
  await openTab(page, 'Balances');
  await rowWith(page, 'Spot', 'USDT', '987,500.0000', '12,500.0000');
  await openTab(page, 'Open orders');
  await row.getByRole('button', { name: /Cancel Buy/ }).click();
  await noticed(page, 'Cancelled', 'Buy 0.5000 BTC');
  await page.getByText('No open orders').waitFor();
  await form(page).getByText('1,000,000.0000').waitFor();
});

proof('what the venue would refuse is said before, in its words', async (page) => {
  const said = (text: string) => form(page).getByText(text).waitFor();
  await send(page, { Price: '', Quantity: '' });
  await said('Price is invalid');
  await said('Quantity is invalid');
  await send(page, { Price: '25000.001', Quantity: '0.12345' });
  await said('Price is invalid: at most 2 decimal places');
  await said('Quantity is invalid: at most 4 decimal places');
  await send(page, { Price: '1', Quantity: '10001' });
  await said('Quantity is above the maximum: at most 10000 BTC');
  await page.getByText('No open orders').waitFor();
  assert.equal(await form(page).getByText('Accepted:').count(), 0);
});

proof('what the account cannot pay is refused with code and text, in place', async (page) => {
  await choose(page, 'Sell');
  await send(page, { Price: '31000', Quantity: '1000' });
  const words = 'Balance is insufficient: needs 1,000 BTC, has 100 BTC';
  await form(page).getByText(words).waitFor();
  const refusal = 'Balance is insufficient: needs 1000 BTC, has 100';
  await form(page).getByRole('alert').filter({ hasText: refusal }).waitFor();
  await noticed(page, 'Rejected', refusal);
});

proof(
  'Esc clears, the slider takes a part of what is there, a click sets the price',
  async (page) => {
    await maker.spot(PAIR, 'sell', '30500', '0.2');
    await page.getByRole('row').filter({ hasText: '30,500.00' }).click();
    await holds(field(page, 'Price'), '30500.00');
    await field(page, 'Price').fill('25000');
    await form(page).getByRole('button', { name: '25%' }).click();
    await holds(field(page, 'Quantity'), '10');
    await form(page).getByRole('slider').press('ArrowRight');
    await holds(field(page, 'Quantity'), '10.4');
    await field(page, 'Price').press('Escape');
    await holds(field(page, 'Price'), '');
    await holds(field(page, 'Quantity'), '');
  },
);

proof('a market order fills as estimated; history, fills and money show it', async (page) => {
  await maker.spot(PAIR, 'sell', '30000', '0.1');
  await choose(page, 'Market');
  await field(page, 'Total').fill('3000');
  await estimate(page, 'You receive', '0.0999');
  await field(page, 'Total').press('Enter');
  await noticed(page, 'Filled', 'Buy 0.1000 BTC at 30,000.00');
  await openTab(page, 'Balances');
  await rowWith(page, 'BTC', '100.09990000');
  await openTab(page, 'Order history');
  await rowWith(page, 'Market', '30,000.00', '3,000.0000 USDT', 'Filled');
  await openTab(page, 'Fills');
  await rowWith(page, 'Buy', '30,000.00', '0.1000 BTC', '0.0001 BTC');
  await reads(async () => {
    const rows = await exportedRows(page);
    return [column(rows, 'price').map(Number), column(rows, 'fee_coin')];
  }, [[30_000], ['BTC']]);
});

proof('post only and immediate or cancel do what they say', async (page) => {
  await maker.spot(PAIR, 'sell', '30100', '0.01');
  const force = form(page).getByRole('combobox', { name: 'Time in force' });
  await force.selectOption('Post only');
  await send(page, { Price: '30100', Quantity: '0.01' });
  await noticed(page, 'Cancelled', 'Buy 0.0100 BTC, BTC/USDT: a post-only order would have taken');
  await force.selectOption('IOC');
  await place(page, { Price: '30100', Quantity: '0.02' });
  await openTab(page, 'Order history');
  const rest = 'the book had no more orders to match';
  await noticed(page, 'Partially filled, remainder cancelled', `Buy 0.0100 BTC at 30,100.00`);
  await rowWith(page, 'Limit · IOC', '0.0100', '0.0200 BTC', `Cancelled: ${rest}`);
  await page.reload();
  await signIn(page);
  await openTab(page, 'Order history');
  await rowWith(page, '0.0100', '0.0200 BTC', `Cancelled: ${rest}`);
  await eventually(
    async () => column(await exportedRows(page), 'cancel_reason'),
    (reasons) => assert.ok(reasons.includes('remainder_not_filled'), reasons.join()),
  );
});

proof('older orders are loaded page by page, and all open ones cancelled at once', async (page) => {
  const demo = new Hand(stage.venue.url, 'demo');
  for (let step = 0; step < 60; step += 1) {
    await demo.spot(PAIR, 'buy', String(20_000 + step), '0.001');
  }
  await page.getByRole('button', { name: 'Cancel all' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel all orders' });
  await question.getByText('This cancels all 60 orders').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Cancel all' }).click();
  await question.getByRole('button', { name: 'Cancel 60 orders' }).click();
  await page.getByText('No open orders').waitFor();
  await page.reload();
  await signIn(page);
  await openTab(page, 'Order history');
  await rowWith(page, '20,059.00', 'Cancelled');
  const ids = async () => column(await exportedRows(page), 'order_id');
  await reads(() => page.locator('.desk-account tbody tr').count(), 50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await rowWith(page, '20,000.00', 'Cancelled');
  await eventually(ids, (all) => {
    assert.ok(all.length >= 60);
    assert.deepEqual(all, [...new Set(all)].sort().reverse());
  });
});

proof('a market buy with change left over is announced as filled', async (page) => {
  const id = await maker.spot(PAIR, 'sell', '29999.99', '0.1');
  await choose(page, 'Market');
  await send(page, { Total: '100' });
  await noticed(page, 'Filled', 'Buy 0.0033 BTC at 29,999.99');
  await form(page).getByText('Order accepted: buy BTC for 100 USDT').waitFor();
  assert.equal(await page.locator('.notice').filter({ hasText: 'Partially filled' }).count(), 0);
  await maker.cancelSpot(PAIR, [id]);
});

proof('what a limit order takes and what of it rests is told before', async (page) => {
  const id = await maker.spot(PAIR, 'sell', '30000', '0.1');
  await field(page, 'Price').fill('30000');
  await field(page, 'Quantity').fill('0.25');
  await estimate(page, 'Rests in the book', '0.15');
  await form(page).getByRole('combobox', { name: 'Time in force' }).selectOption('IOC');
  await estimate(page, 'Unfilled remainder', '0.15');
  await estimate(page, 'Rests in the book', '0');
  await maker.cancelSpot(PAIR, [id]);
});

proof(
  'after signing in the focus is in the order form, after signing out on the way back',
  async (page) => {
    await form(page).locator('input:focus').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.head-session button:focus').getByText('Sign in').waitFor();
  },
);

proof('one time zone for chart, trades and orders, as chosen', async (page) => {
  await maker.spot(PAIR, 'sell', '30000', '0.001');
  await place(page, { Price: '30000', Quantity: '0.001' });
  await openTab(page, 'Order history');
  await openTab(page, 'Trades');
  const timesAreIn = async (zone: string, chart: RegExp): Promise<void> => {
    await page.locator('.chart-zone').filter({ hasText: chart }).waitFor();
    for (const [place, from] of [
      ['.desk-account tbody', 0],
      ['.trades', 11],
    ] as const) {
      await eventually(
        () => timeShown(page, place),
        ([text, iso]) => assert.equal(text, timeIn(zone, iso).slice(from)),
      );
    }
  };
  await timesAreIn('Asia/Kolkata', /Local time$/);
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('UTC');
  await timesAreIn('UTC', /UTC/);
});

/** The first time of a list, as it is shown and as it is: both at one moment. */
async function timeShown(page: Page, place: string): Promise<readonly [string, string]> {
  const [text, iso] = Object(
    await page.evaluate(`(({ innerText, dateTime }) => [innerText, dateTime])(
      document.querySelector('${place} time'))`),
  );
  return [String(text), String(iso)];
}

/** "2026-11-21 10:04:12" in a zone, of an ISO text. */
function timeIn(timeZone: string, iso: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  }).format(new Date(iso));
}

test('a key that may only read shows everything, and says why it cannot trade', async () => {
  const made = await stage.venue.admin.createKey({ account: 'demo', permissions: ['read'] });
  const { key, secret, passphrase } = made;
  const { page, close } = await stage.open(`/#${PAIR}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Secret').fill(secret);
  await page.getByLabel('Passphrase').fill(passphrase);
  await page.getByLabel('Passphrase').press('Enter');
  await form(page).getByText('This key is read-only').waitFor();
  await form(page).getByRole('button', { name: 'Buy BTC', disabled: true }).waitFor();
  await openTab(page, 'Balances');
  await rowWith(page, 'Spot', 'USDT');
  await close();
});

test('a form that is shown before the first trade takes its price', async () => {
  const { page, close } = await stage.open('/#ETH-USDT');
  await signIn(page);
  assert.equal(await field(page, 'Price').inputValue(), '');
  await maker.spot('ETH-USDT', 'sell', '2000.5', '0.1');
  await new Hand(stage.venue.url, 'demo').spot('ETH-USDT', 'buy', '2000.5', '0.1');
  await holds(field(page, 'Price'), '2000.50');
  await close();
});
