/** A copy of a history as of one moment, while the projector may go on writing, and its check. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { HistoryUnusable } from '../port.ts';
import { asUnusable } from './file.ts';

/** Writes the copy durably, for its owner only, of whatever version. Throws HistoryUnusable. */
export function copyHistory(file: string, copy: string): void {
  const handle = openSync(copy, 'wx+', 0o600);
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      db.prepare('vacuum into ?').run(copy);
    } catch (error) {
      throw asUnusable(file, error);
    } finally {
      db.close();
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export interface HistoryFacts {
  readonly venueId: string;
  readonly projectedSeq: number;
}

/** Proves that the file holds together. Throws HistoryUnusable when it does not. */
export function checkHistory(file: string): HistoryFacts {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const says: unknown = db.pragma('integrity_check', { simple: true });
    if (says !== 'ok') throw new HistoryUnusable(`history ${file} is damaged: ${String(says)}`);
    const facts = db
      .prepare<[], HistoryFacts>(
        'select venue_id as venueId, projected_seq as projectedSeq from meta',
      )
      .get();
    if (facts !== undefined) return facts;
    throw new HistoryUnusable(`history ${file} is damaged: it does not say whose it is`);
  } catch (error) {
    throw asUnusable(file, error);
  } finally {
    db.close();
  }
}
