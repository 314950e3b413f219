/** What a trader does with the terminal, in a few words, for the tests of its trading side. */
import { strict as assert } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { present } from '#kernel';
import type { Sight } from '../support/browser.ts';
import { pick } from '../support/browser.ts';
import { reads } from '../support/until.ts';

export { noticed } from '../support/notices.ts';

/** Signs in with one click, and waits until the account is known. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByText('Sign out').waitFor();
  await field(page, 'Price').waitFor();
  await page.getByText('No open orders').waitFor();
}

/** Refusals as the browser tells of them: those of the house's own API have more statuses. */
const REFUSED = /status of (400|4(04|09|22) .* http:\/\/[^/]+\/v1\/)/;

/** A proof in a page, signed in; refusals that it wants are its only complaints. */
export async function prove(
  sight: Sight,
  proof: (page: Page, sight: Sight) => Promise<void>,
): Promise<void> {
  try {
    await signIn(sight.page);
    await proof(sight.page, sight);
    const faults = sight.complaints.filter((text) => !REFUSED.test(text));
    assert.deepEqual(faults, []);
  } finally {
    await sight.close();
  }
}

export function form(page: Page): Locator {
  return page.locator('.order-form');
}

export function field(within: Page | Locator, label: string): Locator {
  return orderFields(within).getByRole('textbox', { name: label, exact: true });
}

function orderFields(within: Page | Locator): Locator {
  return 'goto' in within ? form(within) : within;
}

/** Waits until a field holds this text. */
export async function holds(input: Locator, text: string): Promise<void> {
  await input.and(input.page().locator(`[value="${text}"]`)).waitFor();
}

/** Chooses one of a row of choices of the form. */
export async function choose(within: Page | Locator, name: string): Promise<void> {
  await pick(orderFields(within).getByRole('radio', { name, exact: true }));
}

/** Fills the fields by their labels and sends with Enter. */
export async function send(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  const last = present(Object.keys(fields).at(-1), 'a field');
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
  await field(page, last).press('Enter');
}

/** Sends and waits until the venue has taken it. */
export async function place(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  await send(page, fields);
  await form(page).getByText('Accepted:').waitFor();
}

/** Opens a list of the account. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** The row of the shown list that has all of these texts; waits for it. */
export async function rowWith(page: Page, ...texts: readonly string[]): Promise<Locator> {
  let rows = page.locator('.desk-account tbody tr');
  for (const text of texts) rows = rows.filter({ hasText: text });
  await rows.first().waitFor();
  return rows.first();
}

/** Waits until a line of the estimates says this, unit and all that stands behind it left out. */
export async function estimate(
  within: Page | Locator,
  label: string,
  wanted: string,
): Promise<void> {
  const line = within.locator('.estimate').filter({ hasText: label }).first();
  await reads(async () => (await line.locator('dd').innerText()).split(' ')[0], wanted, label);
}

/** Saves the shown list as CSV and reads its rows as cells; no cell of ours has a comma. */
export async function exportedRows(page: Page): Promise<readonly (readonly string[])[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const text = await readFile(present(await download.path(), 'a saved file'), 'utf8');
  assert.ok(text.endsWith('\r\n'));
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

/** The cells of a column of an export, below its heading. */
export function column(rows: readonly (readonly string[])[], title: string): readonly string[] {
  const [header = [], ...lines] = rows;
  const at = header.indexOf(title);
  assert.ok(at >= 0, `a column ${title} in ${header.join()}`);
  return lines.map((cells) => cells[at] ?? '');
}
