/** Orders, fills and transactions as filters choose them, on the screen and in the file. */
import { strict as assert } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick } from '../support/browser.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import { column, exportedRows, openTab, prove, rowWith } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const OTHER = 'ETH-USDT';
const CONTRACT = 'BTC-USDT-PERP';

const stage = closedAtEnd(await openStage({ participants: false }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');

// One fill of each side in one pair, one in another and one in a contract, and many cancelled.
await maker.spot(PAIR, 'sell', '30000', '0.1');
await demo.spot(PAIR, 'buy', '30000', '0.1');
await maker.spot(PAIR, 'buy', '29000', '0.2');
await demo.spot(PAIR, 'sell', '29000', '0.2');
await maker.spot(OTHER, 'sell', '2000', '1');
await demo.spot(OTHER, 'buy', '2000', '1');
await maker.open(CONTRACT, 'short', '30000', '10');
await demo.open(CONTRACT, 'long', '30000', '10');
const CANCELLED = 120;
for (let made = 0; made < CANCELLED; made += 40) {
  const orders = Array.from({ length: 40 }, () => {
    return { side: 'buy', price: '20000', size: '0.001' } as const;
  });
  await demo.cancelSpot(PAIR, await demo.spotBatch(PAIR, orders));
}

function proof(name: string, body: (page: Page) => Promise<void>): void {
  test(name, async () => prove(await stage.open(`/#${PAIR}`), body));
}

async function filter(page: Page, name: string, choice: string): Promise<void> {
  await page.locator('.history-filters').getByRole('combobox', { name }).selectOption(choice);
}

function rowsOf(page: Page): Promise<number> {
  return page.locator('.desk-account tbody tr').count();
}

/** As exportedRows. */
async function exportedInChinese(page: Page): Promise<readonly (readonly string[])[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出 CSV' }).click(),
  ]);
  const text = await readFile(present(await download.path(), 'a saved file'), 'utf8');
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

proof('orders are filtered by side, status and type, and found however old', async (page) => {
  await openTab(page, 'Order history');
  await filter(page, 'Status', 'Filled');
  // More than a page of cancelled ones is newer.
  await rowWith(page, 'Sell', '29,000.00', 'Filled');
  await reads(() => rowsOf(page), 2);
  await filter(page, 'Side', 'Buy');
  await rowWith(page, 'Buy', '30,000.00', 'Filled');
  await reads(() => rowsOf(page), 1);
  assert.deepEqual(await findings(page), []);
  await filter(page, 'Type', 'Market');
  await page.getByText('Nothing matches these filters').waitFor();
});

proof('the file has every order that the filters choose, not what is shown', async (page) => {
  await openTab(page, 'Order history');
  await filter(page, 'Status', 'Cancelled');
  await rowWith(page, 'Buy', '20,000.00');
  assert.ok((await rowsOf(page)) < CANCELLED, 'a page is shown');
  const rows = await exportedRows(page);
  assert.equal(rows.length, 1 + CANCELLED);
  assert.deepEqual(new Set(column(rows, 'status')), new Set(['cancelled']));
  assert.deepEqual(new Set(column(rows, 'size')), new Set(['0.001']));
});

proof('orders and fills of all markets are one list, newest first', async (page) => {
  await openTab(page, 'Order history');
  await filter(page, 'Markets', 'All markets');
  await filter(page, 'Status', 'Filled');
  await rowWith(page, 'BTC/USDT perp', 'Open long', 'Filled');
  await reads(() => rowsOf(page), 4);
  const rows = await exportedRows(page);
  assert.deepEqual(column(rows, 'symbol'), [CONTRACT, OTHER, PAIR, PAIR]);
  await openTab(page, 'Fills');
  await filter(page, 'Markets', 'All markets');
  await reads(() => rowsOf(page), 4);
  await filter(page, 'Side', 'Sell');
  await rowWith(page, 'BTC/USDT', 'Sell', '29,000.00');
  await reads(() => rowsOf(page), 1);
});

proof('transactions are filtered by type and period', async (page) => {
  await openTab(page, 'Balances');
  await pick(page.getByRole('radio', { name: 'Transaction history' }));
  await rowWith(page, 'Buy', 'ETH/USDT', 'Spot');
  await filter(page, 'Type', 'Deposit');
  await rowWith(page, 'Deposit', 'USDT');
  await reads(() => page.locator('.desk-account td').getByText('Buy').count(), 0);
  await filter(page, 'Period', '7 days');
  await rowWith(page, 'Deposit', 'USDT');
  await filter(page, 'Type', 'Open long');
  await rowWith(page, 'Open long', 'BTC/USDT perp');
  await reads(() => rowsOf(page), 1);
});

test('a Chinese page exports in Chinese, with the same digits', async () => {
  const sight = await stage.open(`/#${PAIR}`, { locale: 'zh-CN' });
  const { page } = sight;
  try {
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await page.getByRole('button', { name: '使用演示账户' }).click();
    await page.getByRole('tab', { name: '历史委托', exact: true }).click();
    await page.getByRole('combobox', { name: '状态' }).selectOption('完全成交');
    await reads(() => rowsOf(page), 2);
    const rows = await exportedInChinese(page);
    assert.deepEqual(column(rows, '方向'), ['卖出', '买入']);
    assert.deepEqual(column(rows, '状态'), ['完全成交', '完全成交']);
    assert.deepEqual(column(rows, '数量').map(Number), [0.2, 0.1]);
    assert.deepEqual(sight.complaints, []);
  } finally {
    await sight.close();
  }
});
