/** Own orders on the chart in a real browser, and moving them there. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { eventually } from '../support/until.ts';
import { CONTRACT, isDrawn, openChart, openChartStage, PAIR, tradeWalk } from './chart-floor.ts';
import { boxAtRest, findings } from './looks.ts';
import { rowWith, signIn } from './trading-floor.ts';

const opened = await openChartStage();
closedAtEnd(opened.stage);
await tradeWalk(opened);
const { demo, maker, sandbox, stage } = opened;
// A page that signs by a clock that stands is soon ahead of it.
await sandbox.runClock();

function proof(
  name: string,
  symbol: string,
  prove: (page: Page) => Promise<void>,
  asksFirst: 'yes' | 'no' = 'yes',
): void {
  test(name, async () => {
    const kept = { 'outcry.orders.confirm': asksFirst };
    const { page, complaints, close } = await openChart(opened, symbol, {}, kept);
    try {
      await signIn(page);
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

/** Reads what the main thread of the page has worked so far, in time of its own. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await inspector.send('Performance.getMetrics');
    return 1_000 * present(metrics.find(({ name }) => name === 'TaskDuration')?.value, 'work');
  };
}

function chip(page: Page, text: string) {
  return page.locator('.level').filter({ hasText: text });
}

/** Drags a chip by so many pixels. */
async function drag(page: Page, text: string, down: number): Promise<void> {
  const button = chip(page, text).getByRole('button').first();
  const box = await boxAtRest(button);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + down, { steps: 6 });
  await page.mouse.up();
}

proof('a resting order is dragged to another price, and set by number', PAIR, async (page) => {
  await isDrawn(page);
  await demo.spot(PAIR, 'buy', '29900', '0.1');
  await drag(page, 'Buy 0.1000 BTC', 30);
  const dialog = page.getByRole('dialog', { name: 'Move order' });
  await dialog.getByText('29,900.00 →').waitFor();
  const price = dialog.getByRole('textbox', { name: 'New price' });
  await eventually(
    async () => Number(await price.inputValue()),
    (dropped) => assert.ok(dropped > 0 && dropped < 29_900, `dropped at ${dropped}`),
  );
  assert.deepEqual(await findings(page), []);
  await price.fill('29850.5');
  await dialog.getByRole('button', { name: 'Move to 29,850.50' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rowWith(page, 'Buy', '29,850.50', '0.1');
  // By keyboard as well.
  await chip(page, 'Buy 0.1000 BTC').getByRole('button').first().press('Enter');
  await price.fill('29860');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await rowWith(page, 'Buy', '29,860.00', '0.1');
  await chip(page, 'Buy')
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await page.getByText('No open orders').waitFor();
});

/** Rows of pixels on the price axis that labels fill: mark and index, the last, warnings. */
const LABEL_ROWS = `(() => {
  const canvas = document.querySelector('.chart-canvas tr td:nth-child(3) canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const colourOf = (name) => {
    const probe = document.createElement('canvas').getContext('2d');
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
  };
  const rowsOf = (names) => {
    const colours = names.map(colourOf);
    let rows = 0;
    for (let y = 0; y < height; y += 1) {
      let filled = 0;
      for (let x = 0; x < width; x += 1) {
        const at = (y * width + x) * 4;
        if (colours.some((one) => [0, 1, 2].every((part) => data[at + part] === one[part]))) {
          filled += 1;
        }
      }
      if (filled > width / 3) rows += 1;
    }
    return rows;
  };
  return {
    soft: rowsOf(['--ink-soft']),
    last: rowsOf(['--up', '--down']),
    beyond: rowsOf(['--warning']),
  };
})()`;
/** Of a label; its corners are round and its text has another colour. */
const LABEL_ROWS_MIN = 13;

proof(
  'labels that are close cover each other neither on the axis nor beside it',
  CONTRACT,
  async (page) => {
    await stage.venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
    // Both positions cost about the same, in a chart that is 200 high and ends where the mark is.
    for (const price of ['30100', '29900', '30000.5']) {
      const size = price === '30100' ? '10' : '1';
      await maker.open(CONTRACT, 'short', price, size);
      await demo.open(CONTRACT, 'long', price, size);
      await maker.open(CONTRACT, 'long', price, size);
      await demo.open(CONTRACT, 'short', price, size);
    }
    await isDrawn(page);
    const [long, short] = [chip(page, 'Long 12'), chip(page, 'Short 12')];
    await eventually(
      async () => [await boxAtRest(long), await boxAtRest(short)] as const,
      ([one, other]) => assert.ok(Math.abs(one.y - other.y) >= one.height - 0.5, 'apart'),
    );
    await page.screenshot({ path: 'test/out/screens/chart-labels.png' });
    await eventually(
      () => page.evaluate<{ soft: number; last: number; beyond: number }>(LABEL_ROWS),
      ({ soft, last, beyond }) => {
        assert.ok(soft >= 2 * LABEL_ROWS_MIN, `mark and index fill ${soft} rows`);
        assert.equal(beyond, 0, 'a liquidation price far above is not shown');
        assert.ok(last >= LABEL_ROWS_MIN, `the last price fills ${last} rows`);
      },
    );
  },
);

/** As many as an account may have open to begin with. */
const MANY = Number(process.env.CHART_ORDERS ?? 1_000);
const BATCH = 50;
/** What the screen has room for, labels of 20 pixels. */
const CHIPS_MAX = 40;
/** In time of the main thread's own. */
const IDLE_PER_S_MAX_MS = 40;
const DRAG_PER_MOVE_MAX_MS = 20;
const MOVES = 40;
const REST_S = 4;

proof(
  'a thousand orders share labels, rest without work, and are dragged at once',
  PAIR,
  async (page) => {
    await isDrawn(page);
    const asked = { account: 'demo', openOrdersMax: 2 * MANY };
    await stage.venue.admin.updateAccount(asked);
    const ids: string[] = [];
    for (let made = 0; made < MANY; made += BATCH) {
      const terms = Array.from({ length: BATCH }, (_, at) => {
        const price = (29_900 - ((made + at) % 2_000) / 20).toFixed(2);
        return { side: 'buy', price, size: '0.001' } as const;
      });
      ids.push(...(await demo.spotBatch(PAIR, terms)));
    }
    const own = await demo.spot(PAIR, 'sell', '30400', '0.001');
    await rowWith(page, 'Sell', '30,400.00', '0.001');
    const shown = () => page.locator('.level').count();
    const workMs = await workOf(page);
    // The pointer rests on a bar.
    const box = await boxAtRest(page.locator('.chart-canvas'));
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await eventually(shown, (count) => assert.ok(count >= 1 && count <= CHIPS_MAX, `${count}`));
    const before = await workMs();
    await page.waitForTimeout(REST_S * 1_000);
    const idleMs = ((await workMs()) - before) / REST_S;
    const button = chip(page, 'Sell 0.0010 BTC').getByRole('button').first();
    const at = await boxAtRest(button);
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    const began = await workMs();
    for (let move = 1; move <= MOVES; move += 1) {
      await page.mouse.move(x, y + move);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    const moveMs = ((await workMs()) - began) / MOVES;
    await page.mouse.up();
    await page.getByRole('dialog', { name: 'Move order' }).waitFor();
    await page.keyboard.press('Escape');
    for (let gone = 0; gone < ids.length; gone += BATCH) {
      await demo.cancelSpot(PAIR, ids.slice(gone, gone + BATCH));
    }
    await demo.cancelSpot(PAIR, [own]);
    const [resting, moving] = [idleMs, moveMs].map((ms) => ms.toFixed(1));
    const said = `${MANY} orders: ${resting} ms/s at rest, ${moving} ms a move`;
    console.info(said);
    assert.ok(idleMs < IDLE_PER_S_MAX_MS && moveMs < DRAG_PER_MOVE_MAX_MS, said);
  },
);
