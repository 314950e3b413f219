/** A venue whose chart has a past: bars that a test has traded, a minute each. */
import type { Page } from 'playwright-core';
import type { OutcryClient } from '#client';
import { openStage, type Sight, type SightChoices, type Stage } from '../support/browser.ts';
import { Hand, venueTimeMs } from './hand.ts';

export const PAIR = 'BTC-USDT';
export const CONTRACT = 'BTC-USDT-PERP';
const MINUTE_MS = 60_000;

/** A price a minute: up, down, and up again. */
export const WALK: readonly number[] = Array.from(
  { length: 40 },
  (_, at) => 30_000 + Math.round(400 * Math.sin(at / 4)) + at * 5,
);

export interface ChartStage {
  readonly stage: Stage;
  readonly maker: Hand;
  readonly demo: Hand;
  readonly sandbox: OutcryClient['sandbox'];
}

/** A quiet venue whose clock stands still unless a test moves it. */
export async function openChartStage(): Promise<ChartStage> {
  const stage = await openStage({ participants: false, flags: ['--sandbox'] });
  const { url, sandbox } = stage.venue;
  await sandbox.pauseClock();
  return { stage, maker: new Hand(url, 'maker'), demo: new Hand(url, 'demo'), sandbox };
}

/** Trades each price of the walk in a minute of its own. */
export async function tradeWalk({ stage, maker, demo, sandbox }: ChartStage): Promise<void> {
  let timeMs = Math.ceil((await venueTimeMs(stage.venue.url)) / MINUTE_MS) * MINUTE_MS;
  for (const price of WALK) {
    await sandbox.jumpClock({ time: timeMs });
    await maker.spot(PAIR, 'sell', String(price), '0.01');
    await demo.spot(PAIR, 'buy', String(price), '0.01');
    timeMs += MINUTE_MS;
  }
}

/** Opens the terminal; `kept` is what this browser has kept from before. */
export function openChart(
  { stage }: ChartStage,
  symbol: string,
  choices: SightChoices = {},
  kept: Readonly<Record<string, unknown>> = {},
): Promise<Sight> {
  return stage.open(`/#${symbol}`, { ...choices, kept });
}

/** Waits until the last bar is painted. */
export async function isDrawn(page: Page): Promise<void> {
  await page.locator('.chart-legend').waitFor();
}
