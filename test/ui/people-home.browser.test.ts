/** What people do at home: password, name, accounts, keys that expire, address, data, leaving. */
import { strict as assert } from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { reads } from '../support/until.ts';
import { findings } from './looks.ts';
import {
  enter,
  linkFor,
  member,
  onlyRefusals,
  openPeopleSandbox,
  PASSWORD,
  signInAs,
} from './people-stage.ts';

const stage = closedAtEnd(await openPeopleSandbox('signUp: open'));
const { sandbox } = stage.venue;

const NEW_PASSWORD = 'five blue trees dream';
const QUARTER_MS = 15 * 60_000;

/** From now on the proof of who it is, which signing in is, is too old. */
async function age(): Promise<void> {
  const { time } = await sandbox.state();
  await sandbox.jumpClock({ time: time + QUARTER_MS });
}

async function prove(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('profile and password are changed, and the old password is worth nothing', async () => {
  const email = 'ada@example.com';
  await member(stage, email, 'Ada');
  const { page, complaints, close } = await stage.open('/account');
  await signInAs(page, email);
  const profile = page.getByRole('form', { name: 'Profile' });
  await profile.getByLabel('Name').fill('Ada L');
  await profile.getByLabel('Write to me in').selectOption({ label: '中文' });
  await profile.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Profile saved').first().waitFor();
  await page.reload();
  await reads(() => profile.getByLabel('Name').inputValue(), 'Ada L');
  await reads(() => profile.getByLabel('Write to me in').inputValue(), 'zh');

  const form = page.getByRole('form', { name: 'Password' });
  const send = form.getByRole('button', { name: 'Change password' });
  await form.getByLabel('Current password').fill('not the password');
  await form.getByLabel('New password', { exact: true }).fill('password12345');
  await send.click();
  await form.getByText('too common').waitFor();
  await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await send.click();
  await form.getByText('E-mail, password or code is wrong').waitFor();
  await form.getByLabel('Current password').fill(PASSWORD);
  await send.click();
  await page.getByText('Password changed').first().waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await enter(page, email);
  await page.getByText('E-mail, password or code is wrong').waitFor();
  await enter(page, email, NEW_PASSWORD);
  await page.getByRole('tab', { name: 'Security' }).waitFor();
  onlyRefusals(complaints);
  await close();
});

test('another account is opened, renamed and chosen, and gets a key that expires', async () => {
  const email = 'grace@example.com';
  await member(stage, email, 'Grace');
  const { page, complaints, close } = await stage.open('/account#accounts');
  await enter(page, email);
  await page.getByRole('button', { name: 'Open another account' }).click();
  const opening = page.getByRole('dialog', { name: 'Open another account' });
  await opening.getByLabel('Label').fill('bots');
  await opening.getByRole('button', { name: 'Open account' }).click();
  await opening.waitFor({ state: 'detached' });
  await reads(() => page.locator('tbody tr').count(), 2);
  await page.getByRole('button', { name: /^Rename bots/ }).click();
  const renaming = page.getByRole('dialog', { name: /^Rename/ });
  await renaming.getByLabel('Label').fill('grids');
  await renaming.getByRole('button', { name: 'Rename' }).click();
  await renaming.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'API keys' }).click();
  const chooser = page.getByRole('combobox', { name: 'Account' });
  const [name = ''] = (await chooser.locator('option').allInnerTexts()).filter((one) =>
    one.startsWith('grids'),
  );
  await chooser.selectOption({ label: name });

  await age();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Label').fill('signer');
  await dialog.getByLabel('Expires after (days)').fill('30');
  await dialog.getByLabel('Key type').selectOption({ label: 'Ed25519 (public key)' });
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = String(publicKey.export({ format: 'pem', type: 'spki' }));
  await dialog.getByLabel('Public key', { exact: true }).fill(pem.replaceAll('\n', ''));
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await prove(page);
  const once = page.getByRole('dialog', { name: 'Copy the secret key now' });
  await once.waitFor();
  assert.equal(await once.locator('.copied code').count(), 2, 'a key and a passphrase');
  await once.getByRole('button', { name: 'I have saved them' }).click();
  const row = page.locator('tbody tr', { hasText: 'signer' });
  await row.getByText('Ed25519').waitFor();
  const accountId = present(/\((\d+)\)/.exec(name)?.[1], 'account id');
  const [key] = Object.values(await stage.venue.admin.keys({ account: accountId }));
  const { cTime, expiresTime } = Object(key);
  assert.ok(Math.abs(Number(expiresTime) - Number(cTime) - 30 * 86_400_000) < 60_000);
  onlyRefusals(complaints);
  await close();
});

test('an address is changed by a link and taken back by another', async () => {
  const [old, now] = ['hedy@example.com', 'hedwig@example.com'];
  await member(stage, old, 'Hedy');
  const { page, complaints, close } = await stage.open('/account');
  await signInAs(page, old);
  await age();
  const form = page.getByRole('form', { name: 'E-mail address' });
  await form.getByLabel('New e-mail address').fill(now);
  await form.getByRole('button', { name: 'Change address' }).click();
  await prove(page);
  await form.getByText('The operator has the link for you.').waitFor();
  const other = await stage.open(await linkFor(stage, now, 'email'));
  await other.page.getByRole('button', { name: 'Use this address' }).click();
  await other.page.getByText('Your new e-mail address is confirmed').waitFor();
  await enter(other.page, now);
  await other.page.getByRole('tab', { name: 'Security' }).waitFor();
  await other.close();
  const back = await stage.open(await linkFor(stage, old, 'email_undo'));
  await back.page.getByRole('button', { name: 'Take it back' }).click();
  await back.page.getByText('The change was taken back').waitFor();
  await back.page.goto(stage.venue.url + (await linkFor(stage, old, 'reset')));
  await back.page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await back.page.getByRole('button', { name: 'Save password' }).click();
  await enter(back.page, old, NEW_PASSWORD);
  await back.page.getByRole('tab', { name: 'Security' }).waitFor();
  await back.close();
  onlyRefusals(complaints);
  await close();
});

test('a person downloads what is kept of it, and leaves', async () => {
  const email = 'karl@example.com';
  await member(stage, email, 'Karl');
  const { page, complaints, close } = await stage.open('/account');
  await signInAs(page, email);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = readFileSync(present(await (await download).path(), 'file'), 'utf8');
  const kept = JSON.parse(file);
  assert.equal(kept.person.email, email);
  assert.equal(kept.accounts.length, 1);
  await page.getByRole('button', { name: 'Delete my profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete my profile' });
  await dialog.getByText('Delete karl@example.com for good?').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Delete my profile' }).click();
  await page.getByLabel('E-mail', { exact: true }).waitFor();
  await enter(page, email);
  await page.getByText('E-mail, password or code is wrong').waitFor();
  onlyRefusals(complaints);
  await close();
});
