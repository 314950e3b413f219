/**
 * The scrub of a history: reads every row again and again, a few at a time, and compares it with
 * its checksum. It finds a row that has changed; one that is gone is found by the database's own
 * checks or by `outcry verify-history`. It repairs nothing.
 */
import type { Kysely } from 'kysely';
import type { HistoryScrub } from '../port.ts';
import { type Database, TABLES } from '../tables/schema.ts';
import { beforeAll, compareKeys, keyOf, keyText, rowsAfter } from './row-pages.ts';
import { rowSum } from './row-sum.ts';

/** Rows read in one go: one or two milliseconds. */
const ROWS_PER_STEP = 500;

/** Its own connection: what the writer does between two steps is seen by the next one. */
export interface ScrubSource {
  readonly place: string;
  readonly db: Kysely<Database>;
  /** What an error at reading says of the rows; nothing when they are only out of reach. */
  faultOf(error: unknown): string | undefined;
  /** A pass has ended: the next one reads from the disk, not what this connection has kept. */
  forget(): void;
  close(): Promise<void>;
}

export class RowScrub implements HistoryScrub {
  readonly #source: ScrubSource;
  #table = 0;
  #after: readonly number[] | undefined;

  constructor(source: ScrubSource) {
    this.#source = source;
  }

  /** Looks at the next few rows, of the last one's table or of the next. Gives what is wrong. */
  async step(): Promise<readonly string[]> {
    const found: string[] = [];
    let left = ROWS_PER_STEP;
    while (left > 0 && this.#table < TABLES.length) left -= await this.#look(left, found);
    if (this.#table >= TABLES.length) {
      this.#table = 0;
      this.#source.forget();
    }
    return found;
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  /** Gives the number of rows read. */
  async #look(rowsMax: number, found: string[]): Promise<number> {
    const table = TABLES[this.#table];
    if (table === undefined) return rowsMax;
    const after = this.#after ?? beforeAll(table);
    const rows = await this.#read(table, after, rowsMax, found);
    for (const row of rows) {
      if (rowSum(row.slice(0, -1)) === row.at(-1)) continue;
      const which = `${table.name} ${keyText(table, keyOf(table, row))}`;
      found.push(`history ${this.#source.place}: ${which} is not what was written`);
    }
    const last = rows.at(-1);
    const next = last && keyOf(table, last);
    // A key that has rotted must not lead back to where this piece began.
    if (next !== undefined && rows.length === rowsMax && compareKeys(next, after) > 0) {
      this.#after = next;
    } else {
      this.#table += 1;
      this.#after = undefined;
    }
    return rows.length;
  }

  /** Nothing of a table that cannot be read: the next pass tries again. */
  async #read(
    table: (typeof TABLES)[number],
    after: readonly number[],
    rowsMax: number,
    found: string[],
  ): Promise<unknown[][]> {
    try {
      return await rowsAfter(this.#source.db, table, after, rowsMax);
    } catch (error) {
      const fault = this.#source.faultOf(error);
      if (fault !== undefined) found.push(fault);
      return [];
    }
  }
}
