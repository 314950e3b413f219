/** The one time zone in which the pages show times: the browser's own until the reader chooses. */
import { clockText, dateTimeText, offsetMs } from '../model/times.ts';
import { createKept } from '../store/kept.ts';
import { useStore } from '../store/store.ts';

export const ZONES = ['local', 'utc'] as const;
export type Zone = (typeof ZONES)[number];

export const zone = createKept<Zone>('outcry.timeZone', ZONES, 'local');

/** As Intl takes it; undefined for the browser's own. */
function intlZone(chosen: Zone): string | undefined {
  return chosen === 'utc' ? 'UTC' : undefined;
}

/** Times as text in one zone. */
export interface Times {
  /** "2026-11-21 05:34:12". */
  dateTime(timeMs: number): string;
  /** "05:34:12". */
  clock(timeMs: number): string;
  /** How far the zone is ahead of UTC at a time. */
  offsetMs(timeMs: number): number;
  /** Reads what a datetime-local field holds. */
  parse(text: string): number;
}

export function timesIn(chosen: Zone): Times {
  const named = intlZone(chosen);
  return {
    dateTime: (timeMs) => dateTimeText(timeMs, named),
    clock: (timeMs) => clockText(timeMs, named),
    offsetMs: (timeMs) => offsetMs(timeMs, named),
    parse: (text) => new Date(chosen === 'utc' ? `${text}Z` : text).getTime(),
  };
}

/** Times in the chosen zone; repaints when another one is chosen. */
export function useTimes(): Times {
  return timesIn(useStore(zone));
}

interface TimeProps {
  readonly at: number;
  /** Date and time of day without it. */
  readonly shape?: 'clock';
}

/** A time in the chosen zone. */
export function Time({ at, shape }: TimeProps) {
  const times = useTimes();
  const text = shape === 'clock' ? times.clock(at) : times.dateTime(at);
  return <time dateTime={new Date(at).toISOString()}>{text}</time>;
}
