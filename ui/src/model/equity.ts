/**
 * An account's equity day by day in one coin: what it owned when each day began, at the prices of
 * then, and what it gained beside what was paid in and out.
 */
import type { native } from '#client';
import { formatDecimal } from '#kernel';
import { scaled } from './numbers.ts';
import {
  type CoinAmount,
  type PricedMarket,
  type Rate,
  rateOf,
  VALUE_DECIMALS,
  type Valuation,
  valuationOf,
  valueAt,
} from './valuation.ts';

export type EquityRow = native.EquityRow;

/** The prices of a market when days began, oldest first: those of days without trades stay out. */
export interface DailyPrices {
  readonly base: string;
  readonly quote: string;
  readonly opens: readonly { readonly timeMs: number; readonly price: string }[];
}

export interface EquityPoint extends Valuation {
  readonly timeMs: number;
}

/** What was owned when each day began, oldest first. */
function daysOf(
  rows: readonly EquityRow[],
): readonly { readonly timeMs: number; readonly owned: readonly CoinAmount[] }[] {
  const byDay = Map.groupBy(rows, ({ time }) => time);
  return [...byDay]
    .sort(([one], [other]) => one - other)
    .map(([timeMs, owned]) => ({
      timeMs,
      owned: owned.map(({ coin, equity: amount }) => ({ coin, amount })),
    }));
}

/** The last price at or before a time, of each market that had one by then. */
function marketsAt(timeMs: number, prices: readonly DailyPrices[]): PricedMarket[] {
  return prices.flatMap(({ base, quote, opens }) => {
    const last = opens.findLast((open) => open.timeMs <= timeMs);
    return last === undefined ? [] : [{ base, quote, price: last.price }];
  });
}

function rateAt(timeMs: number, target: string, prices: readonly DailyPrices[]) {
  const markets = marketsAt(timeMs, prices);
  const known = new Map<string, Rate | undefined>();
  return (coin: string): Rate | undefined => {
    if (!known.has(coin)) known.set(coin, rateOf(coin, target, markets));
    return known.get(coin);
  };
}

export function equityCurve(
  rows: readonly EquityRow[],
  target: string,
  prices: readonly DailyPrices[],
): readonly EquityPoint[] {
  return daysOf(rows).map(({ timeMs, owned }) => ({
    timeMs,
    ...valuationOf(owned, rateAt(timeMs, target, prices)),
  }));
}

/** Money that came from outside the account, or left it when below zero. */
export interface Flow extends CoinAmount {
  readonly timeMs: number;
}

/**
 * What an account gained from its first point to its last one beside what was paid in and out
 * meanwhile. Undefined where something of it has no price, for then it would be a guess.
 */
export function profitOf(
  points: readonly EquityPoint[],
  flows: readonly Flow[],
  target: string,
  prices: readonly DailyPrices[],
): string | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  if (first.unpriced.length + last.unpriced.length > 0) return undefined;
  let profit = scaled(last.total, VALUE_DECIMALS) - scaled(first.total, VALUE_DECIMALS);
  for (const { timeMs, coin, amount } of flows) {
    if (timeMs < first.timeMs || timeMs > last.timeMs) continue;
    const rate = rateAt(timeMs, target, prices)(coin);
    if (rate === undefined) return undefined;
    profit -= scaled(valueAt(amount, rate), VALUE_DECIMALS);
  }
  return formatDecimal(profit, VALUE_DECIMALS);
}

/** A point of the drawing: 0 to 1 from the left and from the bottom. */
export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}

/** Where the points of a curve stand in a box; a level one stands in the middle. */
export function drawnCurve(points: readonly EquityPoint[]): readonly DrawnPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const values = points.map(({ total }) => Number(total));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spanMs = last.timeMs - first.timeMs;
  return points.map(({ timeMs }, index) => ({
    x: spanMs === 0 ? 1 : (timeMs - first.timeMs) / spanMs,
    y: most === least ? 0.5 : ((values[index] ?? least) - least) / (most - least),
  }));
}
