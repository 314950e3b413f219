/** Trading a contract in the terminal: the form, plan orders, positions, margin, liquidation. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import {
  choose,
  column,
  estimate,
  exportedRows,
  field,
  form,
  holds,
  noticed,
  openTab,
  place,
  prove,
  rowWith,
  send,
  signIn,
} from './trading-floor.ts';

const CONTRACT = 'BTC-USDT-PERP';

/** A quiet venue: nobody trades but the test. */
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
const { sandbox } = stage.venue;
// Their wallets are one per coin; what a side may lose is easier to follow when it is its own.
await sandbox.saveCheckpoint({ name: 'opened' });
await demo.isolate(CONTRACT);
await sandbox.saveCheckpoint({ name: 'untouched' });

/** A proof in a page that is signed in, on an account that holds nothing yet. */
function proof(
  name: string,
  body: (page: Page) => Promise<void>,
  from: 'opened' | 'untouched' = 'untouched',
): void {
  test(name, async () => {
    await sandbox.resetToCheckpoint({ name: from });
    await prove(await stage.open(`/#${CONTRACT}`), body);
  });
}

/** Opens 100 contracts at 30,000 against a resting order of the other side. */
async function openLong(page: Page): Promise<void> {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await place(page, { Price: '30000', Quantity: '100' });
  await openTab(page, 'Positions');
  await rowWith(page, 'BTC/USDT perp', 'Long', '100', '30,000.0');
}

proof('a resting order costs and holds what was said; it is cancelled', async (page) => {
  await field(page, 'Price').fill('29000');
  await field(page, 'Quantity').fill('100');
  await estimate(page, 'Order value', '2,900');
  await estimate(page, 'Cost', '146.74');
  await field(page, 'Quantity').press('Enter');
  const row = await rowWith(page, 'Open long', '29,000.0', '100 cont.');
  await form(page).getByText('199,853.2600').waitFor();
  await row.getByRole('button', { name: /Cancel Open long/ }).click();
  await noticed(page, 'Cancelled', 'Open long 100 cont.');
  await form(page).getByText('200,000.0000').waitFor();
});

proof('what finds nobody to trade with is said before it is sent', async (page) => {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await choose(page, 'Market');
  await field(page, 'Quantity').fill('1250');
  await estimate(page, 'Unfilled remainder', '1,150');
  await field(page, 'Quantity').fill('100');
  await estimate(page, 'Unfilled remainder', '0');
  await field(page, 'Quantity').press('Enter');
  await openTab(page, 'Positions');
  await (await rowWith(page, 'Long', '100')).getByRole('button', { name: 'Close' }).click();
  await estimate(page.getByRole('dialog'), 'Unfilled remainder', '100');
});

proof('an order that cannot be sent does not look like the one before it', async (page) => {
  await place(page, { Price: '29000', Quantity: '1' });
  await send(page, { Price: '29000.3', Quantity: '1' });
  await form(page).getByText('prices go in steps of 0.5').waitFor();
  await form(page).getByText('Accepted:').waitFor({ state: 'detached' });
});

proof('a fill makes the position that was estimated; half of it is closed', async (page) => {
  await maker.open(CONTRACT, 'short', '30000', '100');
  await choose(page, 'Market');
  await field(page, 'Quantity').fill('100');
  await estimate(page, 'Average', '30,000.0');
  await estimate(page, 'Liq. price', '28,660.5');
  await field(page, 'Quantity').press('Enter');
  await noticed(page, 'Filled', 'Open long 100 cont. at 30,000.0');
  await openTab(page, 'Positions');
  const row = await rowWith(page, 'Long', 'Isolated 20x', '28,660.5', '150.0000 USDT');
  await maker.open(CONTRACT, 'long', '30100', '100');
  await row.getByRole('button', { name: 'Close', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Close long: BTC/USDT perp' });
  await dialog.getByRole('button', { name: '50%' }).click();
  await estimate(dialog, 'Realised PnL', '5');
  await dialog.getByRole('button', { name: 'Close at market' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await noticed(page, 'Filled', 'Close long 50 cont. at 30,100.0');
  await rowWith(page, 'Long', '50', '75.0000 USDT');
  await openTab(page, 'Fills');
  await rowWith(page, 'Close long', '30,100.0', '50 cont.', 'Taker');
  await openTab(page, 'Order history');
  await rowWith(page, 'Close long', '30,100.0', '5.0000 USDT', 'Filled');
});

proof(
  'a position that waiting orders close already says so when it is closed again',
  async (page) => {
    await openLong(page);
    await choose(page, 'Close');
    await place(page, { Price: '31000', Quantity: '100' });
    const row = await rowWith(page, 'Long', '100');
    await row.getByRole('button', { name: 'Close', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Close long: BTC/USDT perp' });
    await dialog.getByText('Open orders already close the whole position').waitFor();
    await dialog.getByRole('button', { name: 'Close at market', disabled: true }).waitFor();
  },
);

proof('margin is added and taken out, and followed by the liquidation price', async (page) => {
  await openLong(page);
  const row = await rowWith(page, 'Long');
  await row.getByRole('button', { name: 'Margin', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Adjust margin: BTC/USDT perp Long' });
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('50');
  await estimate(dialog, 'Liq. price after', '28,157.7');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await rowWith(page, 'Long', '200.0000 USDT', '28,157.7');
  await row.getByRole('button', { name: 'Margin', exact: true }).click();
  await pick(dialog.getByRole('radio', { name: 'Remove' }));
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('5000');
  await dialog.getByText('More margin than may be taken out: at most').waitFor();
  await dialog.getByRole('checkbox', { name: 'Off' }).click();
  await noticed(page, 'Automatic margin of Long is on', 'BTC/USDT perp');
  await dialog.getByRole('checkbox', { name: 'On' }).waitFor();
  await page.reload();
  await signIn(page);
  await openTab(page, 'Positions');
  await row.getByRole('button', { name: 'Margin', exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'On', checked: true }).waitFor();
});

proof('leverage and margin mode are changed, and refused while an order rests', async (page) => {
  await form(page).getByRole('button', { name: 'Leverage Long 20x' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leverage, Long' });
  await estimate(dialog, 'Max position', '1,000,000');
  await dialog.getByRole('button', { name: '50x', exact: true }).click();
  await estimate(dialog, 'Max position', '500,000');
  await dialog.getByRole('textbox', { name: 'Leverage' }).press('Enter');
  await form(page).getByText('Long 50x').waitFor();
  await form(page).getByText('Short 20x').waitFor();
  await form(page).getByRole('button', { name: 'Margin mode' }).click();
  const modes = page.getByRole('dialog', { name: 'Margin mode' });
  await pick(modes.getByRole('radio', { name: 'Cross' }));
  await modes.getByRole('button', { name: 'Confirm' }).click();
  // The leverage of the cross mode is a number of its own.
  await form(page).getByText('Long 20x').waitFor();
  await place(page, { Price: '29000', Quantity: '1' });
  await form(page).getByRole('button', { name: 'Margin mode' }).click();
  await pick(modes.getByRole('radio', { name: 'Isolated' }));
  await modes.getByRole('button', { name: 'Confirm' }).click();
  await noticed(page, 'Rejected', 'Mode cannot change while there are positions');
});

proof('take profit and stop loss wait once the order has filled, and one fires', async (page) => {
  await pick(form(page).getByLabel('Take-profit / stop-loss'));
  await send(page, { Price: '30000', Quantity: '100', 'Take-profit': '29900' });
  await form(page).getByText('Take-profit of a long must be above the order price').waitFor();
  await maker.open(CONTRACT, 'short', '30000', '100');
  await place(page, { 'Take-profit': '31000', 'Stop-loss': '29500' });
  await openTab(page, 'Trigger orders');
  await rowWith(page, 'Close long', 'Take-profit', '31,000.0');
  await rowWith(page, 'Close long', 'Stop-loss', '29,500.0');
  await maker.open(CONTRACT, 'long', '31000', '300');
  await demo.open(CONTRACT, 'short', '31000', '10');
  await noticed(page, 'Trigger order triggered', 'Close long 100 cont. at 31,000.0');
  await page.getByText('No trigger orders').waitFor();
  await pick(page.getByRole('radio', { name: 'Ended' }));
  await rowWith(page, 'Take-profit', 'Triggered');
  await rowWith(page, 'Stop-loss', 'Cancelled');
});

proof('a take profit that will be sent is seen, also after a look at closing', async (page) => {
  const box = form(page).getByLabel('Take-profit / stop-loss');
  await pick(box);
  await field(page, 'Take-profit').fill('31000');
  await choose(page, 'Close');
  await box.waitFor({ state: 'detached' });
  await choose(page, 'Open');
  await holds(field(page, 'Take-profit'), '31000');
  await box.and(page.locator(':checked')).waitFor();
});

proof('a plan order waits, is cancelled, and another one fires', async (page) => {
  await choose(page, 'Trigger');
  await place(page, { 'Trigger price': '31000', 'Execute price': '31000', Quantity: '10' });
  await openTab(page, 'Trigger orders');
  const row = await rowWith(page, 'Open long', 'Trigger', '31,000.0', '10 cont.');
  await row.getByRole('button', { name: /Cancel Trigger/ }).click();
  await noticed(page, 'Trigger order cancelled', 'Open long 10 cont.');
  await place(page, { Quantity: '20' });
  await rowWith(page, 'Open long', '20 cont.');
  await maker.open(CONTRACT, 'long', '31000', '5');
  await demo.open(CONTRACT, 'short', '31000', '5');
  await noticed(page, 'Trigger order triggered', 'Open long 20 cont.');
  await openTab(page, 'Open orders');
  await rowWith(page, 'Open long', '31,000.0', '20 cont.');
});

proof('what closes at a trigger ends with its position, and says so in its list', async (page) => {
  await openLong(page);
  await choose(page, 'Close');
  await choose(page, 'Trigger');
  await place(page, { 'Trigger price': '31000', 'Execute price': '31000', Quantity: '100' });
  await maker.open(CONTRACT, 'long', '30500', '100');
  await choose(page, 'Limit');
  await place(page, { Price: '30500', Quantity: '100' });
  await openTab(page, 'Positions');
  await page.getByText('No positions').waitFor();
  await openTab(page, 'Trigger orders');
  await pick(page.getByRole('radio', { name: 'Ended' }));
  await rowWith(page, 'Close long', 'Take-profit', 'Cancelled: position closed');
});

proof('money moves between spot and a contract', async (page) => {
  await form(page).getByRole('button', { name: 'Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer' });
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('50000');
  await page.keyboard.press('Enter');
  await noticed(page, 'Transferred', '50000 USDT');
  await form(page).getByText('250,000.0000').waitFor();
  await openTab(page, 'Balances');
  await rowWith(page, 'Spot', 'USDT', '950,000.0000');
  await rowWith(page, 'BTC/USDT perp', '250,000.0000');
  await pick(page.getByRole('radio', { name: 'Transfers' }));
  await rowWith(page, 'Spot', 'USDT contracts', '50,000');
});

proof('the ledger lists what changed the wallet, and is exported with all digits', async (page) => {
  await openLong(page);
  await openTab(page, 'Balances');
  await pick(page.getByRole('radio', { name: 'Transaction history' }));
  await rowWith(page, 'Open long', 'BTC/USDT perp', 'USDT');
  await eventually(
    async () => {
      const [header = [], ...lines] = await exportedRows(page);
      return [header, ...lines.filter((cells) => cells.includes('margin'))];
    },
    (rows) => {
      assert.deepEqual(column(rows, 'balance'), ['199998.2', '200000']);
      assert.deepEqual(column(rows, 'change'), ['-1.8', '200000']);
      assert.deepEqual(column(rows, 'type'), ['open_long', 'deposit']);
    },
  );
});

proof('a position that runs out of margin is warned of, and liquidated', async (page) => {
  await openLong(page);
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '28800' });
  await noticed(page, 'Margin is running low', 'BTC/USDT perp Long: margin ratio');
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '28695' });
  await noticed(page, 'Liquidation is near', 'BTC/USDT perp Long: margin ratio');
  await maker.open(CONTRACT, 'long', '28400', '500');
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '28300' });
  await noticed(page, 'Position liquidated', 'Close long 100 cont.');
  await page.getByText('No positions').waitFor();
  await openTab(page, 'Order history');
  await rowWith(page, 'Close long', 'Liquidation', 'Filled');
});

proof(
  'an account with a wallet per coin begins crossed, and says what its money stands behind',
  async (page) => {
    await form(page).getByText('200,000.0000').waitFor();
    await form(page).getByTitle('One wallet for all USDT contracts').waitFor();
    await form(page).getByRole('button', { name: 'Margin mode Cross' }).click();
    const modes = page.getByRole('dialog', { name: 'Margin mode' });
    await modes.getByText('All crossed USDT contracts share the whole balance').waitFor();
    await page.keyboard.press('Escape');
    await openLong(page);
    await rowWith(page, 'Long', 'Cross 20x', '150.0000 USDT');
    await openTab(page, 'Balances');
    // 1.8 of fee and 150 of margin: what is left can be used in every contract of the coin.
    const wallet = await rowWith(page, 'USDT contracts', 'USDT', '199,848.2000');
    // Shown once, with all contracts that stand on it.
    const links = wallet.locator('.market-link');
    await reads(() => links.allTextContents(), ['BTC/USDT perp', 'ETH/USDT perp']);
    const rows = page.locator('.desk-account tbody tr');
    await reads(() => rows.filter({ hasText: 'USDT contracts' }).count(), 1);
  },
  'opened',
);
