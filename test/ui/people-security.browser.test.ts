/** What people do about their own security: second factor, keys, who else may use an account. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { pick } from '../support/browser.ts';
import { rowsOf, Trader } from '../support/http-trader.ts';
import { eventually, reads } from '../support/until.ts';
import { findings } from './looks.ts';
import { enter, fund, member, onlyRefusals, openPeopleStage, signInAs } from './people-stage.ts';

const stage = closedAtEnd(await openPeopleStage('signUp: open'));

/** A code of a step that was not used yet: the venue takes each only once. */
class Authenticator {
  readonly #totp: TOTP;
  #last = '';

  constructor(secret: string) {
    this.#totp = new TOTP({ secret });
  }

  next(): Promise<string> {
    return eventually(
      () => this.#totp.generate(),
      (code) => {
        assert.notEqual(code, this.#last);
        this.#last = code;
      },
    );
  }

  /** The one of the next half minute, which the venue takes ahead of time. */
  ahead(): string {
    return this.#totp.generate({ timestamp: Date.now() + 30_000 });
  }
}

async function texts(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(selector).allInnerTexts();
}

test('a second factor: turned on by a code, asked for, replaced by a recovery code', async () => {
  const email = 'ada@example.com';
  await member(stage, email);
  const { page, complaints, close } = await stage.open('/account');
  await signInAs(page, email);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication' });
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  assert.deepEqual(await findings(page), []);
  const [secret] = await texts(page, '.dialog .copied code');
  const app = new Authenticator(present(secret, 'a secret'));
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('The code is wrong').waitFor();
  await dialog.getByLabel('Code', { exact: true }).fill(await app.next());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const once = page.getByRole('dialog', { name: 'Recovery codes' });
  await once.waitFor();
  const codes = await texts(page, '.account-codes code');
  assert.equal(new Set(codes).size, 10);
  assert.deepEqual(await findings(page), []);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    once.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /recovery-codes/);
  await once.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await enter(page, email);
  await page.getByLabel('Code', { exact: true }).fill(app.ahead());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('10 recovery codes left').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await enter(page, email);
  await page.getByLabel('Code', { exact: true }).fill(present(codes[0], 'a recovery code'));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('9 recovery codes left').waitFor();
  await page.getByText('Recovery code used').waitFor();
  onlyRefusals(complaints);
  await close();
});

test('a key is made in the page, shown once, and signs a call until it is revoked', async () => {
  const email = 'grace@example.com';
  await member(stage, email);
  const { page, close } = await stage.open('/account#keys');
  await enter(page, email);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Label').fill('grid bot');
  await pick(dialog.getByRole('checkbox', { name: 'Trade' }));
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const once = page.getByRole('dialog', { name: 'Copy the secret key now' });
  await once.waitFor();
  assert.deepEqual(await findings(page), []);
  const [key = '', secret = '', passphrase = ''] = await texts(page, '.dialog .copied code');
  await once.getByRole('button', { name: 'I have saved them' }).click();
  const trader = new Trader(stage.venue.url, { key, secret, passphrase });
  await fund(stage, email, 'USDT', '777');
  const [asset] = rowsOf(await trader.get('/account/assets'));
  assert.equal(asset?.available, '777.00000000');
  await page.getByRole('button', { name: `Revoke key ${key}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No API keys yet').waitFor();
  await reads(async () => (await trader.get('/account/assets')).code === '00000', false);
  assert.equal((await page.content()).includes(secret), false);
  await close();
});

test('another person is let into an account by a code, and put out again', async () => {
  const [owner, guest] = ['hedy@example.com', 'karl@example.com'];
  await member(stage, owner, 'Hedy');
  await member(stage, guest, 'Karl');
  const { page, close } = await stage.open('/account#accounts');
  await enter(page, owner);
  await page.getByRole('button', { name: /^People with access to/ }).click();
  await page.getByRole('button', { name: 'Give access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give access' });
  await pick(dialog.getByRole('checkbox', { name: 'Trade' }));
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('dialog', { name: 'Hand over this access code' }).waitFor();
  const [code = ''] = await texts(page, '.dialog .copied code');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  const open = page.getByRole('region', { name: 'Open access codes' });
  await open.getByText('Hedy').waitFor();
  await page.getByRole('button', { name: 'Give access' }).click();
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await reads(() => open.locator('tbody tr').count(), 2);
  assert.deepEqual(await findings(page), []);
  await open.getByRole('button', { name: 'Revoke code' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke code' }).click();
  await page.getByText('Access code revoked').first().waitFor();
  await reads(() => open.locator('tbody tr').count(), 1);
  const other = await stage.open('/account#accounts');
  await enter(other.page, guest);
  await other.page.getByRole('button', { name: 'Enter an access code' }).click();
  await other.page.getByRole('dialog').getByLabel('Access code').fill(code);
  await other.page.getByRole('button', { name: 'Add account' }).click();
  await other.page.locator('tbody tr').nth(1).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Remove Karl' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Karl removed').first().waitFor();
  await other.page.reload();
  await reads(() => other.page.locator('tbody tr').count(), 1);
  await Promise.all([close(), other.close()]);
});

test('each tab of the account page is clean, in both languages, themes and sizes', async () => {
  const email = 'emmy@example.com';
  await member(stage, email);
  const { page, complaints, close } = await stage.open('/account');
  await signInAs(page, email);
  await fund(stage, email, 'USDT', '5');
  for (const [language, colorScheme, width] of [
    ['English', 'Dark', 1280],
    ['中文', 'Light', 390],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel('Theme').selectOption(colorScheme);
    await page.getByLabel('Language').selectOption(language);
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ['security', 'accounts', 'keys', 'money']) {
      await page.evaluate(`location.hash = '${tab}'`);
      await page.locator(`[id$="-tab-${tab}"][aria-selected="true"]`).waitFor();
      await page.locator('.account-page table').first().waitFor();
      assert.deepEqual(await findings(page), [], `${tab} in ${language}`);
    }
  }
  onlyRefusals(complaints);
  await close();
});
