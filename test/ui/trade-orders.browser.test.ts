/** How an order can be given in the terminal: its size, its triggers, its bounds, by key, asked. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick, type SightChoices } from '../support/browser.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import {
  choose,
  estimate,
  field,
  form,
  holds,
  noticed,
  openTab,
  place,
  prove,
  rowWith,
  send,
} from './trading-floor.ts';

const CONTRACT = 'BTC-USDT-PERP';
const PAIR = 'BTC-USDT';

/** A quiet venue: nobody trades but the test. */
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
const { sandbox } = stage.venue;
await demo.isolate(CONTRACT);
await sandbox.saveCheckpoint({ name: 'untouched' });

/** A proof in a page that is signed in, on an account that holds nothing yet. */
function proof(
  name: string,
  body: (page: Page) => Promise<void>,
  market = CONTRACT,
  choices: SightChoices = {},
): void {
  test(name, async () => {
    await sandbox.resetToCheckpoint({ name: 'untouched' });
    await prove(await stage.open(`/#${market}`, choices), body);
  });
}

/** A browser in which no unit was ever chosen. */
const NEW_VISITOR = { 'outcry.orders.contract-unit': '' };

async function countIn(page: Page, unit: string): Promise<void> {
  await form(page).getByRole('combobox', { name: 'Size in' }).selectOption(unit);
}

async function accepted(page: Page, order: string): Promise<void> {
  await form(page).getByText(`Order accepted: ${order}`).waitFor();
}

proof('a size in coin or in quote currency is whole contracts, and says so', async (page) => {
  await countIn(page, 'BTC');
  await send(page, { Price: '29000', Quantity: '0.1009' });
  await accepted(page, 'open long 0.1 BTC');
  await rowWith(page, 'Open long', '29,000.0', '100 cont.');
  await countIn(page, 'USDT');
  await field(page, 'Quantity').fill('2930');
  await form(page).getByText('≈ 101 cont. ≈ 0.101 BTC').waitFor();
  await field(page, 'Quantity').press('Enter');
  await rowWith(page, 'Open long', '29,000.0', '101 cont.');
  await field(page, 'Quantity').fill('20');
  await form(page).getByText('Quantity is below the minimum').waitFor();
  await page.reload();
  await reads(() => form(page).getByRole('combobox', { name: 'Size in' }).inputValue(), 'quote');
});

proof(
  'a contract is counted in coin until the trader chooses another unit, which is kept',
  async (page) => {
    const unit = () => form(page).getByRole('combobox', { name: 'Size in' }).inputValue();
    assert.equal(await unit(), 'base');
    await send(page, { Price: '29000', Quantity: '0.1' });
    await rowWith(page, 'Open long', '29,000.0', '100 cont.');
    await countIn(page, 'cont.');
    await field(page, 'Quantity').fill('0.5');
    await form(page).getByText('Quantity is invalid: whole contracts only').waitFor();
    await page.reload();
    await reads(unit, 'contracts');
  },
  CONTRACT,
  { kept: NEW_VISITOR },
);

proof(
  'an order is shown once more before it is sent, until the trader wants it no more',
  async (page) => {
    await send(page, { Price: '29000', Quantity: '100' });
    const dialog = page.getByRole('dialog', { name: 'Confirm order' });
    await dialog.getByText('Open long BTC/USDT perp').waitFor();
    assert.deepEqual(await findings(page), []);
    await estimate(dialog, 'Cost', '146.74');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('No open orders').waitFor();
    await field(page, 'Quantity').press('Enter');
    await dialog.getByRole('checkbox', { name: 'Ask for confirmation' }).click();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await accepted(page, 'open long 100 cont.');
    await place(page, { Price: '28000', Quantity: '7' });
    await rowWith(page, 'Open long', '28,000.0', '7 cont.');
    assert.equal(await dialog.count(), 0);
  },
  CONTRACT,
  { asksFirst: true },
);

proof('a market order goes no further than its slippage limit', async (page) => {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await maker.open(CONTRACT, 'short', '30100', '100');
  await maker.open(CONTRACT, 'short', '30500', '100');
  await choose(page, 'Market');
  await form(page).getByRole('combobox', { name: 'Slippage limit' }).selectOption('0.5%');
  await field(page, 'Quantity').fill('250');
  await estimate(page, 'Worst price', '30,150.0');
  await estimate(page, 'Unfilled remainder', '50');
  await estimate(page, 'Average', '30,050.0');
  await field(page, 'Quantity').press('Enter');
  await noticed(page, 'remainder cancelled', 'Open long 200 cont. at 30,050.0');
  await openTab(page, 'Order history');
  await rowWith(page, 'Limit · IOC', '30,150.0', '30,050.0', '200');
});

proof(
  'a spot order names what it spends, or is bounded and names what it buys',
  async (page) => {
    await countIn(page, 'USDT');
    await send(page, { Price: '25000', Total: '777' });
    await accepted(page, 'buy BTC for 777 USDT');
    await rowWith(page, 'Buy', '25,000.00', '0.0310 BTC');
    await maker.spot(PAIR, 'sell', '30000', '0.1');
    await maker.spot(PAIR, 'sell', '31000', '0.1');
    await choose(page, 'Market');
    await form(page).getByRole('combobox', { name: 'Slippage limit' }).selectOption('1%');
    await countIn(page, 'BTC');
    await field(page, 'Quantity').fill('0.15');
    await estimate(page, 'Unfilled remainder', '0.05');
    await field(page, 'Quantity').press('Enter');
    await noticed(page, 'remainder cancelled', 'Buy 0.1000 BTC at 30,000.00');
  },
  PAIR,
);

proof('a trigger order on the mark price fires when the mark price is there', async (page) => {
  await choose(page, 'Trigger');
  await form(page).getByRole('combobox', { name: 'Trigger by' }).selectOption('Mark price');
  await pick(form(page).getByLabel('Take-profit / stop-loss'));
  await field(page, 'Take-profit').fill('33000');
  await place(page, { 'Trigger price': '29000', 'Execute price': '29000', Quantity: '10' });
  await openTab(page, 'Trigger orders');
  await rowWith(page, 'Open long', '29,000.0', '10 cont.');
  await maker.open(CONTRACT, 'long', '28900', '5');
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '28900' });
  await noticed(page, 'Trigger order triggered', 'Open long 10 cont.');
});

proof('keys give an order once they are switched on, and are told with ?', async (page) => {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await page.keyboard.press('s');
  assert.ok(await form(page).getByRole('radio', { name: 'Long' }).isChecked());
  await form(page).getByRole('button', { name: 'Order settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Order settings' });
  await settings.getByRole('checkbox', { name: 'Trade with the keyboard' }).click();
  await settings
    .getByRole('checkbox', { name: 'Trade with the keyboard', checked: true })
    .waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('?');
  await settings.getByText('Place the order').waitFor();
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('p');
  await page.keyboard.type('31000');
  await page.keyboard.press('Tab');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('s');
  await holds(field(page, 'Price'), '31000');
  await page.keyboard.press('q');
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await rowWith(page, 'Open short', '31,000.0', '25 cont.');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('x');
  await page.getByRole('dialog').locator(':focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('No open orders').waitFor();
});
