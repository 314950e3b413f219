/**
 * A copy of a shared log that begins in its middle: at a snapshot, where a process joins, or where
 * the journal of a venue of its own becomes the first copy. The journal keeps its name, so that
 * the history beside it stays its history.
 */
import { rmSync } from 'node:fs';
import type { ChainLink } from '../chain.ts';
import { createDirectory } from '../files.ts';
import { journalFile, lockDirectory, openForWriting, rebase, withFaults } from './database.ts';
import { HeadWriter, headFile } from './head.ts';

/** Durable when it returns. Throws a JournalFault 'in_use' when the directory is taken. */
export function rebaseJournal(directory: string, base: ChainLink): void {
  createDirectory(directory);
  const lock = lockDirectory(directory);
  try {
    withFaults(journalFile(directory), () => {
      // Without a head nothing is missed of what goes; a crash in between leaves it so.
      rmSync(headFile(directory), { force: true });
      const { database } = openForWriting(directory, true);
      try {
        rebase(database, base);
      } finally {
        database.close();
      }
      new HeadWriter(directory, base).close();
    });
  } finally {
    lock.close();
  }
}
