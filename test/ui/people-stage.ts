/** A venue that lets people in, with a browser, and what people do on its pages. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { admin } from '#client';
import { present } from '#kernel';
import { openStage, type Stage } from '../support/browser.ts';
import { demoWith } from '../support/config-file.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { eventually } from '../support/until.ts';

export const PASSWORD = 'four green ideas sleep';

/** The market of the demo without its traders, and the keys that everybody knows. */
export async function openPeopleStage(...people: readonly string[]): Promise<Stage> {
  return openStage({ participants: false, flags: ['--config', configWith(people)] });
}

/** The same with a clock that tests move. */
export async function openPeopleSandbox(...people: readonly string[]): Promise<Stage> {
  const flags = ['--sandbox', '--config', configWith(people)];
  return openStage({ participants: false, flags });
}

function configWith(people: readonly string[]): string {
  const config = join(scratchDirectory(), 'venue.yaml');
  const section = people.map((line) => `  ${line}\n`).join('');
  writeFileSync(config, demoWith(`people:\n${section}`));
  return config;
}

type WaitingLink = Pick<admin.LinksRow, 'linkId' | 'personId'>;

/** The link that the operator has for somebody, once it is there: handed out. */
export async function linkFor({ venue }: Stage, email: string, kind: string): Promise<string> {
  const link = await eventually(
    async () => {
      const links = await venue.admin.links();
      return links.filter((link) => link.email === email && link.kind === kind).at(-1);
    },
    (found) => assert.ok(found, `a link of ${email}`),
  );
  return handedOut(venue, present(link, email));
}

async function handedOut(
  { admin }: Stage['venue'],
  { personId, linkId }: WaitingLink,
): Promise<string> {
  const reason = 'handed over in class';
  const { path } = await admin.handOutLink({ person: personId, link: linkId, reason });
  return path;
}

/** Lets somebody in who has chosen the password, as the operator does; gives the person's id. */
export async function member({ venue }: Stage, email: string, name = ''): Promise<string> {
  const made = await venue.admin.makePerson({ email, name });
  const token = (await handedOut(venue, made.link)).split('=')[1];
  const answer = await fetch(`${venue.url}/people/v1/password-resets/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD }),
  });
  assert.equal(answer.status, 200, await answer.text());
  return String(made.person.personId);
}

/** The first account of a person who has signed in, with this much of a coin. */
export async function fund(
  { venue }: Stage,
  email: string,
  coin: string,
  amount: string,
): Promise<string> {
  const accountId = await accountOf({ venue }, email);
  await venue.admin.deposit({ account: accountId, coin, amount, wallet: 'spot' });
  return accountId;
}

async function accountOf({ venue }: Pick<Stage, 'venue'>, email: string): Promise<string> {
  const [person] = await venue.admin.people({ email });
  const { accounts } = await venue.admin.person({ person: present(person, email).personId });
  return present(accounts[0], 'an account').accountId;
}

/** Fills the form of the door that is shown, and sends it. */
export async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
}

/** Signs in on the account page, and waits until it is there. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await enter(page, email);
  await page.getByRole('tab', { name: 'Security' }).waitFor();
}

/** The only complaints are refusals that the test wants. */
export function onlyRefusals(complaints: readonly string[]): void {
  const faults = complaints.filter((text) => !/status of 4\d\d|1008|WebSocket/.test(text));
  assert.deepEqual(faults, []);
}
