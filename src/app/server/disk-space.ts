/** The room that the data take and have left: reported before the venue halts for want of it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { diskTrouble } from '#config';

const LOOK_EVERY_MS = 10_000;

/** A database with what is still in its write-ahead log. */
export function databaseBytes(directory: string, name: string): number {
  const sizes = ['', '-wal'].map(
    (end) => statSync(join(directory, name + end), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
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
