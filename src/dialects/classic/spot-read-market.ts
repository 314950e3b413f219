/** Turns the query of a market data endpoint into what the live views ask for. */
import type { JsonObject } from '#api';
import {
  isRefused,
  LIMITS,
  type Listings,
  type Period,
  type Refused,
  type SpotInstrument,
} from '#domain';
import { present } from '#kernel';
import { Fields, shown } from '../fields.ts';
import { resolvePair } from './spot-read-pair.ts';
import { readTimeMs } from './time.ts';

/** Every spelling of a period: the label, what clients send for it, and its seconds. */
export const SPOT_PERIODS: ReadonlyMap<string, Period> = new Map<string, Period>([
  ...spelled('1min', '60'),
  ...spelled('3min', '180'),
  ...spelled('5min', '300'),
  ...spelled('15min', '900'),
  ...spelled('30min', '1800'),
  ...spelled('1h', '3600'),
  ...spelled('2h', '7200'),
  ...spelled('4h', '14400'),
  ...spelled('6h', '21600', '6Hutc'),
  ...spelled('12h', '43200', '12Hutc'),
  ...spelled('1d', '86400', '1day', '1Dutc'),
  ...spelled('3d', '259200', '3day', '3Dutc'),
  ...spelled('1w', '604800', '7d', '7day', '1week', '1Wutc'),
  ...spelled('1M', '1Mutc'),
]);

function spelled(period: Period, ...others: readonly string[]): [string, Period][] {
  return [period, ...others].map((word) => [word, period]);
}

/** The pair that a query is about. */
export function readPairQuery(
  query: JsonObject,
  listings: Listings,
): { readonly pair: SpotInstrument } | Refused {
  const fields = new Fields(query);
  const pair = resolvePair(fields, fields.requiredText('symbol'), listings);
  return isRefused(pair) ? pair : { pair };
}

export interface TradesQuery {
  readonly pair: SpotInstrument;
  readonly limit: number;
}

export function readTrades(query: JsonObject, listings: Listings): TradesQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const limit = fields.limit(LIMITS.pageRowsDefault, LIMITS.recentTradesMax);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  return { pair, limit };
}

export type DepthStep = 0 | 1 | 2 | 3 | 4 | 5;

const STEPS: ReadonlyMap<string, DepthStep> = new Map<string, DepthStep>([
  ['step0', 0],
  ['step1', 1],
  ['step2', 2],
  ['step3', 3],
  ['step4', 4],
  ['step5', 5],
]);

export interface DepthQuery {
  readonly pair: SpotInstrument;
  readonly step: DepthStep;
  readonly limit: number;
}

export function readDepth(query: JsonObject, listings: Listings): DepthQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const step = fields.choice('type', STEPS, 0);
  const limit = fields.limit(LIMITS.depthLevelsDefault, LIMITS.depthLevelsMax);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  return { pair, step, limit };
}

export interface CandlesQuery {
  readonly pair: SpotInstrument;
  readonly period: Period;
  /** Opening times, both included. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly limit: number;
}

export function readCandles(query: JsonObject, listings: Listings): CandlesQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const periodText = fields.requiredText('period');
  // Case counts: 1M is a month.
  const period = SPOT_PERIODS.get(periodText);
  if (period === undefined && periodText !== '') {
    // Lengths in seconds are taken, too; the names are enough to go on.
    const known = [...SPOT_PERIODS.keys()].filter((word) => !/^[0-9]+$/.test(word)).join(', ');
    fields.refuse('parameter_invalid', `period ${shown(periodText)}, takes ${known}`);
  }
  const fromMs = readTimeMs(fields, 'after');
  const toMs = readTimeMs(fields, 'before');
  const limit = fields.limit(LIMITS.pageRowsDefault, LIMITS.candlePageMax);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  return { pair, period: present(period, 'period'), fromMs, toMs, limit };
}
