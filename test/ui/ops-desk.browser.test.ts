/** The desk operates: notices and maintenance that traders see, and all that an account does. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { noticed } from '../support/notices.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import { openPeopleStage } from './people-stage.ts';

const stage = closedAtEnd(await openPeopleStage('signUp: closed'));

test('traders see an announcement and maintenance, in their language, and what stops', async () => {
  const desk = await openDesk(stage, 'notices');
  const { page } = desk;
  await button(page, 'New announcement').click();
  await dialog(page).getByLabel('Level').selectOption('warning');
  await dialog(page).getByLabel('Title in English').fill('SOL opens on Friday');
  await dialog(page).getByLabel('Title in Chinese').fill('SOL 周五开放');
  assert.deepEqual(await findings(page), []);
  await button(dialog(page), 'New announcement').click();
  await row(page, 'Announcements', 'SOL opens on Friday', 'Warning');
  await button(page, 'Edit SOL opens on Friday').click();
  await dialog(page).getByLabel('Title in English').fill('SOL opens on Monday');
  await button(dialog(page), 'Save').click();
  await row(page, 'Announcements', 'SOL opens on Monday', 'Warning');
  const terminal = await stage.open('/');
  const banner = terminal.page.getByRole('region', { name: 'Announcements', exact: true });
  await banner.getByText('SOL opens on Monday').waitFor();
  assert.deepEqual(await findings(terminal.page), []);
  await banner.getByRole('button', { name: 'Hide' }).click();
  await banner.waitFor({ state: 'detached' });

  await button(page, 'Plan maintenance').click();
  await dialog(page).getByLabel('Markets').fill('BTC-USDT');
  await dialog(page).getByLabel('Text in English').fill('New engine');
  await button(dialog(page), 'Plan maintenance').click();
  await row(page, 'Maintenance windows', 'In progress', 'BTC-USDT');
  const chinese = await stage.open('/', { locale: 'zh-CN' });
  const lines = chinese.page.getByRole('region', { name: '公告', exact: true });
  await lines.getByText('SOL 周五开放').waitFor();
  await lines.getByText('系统维护中').waitFor();
  await lines.getByText('BTC-USDT').waitFor();
  assert.deepEqual([...chinese.complaints, ...terminal.complaints], []);
  await page.getByRole('button', { name: /^End the window/ }).click();
  await confirm(page, 'What it halted trades again', 'End');
  await row(page, 'Maintenance windows', 'Over', 'BTC-USDT');
  assert.deepEqual(desk.complaints, []);
  await Promise.all([desk.close(), terminal.close(), chinese.close()]);
});

test('an account shows what it does and has done, and its positions are closed', async () => {
  const trader = new Hand(stage.venue.url, 'demo');
  await trader.spot('BTC-USDT', 'buy', '20000', '0.5');
  const desk = await openDesk(stage, 'accounts/demo');
  const { page } = desk;
  await page.getByRole('tab', { name: 'Open orders' }).click();
  await row(page, 'Open orders', 'BTC-USDT', 'Buy', '20,000.00', 'Open');
  assert.deepEqual(await findings(page), []);
  await page.getByRole('tab', { name: 'Transaction history' }).click();
  await row(page, 'Transaction history', 'deposit', 'USDT');
  await page.getByLabel('Product').selectOption('contract');
  await row(page, 'Transaction history', 'deposit');
  await button(page, 'Cancel all orders').click();
  await confirm(page, 'open orders of demo', 'Cancel all orders');
  await page.getByRole('tab', { name: 'Order history' }).click();
  await row(page, 'Order history', 'BTC-USDT', 'Cancelled');
  await button(page, 'Close all positions').click();
  await confirm(page, 'Close every position of demo', 'Close all positions');
  await noticed(page, 'Positions of demo closed: 0');
  await page.getByRole('tab', { name: 'Positions' }).click();
  await page.getByText('Nothing here').waitFor();
  assert.deepEqual(desk.complaints, []);
  await reads(async () => (await stage.venue.admin.account({ account: 'demo' })).openOrders, 0);
  await desk.close();
});

test('accounts are imported from a file, after a check that names bad lines', async () => {
  const desk = await openDesk(stage, 'accounts');
  const { page } = desk;
  const header = 'account,email,name,label,permissions,balances';
  const fileOf = (lines: readonly string[]) => ({
    name: 'course 2026.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([header, ...lines].join('\n')),
  });
  await button(page, 'Import').click();
  const file = dialog(page).getByLabel('File');
  await file.setInputFiles(
    fileOf(['guest-1,guest@example.com,Guest,main,,USDT=5', 'guest 2,,,,,']),
  );
  await button(dialog(page), 'Check').click();
  await row(page, 'What is wrong', '3', 'account', 'letters, digits');
  assert.deepEqual(await findings(page), []);
  await file.setInputFiles(
    fileOf(['guest-1,guest@example.com,Guest,main,,USDT=5', 'guest-2,,,,,']),
  );
  await button(dialog(page), 'Check').click();
  await dialog(page).getByText('No faults found').waitFor();
  await button(dialog(page), 'Import').click();
  await dialog(page).getByText('Done: 2 lines imported').waitFor();
  await button(dialog(page), 'Finish').click();
  await row(page, 'Accounts', 'guest-2');
  const download = page.waitForEvent('download');
  await button(page, 'Export CSV').click();
  const path = await (await download).path();
  assert.match(readFileSync(path, 'utf8'), /guest-1,guest@example.com,Guest,main,.*USDT=5\r\n/);
  assert.deepEqual(desk.complaints, []);
  await desk.close();
});

/** A network whose fee is first finer than the coin; what changes is shown before it is sent. */
async function addNetwork(page: Page): Promise<void> {
  await button(page, 'Edit: SOL').click();
  await button(dialog(page), 'Add network').click();
  await dialog(page).getByLabel('Network', { exact: true }).fill('Solana');
  await dialog(page).getByLabel('Withdrawals open').check();
  await dialog(page).getByLabel('Withdrawal fee').fill('0.0000000001');
  await dialog(page).getByText('Enter a number with up to').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog(page).getByLabel('Withdrawal fee').fill('0.01');
  await button(dialog(page), 'Change').click();
  await confirm(page, 'Solana: added', 'Change');
  await row(page, 'Coins', 'SOL', 'Solana');
  const answer = await fetch(`${stage.venue.url}/api/spot/v1/public/currencies`);
  const { data } = Object(await answer.json());
  const sol = data.find(({ coinName }: { coinName: string }) => coinName === 'SOL');
  assert.deepEqual(
    sol.chains.map((one: { chain: string; withdrawFee: string }) => [one.chain, one.withdrawFee]),
    [['Solana', '0.01']],
  );
}

test('a coin and a pair are listed; what cannot be sent is said at its field', async () => {
  const desk = await openDesk(stage, 'instruments');
  const { page } = desk;
  await button(page, 'List coin').click();
  await dialog(page).getByLabel('Code').fill('S');
  await button(dialog(page), 'List coin').click();
  await dialog(page).getByText('Enter 2 to 16 letters and digits').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog(page).getByLabel('Code').fill('sol');
  await dialog(page).getByLabel('Coin ID').fill('77');
  await button(dialog(page), 'List coin').click();
  await row(page, 'Coins', 'SOL', '77');
  await addNetwork(page);
  await button(page, 'List pair').click();
  const fields = [
    ['Base coin', 'SOL'],
    ['Quote coin', 'USDT'],
    ['Min. order size', '0.01'],
    ['Max. order size', '1000'],
  ] as const;
  for (const [label, text] of fields) await dialog(page).getByLabel(label).fill(text);
  await button(dialog(page), 'List pair').click();
  await row(page, 'Pairs', 'SOL-USDT', '0.100%');
  await button(page, 'List contract').click();
  await dialog(page).getByLabel('Symbol').fill('SOL-USDT-PERP');
  await dialog(page).getByLabel('Base coin').fill('SOL');
  await dialog(page).getByLabel('Quote coin').fill('USDT');
  await dialog(page).getByLabel('Contract value').fill('0.1');
  await dialog(page).getByLabel('Reference price').fill('150');
  await button(dialog(page), 'List contract').click();
  await row(page, 'Contracts', 'SOL-USDT-PERP', 'Linear');
  assert.deepEqual(desk.complaints, []);
  await desk.close();
});
