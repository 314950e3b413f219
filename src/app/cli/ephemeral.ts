/**
 * A place for data that is not kept: in memory where the machine has room there, and gone when
 * the process ends. Only what nothing can catch, SIGKILL above all, leaves it behind, for a later
 * process that makes such a place to remove.
 */
import {
  accessSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUnused } from '#log';

/** Linux keeps these files in memory. Containers often get so little of it that it fills up. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 1024 * 1024 * 1024;

/** A thread that is just being stopped may still write while the directory is removed. */
const REMOVE_RETRIES_MAX = 5;

/** A venue that starts has not locked its directory for a moment. */
const LEFT_BEHIND_MS = 10 * 60_000;
const NAME = /^outcry-[0-9]+-[A-Za-z0-9]{6}$/;

/**
 * Makes a directory that only its owner may enter and that goes when the process exits. Its name
 * has the number of the process: what a killed one has left differs from what is in use. What was
 * left longer than ten minutes ago goes now, each directory by way of `onRemoved`.
 */
export function ephemeralDirectory(onRemoved: (directory: string) => void): string {
  const parent = hasRoomInMemory() ? MEMORY : tmpdir();
  removeLeftBehind(parent, onRemoved);
  const directory = mkdtempSync(join(parent, `outcry-${process.pid}-`));
  process.once('exit', () => {
    remove(directory);
  });
  return directory;
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: REMOVE_RETRIES_MAX });
}

/** Of this user's processes alone; what cannot be removed stays, and keeps nobody from starting. */
function removeLeftBehind(parent: string, onRemoved: (directory: string) => void): void {
  for (const name of namesIn(parent)) {
    const directory = join(parent, name);
    try {
      if (!NAME.test(name) || !isLeftBehind(directory)) continue;
      remove(directory);
    } catch {
      continue;
    }
    onRemoved(directory);
  }
}

/** None where this user may not list them. */
function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

function isLeftBehind(directory: string): boolean {
  const found = lstatSync(directory);
  const isOurs = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  return isOurs && Date.now() - found.mtimeMs > LEFT_BEHIND_MS && isUnused(directory);
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
