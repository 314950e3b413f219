/** Drawing on the chart in a real browser: by mouse, by key, undone, kept for each market. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { readDrawings } from '../../ui/src/model/drawing-board.ts';
import { DRAWING_TOOLS, type Drawing } from '../../ui/src/model/drawings.ts';
import { en } from '../../ui/src/texts/en.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { reads, until } from '../support/until.ts';
import { isDrawn, openChart, openChartStage, PAIR, tradeWalk } from './chart-floor.ts';
import { boxAtRest, findings, looked } from './looks.ts';

const opened = await openChartStage();
closedAtEnd(opened.stage);
await tradeWalk(opened);

function proof(name: string, prove: (page: Page) => Promise<void>): void {
  test(name, async () => {
    const { page, complaints, close } = await openChart(opened, PAIR);
    try {
      await isDrawn(page);
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

async function drawingsOf(page: Page, symbol = PAIR): Promise<readonly Drawing[]> {
  const kept: unknown = await page.evaluate(`localStorage['outcry.drawings.${symbol}'] ?? '[]'`);
  return readDrawings(String(kept));
}

async function drawnAre(page: Page, count: number): Promise<readonly Drawing[]> {
  await until(`${count} drawings`, async () => (await drawingsOf(page)).length === count);
  return drawingsOf(page);
}

function tool(page: Page, name: string) {
  const tools = page.getByRole('toolbar', { name: 'Drawing tools' });
  return tools.getByRole('button', { name, exact: true });
}

/** A place on the prices, in parts of their width and height. */
async function place(page: Page, x: number, y: number): Promise<readonly [number, number]> {
  const box = await boxAtRest(page.locator('.chart-canvas'));
  return [box.x + box.width * x, box.y + box.height * y];
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(...(await place(page, ...from)));
  await page.mouse.down();
  await page.mouse.move(...(await place(page, ...to)), { steps: 5 });
  await page.mouse.up();
}

proof('each tool draws with the mouse, and all are there after a reload', async (page) => {
  for (const [at, name] of DRAWING_TOOLS.entries()) {
    await tool(page, en.chart.tools[name]).click();
    const y = 0.2 + at * 0.06;
    if (name === 'text') {
      await page.mouse.click(...(await place(page, 0.2, y)));
      await page.getByRole('textbox', { name: 'Text' }).fill('Breakout');
      await page.keyboard.press('Enter');
    } else if (name === 'horizontal') {
      await page.mouse.click(...(await place(page, 0.2, y)));
    } else {
      await drag(page, [0.2 + at * 0.03, y], [0.5 + at * 0.03, y + 0.1]);
      if (name === 'channel') await page.mouse.click(...(await place(page, 0.4, y + 0.2)));
    }
    await drawnAre(page, at + 1);
  }
  const drawings = await drawingsOf(page);
  assert.deepEqual(
    drawings.map((drawing) => drawing.tool),
    DRAWING_TOOLS,
  );
  assert.deepEqual(await looked(page, 'chart-drawings', ['laptop']), []);
  await page.reload();
  await isDrawn(page);
  await page
    .locator('.chart-body > p')
    .filter({ hasText: '8 drawings.' })
    .waitFor({ state: 'attached' });
  await reads(() => drawingsOf(page), drawings);
});

proof('a drawing is selected, moved, undone, done again and deleted', async (page) => {
  await tool(page, 'Trend line').click();
  await drag(page, [0.2, 0.3], [0.6, 0.5]);
  const [first] = await drawnAre(page, 1);
  await drag(page, [0.4, 0.4], [0.4, 0.6]);
  const moved = async () => present((await drawingsOf(page))[0], 'a line');
  await until(
    'it is moved',
    async () => (await moved()).anchors[0]?.price !== first?.anchors[0]?.price,
  );
  const [before, after] = [present(first, 'the line'), await moved()];
  const shifts = after.anchors.map(({ price }, at) => price - (before.anchors[at]?.price ?? 0));
  assert.ok(shifts.every((shift) => shift < 0 && Math.abs(shift - (shifts[0] ?? 0)) < 0.1));
  await tool(page, 'Undo').click();
  await reads(moved, before);
  await tool(page, 'Redo').click();
  await reads(moved, after);
  await tool(page, 'Delete selected drawing').click();
  await drawnAre(page, 0);
  await page.locator('.chart-canvas').press('Control+z');
  await drawnAre(page, 1);
});

proof('with the keyboard alone a line is drawn, moved, set by number and deleted', async (page) => {
  const cursor = tool(page, 'Cursor');
  await cursor.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tool(page, 'Horizontal line').and(page.locator('[aria-pressed="true"]')).waitFor();
  const canvas = page.locator('.chart-canvas');
  await canvas.press('Enter');
  const [line] = await drawnAre(page, 1);
  await canvas.press('ArrowUp');
  const price = async () => (await drawingsOf(page))[0]?.anchors[0]?.price ?? 0;
  await until('it is higher', async () => (await price()) > (line?.anchors[0]?.price ?? 0));
  await tool(page, 'Drawings').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Drawings' });
  await dialog.getByRole('textbox', { name: 'Price 1' }).fill('30123.45');
  await page.keyboard.press('Enter');
  await until('it is set', async () => (await price()) === 30_123.45);
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Select' }).click();
  await canvas.press('Delete');
  await drawnAre(page, 0);
});

proof('drawings are of one market', async (page) => {
  await tool(page, 'Horizontal line').click();
  await page.mouse.click(...(await place(page, 0.5, 0.5)));
  await drawnAre(page, 1);
  await page.evaluate("location.hash = '#ETH-USDT'");
  await page.getByRole('application', { name: /ETH\/USDT/ }).waitFor();
  await reads(() => tool(page, 'Drawings').getAttribute('aria-disabled'), 'true');
  await reads(() => drawingsOf(page, 'ETH-USDT'), []);
});
