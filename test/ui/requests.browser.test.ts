/** Money in and out by request, on the account page and on the desk, in a browser. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { button, dialog, openDesk, row } from '../support/operator-hand.ts';
import { eventually, reads } from '../support/until.ts';
import { findings } from './looks.ts';
import { fund, member, openPeopleStage, PASSWORD, signInAs } from './people-stage.ts';

const stage = closedAtEnd(
  await openPeopleStage(
    'signUp: invitation',
    // The section of payments follows that of people.
    'name: Pit\npayments:\n  coins:\n    - { coin: USDT, minWithdraw: "10", fee: "1" }',
  ),
);
const EMAIL = 'ada@example.com';
const TITLE = 'Deposits and withdrawals';

/** The panel with the actions; the table in it is a region of the same name. */
function panel(page: Page): Locator {
  return page.locator('section.panel').filter({ has: page.getByRole('heading', { name: TITLE }) });
}

/** Where the venue wants to know again who it is. */
async function prove(page: Page): Promise<void> {
  const asked = page.getByRole('dialog').getByLabel('Password', { exact: true });
  if (await asked.isVisible()) {
    await asked.fill(PASSWORD);
    await asked.press('Enter');
  }
}

async function ask(page: Page, action: string, fields: Readonly<Record<string, string>>) {
  await button(panel(page), action).click();
  for (const [label, value] of Object.entries(fields)) {
    await dialog(page).getByLabel(label).fill(value);
  }
  await button(dialog(page), action).click();
  await prove(page);
  await dialog(page).waitFor({ state: 'detached' });
}

test('a withdrawal goes from request to completion, and another is cancelled', async () => {
  await member(stage, EMAIL, 'Ada');
  const guest = await stage.open('/account#money');
  const { page } = guest;
  await signInAs(page, EMAIL);
  await fund(stage, EMAIL, 'USDT', '500');
  await page.getByRole('tab', { name: 'Balances and history' }).click();
  await ask(page, 'Withdraw', { Amount: '100', Address: 'Tsomewhere' });
  await row(page, TITLE, 'Withdrawal', 'Pending approval', '−100');
  assert.deepEqual(await findings(page), []);
  await ask(page, 'Withdraw', { Amount: '20', Address: 'Telsewhere' });
  await page.getByRole('button', { name: 'Cancel request of 20' }).click();
  await button(dialog(page), 'Cancel request').click();
  await row(page, TITLE, 'Cancelled', '−20');
  await ask(page, 'Deposit', { Amount: '50', 'Reference of your payment': 'bank 77' });

  const desk = await openDesk(stage, 'money');
  const queue = 'Deposit and withdrawal requests';
  await row(desk.page, queue, 'Withdrawal', '100', 'Tsomewhere');
  await row(desk.page, 'Set aside for withdrawals', 'USDT', '101');
  assert.deepEqual(await findings(desk.page), []);
  const act = async (action: string, what: string, reference?: string) => {
    await desk.page.getByRole('button', { name: `${action}: ${what}` }).click();
    if (reference !== undefined) await dialog(desk.page).getByLabel('Reference').fill(reference);
    await button(dialog(desk.page), action).click();
    await dialog(desk.page).waitFor({ state: 'detached' });
  };
  await act('Approve', 'Deposit 50');
  await act('Approve', 'Withdrawal 100');
  await desk.page.getByLabel('Show').selectOption('all');
  await act('Mark as sent', 'Withdrawal 100', 'tx-9');
  await act('Complete', 'Withdrawal 100');
  await row(desk.page, queue, 'Withdrawal', 'Completed', 'tx-9');
  await desk.page.getByText('Nothing is set aside').waitFor();
  await desk.close();

  await page.reload();
  await row(page, TITLE, 'Withdrawal', 'Completed', 'tx-9');
  await row(page, TITLE, 'Deposit', 'Completed', 'bank 77');
  const saved = page.waitForEvent('download');
  await button(panel(page), 'Export CSV').click();
  const lines = await eventually(
    async () =>
      readFileSync(await (await saved).path(), 'utf8')
        .trim()
        .split('\r\n'),
    (all) => assert.equal(all.length, 4),
  );
  assert.match(present(lines[1], 'the newest'), /deposit,done,USDT,50/i);
  await guest.close();
});

test('money moves between own accounts, in Chinese, too', async () => {
  const guest = await stage.open('/account#accounts');
  const { page } = guest;
  await signInAs(page, EMAIL);
  await button(page, 'Open another account').click();
  await button(dialog(page), 'Open account').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('tab', { name: 'Balances and history' }).click();
  await ask(page, 'Transfer', { Amount: '30' });
  await row(page, TITLE, 'Transfer', 'Completed', '−30');
  await page.evaluate(() => localStorage.setItem('outcry.language', 'zh'));
  await page.reload();
  await reads(() => page.getByRole('region', { name: '充值与提现' }).isVisible(), true);
  await guest.close();
});
