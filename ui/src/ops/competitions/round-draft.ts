/** A round as texts that are being typed, and the request they make. Pure. */
import type { admin } from '#client';
import type { Times } from '../../look/mod.ts';

type RoundRow = admin.CompetitionAnswer['rounds'][number];

export type Fault = 'minutes' | 'startsIn' | 'name' | 'time';

/** What can still be changed: all until it starts, its end while it runs, its name afterwards. */
export type Phase = 'planned' | 'running' | 'over';

export interface RoundDraft {
  readonly name: string;
  /** As a field for times has it. */
  readonly start: string;
  readonly minutes: string;
  readonly end: string;
}

export const MINUTE_MS = 60_000;
/** As the venue takes a name: it may be empty. */
const NAME = /^([\p{L}\p{N}][\p{L}\p{M}\p{N} ._#'-]{0,39})?$/u;
const DECIMAL = /^[0-9]{1,7}(\.[0-9]{1,5})?$/;
const MINUTES_MIN = 10 / 60;
const MINUTES_MAX = 366 * 1_440;

export function nameFault(name: string): Fault | undefined {
  return NAME.test(name.trim()) ? undefined : 'name';
}

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text.trim());
}

export function minutesFault(minutes: string): Fault | undefined {
  const isWithin = Number(minutes) >= MINUTES_MIN && Number(minutes) <= MINUTES_MAX;
  return isDecimal(minutes) && isWithin ? undefined : 'minutes';
}

export function phaseOf({ state }: RoundRow): Phase {
  if (state === 'scheduled' || state === 'preparing') return 'planned';
  return state === 'running' ? 'running' : 'over';
}

export function draftOf({ name, startTime, endTime }: RoundRow, times: Times): RoundDraft {
  const text = (time: string) => times.dateTime(Number(time)).replace(' ', 'T');
  const length = (Number(endTime) - Number(startTime)) / MINUTE_MS;
  return { name, start: text(startTime), minutes: shortOf(length), end: text(endTime) };
}

/** "60" and "0.16667". */
function shortOf(minutes: number): string {
  return String(Number(minutes.toFixed(5)));
}

export function faultsOf(
  { name, start, minutes, end }: RoundDraft,
  times: Times,
): Readonly<Record<keyof RoundDraft, Fault | undefined>> {
  const timeFault = (text: string) => (Number.isNaN(times.parse(text)) ? 'time' : undefined);
  return {
    ...{ name: nameFault(name), minutes: minutesFault(minutes) },
    ...{ start: timeFault(start), end: timeFault(end) },
  };
}

/** What is another than before. */
export function changesOf(before: RoundDraft, draft: RoundDraft, phase: Phase, times: Times) {
  const isPlanned = phase === 'planned';
  const isLonger = isPlanned && draft.minutes !== before.minutes;
  const hasEnd = phase === 'running' && draft.end !== before.end;
  return {
    ...(draft.name.trim() === before.name ? {} : { name: draft.name.trim() }),
    ...(isPlanned && draft.start !== before.start ? { startTime: times.parse(draft.start) } : {}),
    ...(isLonger ? { durationMs: Math.round(Number(draft.minutes) * MINUTE_MS) } : {}),
    ...(hasEnd ? { endTime: times.parse(draft.end) } : {}),
  };
}
