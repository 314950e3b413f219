/**
 * The candle periods of the venue and where each candle begins, in UTC. Fixed lengths are aligned
 * to the Unix epoch; weeks begin on Monday and months on the 1st, both at 00:00.
 */

import { assert, present } from '#kernel';
import type { Period } from './market-data.ts';

export interface PeriodRow {
  readonly period: Period;
  /** The stored form: a number is never reused. */
  readonly id: number;
  /** Undefined for the month, whose length varies. */
  readonly lengthMs: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, the first Monday after the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The latest time a candle is asked for: the end of the year 9999. */
export const CANDLE_TIME_MAX_MS = 253_402_300_799_999;

/** Every period, shortest first. An id is stored with each candle and never changes. */
export const PERIODS: readonly PeriodRow[] = [
  { period: '1min', id: 1, lengthMs: MINUTE_MS },
  { period: '3min', id: 2, lengthMs: 3 * MINUTE_MS },
  { period: '5min', id: 3, lengthMs: 5 * MINUTE_MS },
  { period: '15min', id: 4, lengthMs: 15 * MINUTE_MS },
  { period: '30min', id: 5, lengthMs: 30 * MINUTE_MS },
  { period: '1h', id: 6, lengthMs: HOUR_MS },
  { period: '2h', id: 7, lengthMs: 2 * HOUR_MS },
  { period: '4h', id: 8, lengthMs: 4 * HOUR_MS },
  { period: '6h', id: 9, lengthMs: 6 * HOUR_MS },
  { period: '8h', id: 15, lengthMs: 8 * HOUR_MS },
  { period: '12h', id: 10, lengthMs: 12 * HOUR_MS },
  { period: '1d', id: 11, lengthMs: DAY_MS },
  { period: '3d', id: 12, lengthMs: 3 * DAY_MS },
  { period: '1w', id: 13, lengthMs: WEEK_MS },
  { period: '1M', id: 14, lengthMs: undefined },
];

const ROW_BY_PERIOD = new Map(PERIODS.map((row) => [row.period, row]));

/** The row of a period. */
export function periodRow(period: Period): PeriodRow {
  return present(ROW_BY_PERIOD.get(period), `candle period ${period}`);
}

/** When the candle that holds this instant began. Takes whole milliseconds up to the year 9999. */
export function openTimeMs(period: Period, timeMs: number): number {
  assert(Number.isSafeInteger(timeMs) && timeMs <= CANDLE_TIME_MAX_MS, 'a time of the calendar');
  const { lengthMs } = periodRow(period);
  if (lengthMs === undefined) return monthOpenMs(timeMs, 0);
  const sinceAnyOpenMs = period === '1w' ? timeMs - FIRST_MONDAY_MS : timeMs;
  const intoCandleMs = sinceAnyOpenMs % lengthMs;
  return timeMs - (intoCandleMs < 0 ? intoCandleMs + lengthMs : intoCandleMs);
}

/** When the candle after the one that began at `openMs` begins. */
export function nextOpenTimeMs(period: Period, openMs: number): number {
  const { lengthMs } = periodRow(period);
  return lengthMs === undefined ? monthOpenMs(openMs, 1) : openMs + lengthMs;
}

function monthOpenMs(timeMs: number, monthsLater: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}
