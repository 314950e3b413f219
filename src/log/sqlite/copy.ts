/** A copy of a journal as of one moment, while the venue may go on writing. */
import { createPrivate, syncDirectory, syncFile } from '../files.ts';
import { journalFile, openForReading, withFaults } from './database.ts';
import { HeadWriter } from './head.ts';
import { openSqliteReader } from './reader.ts';

/** Writes the journal and its head into another directory, durably. It is not verified yet. */
export async function copyJournal(
  directory: string,
  target: string,
  masterKey?: Uint8Array,
): Promise<void> {
  const file = journalFile(target);
  withFaults(file, () => {
    createPrivate(file);
    const database = openForReading(directory);
    try {
      // One read transaction: it ends however much is written meanwhile, unlike a page-wise backup.
      database.prepare('VACUUM INTO ?').run(file);
    } finally {
      database.close();
    }
    syncFile(file);
  });
  const reader = openSqliteReader(target, masterKey);
  try {
    new HeadWriter(target, reader.link()).close();
  } finally {
    await reader.close();
  }
  syncDirectory(target);
}
