/** What the venue keeps for an equity curve: the days, prices of then, and money in and out. */
import { native } from '#client';
import type { DailyPrices, EquityRow, Flow } from '../../model/equity.ts';
import { session } from '../../session/session.ts';
import { ask } from '../../wire/ask.ts';
import { venueTimeMs } from '../../wire/clock.ts';
import { type Instrument, instruments } from '../context.ts';
import { paced } from './calls.ts';

const DAY_MS = 86_400_000;
const CURVE_DAYS = 30;
/** Pairs whose prices are read: a call each. */
const PAIRS_MAX = 24;
/** Deposits and withdrawals of one kind that are counted; beyond it a profit would be a guess. */
const FLOWS_MAX = 500;

export interface EquityPast {
  readonly rows: readonly EquityRow[];
  readonly prices: readonly DailyPrices[];
  /** Undefined where there are more than are counted. */
  readonly flows: readonly Flow[] | undefined;
}

export async function readEquityPast(target: string): Promise<EquityPast> {
  const fromMs = (await venueTimeMs()) - CURVE_DAYS * DAY_MS;
  const rows = await readDays(fromMs);
  if (rows.length === 0) return { rows, prices: [], flows: [] };
  const coins = new Set([target, ...rows.map(({ coin }) => coin)]);
  const [prices, flows] = await Promise.all([readPrices(coins, fromMs), readFlows(fromMs)]);
  return { rows, prices, flows };
}

/** Of pairs that lead from a coin or to the target. */
async function readPrices(
  coins: ReadonlySet<string>,
  fromMs: number,
): Promise<readonly DailyPrices[]> {
  const pairs = instruments
    .get()
    .filter(({ kind, base, quote }) => kind === 'spot' && (coins.has(base) || coins.has(quote)));
  return Promise.all(pairs.slice(0, PAIRS_MAX).map((pair) => readOpens(pair, fromMs)));
}

async function readOpens({ symbol, base, quote }: Instrument, fromMs: number) {
  const from = fromMs - DAY_MS;
  const rows = await ask(native.candles, { symbol, period: '1d', from, limit: CURVE_DAYS + 2 });
  return { base, quote, opens: rows.map(({ time, open }) => ({ timeMs: time, price: open })) };
}

async function readDays(from: number): Promise<readonly EquityRow[]> {
  const rows: EquityRow[] = [];
  let before: string | undefined;
  for (;;) {
    const asked = { from, before };
    const page = await paced(() => session.ask(native.equity, asked));
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

async function readFlows(from: number): Promise<readonly Flow[] | undefined> {
  const found = await Promise.all(
    (['deposit', 'withdraw'] as const).map((reason) =>
      paced(() => session.ask(native.ledger, { reason, from, limit: FLOWS_MAX })),
    ),
  );
  if (found.some(({ next }) => next !== null)) return undefined;
  return found
    .flatMap(({ rows }) => rows)
    .map(({ time: timeMs, coin, change: amount }) => ({ timeMs, coin, amount }));
}
