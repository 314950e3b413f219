/** Price alerts, sounds and notifications of the browser, with a real browser's permissions. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick, type SightChoices } from '../support/browser.ts';
import { noticed } from '../support/notices.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { findings, picture } from './looks.ts';
import { place, signIn } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';

const stage = closedAtEnd(
  await openStage({ participants: false, flags: ['--sandbox'], wholeBrowser: true }),
);
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
const { sandbox } = stage.venue;
await sandbox.saveCheckpoint({ name: 'untouched' });

/**
 * What the browser is asked to play and to show, written down on the way: nobody hears a test.
 */
const NOTES = `
  window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) {
    window.tones.push(this.frequency.value);
    return start.call(this, at);
  };
  window.shown = [];
  const Shown = window.Notification;
  window.Notification = class extends Shown {
    constructor(title, choices) {
      super(title, choices);
      window.shown.push(title + ' / ' + choices.body);
    }
  };
`;

interface Choices extends SightChoices {
  readonly permissions?: readonly string[];
}

function proof(
  name: string,
  market: string,
  prove: (page: Page) => Promise<void>,
  { permissions, ...choices }: Choices = {},
): void {
  test(name, async () => {
    await sandbox.resetToCheckpoint({ name: 'untouched' });
    const { page, complaints, close } = await stage.open(`/#${market}`, choices);
    try {
      if (permissions !== undefined) await page.context().grantPermissions([...permissions]);
      await page.context().addInitScript(NOTES);
      await page.reload();
      await bell(page).waitFor();
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

function bell(page: Page): Locator {
  return page.locator('.market-tools').getByRole('button', { name: /^Alerts/ });
}

function dialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Alerts' });
}

async function open(page: Page): Promise<void> {
  await bell(page).click();
  await dialog(page).waitFor();
}

async function shut(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}

interface Terms {
  readonly direction?: 'Rises to' | 'Falls to';
  readonly source?: 'Last price' | 'Mark price';
  readonly price: string;
  readonly repeats?: boolean;
}

async function add(page: Page, { direction, source, price, repeats }: Terms): Promise<void> {
  const { form } = { form: dialog(page).locator('.alert-form') };
  if (source !== undefined) await form.getByLabel('Price type').selectOption({ label: source });
  if (direction !== undefined) {
    await form.getByLabel('When the price').selectOption({ label: direction });
  }
  if (repeats === true) await pick(form.getByLabel('Repeat each time'));
  await form.getByRole('textbox', { name: 'Price' }).fill(price);
  await form.getByRole('textbox', { name: 'Price' }).press('Enter');
}

async function trade(symbol: string, price: string): Promise<void> {
  await maker.spot(symbol, 'sell', price, '0.1');
  await demo.spot(symbol, 'buy', price, '0.1');
}

function listed(page: Page): Promise<readonly string[]> {
  return dialog(page).locator('.alert-list li > span').allInnerTexts();
}

proof(
  'an alert waits for its price, also while another market is looked at',
  PAIR,
  async (page) => {
    // The chart shows what lies between.
    await trade(PAIR, '32000');
    await trade(PAIR, '30000');
    await open(page);
    await dialog(page).getByText('No price alerts.').waitFor();
    await picture(page, 'alerts-empty', ['laptop', 'phone']);
    assert.deepEqual(await findings(page), []);
    await eventually(
      () => dialog(page).getByRole('textbox', { name: 'Price' }).getAttribute('placeholder'),
      (shown) => assert.equal(Number(shown), 30_000),
    );
    await add(page, { price: '29000' });
    await dialog(page).getByText('The price is already there or above').waitFor();
    await add(page, { price: '31000' });
    await reads(() => listed(page), ['BTC/USDT Last price rises to 31,000.00']);
    await shut(page);
    await bell(page).and(page.getByLabel('Alerts (1)')).waitFor();
    const line = page.locator('.level').filter({ hasText: /^Alert$/ });
    await line.waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Display', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Price alerts' }).click();
    await line.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate("location.hash = '#ETH-USDT'");
    await page.getByRole('heading', { level: 1, name: 'ETH/USDT Spot' }).waitFor();
    await page.reload();
    await bell(page).and(page.getByLabel('Alerts (1)')).waitFor();
    await trade(PAIR, '31000');
    await noticed(page, 'Price alert: BTC/USDT', 'Last price has risen to 31,000.00');
    await bell(page)
      .and(page.getByLabel('Alerts', { exact: true }))
      .waitFor();
    await reads(() => page.locator('.notice-warning').count(), 1, 'it stays until it is dismissed');
  },
);

proof('one that repeats fires each time, and is removed by keyboard', PAIR, async (page) => {
  await trade(PAIR, '30000');
  await open(page);
  await add(page, { direction: 'Falls to', price: '29500', repeats: true });
  await reads(() => listed(page), ['BTC/USDT Last price falls to 29,500.00 each time']);
  await shut(page);
  for (const [low, high] of [
    ['29500', '29900'],
    ['29400', '29800'],
  ] as const) {
    await trade(PAIR, low);
    await noticed(page, 'Price alert: BTC/USDT', 'Last price has fallen to 29,500.00');
    await trade(PAIR, high);
    await page
      .locator('.facts-last')
      .getByText(`${high.slice(0, 2)},${high.slice(2)}.00`)
      .waitFor();
  }
  await open(page);
  await dialog(page)
    .getByRole('button', { name: /^Remove BTC/ })
    .press('Enter');
  await dialog(page).getByText('No price alerts.').waitFor();
});

proof('a contract has alerts at its mark price', CONTRACT, async (page) => {
  await stage.venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
  await open(page);
  await add(page, { source: 'Mark price', price: '30500' });
  await reads(() => listed(page), ['BTC/USDT perp Mark price rises to 30,500.0']);
  await shut(page);
  await stage.venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '31000' });
  await noticed(page, 'Price alert: BTC/USDT perp', 'Mark price has risen to 30,500.0');
});

proof('sounds are heard for what is switched on', PAIR, async (page) => {
  await signIn(page);
  await page.evaluate('window.tones.length = 0');
  await maker.spot(PAIR, 'sell', '30000', '0.2');
  await place(page, { Price: '30000', Quantity: '0.1' });
  await eventually(
    () => page.evaluate('window.tones.join()'),
    (heard) => assert.equal(heard, '880,1319'),
  );
  await open(page);
  await dialog(page).getByRole('checkbox', { name: 'Sound: Order filled' }).click();
  await dialog(page).getByRole('checkbox', { name: 'Sound: Liquidation warning' }).click();
  await dialog(page).getByRole('checkbox', { name: 'Sound: Liquidation warning' }).click();
  await eventually(
    () => page.evaluate('window.tones.join()'),
    (heard) => assert.equal(heard, '880,1319,740,494,740,494', 'switching on lets it be heard'),
  );
  await shut(page);
  await place(page, { Price: '30000', Quantity: '0.1' });
  await noticed(page, 'Filled', 'Buy 0.1000 BTC');
  await noticed(page, 'Filled', 'Buy 0.1000 BTC');
  await reads(() => page.evaluate('window.tones.length'), 6, 'no further sound');
  await page.reload();
  await open(page);
  const kept = dialog(page).getByRole('checkbox', { name: 'Sound: Order filled' });
  await reads(() => kept.isChecked(), false, 'kept');
});

/** A page on which nothing was pressed yet; whatever drives a test counts as a press. */
const UNTOUCHED = `Object.defineProperty(navigator, 'userActivation', {
  value: { hasBeenActive: false },
})`;

proof(
  'without a press on the page there is no sound, and nothing complains',
  PAIR,
  async (page) => {
    await trade(PAIR, '30000');
    const terms = { symbol: PAIR, source: 'last', direction: 'above', price: '29000' };
    const kept = JSON.stringify([{ id: 'a', ...terms, repeats: false, isArmed: true }]);
    await page.evaluate(`localStorage.setItem('outcry.alerts', ${JSON.stringify(kept)})`);
    await page.context().addInitScript(UNTOUCHED);
    await page.reload();
    await noticed(page, 'Price alert: BTC/USDT', 'Last price has risen to 29,000.00');
    assert.equal(await page.evaluate('window.tones.length'), 0);
  },
);

proof(
  'the browser is asked on a click alone, and shows what happens in the background',
  PAIR,
  async (page) => {
    await trade(PAIR, '30000');
    await open(page);
    await dialog(page).getByText('Browser notifications appear while').waitFor();
    await add(page, { price: '32000' });
    await reads(() => listed(page), ['BTC/USDT Last price rises to 32,000.00']);
    await shut(page);
    await page.evaluate('document.hasFocus = () => false');
    await trade(PAIR, '32000');
    await reads(
      () => page.evaluate('window.shown.join()'),
      'Price alert: BTC/USDT / Last price has risen to 32,000.00',
    );
  },
  { permissions: ['notifications'] },
);

proof('all of it works where notifications are denied', PAIR, async (page) => {
  await trade(PAIR, '30000');
  await open(page);
  const status = dialog(page).getByRole('status');
  await eventually(
    () => status.innerText(),
    (said) => assert.match(said, /not been asked|blocked/),
  );
  const ask = dialog(page).getByRole('button', { name: 'Allow notifications' });
  // A browser without a window answers no by itself.
  if ((await ask.count()) > 0) await ask.click();
  await dialog(page).getByText('Browser notifications are blocked.').waitFor();
  await add(page, { price: '32000' });
  await reads(() => listed(page), ['BTC/USDT Last price rises to 32,000.00']);
  await shut(page);
  await page.evaluate('document.hasFocus = () => false');
  await trade(PAIR, '32000');
  await noticed(page, 'Price alert: BTC/USDT', 'Last price has risen to 32,000.00');
  assert.equal(await page.evaluate('window.shown.length'), 0);
});
