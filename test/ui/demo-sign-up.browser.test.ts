/** A stranger at the machine of a demo: signs up, opens the link of its terminal, and trades. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { openBrowser, openSight } from '../support/browser.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { eventually } from '../support/until.ts';
import { enter, onlyRefusals, PASSWORD } from './people-stage.ts';
import { field, form, send } from './trading-floor.ts';

const EMAIL = 'ada@example.com';
const PAIR = 'BTC-USDT';

test('whoever is at the machine signs up in the demo and trades', async (context) => {
  const here = await new ServerHere(scratchDirectory()).start();
  context.after(() => here.stop());
  const browser = await openBrowser();
  context.after(() => browser.close());
  const { page, complaints, close } = await openSight(browser, `${here.url}/#${PAIR}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('The link is in the terminal where the venue runs').waitFor();
  const line = await eventually(
    () => here.lines.find(({ msg }) => msg.startsWith(`To ${EMAIL}: `)),
    (found) => assert.ok(found),
  );
  await page.goto(present(line?.msg.split(' ').at(-1), 'a link'));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Your e-mail address is confirmed').waitFor();
  await enter(page, EMAIL);
  await field(page, 'Price').waitFor();
  await send(page, { Price: '29000', Quantity: '1' });
  await form(page).getByText('Accepted').waitFor();
  onlyRefusals(complaints);
  await close();
});
