/** The operator's desk in a real browser, on a real venue: what it shows, and what it does. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick, type Sight, type SightChoices } from '../support/browser.ts';
import { noticed } from '../support/notices.ts';
import { button, confirm, dialog, openDesk, row } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';
import { Hand } from './hand.ts';

const stage = closedAtEnd(await openStage({ participants: false }));

/** A proof at a place of the desk, which the page must go through without a complaint. */
function proof(
  name: string,
  place: string,
  prove: (sight: Sight) => Promise<void>,
  choices: SightChoices = {},
): void {
  test(name, async () => {
    const sight = await openDesk(stage, place, choices);
    await prove(sight).finally(() => sight.close());
    assert.deepEqual([...sight.origins], [stage.venue.url]);
  });
}

test('the desk says where the token is, and when one is wrong', async () => {
  const { page, close } = await stage.open('/ops');
  await page.getByText('admin.token of the data directory').waitFor();
  await page.getByLabel('Admin token').fill('wrong');
  await page.getByLabel('Admin token').press('Enter');
  await page.getByRole('alert').getByText('Invalid admin token', { exact: true }).waitFor();
  await close();
});

for (const isKept of [true, false]) {
  const fate = isKept ? 'survives a reload' : 'is gone with a reload';
  test(`a token that is ${isKept ? '' : 'not '}kept ${fate}`, async () => {
    const { page, close } = await stage.open('/ops');
    if (isKept) await pick(page.getByLabel('Stay signed in'));
    await page.getByLabel('Admin token').fill(stage.venue.adminToken);
    await page.getByLabel('Admin token').press('Enter');
    await button(page, 'Sign out').waitFor();
    await page.reload();
    await (isKept ? button(page, 'Sign out') : page.getByLabel('Admin token')).waitFor();
    if (isKept) await button(page, 'Sign out').click();
    await page.getByLabel('Admin token').waitFor();
    await reads(() => page.evaluate('sessionStorage.length'), 0);
    await close();
  });
}

proof('the plots follow the venue; refusals are told by reason', 'health', async ({ page }) => {
  await page.getByRole('status').getByText('Ready', { exact: true }).waitFor();
  await page.locator('.ops-plot-line[d*="L"]').nth(5).waitFor({ state: 'attached' });
  const sequence = page.locator('.ops-pulse-seq .figure');
  const before = await sequence.textContent();
  await new Hand(stage.venue.url, 'demo').spot('BTC-USDT', 'buy', '20000', '0.5');
  await sequence.filter({ hasNotText: new RegExp(`^${before}$`) }).waitFor();
  await fetch(`${stage.venue.url}/api/spot/v1/market/ticker?symbol=NONE_SPBL`);
  await row(page, 'Rejections by reason', 'symbol_unknown', 'Pair is unknown');
});

proof('all orders of an account are cancelled after asking once', 'accounts', async ({ page }) => {
  await new Hand(stage.venue.url, 'demo').spot('BTC-USDT', 'buy', '20000', '0.5');
  await page.getByRole('link', { name: 'demo', exact: true }).click();
  await button(page, 'Cancel all orders').click();
  await confirm(page, 'open orders of demo', 'Cancel all orders');
  await noticed(page, 'orders of demo cancelled');
  await reads(async () => (await stage.venue.admin.account({ account: 'demo' })).openOrders, 0);
});

proof('an account is found by name; strangers are told apart', 'accounts', async ({ page }) => {
  const search = page.getByRole('search').getByLabel('Find account');
  await search.fill('nobody');
  await page.getByText('Not on this page').waitFor();
  await search.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/^[0-9]+ /)
    .waitFor();
  await search.fill('maker');
  await search.press('Enter');
  await page.getByRole('region', { name: 'maker' }).waitFor();
});

proof('money comes, goes, moves and is locked', 'accounts/maker', async ({ page }) => {
  const move = async (name: string, amount: string, question: string): Promise<void> => {
    await button(page, name).click();
    await dialog(page).getByLabel('Coin').selectOption('ETH');
    await dialog(page).getByLabel('Amount').fill(amount);
    await button(dialog(page), name).click();
    await confirm(page, question, name);
  };
  const balances = async (balance: string, available: string) =>
    row(page, 'Balances', 'spot', 'ETH', balance, available);
  const start = await ethOf('maker');
  const text = (count: number) => count.toLocaleString('en-US');
  await move('Deposit', '7', 'Deposit 7 ETH to spot of maker?');
  await balances(text(start + 7), text(start + 7));
  await move('Withdraw', '5', 'Withdraw 5 ETH from spot of maker? The money leaves the venue.');
  await balances(text(start + 2), text(start + 2));
  await move('Lock', '2', 'Set the locked spot balance of maker to 2 ETH?');
  await balances(text(start + 2), text(start));
  await button(page, 'Withdraw').click();
  await dialog(page).getByLabel('Amount').fill('99999999999');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('from spot of maker').waitFor();
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByRole('alert')
    .getByText(/^[0-9]+ .*alance/)
    .waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

proof('money whose answer is lost is entered once', 'accounts/maker', async ({ page }) => {
  const start = await ethOf('maker');
  const lost = async (route: Route): Promise<void> => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/deposits', lost, { times: 1 });
  await button(page, 'Deposit').click();
  await dialog(page).getByLabel('Coin').selectOption('ETH');
  await dialog(page).getByLabel('Amount').fill('3');
  const deposit = button(dialog(page), 'Deposit');
  await deposit.click();
  await dialog(page).getByText('Deposit 3 ETH to spot of maker?').waitFor();
  await deposit.click();
  await dialog(page).getByRole('alert').waitFor();
  await deposit.click();
  await confirm(page, 'Deposit 3 ETH to spot of maker?', 'Deposit');
  assert.equal(await ethOf('maker'), start + 3);
});

async function ethOf(account: string): Promise<number> {
  const { balances } = await stage.venue.admin.account({ account });
  assert.ok(Array.isArray(balances));
  return Number(balances.find(({ wallet, coin }) => wallet === 'spot' && coin === 'ETH').balance);
}

proof('money is transferred to a contract and back', 'accounts/demo', async ({ page }) => {
  await button(page, 'Transfer').click();
  await dialog(page).getByLabel('Coin').selectOption('USDT');
  await dialog(page).getByLabel('Amount').fill('123');
  await button(dialog(page), 'Transfer').click();
  await confirm(page, 'Transfer 123 USDT of demo from spot to margin?', 'Transfer');
  await row(page, 'Balances', 'margin', 'USDT', '200,123.00000000');
});

proof(
  'an account is frozen and let go; its fees are set and taken back',
  'accounts/maker',
  async ({ page }) => {
    await button(page, 'Freeze').click();
    await confirm(page, 'Freeze maker?', 'Freeze');
    await button(page, 'Unfreeze').click();
    await confirm(page, 'Unfreeze maker and let it trade again?', 'Unfreeze');
    await button(page, 'Freeze').waitFor();
    const takerFee = async () => (await stage.venue.admin.account({ account: 'maker' })).takerFee;
    const fee = page.getByRole('form', { name: 'Settings' }).getByLabel('Taker fee');
    const save = async (text: string): Promise<void> => {
      await fee.fill(text);
      const answer = page.waitForResponse((one) => one.request().method() === 'PATCH');
      await fee.press('Enter');
      assert.equal((await answer).status(), 200);
    };
    await save('0.00025');
    await noticed(page, 'Settings of maker saved');
    await reads(takerFee, '0.00025');
    await save('');
    await reads(takerFee, null);
    await button(page, 'Save').and(page.locator(':disabled:not([aria-busy=true])')).waitFor();
    await fee.fill('2');
    await fee.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/^[0-9]+ /)
      .waitFor();
  },
);

proof('a key is made, its secret shown once, and revoked', 'accounts/maker', async ({ page }) => {
  await button(page, 'Create key').click();
  await dialog(page).getByLabel('Label').fill('grid bot');
  await pick(dialog(page).getByLabel('Transfer'));
  await dialog(page).getByLabel('Allowed IPs').fill('10.0.0.0/8, 127.0.0.1');
  await dialog(page).getByLabel('Label').press('Enter');
  await dialog(page).getByText('are shown only once').waitFor();
  const [key = '', secret = ''] = await dialog(page).locator('code').allTextContents();
  assert.ok(key.length > 20 && secret.length > 20);
  await button(dialog(page), 'I have saved them').click();
  await row(page, 'API keys', key, 'grid bot', 'transfer', '10.0.0.0/8, 127.0.0.1');
  assert.ok(!(await page.content()).includes(secret));
  await button(page, `Revoke key ${key}`).click();
  await confirm(page, `Revoke key ${key} (grid bot) of maker permanently?`, 'Revoke');
  await page.getByRole('cell', { name: key, exact: true }).waitFor({ state: 'detached' });
});

proof('the report is balanced in every column; a fund takes money', 'money', async ({ page }) => {
  await page.getByText('Balanced: no money was created or lost').waitFor();
  const usdt = await row(page, 'Reconciliation report', 'USDT', '✓ balanced');
  await reads(() => usdt.getByRole('cell').count(), 12);
  await button(page, 'Add funds: USDT').click();
  await dialog(page).getByLabel('Amount').fill('1234');
  await dialog(page).getByLabel('Amount').press('Enter');
  await confirm(page, 'Add 1234 USDT to the insurance fund?', 'Add funds');
  await row(page, 'Insurance funds', 'USDT', '1,234.00000000');
  await row(page, 'Reconciliation report', 'USDT', '1,234.00000000', '✓ balanced');
});

proof(
  'a pair is halted and resumed after asking; its fee is changed',
  'instruments',
  async ({ page }) => {
    await button(page, 'Halt: ETH-USDT').click();
    await confirm(page, 'Halt ETH-USDT?', 'Halt');
    await row(page, 'Pairs', 'ETH-USDT', 'Halted');
    await button(page, 'Resume: ETH-USDT').click();
    await confirm(page, 'Resume trading of ETH-USDT?', 'Resume');
    await row(page, 'Pairs', 'ETH-USDT', 'Trading');
    await button(page, 'Edit: ETH-USDT').click();
    await dialog(page).getByLabel('Taker fee').fill('0.0008');
    await dialog(page).getByLabel('Taker fee').press('Enter');
    await confirm(page, 'Taker fee: 0.001 → 0.0008', 'Change');
    await row(page, 'Pairs', 'ETH-USDT', '0.080%');
  },
);

proof(
  'the terms and tiers of a contract are changed',
  'instruments/ETH-USDT-PERP',
  async ({ page }) => {
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Maker fee').fill('0.0003');
    await dialog(page).getByLabel('Risk tiers 1: Maintenance margin rate').fill('0.004');
    await dialog(page).getByLabel('Maker fee').press('Enter');
    await confirm(page, 'Change Maker fee, Risk tiers of ETH-USDT-PERP?', 'Change');
    await row(page, 'Risk tiers', '100,000', '0.400%');
    await page.locator('dl').getByText('0.0003', { exact: true }).waitFor();
  },
);

proof('who halts a contract is told what becomes of positions', 'instruments', async ({ page }) => {
  await button(page, 'Halt: ETH-USDT-PERP').click();
  await dialog(page).getByText('Meanwhile positions cannot be closed').waitFor();
  await button(dialog(page), 'Cancel').click();
  await button(page, 'Halt: ETH-USDT').click();
  await dialog(page)
    .getByText('open orders stay and can be cancelled.', { exact: false })
    .waitFor();
  await reads(() => dialog(page).getByText('positions cannot be closed').count(), 0);
});

proof(
  'an index price liquidates, and the log tells who paid',
  'instruments/BTC-USDT-PERP',
  async ({ page }) => {
    const [maker, demo] = (['maker', 'demo'] as const).map((name) => {
      return new Hand(stage.venue.url, name);
    });
    await demo?.isolate('BTC-USDT-PERP');
    await maker?.open('BTC-USDT-PERP', 'short', '30000', '1000');
    await demo?.open('BTC-USDT-PERP', 'long', '30000', '1000');
    await button(page, 'Set index price').click();
    await dialog(page).getByLabel('Index price').fill('20000');
    await dialog(page).getByLabel('Index price').press('Enter');
    await confirm(page, 'Positions may be liquidated immediately.', 'Set index price');
    await page.getByRole('tab', { name: 'Liquidations' }).click();
    const title = 'Liquidations and auto-deleveraging';
    const told = await row(page, title, 'BTC-USDT-PERP', 'Isolated', 'Long', '1,000');
    const fund = told.locator('td').nth(-2);
    await fund.filter({ hasText: /^[+-]?[0-9.]+ USDT$/ }).waitFor();
    const gained = told.locator('td').last();
    await gained.filter({ hasText: /^(–|([0-9]+ [0-9.]+ USDT)+)$/ }).waitFor();
    await pick(page.getByLabel('Auto-deleveraging only'));
    await page.getByLabel('Contract', { exact: true }).selectOption('ETH-USDT-PERP');
    await page.getByText('No liquidations').waitFor();
  },
);

proof('every endpoint tells its limit and its calls', 'limits', async ({ page }) => {
  await page.getByLabel('Filter').fill('v1/orders');
  await row(page, 'Rate limits', 'POST', '/v1/orders', 'trade', '100 per 1 s', '4');
  await page.getByLabel('Filter').fill('/admin/v1/audit');
  await row(page, 'Rate limits', 'GET', '/admin/v1/audit', 'operator', 'none');
});

const PHONE = { size: 'phone', locale: 'zh-CN' } as const;
const phone = async ({ page, complaints }: Sight) => {
  for (const name of ['运行状况', '资金', '账户', '交易品种', '强平', '频率限制']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await page.locator('.ops-page h2, .fact-line').first().waitFor();
    await reads(() => page.evaluate('document.documentElement.scrollWidth'), 390, name);
  }
  for (const name of ['沙盒', '集群']) {
    await reads(() => page.getByRole('tab', { name }).count(), 0, name);
  }
  assert.deepEqual(complaints, []);
};
proof('a phone shows every tab, in Chinese, without a complaint', 'health', phone, PHONE);
