/** The console of a demo is opened by the link that its start prints. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, openSight } from '../support/browser.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

test('the link opens the console once, and the tab stays signed in', async (context) => {
  const here = await new ServerHere(scratchDirectory()).start();
  context.after(() => here.stop());
  const browser = await openBrowser();
  context.after(() => browser.close());
  const url = `${here.url}${here.consoleLink()}`;
  const { page, close } = await openSight(browser, url);
  await page.getByRole('tab', { name: 'Health' }).waitFor();
  assert.doesNotMatch(page.url(), /enter/);
  await page.reload();
  await page.getByRole('tab', { name: 'Health' }).waitFor();
  await close();
  const again = await openSight(browser, url);
  await again.page.getByText('This link was used, or is older than ten minutes').waitFor();
  await again.page.getByText('shows a link that opens this console once').waitFor();
  await again.close();
});
