/** The history file as a writer has it: transactions, and how far it has come. */
import type { Database as SqliteFile } from 'better-sqlite3';
import type { HistoryUnusable, HistoryWriter } from '../port.ts';
import type { RowStore } from '../rows/row-store.ts';
import { openStepWriter, type Standing, type WrittenDatabase } from '../rows/step-writer.ts';
import { TABLES } from '../tables/schema.ts';
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
  'update meta set projected_seq = :seq, row_sum = row_sum(meta_id, venue_id, :seq, lacks_past) ' +
  'where projected_seq = :before';
const BEGUN =
  'update meta set projected_seq = 0, lacks_past = 0, row_sum = row_sum(meta_id, venue_id, 0, 0)';
const STANDING = 'select projected_seq as projectedSeq, lacks_past as lacksPast from meta';

class WrittenFile implements WrittenDatabase {
  readonly isShared = false;
  readonly place: string;
  readonly #db: SqliteFile;

  constructor(file: string, db: SqliteFile) {
    this.place = file;
    this.#db = db;
  }

  async standing(): Promise<Standing> {
    const read = this.#db.prepare<[], { projectedSeq: number; lacksPast: number }>(STANDING);
    const { projectedSeq = Number.NaN, lacksPast } = read.get() ?? {};
    return { projectedSeq, lacksPast: lacksPast === 1 };
  }

  newStore(): RowStore {
    return new SqliteRowStore(this.#db);
  }

  /** Nothing else uses the connection meanwhile. */
  async advance(before: number, seq: number, work: () => Promise<void>): Promise<boolean> {
    this.#db.exec('begin immediate');
    try {
      await work();
      const isNext = this.#db.prepare(PROJECTED).run({ before, seq }).changes === 1;
      this.#db.exec(isNext ? 'commit' : 'rollback');
      return isNext;
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
