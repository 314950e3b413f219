/** Times and durations as text. The calendar is the browser's own, in any zone. */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Time left, never below zero: "07:59:59", and "2d 03:00:00" from a day on. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const days = Math.floor(seconds / DAY_S);
  const parts = [(seconds % DAY_S) / HOUR_S, (seconds % HOUR_S) / MINUTE_S, seconds % MINUTE_S];
  const clock = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  return days === 0 ? clock : `${days}d ${clock}`;
}

/** Swedish writes dates as ISO 8601 does, with a space before the time. */
const ISO_LIKE = 'sv-SE';
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(shape: 'all' | 'clock', timeZone: string | undefined): Intl.DateTimeFormat {
  const name = `${shape} ${timeZone ?? ''}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const zone = timeZone === undefined ? {} : { timeZone };
  const made = new Intl.DateTimeFormat(ISO_LIKE, {
    ...(shape === 'all' ? date : {}),
    ...time,
    ...zone,
  });
  formats.set(name, made);
  return made;
}

/** "2026-11-21 05:34:12", in the reader's own zone unless another one is named. */
export function dateTimeText(timeMs: number, timeZone?: string): string {
  return formatOf('all', timeZone).format(timeMs);
}

/** "05:34:12", in the reader's own zone unless another one is named. */
export function clockText(timeMs: number, timeZone?: string): string {
  return formatOf('clock', timeZone).format(timeMs);
}

const WALL_CLOCK = /^(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)$/;

/** How far a zone is ahead of UTC at a time, in whole seconds; the reader's own unless named. */
export function offsetMs(timeMs: number, timeZone?: string): number {
  const wholeMs = Math.floor(timeMs / SECOND_MS) * SECOND_MS;
  const parts = WALL_CLOCK.exec(dateTimeText(wholeMs, timeZone))?.slice(1).map(Number);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeMs;
}
