/** What the operator does for people on the desk: invitations, links, suspensions. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';
import { findings } from './looks.ts';
import { enter, linkFor, member, openPeopleStage, PASSWORD, signInAs } from './people-stage.ts';

const stage = closedAtEnd(await openPeopleStage('signUp: invitation'));

test('somebody is invited from the desk, signs up by the link, and is seen there', async () => {
  const desk = await openDesk(stage, 'people');
  await button(desk.page, 'Create invitation').click();
  await dialog(desk.page).getByLabel('Label').fill('course');
  await button(dialog(desk.page), 'Create invitation').click();
  await desk.page.getByRole('dialog', { name: 'Copy the invitation code now' }).waitFor();
  assert.deepEqual(await findings(desk.page), []);
  const [code = '', link = ''] = await desk.page.locator('.dialog .copied code').allInnerTexts();
  await button(desk.page, 'I have saved them').click();
  const guest = await stage.open(`/account${new URL(link).hash}`);
  const { page } = guest;
  await reads(() => page.getByLabel('Invitation code').inputValue(), code);
  assert.equal(new URL(page.url()).hash, '#sign-up', 'the code is out of the address');
  await page.getByLabel('E-mail', { exact: true }).fill('ada@example.com');
  await page.getByLabel('Invitation code').fill('wrong-wrong-wrong');
  await button(page, 'Sign up').click();
  await page.locator('.field-fault').getByText('invitation code is wrong').waitFor();
  await page.getByLabel('Invitation code').fill(code);
  await button(page, 'Sign up').click();
  await page.getByText('Ask the operator for your link').waitFor();
  await page.goto(stage.venue.url + (await linkFor(stage, 'ada@example.com', 'confirm')));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await button(page, 'Save password').click();
  await page.getByText('Your e-mail address is confirmed').waitFor();
  await signInAs(page, 'ada@example.com');
  await row(desk.page, 'Invitations', 'course', '1 of 1');
  await button(desk.page, 'Revoke invitation course').click();
  await confirm(desk.page, 'Its code will stop working', 'Revoke');
  await desk.page.getByText('No invitations').waitFor();
  await Promise.all([desk.close(), guest.close()]);
});

test('a person is found, suspended with a reason, signed out, and let in again', async () => {
  const email = 'grace@example.com';
  await member(stage, email, 'Grace');
  const guest = await stage.open('/account');
  await signInAs(guest.page, email);
  const desk = await openDesk(stage, 'people');
  await desk.page.getByLabel('Find by e-mail').fill(email);
  await button(desk.page, 'Find').click();
  await desk.page.getByRole('region', { name: email }).getByText('Active').waitFor();
  await row(desk.page, 'Security log', 'Signed in');
  await row(desk.page, 'Trading accounts', 'Shown below');
  assert.deepEqual(await findings(desk.page), []);
  const session = await row(desk.page, 'Open sessions', 'Chrome');
  await session.getByRole('button', { name: /^Sign out/ }).click();
  await confirm(desk.page, 'Sign out the session on', 'Sign out');
  await desk.page.getByText('No open sessions').waitFor();
  await guest.page.reload();
  await signInAs(guest.page, email);
  await button(desk.page, 'Suspend').click();
  await dialog(desk.page).getByLabel('Reason').fill('asked for it');
  await button(dialog(desk.page), 'Suspend').click();
  await row(desk.page, 'Security log', 'Suspended', 'asked for it');
  await guest.page.reload();
  await enter(guest.page, email);
  await guest.page.getByRole('alert').waitFor();
  await button(desk.page, 'Lift suspension').click();
  await dialog(desk.page).getByLabel('Reason').fill('all clear');
  await button(dialog(desk.page), 'Lift suspension').click();
  await row(desk.page, 'Security log', 'Suspension lifted', 'all clear');
  await button(desk.page, 'Reset password').click();
  await dialog(desk.page).getByText('sets a new password').waitFor();
  await button(dialog(desk.page), 'Reset password').click();
  await button(desk.page, `Hand out link of ${email}`).click();
  await dialog(desk.page).getByLabel('Reason').fill('seen in person');
  await button(dialog(desk.page), 'Hand out').click();
  await desk.page.getByRole('dialog', { name: 'Hand over this link' }).waitFor();
  const link = await desk.page.locator('.dialog .copied code').innerText();
  await guest.page.goto(link);
  await guest.page.getByLabel('New password', { exact: true }).fill('five blue trees dream');
  await button(guest.page, 'Save password').click();
  await guest.page.getByText('Your new password is set').waitFor();
  await enter(guest.page, email, 'five blue trees dream');
  await guest.page.getByRole('tab', { name: 'Security' }).waitFor();
  await Promise.all([desk.close(), guest.close()]);
});

test('a wait after wrong guesses is shown on the desk and lifted with a reason', async () => {
  const email = 'held@example.com';
  await member(stage, email, 'Held');
  for (let at = 0; at < 6; at += 1) {
    await fetch(`${stage.venue.url}/people/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a wrong password' }),
    });
  }
  const desk = await openDesk(stage, 'people');
  await desk.page.getByLabel('Find by e-mail').fill(email);
  await button(desk.page, 'Find').click();
  await button(desk.page, 'Lift sign-in wait').click();
  await dialog(desk.page).getByLabel('Reason').fill('called back');
  await button(dialog(desk.page), 'Lift sign-in wait').click();
  await row(desk.page, 'Security log', 'Wait after failed sign-ins lifted', 'called back');
  const facts = desk.page.getByRole('region', { name: email });
  await reads(() => facts.getByText('Sign-in held off until').count(), 0);
  assert.deepEqual(await findings(desk.page), []);
  await desk.close();
});
