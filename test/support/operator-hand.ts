/** What an operator does at the desk, in a few words, for its tests. */
import type { Locator, Page } from 'playwright-core';
import type { Sight, SightChoices, Stage } from './browser.ts';

/** Opens the desk at a place, as in 'accounts/1', with the token given. */
export async function openDesk(
  stage: Stage,
  place: string,
  choices: SightChoices = {},
): Promise<Sight> {
  const sight = await stage.open(`/ops#${place}`, choices);
  await enter(sight.page, stage.venue.adminToken);
  return sight;
}

export async function enter(page: Page, adminToken: string): Promise<void> {
  const token = page.locator('input[type="password"]');
  await token.fill(adminToken);
  await token.press('Enter');
  await page.getByRole('tablist').first().waitFor();
}

export function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true });
}

export function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** The row of a table, by its label, that has all of these texts; waits for it. */
export async function row(
  page: Page,
  table: string,
  ...texts: readonly string[]
): Promise<Locator> {
  let rows = page.getByRole('region', { name: table, exact: true }).locator('tbody tr');
  for (const text of texts) rows = rows.filter({ hasText: text });
  await rows.first().waitFor();
  return rows.first();
}

/** Waits until the dialog asks this, and answers with its button. */
export async function confirm(page: Page, question: string, action: string): Promise<void> {
  await dialog(page).getByText(question).waitFor();
  await button(dialog(page), action).click();
  await dialog(page).waitFor({ state: 'detached' });
}
