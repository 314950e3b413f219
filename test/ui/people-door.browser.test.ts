/** How people come in: they sign up, confirm, sign in, and trade by the session of the browser. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings } from './looks.ts';
import {
  enter,
  fund,
  linkFor,
  member,
  onlyRefusals,
  openPeopleStage,
  PASSWORD,
  signInAs,
} from './people-stage.ts';
import { field, form, openTab, rowWith, send } from './trading-floor.ts';

const PAIR = 'BTC-USDT';

const stage = closedAtEnd(await openPeopleStage('signUp: open'));
const maker = new Hand(stage.venue.url, 'maker');

test('somebody signs up, confirms by link, signs in, trades, and sees the fill', async () => {
  const email = 'ada@example.com';
  const { page, complaints, close } = await stage.open(`/#${PAIR}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Name (optional)').fill('Ada');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('Ask the operator for your link').waitFor();
  await page.goto(stage.venue.url + (await linkFor(stage, email, 'confirm')));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  assert.doesNotMatch(page.url(), /confirm/);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Your e-mail address is confirmed').waitFor();
  await enter(page, email);
  // Back where it began, behind the sign-in.
  await field(page, 'Price').waitFor();
  assert.equal(new URL(page.url()).hash, `#${PAIR}`);
  await page.getByText('No open orders').waitFor();
  await fund(stage, email, 'USDT', '10000');
  await maker.spot(PAIR, 'sell', '30000', '0.1');
  await send(page, { Price: '30000', Quantity: '0.1' });
  await form(page).getByText('Accepted').waitFor();
  await openTab(page, 'Fills');
  await rowWith(page, 'Buy', '30,000.00');
  assert.equal(await page.evaluate('document.cookie'), '', 'no script sees the cookie');
  await page.reload();
  await openTab(page, 'Fills');
  await rowWith(page, 'Buy', '30,000.00');
  onlyRefusals(complaints);
  await close();
});

test('forms say at the field what is wrong, and nothing of who is known', async () => {
  await member(stage, 'grace@example.com');
  const { page, close } = await stage.open('/account');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Enter a valid e-mail address').waitFor();
  await page.getByText('Enter your password').waitFor();
  const refusal = page.getByRole('alert');
  await enter(page, 'grace@example.com', 'not the password of it');
  await refusal.waitFor();
  const ofMember = await refusal.innerText();
  await page.reload();
  await enter(page, 'nobody@example.com', 'not the password of it');
  await refusal.waitFor();
  assert.equal(await refusal.innerText(), ofMember);
  await page.getByRole('link', { name: 'Create an account' }).click();
  // Both forms have the same fields.
  await page.getByRole('button', { name: 'Sign up' }).waitFor();
  await page.getByLabel('E-mail', { exact: true }).fill('new@example.com');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.goto(stage.venue.url + (await linkFor(stage, 'new@example.com', 'confirm')));
  const password = page.getByLabel('New password', { exact: true });
  await password.fill('short');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Use at least 12 characters').waitFor();
  // By the key: the button moves up as what was said at the field goes.
  await password.fill('password1234');
  await password.press('Enter');
  await page.locator('.field-fault').getByText('password cannot be used').waitFor();
  await close();
});

test('a forgotten password is chosen anew by a link, which works once', async () => {
  const email = 'alan@example.com';
  await member(stage, email);
  const { page, close } = await stage.open('/account');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Get a link' }).waitFor();
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Get a link' }).click();
  await page.getByText('If this address has an account').waitFor();
  const path = await linkFor(stage, email, 'reset');
  await page.goto(stage.venue.url + path);
  await page.getByLabel('New password', { exact: true }).fill('five blue trees dream');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Your new password is set').waitFor();
  await enter(page, email, 'five blue trees dream');
  await page.getByRole('tab', { name: 'Security' }).waitFor();
  await page.goto('about:blank');
  await page.goto(stage.venue.url + path);
  await page.getByLabel('New password', { exact: true }).fill('six red rivers sing');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByRole('alert').getByText('link is wrong').waitFor();
  await close();
});

test('a session that is revoked ends its page, which goes on after signing in again', async () => {
  const email = 'emmy@example.com';
  await member(stage, email);
  const trader = await stage.open(`/#${PAIR}`);
  await trader.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await trader.page.getByRole('button', { name: 'Sign in with e-mail' }).click();
  await enter(trader.page, email);
  await trader.page.getByText('No open orders').waitFor();
  const owner = await stage.open('/account');
  await signInAs(owner.page, email);
  await owner.page.getByRole('button', { name: 'Sign out all other sessions' }).click();
  await owner.page.getByText('Other sessions signed out: 1').first().waitFor();
  await trader.page.getByText('Your session has ended').waitFor();
  await enter(trader.page, email);
  await trader.page.getByText('No open orders').waitFor();
  assert.equal(new URL(trader.page.url()).hash, `#${PAIR}`);
  await owner.page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await owner.page.getByLabel('E-mail', { exact: true }).waitFor();
  await Promise.all([trader.close(), owner.close()]);
});

test('whoever may only read an account sees why nothing can be ordered', async () => {
  const [owner, reader] = ['hedy@example.com', 'karl@example.com'];
  await member(stage, owner, 'Hedy');
  const readerId = await member(stage, reader, 'Karl');
  const { page, close } = await stage.open('/account');
  await signInAs(page, owner);
  const accountId = await fund(stage, owner, 'USDT', '500');
  const given = { person: readerId, account: accountId, permissions: ['read'] } as const;
  await stage.venue.admin.giveAccess(given);
  const other = await stage.open('/');
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('button', { name: 'Sign in with e-mail' }).click();
  await enter(other.page, reader);
  await form(other.page).getByText('You can view this account but not trade in it').waitFor();
  await reads(() => form(other.page).locator('button[type="submit"]').isDisabled(), true);
  await Promise.all([close(), other.close()]);
});

for (const [door, heading] of [
  ['sign-in', 'Sign in'],
  ['sign-up', 'Create an account'],
  ['forgotten', 'Reset your password'],
] as const) {
  test(`the door is clean for everybody: ${door}`, async () => {
    for (const size of ['desk', 'phone'] as const) {
      for (const colorScheme of ['dark', 'light'] as const) {
        const { page, complaints, close } = await stage.open(`/account#${door}`, {
          size,
          colorScheme,
        });
        await page.getByRole('heading', { name: heading }).waitFor();
        assert.deepEqual(await findings(page), []);
        assert.deepEqual(complaints, []);
        await close();
      }
    }
  });
}
