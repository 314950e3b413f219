/** What room the disk of a data directory has left, and whether that is enough. */
import { statfsSync } from 'node:fs';

/** Less than this part of the disk is little, unless it is as much as the bound below. */
const LOW_PARTS = 10;
const ENOUGH_BYTES = 5 * 1024 ** 3;
const MEBIBYTE = 1024 ** 2;

/** What the venue may still write, without what only the superuser may. */
export function diskFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Why there is too little room; undefined when there is enough. */
export function diskTrouble(directory: string): string | undefined {
  const { bavail, blocks, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes >= Math.min((blocks * bsize) / LOW_PARTS, ENOUGH_BYTES)) return undefined;
  const free = Math.floor(freeBytes / MEBIBYTE);
  return `${free} MiB are left on the disk of ${directory}: the venue halts when it is full`;
}
