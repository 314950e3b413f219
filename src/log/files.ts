/** Files of a log: private, durable, and what an error of the file system means. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { JournalFault } from './port.ts';

/** Creates the directory, durably, with access for its owner only. */
export function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  syncDirectory(dirname(resolve(directory)));
}

/**
 * Makes an empty file for its owner only, unless there is one. SQLite would let others read it; the
 * files that it puts beside it are as open as this one.
 */
export function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Makes the names in a directory durable, as fsync of a file does with its content. */
export function syncDirectory(directory: string): void {
  syncFile(directory, 'r');
}

/** Makes the content of a file durable. */
export function syncFile(file: string, flags = 'r+'): void {
  const handle = openSync(file, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The fault that an error of the file system means; any other error comes back as it is. */
export function fileFault(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new JournalFault({ kind: 'disk', file, reason: error.message }, { cause: error });
}
