/** The chart in a real browser: its types, its indicators, and how it does with many bars. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { present } from '#kernel';
import { INDICATORS } from '../../ui/src/model/indicators.ts';
import { en } from '../../ui/src/texts/en.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { SightChoices } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import {
  CONTRACT,
  isDrawn,
  openChart,
  openChartStage,
  PAIR,
  tradeWalk,
  WALK,
} from './chart-floor.ts';
import { venueTimeMs } from './hand.ts';
import { findings } from './looks.ts';

const opened = await openChartStage();
const { sandbox } = opened;
closedAtEnd(opened.stage);
await tradeWalk(opened);

function proof(
  name: string,
  prove: (page: Page) => Promise<void>,
  { symbol = PAIR, kept = {}, ...choices }: ProofChoices = {},
): void {
  test(name, async () => {
    const { page, complaints, close } = await openChart(opened, symbol, choices, kept);
    try {
      await prove(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

interface ProofChoices extends SightChoices {
  readonly symbol?: string;
  readonly kept?: Readonly<Record<string, unknown>>;
}

/** Pixels of the chart, without what stands over it. */
async function pixels(page: Page): Promise<string> {
  const drawn = "[...document.querySelectorAll('.chart-canvas canvas')]";
  return String(await page.evaluate(`${drawn}.map((canvas) => canvas.toDataURL()).join()`));
}

/** The picture that the chart comes to rest at, once it is another one than before. */
async function otherThan(page: Page, before: string): Promise<string> {
  let last = '';
  return eventually(
    async () => {
      await page.evaluate('new Promise(requestAnimationFrame)');
      return pixels(page);
    },
    (now) => {
      const isAtRest = now === last;
      last = now;
      assert.ok(isAtRest && now !== before, 'the chart stayed as it was, or does not rest');
    },
  );
}

proof('a chart is drawn in five types, and the choice outlives a reload', async (page) => {
  await isDrawn(page);
  const type = page.getByRole('combobox', { name: 'Chart type' });
  let last = await otherThan(page, '');
  // Each bar has one price here: as a bar it may look like a candle, so neither follows the other.
  for (const name of ['Heikin-Ashi', 'Bars', 'Line', 'Area', 'Candles', 'Area']) {
    await type.selectOption({ label: name });
    last = await otherThan(page, last);
  }
  await page.reload();
  await isDrawn(page);
  await reads(() => type.inputValue(), 'area');
});

/** Waits until such a text stands in the legend behind the name of an indicator. */
async function reading(page: Page, name: string, wanted: RegExp): Promise<void> {
  const line = page.getByTitle(`Settings of ${name}`, { exact: true });
  await eventually(
    async () => (await line.innerText()).replace(name, '').trim(),
    (text) => assert.match(text, wanted),
  );
}

proof('an average is added by keyboard, set, kept and taken off again', async (page) => {
  await isDrawn(page);
  const button = page.getByRole('button', { name: 'Indicators', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Indicators' });
  await dialog.getByRole('button', { name: 'Simple moving average' }).press('Enter');
  const length = dialog.getByRole('textbox', { name: 'Length' });
  await length.fill('0');
  await dialog.getByText('1 to 500').waitFor();
  await length.fill('5');
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press('Escape');
  const mean = WALK.slice(-5).reduce((sum, price) => sum + price, 0) / 5;
  const wanted = mean.toLocaleString('en', { minimumFractionDigits: 2 });
  await page.getByText(wanted, { exact: true }).waitFor();
  await reading(page, 'SMA 5', new RegExp(`^${wanted}$`));
  await page.reload();
  await reading(page, 'SMA 5', new RegExp(`^${wanted}$`));
  await page.getByTitle('Settings of SMA 5').click();
  await dialog.getByRole('button', { name: 'Remove Simple moving average' }).click();
  await page.keyboard.press('Escape');
  await page.getByTitle('Settings of SMA 5').waitFor({ state: 'detached' });
});

const ALL_KINDS = INDICATORS.filter(({ kind }) => kind !== 'funding').slice(0, 12);

proof(
  'all indicators stand on one chart, each with its values',
  async (page) => {
    for (const { kind, lines } of ALL_KINDS) {
      if (lines.length === 0) continue;
      const name = new RegExp(`Settings of ${en.chart.indicatorShort[kind]}`);
      await page.getByTitle(name).locator('span').nth(1).waitFor();
    }
    const summary = page.locator('.chart-body > p.only-read-out');
    await summary.filter({ hasText: /bars in view, lowest .* SMA 3 30,/ }).waitFor();
    assert.deepEqual(await findings(page), []);
  },
  {
    size: 'desk',
    kept: {
      'outcry.indicators': ALL_KINDS.map(({ kind, settings }) => ({
        id: kind,
        kind,
        // As short as they may be: the venue is young.
        settings: Object.fromEntries(settings.map(({ name, min }) => [name, Math.max(3, min)])),
      })),
    },
  },
);

proof(
  'the settled funding of a contract is an indicator; a pair has none',
  async (page) => {
    await opened.maker.open(CONTRACT, 'short', '30000', '10');
    await opened.demo.open(CONTRACT, 'long', '30000', '10');
    await sandbox.jumpToFunding({ symbol: 'BTC-USDT-PERP' });
    await sandbox.stepClock({ ms: 3_000 });
    await opened.maker.open(CONTRACT, 'short', '30000', '10');
    await opened.demo.open(CONTRACT, 'long', '30000', '10');
    await page.reload();
    await reading(page, 'Funding', /^-?0\.[0-9]{4}%$/);
  },
  { symbol: CONTRACT, kept: { 'outcry.indicators': [{ id: 'f', kind: 'funding', settings: {} }] } },
);

proof(
  'with Chinese texts, on a phone, the tools are there and named',
  async (page) => {
    await isDrawn(page);
    await page.getByRole('toolbar', { name: '画线工具' }).waitFor();
    await page.getByRole('button', { name: '指标', exact: true }).click();
    await page.getByRole('dialog', { name: '指标' }).getByText('布林带').waitFor();
    assert.deepEqual(await findings(page), []);
  },
  { size: 'phone', locale: 'zh-CN' },
);

const MANY_BARS = 99_000;
const MINUTE_MS = 60_000;
/** Of the main thread's own time, so that other programs do not count. */
const INTERACTION_MAX_MS = 100;
const PRESSES = 20;

test('a hundred thousand bars are scrolled, zoomed and extended in no time', async (t) => {
  const { demo, maker, stage } = opened;
  const kept = ['ema', 'bollinger', 'rsi'].map((kind) => ({ id: kind, kind, settings: {} }));
  const { page, close } = await openChart(opened, PAIR, {}, { 'outcry.indicators': kept });
  const trade = async (price: string): Promise<void> => {
    await maker.spot(PAIR, 'sell', price, '0.01');
    await demo.spot(PAIR, 'buy', price, '0.01');
  };
  try {
    await isDrawn(page);
    await reading(page, 'EMA 20', /[0-9]/);
    const time = (await venueTimeMs(stage.venue.url)) + MANY_BARS * MINUTE_MS;
    await sandbox.jumpClock({ time });
    await trade('30500');
    await page.locator('.chart-legend').getByText('30,500.00').first().waitFor();
    const inspector = await page.context().newCDPSession(page);
    await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
    const workMs = async (): Promise<number> => {
      const { metrics } = await inspector.send('Performance.getMetrics');
      return 1_000 * present(metrics.find(({ name }) => name === 'TaskDuration')?.value, 'work');
    };
    const costOf = async (act: (at: number) => Promise<void>): Promise<number> => {
      const before = await workMs();
      for (let at = 0; at < PRESSES; at += 1) {
        await act(at);
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      return ((await workMs()) - before) / PRESSES;
    };
    const canvas = page.getByRole('application', { name: /Candle chart of BTC\/USDT/ });
    const costs = {
      scroll: await costOf(() => canvas.press('ArrowLeft')),
      zoom: await costOf((at) => canvas.press(at < PRESSES / 2 ? '-' : '+')),
      trade: await costOf((at) => trade(String(30_500 + at))),
    };
    t.diagnostic(JSON.stringify(costs));
    assert.ok(Math.max(...Object.values(costs)) < INTERACTION_MAX_MS, JSON.stringify(costs));
  } finally {
    await close();
  }
});
