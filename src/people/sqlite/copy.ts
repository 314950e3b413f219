/** A copy of the file of people as of one moment, of a running venue too, and its check. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { PeopleUnavailable } from '#domain';

/** Writes the copy durably, for its owner only. Throws PeopleUnavailable. */
export function copyPeople(file: string, copy: string): void {
  const handle = openSync(copy, 'wx+', 0o600);
  try {
    asked(file, (db) => db.prepare('vacuum into ?').run(copy));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Proves that the file holds together. Throws PeopleUnavailable when it does not. */
export function checkPeople(file: string): void {
  asked(file, (db) => {
    const says: unknown = db.pragma('integrity_check', { simple: true });
    if (says !== 'ok') throw new Error(String(says));
    db.prepare('select count(*) from people').get();
  });
}

function asked(file: string, ask: (db: Sqlite.Database) => void): void {
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      ask(db);
    } finally {
      db.close();
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PeopleUnavailable(`people ${file}: ${why}`, { cause });
  }
}
