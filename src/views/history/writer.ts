/**
 * The writing side of the history: folds the engine's steps into rows. It decides nothing, and it
 * can always be done again from the journal.
 */

import type { Database as SqliteFile } from 'better-sqlite3';
import type { Step } from '#domain';
import { assert } from '#kernel';
import { openForWriting } from './file.ts';
import type { HistoryWriter } from './port.ts';
import { RowWriter } from './row-writer.ts';

/**
 * Opens the history of a venue, creating the file when it is missing. venueId tells journals
 * apart. Throws HistoryUnusable for a file of another venue, a newer schema or a damaged file.
 */
export function openHistoryWriter(file: string, venueId: string): HistoryWriter {
  return new SqliteHistoryWriter(openForWriting(file, venueId));
}

class SqliteHistoryWriter implements HistoryWriter {
  readonly #db: SqliteFile;
  readonly #rows: RowWriter;
  #projectedSeq: number;
  /** Rows and memory may differ: a projection has thrown. */
  #spent = false;

  constructor(db: SqliteFile) {
    this.#db = db;
    this.#rows = new RowWriter(db);
    this.#projectedSeq = Number(db.prepare('select projected_seq from meta').pluck().get());
  }

  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  project(steps: readonly Step[]): void {
    assert(!this.#spent, 'a history writer that has thrown is not used again');
    const last = steps.at(-1);
    if (last === undefined) return;
    this.#spent = true;
    this.#db.transaction(() => this.#write(steps)).immediate();
    this.#projectedSeq = last.seq;
    this.#spent = false;
  }

  close(): void {
    this.#db.close();
  }

  #write(steps: readonly Step[]): void {
    let seq = this.#projectedSeq;
    for (const step of steps) {
      assert(step.seq === seq + 1, `step ${step.seq} does not follow ${seq}`);
      seq = step.seq;
      for (const event of step.events) this.#rows.add(event, step);
    }
    this.#rows.finish(seq);
  }
}
