/** What room the data directory has left: reported before the venue halts for want of it. */
import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

/** Less than this part of the disk is little, unless it is as much as the bound below. */
const LOW_PARTS = 10;
const ENOUGH_BYTES = 5 * 1024 ** 3;
const LOOK_EVERY_MS = 10_000;
const MEBIBYTE = 1024 ** 2;

/** What the venue may still write, without what only the superuser may. */
export function diskFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** A database with what is still in its write-ahead log. */
export function databaseBytes(directory: string, name: string): number {
  const sizes = ['', '-wal'].map(
    (end) => statSync(join(directory, name + end), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Why there is too little room; undefined when there is enough. */
export function diskTrouble(directory: string): string | undefined {
  const { bavail, blocks, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes >= Math.min((blocks * bsize) / LOW_PARTS, ENOUGH_BYTES)) return undefined;
  const free = Math.floor(freeBytes / MEBIBYTE);
  return `${free} MiB are left on the disk of ${directory}: the venue halts when it is full`;
}

/** Looks now and then, and logs when room gets scarce and when there is enough again. */
export function watchDisk(directory: string, log: Logger): NodeJS.Timeout {
  let wasLow = false;
  const look = (): void => {
    const trouble = diskTrouble(directory);
    if (trouble !== undefined && !wasLow) log.warn(trouble);
    if (trouble === undefined && wasLow) log.info(`there is room again in ${directory}`);
    wasLow = trouble !== undefined;
  };
  look();
  return setInterval(look, LOOK_EVERY_MS).unref();
}
