/**
 * The writing side of the history: folds the engine's steps into rows. It decides nothing, and it
 * can always be done again from the journal.
 */

import type { Database as SqliteFile } from 'better-sqlite3';
import type { Step } from '#domain';
import { assert } from '#kernel';
import { HistoryUnusable, type HistoryWriter } from '../port.ts';
import { readRowNumbers } from '../rows/row-numbers.ts';
import { RowWriter } from '../rows/row-writer.ts';
import { TABLES } from '../tables/schema.ts';
import { asUnusable, openForWriting } from './file.ts';
import { SqliteRowStore } from './row-store.ts';

/**
 * Opens the history of a venue, creating the file when it is missing. venueId names its
 * journal. Throws HistoryUnusable for a file of another venue, a newer schema or a damaged file.
 */
export async function openSqliteWriter(file: string, venueId: string): Promise<HistoryWriter> {
  const db = openForWriting(file, venueId);
  try {
    return new SqliteHistoryWriter(file, db, await rowWriterOf(db));
  } catch (error) {
    db.close();
    throw asUnusable(file, error);
  }
}

async function rowWriterOf(db: SqliteFile): Promise<RowWriter> {
  const store = new SqliteRowStore(db);
  return new RowWriter(store, await readRowNumbers(store.db));
}

const PROJECTED =
  'update meta set projected_seq = :seq, row_sum = row_sum(meta_id, venue_id, :seq, lacks_past) ' +
  'where projected_seq = :before';
const BEGUN =
  'update meta set projected_seq = 0, lacks_past = 0, row_sum = row_sum(meta_id, venue_id, 0, 0)';

class SqliteHistoryWriter implements HistoryWriter {
  readonly #file: string;
  readonly #db: SqliteFile;
  #rows: RowWriter;
  #projectedSeq: number;
  #lacksPast: boolean;
  /** Rows and memory may differ: a projection has thrown. */
  #spent = false;

  constructor(file: string, db: SqliteFile, rows: RowWriter) {
    this.#file = file;
    this.#db = db;
    this.#rows = rows;
    this.#projectedSeq = Number(db.prepare('select projected_seq from meta').pluck().get());
    this.#lacksPast = db.prepare('select lacks_past from meta').pluck().get() === 1;
  }

  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  get lacksPast(): boolean {
    return this.#lacksPast;
  }

  async beginAgain(): Promise<void> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    this.#spent = true;
    try {
      this.#db.transaction(() => this.#clear()).immediate();
      this.#rows = await rowWriterOf(this.#db);
    } catch (error) {
      throw asUnusable(this.#file, error);
    }
    this.#projectedSeq = 0;
    this.#lacksPast = false;
    this.#spent = false;
  }

  #clear(): void {
    for (const { name } of TABLES) if (name !== 'meta') this.#db.exec(`delete from ${name}`);
    this.#db.exec(BEGUN);
  }

  async project(steps: readonly Step[]): Promise<void> {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    const due = steps.filter(({ seq }) => seq > this.#projectedSeq);
    const last = due.at(-1);
    if (last === undefined) return;
    this.#spent = true;
    requireOrder(due, this.#projectedSeq);
    try {
      await this.#write(due, last.seq);
    } catch (error) {
      throw asUnusable(this.#file, error);
    }
    this.#projectedSeq = last.seq;
    this.#spent = false;
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** Nothing else uses the connection meanwhile. */
  async #write(steps: readonly Step[], seq: number): Promise<void> {
    this.#db.exec('begin immediate');
    try {
      await this.#rows.addSteps(steps);
      const moved = this.#db.prepare(PROJECTED).run({ before: this.#projectedSeq, seq });
      if (moved.changes !== 1)
        throw new HistoryUnusable(`history ${this.#file} has another writer`);
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('rollback');
      throw error;
    }
  }
}

function requireOrder(steps: readonly Step[], projectedSeq: number): void {
  let seq = projectedSeq;
  for (const step of steps) {
    assert(step.seq === seq + 1, `step ${step.seq} does not follow ${seq}`);
    seq = step.seq;
  }
}
