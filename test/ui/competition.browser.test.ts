/**
 * A competition on the pages: the operator makes it and plans a round on the desk, somebody joins
 * by its code, and a spectator who has not signed in sees the leaderboard, also on a phone.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';
import { findings } from './looks.ts';
import { member, openPeopleStage, signInAs } from './people-stage.ts';

const stage = closedAtEnd(await openPeopleStage('signUp: closed'));
const EMAIL = 'ada@example.com';

/** Makes a competition with an account in it, and gives the link to join it. */
async function made(page: Page): Promise<string> {
  await button(page, 'Create competition').click();
  await dialog(page).getByLabel('Name').fill('Autumn cup');
  await dialog(page).getByLabel('Amount').fill('0');
  await dialog(page).getByText('An amount above zero').waitFor();
  await dialog(page).getByLabel('Amount').fill('5000');
  await dialog(page).getByLabel('Seconds between samples').fill('1');
  await button(dialog(page), 'Create competition').click();
  await page.getByRole('heading', { name: 'Autumn cup' }).waitFor();
  await button(page, 'Add participants').click();
  await dialog(page).getByLabel('Accounts, by ID').fill('house');
  await dialog(page).getByLabel('Team').fill('Home');
  await button(dialog(page), 'Add participants').click();
  await row(page, 'Participants', 'Trader 1', 'Home');
  await button(page, 'Create code').click();
  await dialog(page).getByLabel('Number of accounts').fill('2');
  await button(dialog(page), 'Create code').click();
  const link = await page.locator('.dialog .copied code').nth(1).innerText();
  await button(page, 'I have saved them').click();
  await row(page, 'Competition codes', '0 of 2');
  return link;
}

/** Changes the terms as far as they may change, and sees before what changes. */
async function edited(page: Page): Promise<void> {
  await button(page, 'Edit terms').click();
  await dialog(page).getByLabel('Description').fill('Five days, one winner');
  await dialog(page).getByLabel('Rank by').selectOption('sharpe');
  await button(dialog(page), 'Save').click();
  await dialog(page).getByText('Rank by: Return → Sharpe ratio').waitFor();
  await button(dialog(page), 'Save').click();
  // The dialog shows it, too: what it was opened with is old until the page has read it again.
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByText('Five days, one winner').waitFor();
  await button(page, 'Edit terms').click();
  await dialog(page).getByLabel('Rank by').selectOption('return');
  await button(dialog(page), 'Save').click();
  await dialog(page).getByText('Rank by: Sharpe ratio → Return').waitFor();
  await button(dialog(page), 'Save').click();
}

/** Joins by the link with the account of somebody who signs in; a wrong code is refused. */
async function joins(page: Page): Promise<void> {
  await signInAs(page, EMAIL);
  const code = await dialog(page).getByLabel('Competition code').inputValue();
  await dialog(page).getByLabel('Competition code').fill('wrong-wrong-wrong-wrong');
  await button(dialog(page), 'Join').click();
  await dialog(page).getByText('The code is wrong').waitFor();
  await dialog(page).getByLabel('Competition code').fill(code);
  await dialog(page).getByLabel('Name on the leaderboard').fill('Lovelace');
  await button(dialog(page), 'Join').click();
  await page.getByText('You have joined Autumn cup').waitFor();
  await row(page, 'Your competitions', 'Autumn cup', 'Lovelace');
  assert.deepEqual(await findings(page), []);
}

test('a competition is made, joined, started, watched and ended', async () => {
  await member(stage, EMAIL, 'Ada');
  await stage.venue.admin.createAccount({ name: 'house' });
  const watcher = await stage.open('/competition');
  await watcher.page.getByText('No competition is open to spectators').waitFor();

  const desk = await openDesk(stage, 'competitions');
  const way = new URL(await made(desk.page));
  await edited(desk.page);
  const ada = await stage.open(way.pathname + way.hash);
  await joins(ada.page);
  await row(desk.page, 'Participants', 'Lovelace');
  await row(desk.page, 'Competition codes', '1 of 2');

  await button(desk.page, 'Plan round').click();
  await dialog(desk.page).getByLabel('Name').fill('Qualify');
  await dialog(desk.page).getByLabel('Starts in').fill('60');
  await button(dialog(desk.page), 'Plan round').click();
  await row(desk.page, 'Rounds', 'Round 1: Qualify', 'Scheduled');
  await desk.page
    .getByRole('region', { name: 'Rounds' })
    .first()
    .getByRole('button', { name: 'Edit' })
    .click();
  await dialog(desk.page).getByLabel('Name').fill('Qualifying');
  await dialog(desk.page).getByLabel('Duration (minutes)').fill('90');
  await button(dialog(desk.page), 'Save').click();
  await dialog(desk.page).getByText('Duration (minutes): 60 → 90').waitFor();
  await button(dialog(desk.page), 'Save').click();
  await row(desk.page, 'Rounds', 'Round 1: Qualifying', 'Scheduled');
  await watcher.page.getByText('Starts in', { exact: true }).waitFor();
  assert.deepEqual(await findings(desk.page), []);
  await button(desk.page, 'Start round').click();
  await confirm(desk.page, 'as soon as all participants are ready', 'Start round');
  await row(desk.page, 'Rounds', 'Round 1: Qualifying', 'Live');

  const { page } = watcher;
  await page.getByText('Time left', { exact: true }).waitFor();
  await row(page, 'Leaderboard', 'Lovelace', '5,000.00', '0.00%');
  await row(page, 'Teams', 'Home', '5,000.00');
  await page.getByRole('img', { name: /Equity over time of/ }).waitFor();
  assert.doesNotMatch(await page.content(), /ada@|house/);
  assert.deepEqual(await findings(page), []);
  const phone = await stage.open(`/competition${new URL(page.url()).hash}`, { size: 'phone' });
  await row(phone.page, 'Leaderboard', 'Lovelace');
  const width = () => phone.page.evaluate<number>('document.documentElement.scrollWidth');
  await reads(width, 390, 'the width of the page on a phone');
  assert.deepEqual(await findings(phone.page), []);

  await button(desk.page, 'End round').click();
  await desk.page.getByText('publish its result').waitFor();
  await button(dialog(desk.page), 'End round').click();
  await row(desk.page, 'Rounds', 'Round 1: Qualifying', 'Final');
  await page.locator('.competition-state').getByText('Final').waitFor();
  const link = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
  const csv = await (await fetch(stage.venue.url + link)).text();
  assert.match(csv, /^trader,1,[12],Lovelace,,5000\.00000000,0\.00000000,/m);
  await button(desk.page, 'Close round').click();
  await confirm(desk.page, 'let participants trade again', 'Close round');
  await button(desk.page, 'Cancel competition').click();
  await confirm(desk.page, 'Earlier results stay', 'Cancel competition');
  await desk.page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByText('Competition cancelled').waitFor();
  for (const sight of [desk, watcher, phone]) {
    assert.deepEqual(sight.complaints, []);
    await sight.close();
  }
  await ada.close();
});
