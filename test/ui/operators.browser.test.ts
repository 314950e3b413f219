/** Persons run the venue from the desk: appointed, with a second factor, two for much money. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { demoWith } from '../support/config-file.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { reads } from '../support/until.ts';
import { findings } from './looks.ts';
import { enter, member, PASSWORD } from './people-stage.ts';

const config = join(scratchDirectory(), 'venue.yaml');
const SECTIONS = 'people:\n  signUp: invitation\noperators:\n  twoPersonAbove: { USDT: "1000" }\n';
writeFileSync(config, demoWith(SECTIONS));
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--config', config] }));

interface Session {
  readonly cookie: string;
  readonly csrfToken: string;
}

async function post(path: string, body: object, session?: Session) {
  const headers = {
    'content-type': 'application/json',
    ...(session && { cookie: session.cookie, 'x-csrf-token': session.csrfToken }),
  };
  const answer = await fetch(stage.venue.url + path, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  const { code, msg, data } = Object(await answer.json());
  assert.equal(code, '00000', `${path}: ${msg}`);
  const [cookie = ''] = answer.headers.getSetCookie();
  return { data: Object(data), cookie: cookie.split(';', 1)[0] ?? '' };
}

/** Turns a second factor on outside the browser; each recovery code signs in once. */
async function recoveryCodes(email: string): Promise<readonly string[]> {
  const begun = await post('/people/v1/sessions', { email, password: PASSWORD });
  const session = { cookie: begun.cookie, csrfToken: String(begun.data.csrfToken) };
  const made = await post('/people/v1/second-factor', {}, session);
  const code = new TOTP({ secret: String(made.data.secret) }).generate();
  const enabled = await post('/people/v1/second-factor/enable', { code }, session);
  return enabled.data.recoveryCodes;
}

/** From the desk's form to the door and back again. */
async function enterDesk(page: Page, email: string, recovery?: string): Promise<void> {
  await button(page, 'Sign in by e-mail').click();
  await enter(page, email);
  if (recovery === undefined) return;
  await page.getByLabel('Code', { exact: true }).fill(recovery);
  await page.getByLabel('Code', { exact: true }).press('Enter');
}

async function deposit(page: Page, amount: string): Promise<void> {
  await button(page, 'Deposit').click();
  await dialog(page).getByLabel('Coin').selectOption('USDT');
  await dialog(page).getByLabel('Amount').fill(amount);
}

/** Finds what was done, verifies it, and saves what was found. */
async function readLog(page: Page, owner: string, ada: string): Promise<void> {
  await page.getByRole('tab', { name: 'Log', exact: true }).click();
  await row(page, 'Log of actions', ada, 'deposits', 'prize of round 1', 'Rejected');
  await row(page, 'Log of actions', owner, '/approve', 'Done');
  assert.deepEqual(await findings(page), []);
  await page.getByLabel('Text').fill('RUNS THE COURSE');
  await button(page, 'Search').click();
  const lines = page.getByRole('region', { name: 'Log of actions' }).locator('tbody tr');
  await reads(() => lines.count(), 1);
  await button(page, 'Verify log').click();
  await page.getByText('all intact').waitFor();
  const saving = page.waitForEvent('download');
  await button(page, 'Export CSV').click();
  const csv = readFileSync(await (await saving).path(), 'utf8');
  assert.match(csv, /^actionId,time,operator,[^\n]*\r\n[^\n]*owner@example\.com[^\n]*\r\n$/);
}

/** A lower limit holds at once; a higher one waits for another owner. */
async function lowerLimit(page: Page, owner: string): Promise<void> {
  await page.getByRole('tab', { name: 'Operators', exact: true }).click();
  for (const amount of ['600', '5000']) {
    await button(page, 'Set limit').click();
    await dialog(page).getByLabel('Coin').fill('USDT');
    await dialog(page).getByLabel('Limit', { exact: true }).fill(amount);
    await button(dialog(page), 'Set limit').click();
    await dialog(page).getByText(`Set the limit of USDT to ${amount}?`).waitFor();
    await button(dialog(page), 'Set limit').click();
    if (amount === '600') await dialog(page).waitFor({ state: 'detached' });
  }
  await dialog(page).getByText('Another operator has to approve it').waitFor();
  await button(dialog(page), 'Cancel').click();
  await row(page, 'Two-person limits', 'USDT', '600', '1,000', owner);
  assert.deepEqual(await findings(page), []);
}

test('an owner appoints an operator, two move much money, and the log shows it all', async () => {
  const [owner, ada] = ['owner@example.com', 'ada@example.com'];
  const personId = await member(stage, owner);
  await member(stage, ada);
  await stage.venue.admin.appoint({ personId, role: 'owner' });
  const ownerCodes = await recoveryCodes(owner);
  const { accountId } = await stage.venue.admin.createAccount({ name: 'pit' });

  const first = await stage.open('/ops#operators');
  await enterDesk(first.page, owner, ownerCodes[0]);
  await first.page.getByText('owner@example.com · Owner').waitFor();
  await button(first.page, 'Appoint operator').click();
  await dialog(first.page).getByLabel('E-mail').fill(ada);
  await dialog(first.page).getByLabel('Role').selectOption('Operator');
  await dialog(first.page).getByLabel('Reason for the log').fill('runs the course');
  assert.deepEqual(await findings(first.page), []);
  await button(dialog(first.page), 'Appoint operator').click();
  await row(first.page, 'Operators', ada, 'Missing');

  const second = await stage.open(`/ops#accounts/${accountId}`);
  await enterDesk(second.page, ada);
  await second.page.getByRole('alert').getByText('needs a second factor').waitFor();
  const adaCodes = await recoveryCodes(ada);
  await second.page.reload();
  await enterDesk(second.page, ada, adaCodes[0]);
  await second.page.getByText('ada@example.com · Operator').waitFor();
  await deposit(second.page, '2500');
  await dialog(second.page).getByLabel('Reason for the log').fill('prize of round 1');
  await button(dialog(second.page), 'Deposit').click();
  await button(dialog(second.page), 'Deposit').click();
  await dialog(second.page).getByText('Another operator has to approve it').waitFor();

  await row(first.page, 'Approvals', 'Deposit 2500', ada, 'prize of round 1', 'Pending');
  assert.deepEqual(await findings(first.page), []);
  const approve = first.page.getByRole('button', { name: /^Approve Deposit 2500/ });
  await approve.click();
  await confirm(first.page, 'will be carried out now', 'Approve');
  await row(first.page, 'Approvals', 'Deposit 2500', 'Done', owner);
  const account = await stage.venue.admin.account({ account: accountId });
  assert.equal(present(account.balances[0], 'a balance').balance, '2500.00000000');

  await readLog(first.page, owner, ada);
  await lowerLimit(first.page, owner);

  await first.page.getByRole('tab', { name: 'Operators', exact: true }).click();
  await button(first.page, `Change role of ${ada}`).click();
  await dialog(first.page).getByLabel('Role').selectOption('Auditor');
  await button(dialog(first.page), 'Change role').click();
  await row(first.page, 'Operators', ada, 'Auditor');
  await second.page.reload();
  await second.page.getByText('ada@example.com · Auditor').waitFor();
  await second.page.getByRole('heading', { name: 'Balances', exact: true }).waitFor();
  for (const action of ['Deposit', 'Freeze', 'Create key', 'Save']) {
    assert.equal(await button(second.page, action).count(), 0, action);
  }
  await button(first.page, `Remove ${ada}`).click();
  await confirm(first.page, 'will no longer be an operator', 'Remove');
  await second.page.reload();
  await second.page.getByRole('alert').getByText('not an operator').waitFor();
  await Promise.all([first.close(), second.close()]);
});

test('the admin token still opens the desk, and says who it is', async () => {
  const desk = await openDesk(stage, 'log');
  await desk.page.getByText('admin token · Owner').first().waitFor();
  assert.deepEqual(await findings(desk.page), []);
  await desk.close();
});
