/**
 * The terminal on phones of two sizes: what is pressed is large enough for a thumb, the button that
 * sends is always in view, nothing covers anything, in both themes and languages.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { en } from '../../ui/src/texts/en.ts';
import { zh } from '../../ui/src/texts/zh.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick } from '../support/browser.ts';
import { noticed } from '../support/notices.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand } from './hand.ts';
import { boxAtRest, findings } from './looks.ts';
import { field, form } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';
const SMALL = { width: 360, height: 640 };
const LARGE = { width: 390, height: 844 };

const stage = closedAtEnd(await openStage({ participants: false }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');
await stage.venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
await maker.open(CONTRACT, 'short', '30000', '100');
await demo.open(CONTRACT, 'long', '30000', '100');
await demo.spot(PAIR, 'buy', '25000', '0.1');

/**
 * What can be pressed and is smaller than a thumb. A field is as large as its box and a choice as
 * its label. Not meant: rows of the book, what stands on the chart, and links in a line of text.
 */
const SMALLER = `(() => {
  const within = document.querySelector('dialog:modal') ?? document.body;
  const KINDS = 'a[href], button, input, select, textarea, summary, [role=tab]';
  const FREE = '.chart-canvas, .chart-legend, .indicator-legend, .level, .chart-foot, .head-name';
  const shownOf = (one) => one.closest('label.check, .segment, .field-box') ?? one;
  return [...within.querySelectorAll(KINDS)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.closest(FREE) === null && one.type !== 'range')
    .map((one) => [shownOf(one).getBoundingClientRect(), one])
    .filter(([{ width, height }]) => width > 0 && height > 0)
    .filter(([{ width, height }]) => width < 43.5 || height < 43.5)
    .map(([{ width, height }, one]) =>
      Math.round(width) + 'x' + Math.round(height) + ' ' + one.outerHTML.slice(0, 90));
})()`;

interface Screen {
  readonly size: typeof SMALL;
  readonly colorScheme: 'dark' | 'light';
  readonly locale: 'en-GB' | 'zh-CN';
}

const SCREENS: readonly Screen[] = [
  { size: SMALL, colorScheme: 'dark', locale: 'en-GB' },
  { size: SMALL, colorScheme: 'light', locale: 'zh-CN' },
  { size: LARGE, colorScheme: 'light', locale: 'en-GB' },
  { size: LARGE, colorScheme: 'dark', locale: 'zh-CN' },
];

async function onPhone(
  market: string,
  { size, ...choices }: Screen,
  prove: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, complaints, close } = await stage.open('/ops', { ...choices, size: 'phone' });
  try {
    await page.setViewportSize(size);
    await page.goto(`${stage.venue.url}/#${market}`);
    await bar(page).waitFor();
    await prove(page);
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|22)/.test(text)),
      [],
    );
  } finally {
    await close();
  }
}

function bar(page: Page): Locator {
  return page.getByRole('tablist').first();
}

function wordsOf({ locale }: Screen): typeof en {
  return locale === 'zh-CN' ? zh : en;
}

async function signIn(page: Page, words: typeof en): Promise<void> {
  await page.getByRole('button', { name: words.session.signIn, exact: true }).click();
  await page.getByRole('button', { name: words.session.demo }).click();
  await page.getByRole('button', { name: words.session.signOut }).waitFor();
}

/** Large enough, not wider than the screen, and nothing that axe finds. */
async function isFit(page: Page, name: string, { size, colorScheme }: Screen): Promise<void> {
  await eventually(
    () => page.evaluate(SMALLER),
    (found) => assert.deepEqual(found, [], name),
  );
  await reads(() => page.evaluate('document.documentElement.scrollWidth'), size.width, name);
  await reads(() => page.evaluate('document.documentElement.scrollHeight'), size.height, name);
  const path = `test/out/screens/phone-${size.width}-${colorScheme}-${name}.png`;
  await page.screenshot({ path });
  assert.deepEqual(await findings(page), [], name);
}

for (const screen of SCREENS) {
  const { size, colorScheme, locale } = screen;
  test(`${size.width}x${size.height}, ${colorScheme}, ${locale}: every screen`, async () => {
    const words = wordsOf(screen);
    await onPhone(CONTRACT, screen, async (page) => {
      await isFit(page, 'signed-out', screen);
      await signIn(page, words);
      for (const name of ['chart', 'book', 'trade', 'account'] as const) {
        await bar(page).getByRole('tab', { name: words.layout[name] }).click();
        await bar(page).getByRole('tab', { name: words.layout[name], selected: true }).waitFor();
        await isFit(page, name, screen);
      }
      await page.locator('.selector').click();
      await page.getByRole('dialog').getByRole('row').nth(2).waitFor();
      await isFit(page, 'markets', screen);
      await page.keyboard.press('Escape');
      await page.locator('.market-tools').getByRole('button').first().click();
      await page.getByRole('dialog', { name: words.alerts.title }).waitFor();
      await isFit(page, 'alerts', screen);
      await page.keyboard.press('Escape');
      await page.getByText(words.shell.settings, { exact: true }).click();
      await page.getByRole('link', { name: words.shell.desk }).waitFor();
      await isFit(page, 'settings', screen);
    });
  });
}

/** Wholly on the screen, and above everything else there. */
async function isInView(button: Locator, { width, height }: typeof SMALL): Promise<void> {
  const box = await boxAtRest(button);
  assert.ok(box.x >= 0 && box.x + box.width <= width);
  assert.ok(box.y >= 0 && box.y + box.height <= height);
  const middle = `${box.x + box.width / 2}, ${box.y + box.height / 2}`;
  const onTop = `document.elementFromPoint(${middle}).closest('button')?.type`;
  await reads(() => button.page().evaluate(onTop), 'submit', 'nothing is over it');
}

/** In view over the button, not behind it. */
async function isAbove(line: Locator, button: Locator): Promise<void> {
  const [text, below] = [await boxAtRest(line), await boxAtRest(button)];
  assert.ok(text.y >= 0 && text.y + text.height <= below.y, 'above the button');
  const middle = `${text.x + text.width / 2}, ${text.y + text.height / 2}`;
  const onTop = `document.elementFromPoint(${middle}).textContent`;
  await reads(() => line.page().evaluate(onTop), 'Liq. price', 'nothing is over it');
}

for (const market of [PAIR, CONTRACT]) {
  test(`the button that sends is in view on the smallest phone: ${market}`, async () => {
    const [screen] = SCREENS;
    assert.ok(screen !== undefined);
    await onPhone(market, screen, async (page) => {
      await signIn(page, en);
      await bar(page).getByRole('tab', { name: 'Trade' }).click();
      const button = form(page).locator('button[type="submit"]');
      await field(page, 'Price').waitFor();
      await isInView(button, SMALL);
      if (market === CONTRACT) {
        await field(page, 'Quantity').fill('1');
        await isAbove(form(page).getByText('Liq. price'), button);
        await pick(form(page).getByLabel('Take-profit / stop-loss'));
        await isInView(button, SMALL);
      }
      await form(page).getByRole('radio', { name: 'Market', exact: true }).click();
      await isInView(button, SMALL);
      // As while the keyboard of the phone is open.
      await form(page).getByRole('radio', { name: 'Limit', exact: true }).click();
      await field(page, 'Price').fill('25000');
      await page.setViewportSize({ width: SMALL.width, height: 380 });
      await isInView(button, { width: SMALL.width, height: 380 });
      await bar(page).waitFor({ state: 'hidden' });
      await page.setViewportSize(SMALL);
      await bar(page).waitFor();
    });
  });
}

/** Parts of the page that a notice lies over. */
const COVERED = `(() => {
  const notice = document.querySelector('.notice')?.getBoundingClientRect();
  if (notice === undefined) return ['no notice'];
  return [...document.querySelectorAll('.head, .market-line, .tabs-panel, [role=tablist], .send')]
    .filter((part) => part.checkVisibility())
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.top < notice.bottom - 0.5 && box.bottom > notice.top + 0.5;
    })
    .map((part) => part.className);
})()`;

test('a warning covers nothing, and leaves the button that sends in view', async () => {
  const [screen] = SCREENS;
  assert.ok(screen !== undefined);
  await onPhone(PAIR, screen, async (page) => {
    await signIn(page, en);
    await bar(page).getByRole('tab', { name: 'Trade' }).click();
    const button = form(page).locator('button[type="submit"]');
    await field(page, 'Price').fill('25000');
    await field(page, 'Quantity').fill('9000');
    await button.click();
    await noticed(page, 'Rejected', 'Balance is insufficient');
    await reads(() => page.evaluate(COVERED), []);
    const cut = `(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) =>
      [scrollWidth - clientWidth, scrollHeight - clientHeight])(
        document.querySelector('.notice > div'))`;
    await reads(() => page.evaluate(cut), [0, 0], 'no word is cut off');
    await isInView(button, SMALL);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await reads(() => page.locator('.notice').count(), 0);
  });
});

test('dialogs are sheets at the foot of the screen', async () => {
  const [screen] = SCREENS;
  assert.ok(screen !== undefined);
  await onPhone(CONTRACT, screen, async (page) => {
    await signIn(page, en);
    await bar(page).getByRole('tab', { name: 'Trade' }).click();
    await form(page).getByRole('button', { name: 'Leverage Long' }).click();
    const sheet = await boxAtRest(page.getByRole('dialog'));
    assert.deepEqual(
      [sheet.x, sheet.width, sheet.y + sheet.height],
      [0, SMALL.width, SMALL.height],
    );
    await isFit(page, 'leverage', screen);
    await isInView(page.getByRole('dialog').locator('button[type="submit"]'), SMALL);
  });
});
