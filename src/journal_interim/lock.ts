/**
 * Ownership of a data directory. The lock is an exclusive transaction on a file of its own: the
 * operating system drops it with the process, however that ends, so no lock is ever left behind.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { JournalFault } from './port.ts';

export interface DirectoryLock {
  release(): void;
}

/** Takes the directory for this process, or throws JournalFault 'in_use' at once. */
export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, 'venue.lock');
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma('locking_mode = exclusive');
    db.exec('begin exclusive');
  } catch (cause) {
    db.close();
    throw new JournalFault('in_use', `${directory} is in use by another process`, { cause });
  }
  return { release: () => db.close() };
}
