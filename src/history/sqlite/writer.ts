/** The history file as a writer has it: transactions, and how far it has come. */
import type { Database as SqliteFile } from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { HistoryUnusable, HistoryWriter } from '../port.ts';
import type { RowStore } from '../rows/row-store.ts';
import { openStepWriter, type WrittenDatabase } from '../rows/step-writer.ts';
import { type Database, TABLES } from '../tables/schema.ts';
import { asUnusable, openForWriting } from './file.ts';
import { SqliteRowStore } from './row-store.ts';

/**
 * Opens the history of a venue, creating the file when it is missing. venueId names its
 * journal. Rejects with HistoryUnusable for a file of another venue, a newer schema or a damaged
 * file.
 */
export async function openSqliteWriter(file: string, venueId: string): Promise<HistoryWriter> {
  return openStepWriter(new WrittenFile(file, openForWriting(file, venueId)));
}

const PROJECTED =
  'update meta set projected_seq = :seq, ' +
  'row_sum = row_sum(meta_id, venue_id, :seq, kept_from_ms) ' +
  'where projected_seq = :before';
const BEGUN =
  'update meta set projected_seq = 0, kept_from_ms = 0, row_sum = row_sum(meta_id, venue_id, 0, 0)';
const KEPT =
  'update meta set kept_from_ms = :timeMs, ' +
  'row_sum = row_sum(meta_id, venue_id, projected_seq, :timeMs) ' +
  'where kept_from_ms < :timeMs';
const PROJECTED_SEQ = 'select projected_seq from meta';

class WrittenFile implements WrittenDatabase {
  readonly isShared = false;
  readonly place: string;
  readonly #db: SqliteFile;
  readonly #kysely: Kysely<Database>;

  constructor(file: string, db: SqliteFile) {
    this.place = file;
    this.#db = db;
    this.#kysely = new Kysely<Database>({ dialect: new SqliteDialect({ database: db }) });
  }

  async projectedSeq(): Promise<number> {
    const read = this.#db.prepare<[], number>(PROJECTED_SEQ).pluck();
    return read.get() ?? Number.NaN;
  }

  newStore(): RowStore {
    return new SqliteRowStore(this.#db);
  }

  async prepare(work: () => Promise<void>): Promise<boolean> {
    await this.#transaction(work);
    return true;
  }

  async advance(before: number, seq: number, work: () => Promise<void>): Promise<boolean> {
    return this.#transaction(async () => {
      await work();
      const isNext = this.#db.prepare(PROJECTED).run({ before, seq }).changes === 1;
      this.#db.exec(isNext ? 'commit' : 'rollback');
      return isNext;
    });
  }

  async remove<T>(beforeMs: number, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
    return this.#transaction(async () => {
      this.#db.prepare(KEPT).run({ timeMs: beforeMs });
      const removed = await work(this.#kysely);
      this.#db.exec('commit');
      return removed;
    });
  }

  /**
   * Goes on with what was prepared. Nothing else uses the connection meanwhile; the work ends it
   * when it has gone well, or leaves it open.
   */
  async #transaction<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#db.inTransaction) this.#db.exec('begin immediate');
    try {
      return await work();
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  async clear(): Promise<void> {
    const clear = this.#db.transaction(() => {
      for (const { name } of TABLES) if (name !== 'meta') this.#db.exec(`delete from ${name}`);
      this.#db.exec(BEGUN);
    });
    clear.immediate();
  }

  asUnusable(error: unknown): HistoryUnusable {
    return asUnusable(this.place, error);
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
