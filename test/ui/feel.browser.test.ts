/** How the terminal feels: nothing jumps while it loads, notices cover nothing, lists say more. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, SIZES } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { boxAtRest, picture } from './looks.ts';
import { field, noticed, openTab, prove, send } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';
/** Below a tenth is good by the definition of the measure; the page is to be far better. */
const SHIFT_MAX = 0.03;

const SHIFTS = `new Promise((done) => {
  new PerformanceObserver((list) => {
    done(list.getEntries().reduce((sum, { value }) => sum + value, 0));
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(0), 1000);
})`;

const living = closedAtEnd(await openStage());
const quiet = closedAtEnd(await openStage({ participants: false }));

for (const size of ['desk', 'phone'] as const) {
  test(`nothing jumps while a page of ${size} size loads`, async () => {
    const { page, close } = await living.open('/ops');
    try {
      await page.setViewportSize(SIZES[size]);
      await page.route('**/public/products*', async (route) => {
        await new Promise((done) => setTimeout(done, 300));
        await route.continue();
      });
      await page.goto(`${living.venue.url}/#${CONTRACT}`);
      await page.locator('.chart canvas').first().waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      const shifted = Number(await page.evaluate(SHIFTS));
      assert.ok(shifted <= SHIFT_MAX, `${shifted}`);
    } finally {
      await close();
    }
  });
}

test('the title tells a pair from a contract of the same coins', async () => {
  for (const [symbol, name] of [
    [PAIR, 'BTC/USDT Spot'],
    [CONTRACT, 'BTC/USDT Perp'],
  ] as const) {
    const { page, close } = await living.open(`/#${symbol}`);
    try {
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await eventually(
        () => page.title(),
        (title) => assert.ok(title.endsWith(`${name} | Outcry`), title),
      );
      await picture(page, `feel-${symbol}`, ['desk', 'phone']);
    } finally {
      await close();
    }
  }
});

async function boxOf(locator: Locator) {
  return present((await locator.boundingBox()) ?? undefined, 'something shown');
}

/** Names of the parts of the page that lie below a notice. */
async function covered(page: Page): Promise<readonly string[]> {
  const notice = await boxAtRest(page.locator('.notice').first());
  const found: string[] = [];
  for (const part of await page.locator('.head, .panel').all()) {
    const box = await boxOf(part);
    const isBeside = box.x >= notice.x + notice.width || notice.x >= box.x + box.width;
    const isApart = box.y >= notice.y + notice.height || notice.y >= box.y + box.height;
    if (!isBeside && !isApart) found.push(String(await part.getAttribute('class')));
  }
  return found;
}

test('a notice covers nothing, and what it says can be read', async () => {
  await prove(await quiet.open(`/#${PAIR}`), async (page) => {
    const before = await boxAtRest(page.locator('.desk'));
    // A refusal stays until it is dismissed.
    await send(page, { Price: '25000', Quantity: '5000' });
    await noticed(page, 'Rejected', 'Balance is insufficient');
    await reads(() => covered(page), []);
    await reads(() => boxAtRest(page.locator('.desk')), before, 'nothing has moved');
    const cutOff = () =>
      page.evaluate(`(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(
        document.querySelector('.notice > div'))`);
    await reads(cutOff, 0, 'no word is cut off');
    await picture(page, 'feel-notice', ['desk', 'phone']);
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });
});

test('an empty list says what would be in it', async () => {
  const { page, close } = await quiet.open(`/#${PAIR}`, { size: 'desk' });
  await page.getByText('appear here once you have signed in').waitFor();
  await page.getByText('No trades yet.').waitFor();
  await close();
  await prove(await quiet.open(`/#${CONTRACT}`), async (signedIn) => {
    await field(signedIn, 'Price').waitFor();
    for (const [tab, text] of [
      ['Positions', 'No positions. Open one with the order form'],
      ['Trigger orders', 'No trigger orders. They are placed when'],
      ['Open orders', 'No open orders. An order that does not fill'],
    ] as const) {
      await openTab(signedIn, tab);
      await signedIn.getByText(text).waitFor();
    }
    await picture(signedIn, 'feel-empty', ['desk']);
  });
});
