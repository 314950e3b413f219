/**
 * How full the store of a shared log is: from where on it is warned, everything is trimmed that can
 * be, and nothing more is taken; and what operators are told. Which store it is says its place.
 */
import type { LogRoom } from './shared-log.ts';

export type Fullness = 'roomy' | 'filling' | 'scarce' | 'full';

/** By the part of its quota that a store uses. */
const BOUNDS: readonly (readonly [Fullness, number])[] = [
  ['full', 0.95],
  ['scarce', 0.85],
  ['filling', 0.6],
];
/** Free space within a file is room where it is so much of the quota: less is in small pieces. */
const REUSABLE = 0.2;
/** One that has been reached is left so far below it. */
const SLACK = 0.05;

/** By what it uses now, and how full it was before: a level is left below its bound. */
export function fullnessOf(room: LogRoom, before: Fullness = 'roomy'): Fullness {
  if (room.isFull) return 'full';
  const share = shareOf(room);
  const known = BOUNDS.findIndex(([fullness]) => fullness === before);
  const found = BOUNDS.find(([, from], at) => {
    return share >= (known !== -1 && at >= known ? from - SLACK : from);
  });
  return found?.[0] ?? 'roomy';
}

function shareOf({ usedBytes, fileBytes, quotaBytes }: LogRoom): number {
  const isInPieces = fileBytes - usedBytes < REUSABLE * quotaBytes;
  return (isInPieces ? fileBytes : usedBytes) / quotaBytes;
}

/** What is wrong and what to do, for operators; undefined while there is room. */
export function roomTrouble(room: LogRoom, fullness = fullnessOf(room)): string | undefined {
  if (fullness === 'roomy') return undefined;
  const percent = Math.round(100 * shareOf(room));
  const uses = `uses ${percent} % of its quota of ${megabytes(room.quotaBytes)}`;
  if (fullness === 'filling') return `${uses}: lower keepCommands, or raise the quota`;
  if (fullness === 'scarce') return `${uses}: the leader trims all that two members hold`;
  const said = `${uses} and is full: commands are refused until there is room`;
  if (!room.isFull) return `${said}; defragment its servers, or raise the quota`;
  return `${said}; defragment its servers, then disarm the alarm`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
