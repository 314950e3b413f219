/**
 * Opening the history file: creating and upgrading its tables, and refusing a file that is not
 * this venue's history in a schema this program knows. Nothing here reads or writes rows of trade.
 */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Sqlite, { type Database as SqliteFile } from 'better-sqlite3';
import { HistoryDamaged, HistoryUnusable } from '../port.ts';
import { HISTORY_SCHEMA, migrationSql, type Schema, versionOf } from './migrations.ts';
import { defineRowSum } from './summed-rows.ts';

const REBUILD = 'delete it (with its -wal and -shm files) and it is rebuilt from the journal';
/** The disk or the system does not let us; a read that comes short is a file that is cut off. */
const DISK_CODES =
  /^SQLITE_(?!IOERR_SHORT_READ|IOERR_CORRUPTFS)(FULL|IOERR|CANTOPEN|READONLY|PERM|BUSY|NOMEM|AUTH)/;
const META =
  'insert into meta (meta_id, venue_id, projected_seq, kept_from_ms, row_sum) ' +
  'values (1, :venueId, 0, 0, row_sum(1, :venueId, 0, 0))';
const CACHE_KIB = 65_536;
const READER_CACHE_KIB = 16_384;
/**
 * Pages the write-ahead log gathers before they move to the file: 64 MiB. A page of an index that
 * changes with every transaction then moves once and not four times.
 */
const CHECKPOINT_PAGES = 16_384;
const WAL_BYTES_KEPT = 67_108_864;

/**
 * Opens the file for writing, creating or upgrading it. A killed process leaves the last committed
 * transaction: the write-ahead log is replayed at the next open. NORMAL syncs the log only before
 * a checkpoint, so a power cut may take the newest transactions, each of them whole and with its
 * projectedSeq; the journal still has them. OFF could leave a torn file, so it is not used.
 */
export function openForWriting(
  file: string,
  venueId: string,
  schema: Schema = HISTORY_SCHEMA,
): SqliteFile {
  // A log without its file is no history, and SQLite would read it into a new one.
  if (!existsSync(file)) rmSync(`${file}-wal`, { force: true });
  return opened(
    file,
    () => {
      // For its owner only, as SQLite would not make it; its log takes after it.
      closeSync(openSync(file, 'a', 0o600));
      return new Sqlite(file);
    },
    (db) => {
      refuseForeign(db, file, versionOf(schema));
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = NORMAL');
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      db.pragma(`journal_size_limit = ${WAL_BYTES_KEPT}`);
      db.pragma(`cache_size = -${CACHE_KIB}`);
      defineRowSum(db);
      db.transaction(() => migrate(db, venueId, schema)).immediate();
      refuseOtherVenue(db, file, venueId);
    },
  );
}

/** Opens an existing file for reading. The writer may be at work on it, in any thread. */
export function openForReading(file: string, schema: Schema = HISTORY_SCHEMA): SqliteFile {
  return opened(
    file,
    () => new Sqlite(file, { readonly: true, fileMustExist: true }),
    (db) => {
      db.pragma(`cache_size = -${READER_CACHE_KIB}`);
      const [found, known] = [schemaVersion(db), versionOf(schema)];
      if (found > known) throw tooNew(file, found, known);
      if (found === known) return;
      throw new HistoryUnusable(
        `history ${file} has schema ${found}, this program reads ${known}: ` +
          'start the venue once to upgrade it',
      );
    },
  );
}

/** Runs the checks of an opening; a file that fails them is closed again. */
function opened(file: string, open: () => SqliteFile, check: (db: SqliteFile) => void): SqliteFile {
  let db: SqliteFile | undefined;
  try {
    db = open();
    check(db);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Sqlite.SqliteError || isOfSystem(error)) throw asUnusable(file, error);
    throw error;
  }
}

/** What went wrong at a file that was this venue's: the disk, or else the file is damaged. */
export function asUnusable(file: string, cause: unknown): HistoryUnusable {
  if (cause instanceof HistoryUnusable) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Sqlite.SqliteError ? ` (${cause.code})` : '';
  const isDisk = cause instanceof Sqlite.SqliteError && DISK_CODES.test(cause.code);
  if (isDisk || isOfSystem(cause))
    return new HistoryUnusable(`history ${file}: ${why}${code}`, { cause });
  return new HistoryDamaged(`history ${file} is damaged: ${why}${code}; ${REBUILD}`, { cause });
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function schemaVersion(db: SqliteFile): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function refuseForeign(db: SqliteFile, file: string, known: number): void {
  const version = schemaVersion(db);
  if (version > known) throw tooNew(file, version, known);
  const tables = db.prepare('select count(*) from sqlite_master').pluck().get();
  if (version === 0 && tables !== 0) {
    throw new HistoryUnusable(`${file} is a database of something else, not a history`);
  }
}

/** Before anything was released the numbers were higher, too. */
function tooNew(file: string, found: number, known: number): HistoryUnusable {
  return new HistoryUnusable(
    `history ${file} has schema ${found}, this program reads ${known}: ` +
      `use the program that wrote it, or ${REBUILD}`,
  );
}

function migrate(db: SqliteFile, venueId: string, schema: Schema): void {
  const [version, known] = [schemaVersion(db), versionOf(schema)];
  if (version === known) return;
  for (const statement of migrationSql(schema, version)) db.exec(statement);
  if (version === 0) db.prepare(META).run({ venueId });
  db.pragma(`user_version = ${known}`);
}

function refuseOtherVenue(db: SqliteFile, file: string, venueId: string): void {
  const found = db.prepare('select venue_id from meta').pluck().get();
  if (found === venueId) return;
  if (found === undefined) throw asUnusable(file, new Error('it does not say whose it is'));
  throw new HistoryUnusable(
    `history ${file} belongs to venue ${String(found)}, the journal to ${venueId}. ` +
      'If the journal was lost, restore it from a copy (`outcry verify-journal` tells what it ' +
      `holds); if the history is the wrong one, ${REBUILD}`,
  );
}
