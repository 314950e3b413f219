/** The candle periods of the pages. Candles begin in UTC, weeks on Monday. */
import type { Period } from '#domain';
import { present } from '#kernel';

export interface PeriodRow {
  readonly period: Period;
  /** Undefined for the month, whose length varies. */
  readonly lengthMs: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function row(period: Period, lengthMs: number): PeriodRow {
  return { period, lengthMs };
}

/** Every period, shortest first. */
export const PERIODS: readonly PeriodRow[] = [
  row('1min', MINUTE_MS),
  row('3min', 3 * MINUTE_MS),
  row('5min', 5 * MINUTE_MS),
  row('15min', 15 * MINUTE_MS),
  row('30min', 30 * MINUTE_MS),
  row('1h', HOUR_MS),
  row('2h', 2 * HOUR_MS),
  row('4h', 4 * HOUR_MS),
  row('6h', 6 * HOUR_MS),
  row('12h', 12 * HOUR_MS),
  row('1d', DAY_MS),
  row('3d', 3 * DAY_MS),
  row('1w', 7 * DAY_MS),
  { period: '1M', lengthMs: undefined },
];

/** The row of a period. */
export function periodRow(period: Period): PeriodRow {
  return present(
    PERIODS.find((known) => known.period === period),
    period,
  );
}

/** When the candle after the one that began at `openMs` begins. */
export function nextOpenMs(period: Period, openMs: number): number {
  const { lengthMs } = periodRow(period);
  if (lengthMs !== undefined) return openMs + lengthMs;
  const date = new Date(openMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Whether a period is so short that its candles have a time of day. */
export function isIntraday({ lengthMs }: PeriodRow): boolean {
  return lengthMs !== undefined && lengthMs < DAY_MS;
}
