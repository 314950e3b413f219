/** Where the history is kept, and for how long: who else reads it bounds how short that may be. */
import { COUNTED_DAYS } from '#people';
import { ConfigFault, type Path } from './document.ts';
import type { FileContent } from './schema.ts';
import { checkedHistoryUrl } from './stores.ts';

const DAY_MS = 86_400_000;
/** Whole days (UTC) count, and a day more for clocks that differ. */
const LEVEL_DAYS_MIN = COUNTED_DAYS + 2;

interface Given {
  readonly ephemeral?: boolean | undefined;
  /** Of the environment. */
  readonly url: string | undefined;
}

/** Of a venue that keeps nothing, a database would keep the history. */
export function historyUrlOf(
  { ephemeral = false, url: given }: Given,
  { history }: FileContent,
  placeOf: (path: Path) => string,
): string | undefined {
  const isShort = typeof history === 'string';
  const url = given ?? (isShort ? history : history?.url);
  if (url === undefined) return undefined;
  const path = isShort ? ['history'] : ['history', 'url'];
  const place = given === undefined ? placeOf(path) : 'OUTCRY_HISTORY';
  if (!ephemeral) return checkedHistoryUrl(url, place);
  throw new ConfigFault([`${place}: --ephemeral keeps nothing, a database would: choose one`]);
}

export function historyKeepMs({ history }: FileContent): number | undefined {
  const keepDays = typeof history === 'string' ? undefined : history?.keepDays;
  return keepDays === undefined ? undefined : keepDays * DAY_MS;
}

/** Throws ConfigFault where something needs what would be removed. */
export function refuseShortHistory(
  keepMs: number | undefined,
  isSandbox: boolean,
  { feeLevels }: FileContent,
  placeOf: (path: Path) => string,
): void {
  if (keepMs === undefined) return;
  const place = placeOf(['history', 'keepDays']);
  if (isSandbox) {
    throw new ConfigFault([`${place}: a sandbox goes back in time, and keeps all of its history`]);
  }
  if (feeLevels === undefined || keepMs >= LEVEL_DAYS_MIN * DAY_MS) return;
  throw new ConfigFault([
    `${place}: fee levels count the trades of ${COUNTED_DAYS} days: keep ${LEVEL_DAYS_MIN}`,
  ]);
}
