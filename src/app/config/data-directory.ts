/**
 * The data directory before anything in it is opened: it is made when it is missing, refused when
 * others may look into it, and refused when it cannot be written, which SQLite notices too late.
 */
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigFault } from './document.ts';

const OTHERS_MAY = 0o077;
/** What the venue makes there. Whatever else lies in the directory is not our concern. */
const OWN_FILE = /^(journal|history|people|venue|snapshot|engine)[.-]/;
const SNAPSHOTS = 'snapshots';

/** Throws ConfigFault with one line that says which file is wrong and what to do. */
export function openDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const files = ownFiles(directory);
    refuseOpen(directory, files);
    for (const file of files) closeSync(openSync(file, 'r+'));
    requireRoom(directory);
  } catch (cause) {
    if (cause instanceof ConfigFault) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigFault([`the data directory ${directory} cannot be used: ${why}`], { cause });
  }
}

function ownFiles(directory: string): string[] {
  const snapshots = join(directory, SNAPSHOTS);
  return [directory, snapshots].flatMap((folder) =>
    namesIn(folder).map((name) => join(folder, name)),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => OWN_FILE.test(name));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw cause;
  }
}

/** Windows has no such modes. */
function refuseOpen(directory: string, files: readonly string[]): void {
  if (process.platform === 'win32') return;
  const open = [directory, ...files].find((file) => (statSync(file).mode & OTHERS_MAY) !== 0);
  if (open === undefined) return;
  throw new ConfigFault([`${open} can be read by others: run chmod -R go= ${directory}`]);
}

/** A name can be made in it. Nothing else shows a file system that is mounted for reading only. */
function requireRoom(directory: string): void {
  accessSync(directory, constants.W_OK | constants.X_OK);
  const probe = join(directory, `.outcry-${process.pid}`);
  closeSync(openSync(probe, 'w', 0o600));
  rmSync(probe);
}
