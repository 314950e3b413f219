/** The sandbox at the operator's desk: time, prices, money, states and faults of a real venue. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { noticed } from '../support/notices.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { eventually, reads } from '../support/until.ts';
import { venueTimeMs } from './hand.ts';
import { boxAtRest } from './looks.ts';

const HOUR_MS = 3_600_000;

const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const sight = await openDesk(stage, 'sandbox');
const page = sight.page;
await page.getByText('system clock').waitFor();

const now = () => venueTimeMs(stage.venue.url);

test('the clock is paused, stepped, moved before a funding, and runs faster', async () => {
  await button(page, 'Pause').click();
  await page.getByText('paused', { exact: true }).waitFor();
  const pausedMs = await now();
  const isFree = (name: string) => button(page, name).and(page.locator(':enabled')).waitFor();
  await button(page, '+1h').click();
  await reads(now, pausedMs + HOUR_MS);
  await isFree('+1h');
  await page.getByLabel('Advance by').fill('500');
  await button(page, 'Step').click();
  await reads(now, pausedMs + HOUR_MS + 500);
  await isFree('Step');
  await page.getByLabel('Time before funding').fill('2000');
  await button(page, 'Jump to funding').click();
  await reads(async () => (await now()) % HOUR_MS, HOUR_MS - 2_000);
  await isFree('Jump to funding');
  await button(page, 'Run 60x').click();
  await page.getByText('60x', { exact: true }).waitFor();
});

test('what the venue refuses is told in place, with the code', async () => {
  await page.getByLabel('Advance by').fill('0');
  await button(page, 'Step').click();
  await page
    .getByRole('alert')
    .getByText(/^[0-9]+ .*ms goes from 1/)
    .waitFor();
  await page.getByLabel('Advance by').fill('1');
  await button(page, 'Step').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('prices are moved and an index is set', async () => {
  await page.getByLabel('Price', { exact: true }).fill('31000');
  await button(page, 'Move price').click();
  await noticed(page, 'BTC/USDT is moving to 31000');
  await page.getByLabel('Index price').fill('31234.5');
  await button(page, 'Set index').click();
  await noticed(page, 'Index price of BTC-USDT-PERP set to 31234.5');
  const contract = async () => await stage.venue.admin.contract({ symbol: 'BTC-USDT-PERP' });
  await reads(async () => (await contract()).prices?.index, '31234.5');
});

test('a checkpoint takes back what came after it', async () => {
  const balance = async () => {
    const { balances } = await stage.venue.admin.account({ account: 'demo' });
    assert.ok(Array.isArray(balances));
    return balances.find(({ wallet, coin }) => wallet === 'spot' && coin === 'ETH')?.balance;
  };
  const start = await balance();
  await page.getByLabel('Checkpoint name').fill('before');
  await page.getByLabel('Checkpoint name').press('Enter');
  await row(page, 'Checkpoints', 'before');
  const credit = page.getByRole('form', { name: 'Credit' });
  await credit.getByLabel('Account').fill('demo');
  await credit.getByLabel('Coin').selectOption('ETH');
  await credit.getByLabel('Amount').fill('77');
  await credit.getByLabel('Amount').press('Enter');
  await noticed(page, '77 ETH credited to demo');
  await eventually(balance, (now) => assert.notEqual(now, start));
  await button(page, 'Reset: before').click();
  await confirm(page, 'Reset the venue to before?', 'Reset');
  await reads(balance, start);
  await button(page, 'Delete: before').click();
  await confirm(page, 'Delete checkpoint before?', 'Delete');
  await page.getByText('No checkpoints').waitFor();
});

test('a fault is added, acts, and is taken back', async () => {
  const status = async () => (await fetch(`${stage.venue.url}/api/spot/v1/public/products`)).status;
  assert.equal(await status(), 200);
  for (const path of ['/api/spot/v1/public/products', '/api/spot/v1/market/*']) {
    await button(page, 'Add fault').click();
    await dialog(page).getByLabel('Effect').selectOption('server_error');
    await dialog(page).getByLabel('HTTP status').selectOption('502');
    await dialog(page).getByLabel('Target').fill(`GET ${path}`);
    await dialog(page).getByLabel('Target').press('Enter');
    await row(page, 'Faults', 'Server error 502', path, 'all keys', '100.0%');
  }
  await reads(status, 502);
  await (await row(page, 'Faults', 'products')).getByRole('button').click();
  await page.getByRole('cell', { name: 'products' }).waitFor({ state: 'detached' });
  await reads(status, 200);
  await button(page, 'Clear all').click();
  await confirm(page, 'Remove all 1 fault rules?', 'Clear all');
  await page.getByText('No fault rules').waitFor();
});

test('on a phone the scenarios are rows of a few lines', async () => {
  const phone = await openDesk(stage, 'sandbox', { size: 'phone' });
  const first = await row(phone.page, 'Scenarios', 'Back to a checkpoint');
  await eventually(
    () => boxAtRest(first),
    ({ height }) => assert.ok(height < 150, `${height} pixels`),
  );
  await reads(() => phone.page.evaluate('document.documentElement.scrollWidth'), 390);
  await phone.close();
});

test('a scenario is played, and every step tells what came of it', async () => {
  await button(page, 'Run: Flash crash').click();
  const outcome = page.getByRole('region', { name: 'Flash crash' });
  await outcome.getByText('passed', { exact: true }).waitFor();
  await eventually(
    () => outcome.getByRole('listitem').allTextContents(),
    (steps) => {
      assert.ok(steps.length > 5);
      const others = steps.filter((step) => !step.startsWith('✓'));
      assert.deepEqual(others, []);
    },
  );
  assert.deepEqual(sight.complaints.filter(isUnexpected), []);
});

test('a venue that is gone is told at once, and nothing that was seen is lost', async () => {
  await stage.venue.stop('SIGKILL');
  await page.getByRole('status').getByText('Unreachable').waitFor();
  await page.getByRole('alert').getByText('No answer from the venue').first().waitFor();
  await page.getByRole('region', { name: 'Flash crash' }).waitFor();
});

/** The browser notes every answer that is a refusal; those are what the tests before asked for. */
function isUnexpected(complaint: string): boolean {
  return !complaint.startsWith('Failed to load resource: the server responded with a status of 4');
}
