/**
 * The reading side of the history: a read-only connection of its own, so that pages are read while
 * the writer works on another thread. Queries are in the files that it is joined from.
 */
import Sqlite, { type Database as SqliteFile } from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely';
import { HistoryUnavailable } from '#domain';
import { historyPages } from '../pages/history-pages.ts';
import type { Planner } from '../pages/planner.ts';
import { type HistoryReader, HistoryUnusable } from '../port.ts';
import type { Database } from '../tables/schema.ts';
import { openForReading } from './file.ts';

/** An operator that changes nothing keeps SQLite from choosing an index of the column. */
const PLANNER: Planner = { rowByRow: (column) => sql`+${sql.ref(column)}` };

/**
 * Opens a history that a writer has created. Throws HistoryUnusable for a file that is missing,
 * damaged or of another schema. `onQuery` is given the statements as they are sent.
 */
export function openSqliteReader(
  file: string,
  onQuery?: (sql: string, parameters: readonly unknown[]) => void,
): HistoryReader {
  const connection = openForReading(file);
  const db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: answering(connection, file) }),
    ...(onQuery && { log: ({ query }) => onQuery(query.sql, query.parameters) }),
  });
  return {
    ...historyPages(db, PLANNER),
    close: async () => {
      await db.destroy();
      connection.close();
    },
  };
}

/** How far the history has come; undefined for one that no reader could be opened on. */
export function readProjectedSeq(file: string): number | undefined {
  try {
    const connection = openForReading(file);
    try {
      return Number(connection.prepare('select projected_seq from meta').pluck().get());
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof HistoryUnusable || error instanceof Sqlite.SqliteError) return undefined;
    throw error;
  }
}

/** What SQLite throws, a damaged page for instance, comes out as HistoryUnavailable. */
function answering(connection: SqliteFile, file: string): SqliteDatabase {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (!(cause instanceof Sqlite.SqliteError)) throw cause;
      const advice = 'stop the venue and delete the file, it is rebuilt from the journal';
      throw new HistoryUnavailable(`${file}: ${cause.message}; ${advice}`, { cause });
    }
  };
  return {
    close: () => connection.close(),
    prepare: (sql) => {
      const statement = guarded(() => connection.prepare(sql));
      return {
        reader: statement.reader,
        all: (parameters) => guarded(() => statement.all(...parameters)),
        run: (parameters) => guarded(() => statement.run(...parameters)),
        iterate: (parameters) => guarded(() => statement.iterate(...parameters)),
      };
    },
  };
}
