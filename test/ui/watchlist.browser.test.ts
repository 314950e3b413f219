/** The list of markets in a panel: groups, search, sorting, stars, and choosing. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings, picture } from './looks.ts';

const PAIR = 'BTC-USDT';

const stage = closedAtEnd(await openStage({ participants: false }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
await trade(PAIR, '30000', '0.5');
await trade('ETH-USDT', '2000', '0.1');

async function trade(symbol: string, price: string, size: string): Promise<void> {
  await maker.spot(symbol, 'sell', price, size);
  await demo.spot(symbol, 'buy', price, size);
}

function proof(name: string, prove: (page: Page) => Promise<void>): void {
  test(name, async () => {
    const sight = await stage.open(`/#${PAIR}`, { size: 'desk' });
    try {
      await sight.page.getByRole('button', { name: 'Layout', exact: true }).click();
      await sight.page.getByRole('button', { name: 'Large chart' }).click();
      await sight.page.keyboard.press('Escape');
      await row(sight.page, 'BTC/USDT Spot').waitFor();
      await prove(sight.page);
      assert.deepEqual(sight.complaints, []);
    } finally {
      await sight.close();
    }
  });
}

function list(page: Page): Locator {
  return page.getByRole('region', { name: 'Watchlist', exact: true });
}

function row(page: Page, name: string): Locator {
  return list(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) });
}

async function names(page: Page): Promise<readonly string[]> {
  return list(page).locator('tbody .market-link').allInnerTexts();
}

proof('a market is chosen with a click or by keyboard, and the chart follows', async (page) => {
  await row(page, 'ETH/USDT Spot')
    .getByRole('button', { name: 'ETH/USDT Spot', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: 'ETH/USDT Spot' }).waitFor();
  await reads(() => page.evaluate('location.hash'), '#ETH-USDT');
  const contract = list(page).getByRole('button', { name: 'BTC/USDT Perp', exact: true });
  await contract.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'BTC/USDT Perp' }).waitFor();
  await contract.and(page.locator('[aria-current="true"]')).waitFor();
});

proof('search and groups narrow it, prices and volumes sort it', async (page) => {
  await list(page).getByRole('radio', { name: 'Spot' }).click();
  await eventually(
    () => names(page),
    (all) => assert.ok(all.length >= 2 && all.every((name) => name.endsWith('Spot'))),
  );
  await list(page).getByRole('searchbox').fill('eth usdt');
  await reads(() => names(page), ['ETH/USDT Spot']);
  await list(page).getByRole('searchbox').fill('nothing');
  await list(page).getByText('No markets found').waitFor();
  await list(page).getByRole('searchbox').fill('usdt');
  const last = list(page).getByRole('columnheader', { name: 'Last' });
  await last.getByRole('button').click();
  await eventually(
    () => names(page),
    (all) => assert.equal(all[0], 'BTC/USDT Spot'),
  );
  await last.and(page.locator('[aria-sort="descending"]')).waitFor();
  await last.getByRole('button').press('Enter');
  await eventually(
    () => names(page),
    (all) => assert.ok(all.indexOf('ETH/USDT Spot') < all.indexOf('BTC/USDT Spot')),
  );
  const change = list(page).getByRole('columnheader', { name: '24 h change' });
  await change.getByRole('button').click();
  await change.and(page.locator('[aria-sort="descending"]')).waitFor();
});

proof('stars make favourites, by mouse, by keyboard and from the market line', async (page) => {
  await list(page).getByRole('radio', { name: 'Favourites' }).click();
  await list(page).getByText('Star a market to keep it here').waitFor();
  await picture(page, 'watchlist-empty', ['desk']);
  assert.deepEqual(await findings(page), []);
  await page
    .locator('.market-choice')
    .getByRole('button', { name: 'Favourite BTC/USDT Spot' })
    .click();
  await reads(() => names(page), ['BTC/USDT Spot']);
  await list(page).getByRole('radio', { name: 'All' }).click();
  await list(page).getByRole('button', { name: 'Favourite ETH/USDT Spot' }).press('Space');
  await list(page).getByRole('radio', { name: 'Favourites' }).click();
  await reads(() => names(page), ['BTC/USDT Spot', 'ETH/USDT Spot']);
  const other = await page.context().newPage();
  await other.goto(`${stage.venue.url}/#${PAIR}`);
  const star = other
    .locator('.market-choice')
    .getByRole('button', { name: /Favourite/, pressed: true });
  await star.click();
  await reads(() => names(page), ['ETH/USDT Spot'], 'another tab of the browser');
  await page.reload();
  await reads(() => names(page), ['ETH/USDT Spot'], 'kept');
});
