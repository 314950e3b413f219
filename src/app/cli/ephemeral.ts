/**
 * A place for data that is not kept: in memory where the machine has room there, and gone when
 * the process ends. Only what nothing can catch, SIGKILL above all, leaves it behind.
 */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps these files in memory. Containers often get so little of it that it fills up. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 1024 * 1024 * 1024;

/** A thread that is just being stopped may still write while the directory is removed. */
const REMOVE_RETRIES_MAX = 5;

/**
 * Makes a directory that only its owner may enter and that goes when the process exits. Its name
 * has the number of the process: what a killed one has left differs from what is in use.
 */
export function ephemeralDirectory(): string {
  const parent = hasRoomInMemory() ? MEMORY : tmpdir();
  const directory = mkdtempSync(join(parent, `outcry-${process.pid}-`));
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true, maxRetries: REMOVE_RETRIES_MAX });
  });
  return directory;
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
}
