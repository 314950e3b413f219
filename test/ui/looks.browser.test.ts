/**
 * The main states of both pages on a living market, dark and light: everybody can read and use
 * them. A picture of each is left in test/out/screens, of the dark one in every size.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { outcryClient } from '#client';
import { zh } from '../../ui/src/texts/zh.ts';
import { ops as zhOps } from '../../ui/src/texts/zh-ops.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, type SightChoices } from '../support/browser.ts';
import { openDesk } from '../support/operator-hand.ts';
import { until } from '../support/until.ts';
import { Hand } from './hand.ts';
import { looked } from './looks.ts';
import { choose, field, form, openTab } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';
const THEMES = ['dark', 'light'] as const;

const stage = closedAtEnd(await openStage({ flags: ['--sandbox'] }));
await until('a first trade', async () => (await lastPrice()) > 0);
await trade(new Hand(stage.venue.url, 'demo'), await lastPrice());

/** Something of everything that a page can show of an account. */
async function trade(demo: Hand, price: number): Promise<void> {
  const times = (factor: number) => (price * factor).toFixed(0);
  await demo.spot(PAIR, 'buy', times(1.001), '0.05');
  await demo.spot(PAIR, 'sell', times(1.002), '0.25');
  await demo.spot(PAIR, 'buy', times(0.999), '0.4');
  await demo.open(CONTRACT, 'long', times(1.003), '120');
  await demo.open(CONTRACT, 'short', times(0.997), '40');
}

async function lastPrice(): Promise<number> {
  const [ticker] = await outcryClient({ url: stage.venue.url }).native.tickers({ symbol: PAIR });
  return Number(ticker?.last);
}

type Look = (page: Page, state: string) => Promise<void>;

/** Goes through states of a page, and demands that none has a finding, in any size. */
function looks(
  name: string,
  choices: SightChoices,
  go: (theme: SightChoices, look: Look) => Promise<void>,
): void {
  const { size = 'laptop', locale } = choices;
  // Words are as long in the light, and colours are the same in Chinese.
  for (const colorScheme of locale === undefined ? THEMES : THEMES.slice(0, 1)) {
    const isWide = size === 'laptop' && locale === undefined && colorScheme === 'dark';
    const sizes = isWide ? ([size, 'desk'] as const) : ([size] as const);
    test(`${name}, ${colorScheme}: nobody is kept from using it`, async () => {
      const found: string[] = [];
      await go({ ...choices, colorScheme }, async (page, state) => {
        found.push(...(await looked(page, `${state}-${colorScheme}`, sizes)));
      });
      assert.deepEqual(found, []);
    });
  }
}

async function enter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByText('Sign out').waitFor();
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The market's side has painted once. */
async function isPainted(page: Page): Promise<void> {
  await page.locator('.chart-legend').getByText('Vol').waitFor();
  await page.locator('.book-line').nth(10).waitFor();
}

looks('the terminal', {}, async (choices, look) => {
  const { page, close } = await stage.open(`/#${CONTRACT}`, choices);
  await isPainted(page);
  await look(page, 'signed-out');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'sign-in');
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await openTab(page, 'Positions');
  await page.locator('.desk-account tbody tr').nth(1).waitFor();
  await field(page, 'Price').fill('25000');
  await form(page).getByRole('button', { name: '25%' }).click();
  await look(page, 'contract');
  await dialogsOfContract(page, look);
  await listsOfAccount(page, look);
  await close();
});

async function dialogsOfContract(page: Page, look: Look): Promise<void> {
  for (const [name, state] of [
    ['Leverage Long', 'leverage'],
    ['Margin mode', 'margin-mode'],
    ['Transfer', 'transfer'],
  ] as const) {
    await form(page).getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, state);
    await closeDialog(page);
  }
  const row = page.locator('.desk-account tbody tr').first();
  for (const name of ['Close', 'Margin']) {
    await row.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, `position-${name.toLowerCase()}`);
    await closeDialog(page);
  }
}

async function listsOfAccount(page: Page, look: Look): Promise<void> {
  await choose(page, 'Trigger');
  for (const name of ['Trigger orders', 'Order history', 'Fills', 'Balances']) {
    await openTab(page, name);
    await page.getByRole('tabpanel', { name }).waitFor();
    await look(page, name.toLowerCase().replace(' ', '-'));
  }
}

looks('the terminal on a pair', {}, async (choices, look) => {
  const { page, close } = await stage.open(`/#${PAIR}`, choices);
  await isPainted(page);
  await enter(page);
  await page.locator('.desk-account tbody tr').first().waitFor();
  await field(page, 'Price').fill('1');
  await field(page, 'Quantity').fill('99999');
  await field(page, 'Quantity').press('Enter');
  await look(page, 'spot-refused');
  await page.getByRole('tab', { name: 'Depth' }).click();
  await page.getByRole('img', { name: /Depth chart/ }).waitFor();
  await look(page, 'spot-depth');
  await page.keyboard.press('/');
  await page.getByRole('dialog').getByRole('row').nth(3).waitFor();
  await look(page, 'markets');
  await close();
});

looks('the terminal on a phone', { size: 'phone' }, async (choices, look) => {
  const { page, close } = await stage.open(`/#${CONTRACT}`, choices);
  await enter(page);
  const tabs = page.getByRole('tablist').first();
  for (const name of ['Chart', 'Book', 'Trade', 'Account']) {
    await tabs.getByRole('tab', { name }).click();
    if (name === 'Chart') await page.locator('.chart-legend').getByText('Vol').waitFor();
    if (name === 'Book') await page.locator('.book-line').nth(10).waitFor();
    await look(page, `terminal-${name.toLowerCase()}`);
  }
  await close();
});

const DESK = [
  'Health',
  'Money',
  'Accounts',
  'Instruments',
  'Liquidations',
  'Rate limits',
  'Sandbox',
];

for (const size of ['laptop', 'phone'] as const) {
  looks(`the desk on a ${size}`, { size }, async (choices, look) => {
    const entrance = await stage.open('/ops', choices);
    await entrance.page.getByLabel('Admin token').waitFor();
    await look(entrance.page, 'ops-entrance');
    await entrance.close();
    const { page, close } = await openDesk(stage, 'health', choices);
    for (const name of DESK) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.locator('.ops-page h2, .fact-line').first().waitFor();
      await look(page, `ops-${name.toLowerCase().replace(' ', '-')}`);
    }
    await close();
  });
}

/** Every tab of the page one after the other, whatever its name. */
async function everyTab(page: Page, name: string, look: Look): Promise<void> {
  const tabs = page.getByRole('tab');
  await tabs.nth(1).waitFor();
  for (let at = 0; at < (await tabs.count()); at += 1) {
    await tabs.nth(at).click();
    await look(page, `${name}-${at + 1}-zh`);
  }
}

for (const size of ['laptop', 'phone'] as const) {
  looks(
    `the terminal in Chinese on a ${size}`,
    { size, locale: 'zh-CN' },
    async (choices, look) => {
      const { page, close } = await stage.open(`/#${CONTRACT}`, choices);
      await page.getByRole('button', { name: zh.session.signIn, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look(page, 'sign-in-zh');
      await page.getByRole('button', { name: zh.session.demo }).click();
      await page.getByText(zh.session.signOut).waitFor();
      await everyTab(page, 'terminal', look);
      if (size === 'phone') await page.getByRole('tab', { name: zh.layout.trade }).click();
      for (const name of [zh.trade.marginMode, zh.trade.transfer]) {
        await form(page).getByRole('button', { name }).click();
        await page.getByRole('dialog').waitFor();
        await look(page, `dialog-${name}-zh`);
        await closeDialog(page);
      }
      await close();
    },
  );

  looks(`the desk in Chinese on a ${size}`, { size, locale: 'zh-CN' }, async (choices, look) => {
    const { page, close } = await openDesk(stage, 'health', choices);
    await page.getByRole('heading', { name: zhOps.title }).waitFor({ state: 'attached' });
    await everyTab(page, 'ops', look);
    await close();
  });
}
