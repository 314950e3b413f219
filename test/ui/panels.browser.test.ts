/** The panels of a desk: moved, resized, hidden and shown, by mouse and keyboard, and kept. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, type SightChoices } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { boxAtRest, findings, picture } from './looks.ts';

const PAIR = 'BTC-USDT';

const stage = closedAtEnd(await openStage({ participants: false }));

function proof(name: string, choices: SightChoices, prove: (page: Page) => Promise<void>): void {
  test(name, async () => {
    const { page, complaints, close } = await stage.open(`/#${PAIR}`, choices);
    try {
      await page.getByText('No trades yet.').or(page.locator('.book')).first().waitFor();
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

function panel(page: Page, name: string): Locator {
  return page.locator(`.desk-${name}`);
}

function bar(page: Page): Locator {
  return page.getByRole('region', { name: 'Layout', exact: true });
}

function handle(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true }).and(page.locator('.handle'));
}

async function arrange(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Layout', exact: true }).click();
  await bar(page).waitFor();
}

async function done(page: Page): Promise<void> {
  await bar(page).getByRole('button', { name: 'Done' }).click();
  await bar(page).waitFor({ state: 'detached' });
}

/** Where one panel stands from another: waits until it does. */
async function stands(page: Page, one: string, side: 'left' | 'below', of: string): Promise<void> {
  await eventually(
    async () => [await panel(page, one).boundingBox(), await panel(page, of).boundingBox()],
    ([first, second]) => {
      const [a, b] = [present(first ?? undefined, one), present(second ?? undefined, of)];
      if (side === 'left') assert.ok(a.x + a.width <= b.x, `${one} is left of ${of}`);
      else assert.ok(a.y >= b.y + b.height, `${one} is below ${of}`);
    },
  );
}

async function drag(page: Page, from: Locator, to: readonly [x: number, y: number]): Promise<void> {
  const { x, y, width, height } = await boxAtRest(from);
  // Beside the choices in the middle, on the handle itself.
  await page.mouse.move(x + width / 2, y + Math.min(12, height / 2));
  await page.mouse.down();
  await page.mouse.move(to[0] - 4, to[1] - 4, { steps: 4 });
  await page.mouse.move(to[0], to[1]);
  await page.mouse.up();
}

proof(
  'the presets differ, and Standard is what a new reader gets',
  { size: 'desk' },
  async (page) => {
    await stands(page, 'chart', 'left', 'book');
    await stands(page, 'book', 'left', 'trades');
    await arrange(page);
    const standard = bar(page).getByRole('button', { name: 'Standard', pressed: true });
    await standard.waitFor();
    await bar(page).getByRole('button', { name: 'Book on the left' }).click();
    await stands(page, 'book', 'left', 'chart');
    await bar(page).getByRole('button', { name: 'Large chart' }).click();
    await panel(page, 'watchlist').waitFor();
    await reads(() => panel(page, 'book').count(), 0);
    await picture(page, 'layout-arranging', ['desk']);
    assert.deepEqual(await findings(page), []);
    await bar(page).getByRole('button', { name: 'Reset' }).click();
    await standard.waitFor();
    await done(page);
  },
);

proof('a panel is dragged onto another one, and stays there', { size: 'desk' }, async (page) => {
  await arrange(page);
  const chart = await boxAtRest(panel(page, 'chart'));
  await drag(page, handle(page, 'Order book'), [chart.x + 20, chart.y + chart.height / 2]);
  await stands(page, 'book', 'left', 'chart');
  const middle = await boxAtRest(panel(page, 'form'));
  const to = [middle.x + middle.width / 2, middle.y + middle.height / 2] as const;
  await drag(page, handle(page, 'Trades'), to);
  await stands(page, 'form', 'left', 'trades');
  await done(page);
  await page.reload();
  await stands(page, 'book', 'left', 'chart');
  await stands(page, 'form', 'left', 'trades');
});

proof('the keyboard moves, hides and shows panels', {}, async (page) => {
  await page.getByRole('button', { name: 'Layout', exact: true }).press('Enter');
  const mover = page.getByRole('combobox', { name: 'Move Order book' });
  await mover.selectOption('Below Order form');
  await handle(page, 'Order book').getByRole('button', { name: 'Move' }).press('Enter');
  await stands(page, 'book', 'below', 'form');
  await eventually(
    () => page.evaluate("document.activeElement.closest('.handle')?.getAttribute('aria-label')"),
    (focused) => assert.equal(focused, 'Order book'),
  );
  await handle(page, 'Order form').getByRole('button', { name: 'Hide' }).press('Enter');
  await panel(page, 'form').waitFor({ state: 'detached' });
  const check = bar(page).getByRole('checkbox', { name: 'Order form' });
  await reads(() => check.isChecked(), false);
  await check.press('Space');
  await panel(page, 'form').waitFor();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await page.reload();
  await panel(page, 'form').waitFor();
  await stands(page, 'book', 'left', 'form');
});

proof('a half-typed order outlives the panel that is moved or hidden', {}, async (page) => {
  const field = (name: string) =>
    panel(page, 'form').getByRole('textbox', { name, exact: true }).first();
  await field('Price').fill('29,5');
  await field('Quantity').fill('0.02');
  const isKept = async () => {
    await reads(() => field('Price').inputValue(), '29,5');
    await reads(() => field('Quantity').inputValue(), '0.02');
  };
  await arrange(page);
  const mover = page.getByRole('combobox', { name: 'Move Order form' });
  await mover.selectOption('Below Order book');
  await handle(page, 'Order form').getByRole('button', { name: 'Move' }).press('Enter');
  await stands(page, 'form', 'below', 'book');
  await isKept();
  await handle(page, 'Order form').getByRole('button', { name: 'Hide' }).press('Enter');
  await panel(page, 'form').waitFor({ state: 'detached' });
  await bar(page).getByRole('checkbox', { name: 'Order form' }).press('Space');
  await isKept();
});

proof('the gaps resize by mouse and by arrow keys, and the size is kept', {}, async (page) => {
  const widthOf = async (name: string) => (await boxAtRest(panel(page, name))).width;
  const before = await widthOf('book');
  const gap = page.getByRole('separator', { name: 'Resize Chart and Order book' });
  const { x, y, height } = await boxAtRest(gap);
  await page.mouse.move(x + 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 58, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await reads(() => widthOf('book'), before + 60);
  await gap.press('ArrowLeft');
  await reads(() => widthOf('book'), before + 76);
  await gap.press('Shift+ArrowRight');
  await reads(() => widthOf('book'), before + 12);
  await reads(() => gap.getAttribute('aria-valuenow'), String(before + 12));
  const account = await boxAtRest(panel(page, 'account'));
  await page.getByRole('separator', { name: 'Resize Chart and Positions' }).press('ArrowUp');
  await reads(async () => (await boxAtRest(panel(page, 'account'))).height, account.height + 16);
  await page.reload();
  await reads(() => widthOf('book'), before + 12);
});

proof('nothing can be dragged out of the page, however far', {}, async (page) => {
  const gap = page.getByRole('separator', { name: 'Resize Chart and Order form' });
  const { x, y, height } = await boxAtRest(gap);
  await page.mouse.move(x + 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(-200, y + height / 2, { steps: 4 });
  await page.mouse.up();
  for (const name of ['chart', 'book', 'form', 'account']) {
    const box = await boxAtRest(panel(page, name));
    assert.ok(box.x >= 0 && box.x + box.width <= 1280 && box.width >= 180, name);
  }
  await reads(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
});

proof('what another program kept in their place is no layout', {}, async (page) => {
  await page.evaluate(`localStorage.setItem('outcry.layout.laptop', '{"axis":"row","parts":[]}')`);
  await page.reload();
  await stands(page, 'chart', 'left', 'book');
  await stands(page, 'account', 'below', 'chart');
});
