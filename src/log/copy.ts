/** A copy of a journal and its snapshots, as of one moment, while the venue may go on writing. */
import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GENESIS, linkAfter } from './chain.ts';
import {
  createPrivate,
  journalFile,
  openForReading,
  syncDirectory,
  withFaults,
} from './database.ts';
import { HeadWriter } from './head.ts';
import { snapshotFiles } from './snapshots.ts';
import { openJournalReader } from './sqlite-reader.ts';

/** Writes the journal and its head into another directory, durably. It is not verified yet. */
export function copyJournal(directory: string, target: string, masterKey?: Uint8Array): void {
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
  const reader = openJournalReader(target, masterKey);
  try {
    const { lastSeq } = reader;
    const [last] = lastSeq === 0 ? [] : reader.entries(lastSeq);
    new HeadWriter(target, last === undefined ? GENESIS : linkAfter(last)).close();
  } finally {
    reader.close();
  }
  syncDirectory(target);
}

/** Copies the snapshots that are there, but for one that makes room for a newer one meanwhile. */
export function copySnapshots(directory: string, target: string): number {
  let copied = 0;
  for (const file of snapshotFiles(directory)) {
    const copy = join(target, basename(dirname(file)), basename(file));
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    try {
      copyFileSync(file, copy);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
      throw error;
    }
    syncFile(copy);
    copied += 1;
  }
  return copied;
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
