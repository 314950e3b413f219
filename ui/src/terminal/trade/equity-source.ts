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
  const path = '/api/spot/v1/account/equity';
  const asked = { startTime: fromMs };
  const rows = await paced(() => session.call<readonly EquityRow[]>('GET', path, asked));
  if (rows.length === 0) return { rows, prices: [], flows: [] };
  const coins = new Set([target, ...rows.map(({ coinName }) => coinName)]);
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

interface BillRow {
  readonly cTime: string;
  readonly coinName: string;
  readonly quantity: string;
}

interface LedgerRow {
  readonly timestamp: string;
  readonly coin: string;
  readonly change: string;
}

async function readFlows(fromMs: number): Promise<readonly Flow[] | undefined> {
  const kinds = ['deposit', 'withdraw'] as const;
  const found = await Promise.all([
    ...kinds.map((kind) => readBills(kind)),
    ...kinds.map((kind) => readLedger(kind, fromMs)),
  ]);
  const isCut = found.some((flows) => flows.length >= FLOWS_MAX && oldestOf(flows) >= fromMs);
  return isCut ? undefined : found.flat().filter(({ timeMs }) => timeMs >= fromMs);
}

function oldestOf(flows: readonly Flow[]): number {
  return Math.min(...flows.map(({ timeMs }) => timeMs));
}

async function readBills(groupType: string): Promise<readonly Flow[]> {
  const path = '/api/spot/v1/account/bills';
  const asked = { groupType, limit: FLOWS_MAX };
  const rows = await paced(() => session.call<readonly BillRow[]>('POST', path, asked));
  return rows.map(({ cTime, coinName, quantity }) => {
    return { timeMs: Number(cTime), coin: coinName, amount: quantity };
  });
}

async function readLedger(type: string, startTime: number): Promise<readonly Flow[]> {
  const path = '/api/swap/v3/account/income';
  const asked = { type, startTime, limit: FLOWS_MAX };
  const rows = await paced(() => session.call<readonly LedgerRow[]>('GET', path, asked));
  return rows.map(({ timestamp, coin, change }) => {
    return { timeMs: Number(timestamp), coin, amount: change };
  });
}
