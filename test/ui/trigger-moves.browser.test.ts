/**
 * Triggers at the last, mark or index price in a real browser, and moving orders, trigger orders
 * and TP/SL: by dragging on the chart, and by number from lists and dialogs.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';
import { field as cellOf, dataOf, type Row, rowsOf, Trader } from '../support/http-trader.ts';
import { demoCredentials } from '../support/signer.ts';
import { eventually, reads } from '../support/until.ts';
import { CONTRACT } from './chart-floor.ts';
import { Hand, venueTimeMs } from './hand.ts';
import { boxAtRest, findings } from './looks.ts';
import { choose, form, noticed, openTab, place, prove, rowWith, signIn } from './trading-floor.ts';

const INVERSE = 'BTC-USD-PERP';
const PAIR = 'BTC-USDT';
const MINUTE_MS = 60_000;
/** So that the chart shows prices from 29,000 to 31,000. */
const WALK = [30_000, 29_000, 31_000, 30_000];

const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const { url, sandbox } = stage.venue;
const maker = new Hand(url, 'maker');
const demo = new Hand(url, 'demo');
await sandbox.pauseClock();
let timeMs = await venueTimeMs(url);
const trader = new Trader(url, demoCredentials('demo'), () => timeMs);
for (const symbol of ['BTC-USDT-PERP', 'BTC-USD-PERP']) {
  await sandbox.setIndex({ symbol, price: '30000' });
}
/** The demo account opens at one price of the walk and closes at the next. */
const STEPS = [
  ['short', '1'],
  ['long', '3'],
] as const;
for (const [at, price] of WALK.entries()) {
  timeMs = Math.ceil(timeMs / MINUTE_MS) * MINUTE_MS + 1;
  await sandbox.jumpClock({ time: timeMs });
  const [side, type] = STEPS[at % 2] ?? STEPS[0];
  const terms = { size: '1', type, order_type: '0', match_price: '0', price: String(price) };
  for (const symbol of [CONTRACT, INVERSE]) {
    await maker.open(symbol, side, String(price), '1');
    const asked = { symbol: classicName(symbol), client_oid: '', ...terms };
    dataOf(await trader.swapPost('/order/placeOrder', asked));
  }
}
await sandbox.saveCheckpoint({ name: 'untouched' });

/** BTC-USDT-PERP as the interface of the trader spells it. */
function classicName(symbol: string): string {
  return `cmt_${symbol.replace('-PERP', '').replace('-', '').toLowerCase()}`;
}

interface Choices {
  readonly symbol?: string;
  readonly asksFirst?: boolean;
}

/** A proof in a page that is signed in, on an account that holds nothing yet. */
function proof(
  name: string,
  body: (page: Page) => Promise<void>,
  { symbol = CONTRACT, asksFirst = false }: Choices = {},
): void {
  test(name, async () => {
    await sandbox.resetToCheckpoint({ name: 'untouched' });
    await prove(await stage.open(`/#${symbol}`, { asksFirst }), body);
  });
}

async function post(path: string, body: object): Promise<Row> {
  timeMs = await venueTimeMs(url);
  return Object(dataOf(await trader.swapPost(path, body)));
}

async function read(path: string): Promise<readonly Row[]> {
  timeMs = await venueTimeMs(url);
  return rowsOf(await trader.swapGet(path));
}

function waiting(symbol = CONTRACT): Promise<readonly Row[]> {
  return read(`/order/currentPlan?symbol=${classicName(symbol)}&pageIndex=1&pageSize=20`);
}

/** One waiting plan order that opens a long at 30,500; resolves with its id. */
async function plan(): Promise<string> {
  const placed = await post('/order/plan_order', {
    ...{ symbol: classicName(CONTRACT), size: '10', type: '1', holdSide: '1' },
    ...{ match_type: '0', trigger_price: '30500', execute_price: '30600' },
  });
  return cellOf(placed, 'order_id');
}

function chip(page: Page, text: string): Locator {
  return page.locator('.level').filter({ hasText: text });
}

/** Drags a chip of the chart by so many pixels. */
async function drag(page: Page, text: string, down: number): Promise<void> {
  const button = chip(page, text).getByRole('button').first();
  const box = await boxAtRest(button);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + down, { steps: 6 });
  await page.mouse.up();
}

proof('a trigger order looks at the index, and is edited in the list', async (page) => {
  await choose(page, 'Trigger');
  await form(page).getByRole('combobox', { name: 'Trigger by' }).selectOption('Index price');
  await place(page, { 'Trigger price': '30500', 'Execute price': '30600', Quantity: '10' });
  await openTab(page, 'Trigger orders');
  const row = await rowWith(page, 'Open long', '30,500.0', 'Index', '30,600.0', '10 cont.');
  const [before] = await waiting();
  await row.getByRole('button', { name: /^Edit/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit trigger order' });
  await dialog.getByText('It keeps its ID').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('30700.5');
  await dialog.getByRole('textbox', { name: 'Execute price' }).fill('30800');
  await dialog.getByRole('textbox', { name: 'Quantity' }).fill('12');
  await dialog.getByRole('combobox', { name: 'Trigger by' }).selectOption('Mark price');
  await dialog.getByRole('button', { name: 'Move to 30,700.5' }).click();
  await dialog.waitFor({ state: 'detached' });
  const moved = await rowWith(page, 'Open long', '30,700.5', 'Mark', '30,800.0', '12 cont.');
  const [after] = await waiting();
  assert.equal(after?.order_id, before?.order_id);
  // Where the price already is, it is refused, and stays.
  await moved.getByRole('button', { name: /^Edit/ }).click();
  await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('29000');
  await dialog.getByRole('button', { name: 'Move to 29,000.0' }).click();
  await noticed(page, 'Rejected', 'directions contradict each other');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await rowWith(page, 'Open long', '30,700.5');
});

proof(
  'a trigger order is dragged on the chart, after a question',
  async (page) => {
    const orderId = await plan();
    await chip(page, 'Trigger: Open long 10 cont.').waitFor();
    await drag(page, 'Trigger: Open long', -20);
    const dialog = page.getByRole('dialog', { name: 'Edit trigger order' });
    await dialog.getByText('30,500.0 →').waitFor();
    const trigger = dialog.getByRole('textbox', { name: 'Trigger price' });
    await eventually(
      async () => Number(await trigger.inputValue()),
      (dropped) => assert.ok(dropped > 30_500, `dropped at ${dropped}`),
    );
    const dropped = await trigger.inputValue();
    await dialog.getByRole('button', { name: /^Move to/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(waiting, ([row]) => {
      assert.deepEqual([row?.order_id, row?.trigger_price], [orderId, dropped]);
    });
    // By the keyboard as well.
    await chip(page, 'Trigger: Open long').getByRole('button').first().press('Enter');
    await trigger.fill('30650');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await eventually(waiting, ([row]) => assert.equal(row?.trigger_price, '30650.0'));
    await chip(page, 'Trigger: Open long')
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await chip(page, 'Trigger: Open long').waitFor({ state: 'detached' });
  },
  { asksFirst: true },
);

proof(
  'a dragged order keeps its id and its take-profit and stop-loss, without a question',
  async (page) => {
    const { order_id: orderId } = await post('/order/placeOrder', {
      ...{
        symbol: classicName(CONTRACT),
        size: '10',
        type: '1',
        order_type: '0',
        match_price: '0',
      },
      ...{ price: '29500', presetTakeProfitPrice: '30900', presetStopLossPrice: '29050' },
      presetStopLossTriggerType: 'index',
    });
    await chip(page, 'Open long 10 cont.').waitFor();
    await drag(page, 'Open long 10 cont.', 10);
    const orders = () => read(`/order/current?symbol=${classicName(CONTRACT)}`);
    const [moved] = await eventually(orders, ([order]) => {
      assert.equal(order?.order_id, orderId);
      assert.ok(Number(order?.price) < 29_500, String(order?.price));
    });
    assert.equal(await page.getByRole('dialog').count(), 0);
    await maker.open(CONTRACT, 'short', String(moved?.price), '10');
    await eventually(waiting, (plans) => {
      const shown = plans.map(({ trigger_price, trigger_type }) => [trigger_price, trigger_type]);
      assert.deepEqual(shown.toSorted(), [
        ['29050.0', 'index'],
        ['30900.0', 'last'],
      ]);
    });
  },
);

proof(
  'an order of a pair is edited in the list: price and size, and its id stays',
  async (page) => {
    const orderId = await demo.spot(PAIR, 'buy', '29900', '0.1');
    const row = await rowWith(page, 'Buy', '29,900.00', '0.1000');
    await row.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Move order' });
    await dialog.getByRole('textbox', { name: 'Quantity' }).fill('0.25');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowWith(page, 'Buy', '29,900.00', '0.2500');
    assert.deepEqual(await demo.cancelSpot(PAIR, [orderId]), [orderId]);
  },
  { symbol: PAIR },
);

proof(
  'an inverse contract has all three prices, for the position too, and its TP/SL is edited',
  async (page) => {
    await maker.open(INVERSE, 'short', '30000', '100');
    await place(page, { Price: '30000', Quantity: '100' });
    await openTab(page, 'Positions');
    const row = await rowWith(page, 'BTC/USD perp', 'Long', '100');
    await row.getByRole('button', { name: 'TP/SL' }).click();
    const exits = page.getByRole('dialog', { name: 'TP/SL: BTC/USD perp Long' });
    await exits.getByRole('textbox', { name: 'Stop-loss' }).fill('29000');
    await exits.getByRole('combobox', { name: 'Trigger by' }).selectOption('Index price');
    await exits.getByRole('button', { name: 'Confirm' }).click();
    await exits.waitFor({ state: 'detached' });
    await eventually(
      () => waiting(INVERSE),
      ([one, ...others]) => {
        const { direction_desc, trigger_type, delegate_count } = one ?? {};
        const shown = [direction_desc, trigger_type, delegate_count];
        assert.deepEqual(shown, ['close long (stop loss)', 'index', '0']);
        assert.deepEqual(others, []);
      },
    );
    await row.getByRole('button', { name: 'TP/SL' }).click();
    const waits = exits.getByRole('listitem').filter({ hasText: '29,000.0 Index' });
    await waits.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit trigger order' });
    await dialog.getByText('Stop-loss: Close long Whole position').waitFor();
    assert.deepEqual(await findings(page), []);
    await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('29200');
    await dialog.getByRole('button', { name: 'Move to 29,200.0' }).click();
    await dialog.waitFor({ state: 'detached' });
    await exits.getByRole('listitem').filter({ hasText: '29,200.0 Index' }).waitFor();
    await reads(async () => (await waiting(INVERSE)).length, 1);
  },
  { symbol: INVERSE },
);

test('bars that could not be read are asked for again', async () => {
  await sandbox.resetToCheckpoint({ name: 'untouched' });
  const sight = await stage.open('/#');
  let refusals = 1;
  await sight.page.route('**/v1/candles?*', (route) => {
    refusals -= 1;
    return refusals < 0 ? route.continue() : route.fulfill({ status: 503, body: '{}' });
  });
  try {
    await sight.page.goto(`${url}/#${CONTRACT}`);
    const summary = sight.page.getByText(/lowest 29,000, highest 31,000/);
    await summary.waitFor({ state: 'attached' });
    assert.ok(refusals < 0, 'it was refused once');
    // They are painted, too: a level far from the newest bar has a place.
    await signIn(sight.page);
    await plan();
    await chip(sight.page, 'Trigger: Open long 10 cont.').waitFor();
  } finally {
    await sight.close();
  }
});
