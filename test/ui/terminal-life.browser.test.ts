/**
 * A trader's day around the orders themselves: what others do arrives by stream everywhere at once,
 * the venue is restarted under an open page, the words are Chinese, the screen is a phone's.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStage, pick } from '../support/browser.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { eventually, reads } from '../support/until.ts';
import { startVenueProcess, type VenueProcess } from '../support/venue-process.ts';
import { Hand } from './hand.ts';
import { boxAtRest } from './looks.ts';
import {
  choose,
  field,
  form,
  noticed,
  openTab,
  place,
  rowWith,
  send,
  signIn,
} from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';

const directory = scratchDirectory();
let again: VenueProcess | undefined;

const stage = await openStage({ participants: false, directory });
after(async () => {
  await stage?.close();
  await again?.stop();
});

test('what another one takes arrives in orders, positions, balances and as a notice', async () => {
  const { page, complaints, close } = await stage.open(`/#${CONTRACT}`);
  await signIn(page);
  await place(page, { Price: '30000', Quantity: '100' });
  await rowWith(page, 'BTC/USDT perp', '30,000.0', '100');
  await new Hand(stage.venue.url, 'maker').open(CONTRACT, 'short', '30000', '100');
  await noticed(page, 'Filled', '100');
  await page.getByText('No open orders').waitFor();
  await openTab(page, 'Positions');
  await rowWith(page, 'BTC/USDT perp', 'Long', '100', '30,000.0');
  await openTab(page, 'Fills');
  await rowWith(page, '30,000.0', '100');
  // Margin for 3,000 USDT at 20 times leverage, and the maker's fee of 0.04 %.
  await openTab(page, 'Balances');
  await rowWith(page, 'BTC/USDT perp', '99,848.8000', '150.0000');
  assert.deepEqual(complaints, []);
  await close();
});

test('a fill-or-kill that cannot be filled as a whole is not filled at all', async () => {
  const { page, close } = await stage.open(`/#${PAIR}`);
  await signIn(page);
  const maker = new Hand(stage.venue.url, 'maker');
  const resting = await maker.spot(PAIR, 'sell', '31000', '0.2');
  await form(page).getByRole('combobox', { name: 'Time in force' }).selectOption('FOK');
  await place(page, { Price: '31000', Quantity: '0.3' });
  await openTab(page, 'Order history');
  await rowWith(page, '31,000.00', 'Cancelled', '0.3000');
  assert.deepEqual(await maker.cancelSpot(PAIR, [resting]), [resting], 'nobody took of it');
  await close();
});

test('a restart of the venue under an open page loses nothing and stops nothing', async () => {
  const { page, close } = await stage.open(`/#${PAIR}`);
  await signIn(page);
  await place(page, { Price: '28000', Quantity: '0.4' });
  await rowWith(page, 'Buy', '28,000.00', '0.4000 BTC');
  const port = Number(new URL(stage.venue.url).port);
  await stage.venue.stop('SIGKILL');
  await page.getByText('Connecting').first().waitFor();
  await send(page, { Price: '24500', Quantity: '0.3' });
  await noticed(page, 'No answer from the venue', 'It may have been carried out anyway');
  again = await startVenueProcess({ participants: false, directory, port });
  await page.getByText(/Live$/).first().waitFor();
  await rowWith(page, 'Buy', '28,000.00', '0.4000 BTC');
  await new Hand(again.url, 'maker').spot(PAIR, 'sell', '28000', '0.4');
  // By stream or, if it happened before the stream was back, by what is asked for anew.
  await page.getByText('No open orders').waitFor();
  await openTab(page, 'Fills');
  await rowWith(page, '28,000.00', '0.4000');
  await openTab(page, 'Open orders');
  await place(page, { Price: '24000', Quantity: '0.1' });
  const row = await rowWith(page, 'Buy', '24,000.00');
  await row.getByRole('button', { name: /Cancel Buy/ }).click();
  await page.getByText('No open orders').waitFor();
  await close();
});

test('in Chinese an order is placed and cancelled all the same', async () => {
  const { page, complaints, close } = await stage.open(`/#${PAIR}`, { locale: 'zh-CN' });
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('button', { name: '使用演示账户' }).click();
  await page.getByText('退出登录').waitFor();
  await page.getByText('暂无当前委托').waitFor();
  await field(page, '价格').fill('25000');
  await field(page, '数量').fill('0.1');
  await field(page, '数量').press('Enter');
  const row = await rowWith(page, '25,000.00', '0.1000 BTC');
  await row.getByRole('button', { name: /撤单/ }).click();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await close();
});

test('on a phone the button that sends an order is in view, whatever the order', async () => {
  const { page, close } = await stage.open('/#BTC-USDT-PERP', { size: 'phone' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByText('Sign out').waitFor();
  await page.getByRole('tab', { name: 'Trade', exact: true }).click();
  const fits = async (shape: string) => {
    const button = page.getByRole('button', { name: 'Open long' });
    await eventually(
      () => boxAtRest(button),
      ({ y, height }) => assert.ok(y + height <= 844, `${shape}: it ends at ${y + height}`),
    );
    await reads(() => page.evaluate('document.documentElement.scrollWidth'), 390, shape);
  };
  for (const type of ['Limit', 'Market', 'Trigger']) {
    await choose(page, type);
    await field(page, 'Quantity').fill('60000');
    await fits(type);
  }
  await choose(page, 'Limit');
  await pick(page.getByLabel('Take-profit / stop-loss'));
  await field(page, 'Take-profit').waitFor();
  await fits('Limit with take profit and stop loss');
  await close();
});

test('on a phone an order is placed, seen and cancelled by tabs', async () => {
  const { page, complaints, close } = await stage.open(`/#${PAIR}`, { size: 'phone' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByText('Sign out').waitFor();
  const tabs = page.getByRole('tablist').first();
  await tabs.getByRole('tab', { name: 'Trade' }).click();
  await choose(page, 'Limit');
  await place(page, { Price: '25000', Quantity: '0.2' });
  await tabs.getByRole('tab', { name: 'Account' }).click();
  const row = page.locator('tbody tr').filter({ hasText: '0.2000 BTC' });
  await row.getByRole('button', { name: /Cancel Buy/ }).click();
  await page.getByText('No open orders').waitFor();
  for (const name of ['Open orders', 'Order history', 'Balances']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await page.getByRole('region', { name, exact: true }).waitFor();
    await reads(() => page.evaluate('document.documentElement.scrollWidth'), 390, name);
  }
  assert.deepEqual(complaints, []);
  await close();
});
