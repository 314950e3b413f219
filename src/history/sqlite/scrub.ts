/**
 * The scrub of the history: reads every row again and again, a few at a time, and compares it with
 * its checksum. It finds a row that has changed; one that is gone is found by the page check of
 * SQLite or by `outcry verify-history`. It repairs nothing.
 */
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import type { HistoryScrub } from '../port.ts';
import { rowSum, SUM } from '../rows/row-sum.ts';
import { TABLES } from '../tables/schema.ts';
import { asUnusable, openForReading } from './file.ts';

/** Rows read in one go: one or two milliseconds. */
const ROWS_PER_STEP = 500;
/** Before every key: SQLite compares it like any other number. */
const FIRST = Number.MIN_SAFE_INTEGER;

interface Walk {
  readonly table: string;
  /** In the order of the table, without the checksum. */
  readonly columns: readonly string[];
  readonly keys: readonly string[];
  /** Bound by the key it goes on after and the most rows. */
  readonly select: Statement<number[], unknown[]>;
}

/** Its own connection: what the writer does between two steps is seen by the next one. */
export class SqliteScrub implements HistoryScrub {
  readonly #file: string;
  readonly #db: SqliteFile;
  readonly #walks: readonly Walk[];
  #table = 0;
  #after: readonly number[] = [];

  /** Throws HistoryUnusable. */
  constructor(file: string) {
    this.#file = file;
    this.#db = openForReading(file);
    this.#walks = TABLES.map((table) => walk(this.#db, table));
  }

  /** Looks at the next few rows, of the last one's table or of the next. Gives what is wrong. */
  async step(): Promise<readonly string[]> {
    const found: string[] = [];
    let left = ROWS_PER_STEP;
    for (let one = this.#walks[this.#table]; one !== undefined && left > 0; ) {
      left -= this.#look(one, left, found);
      one = this.#walks[this.#table];
    }
    if (this.#table >= this.#walks.length) this.#begin();
    return found;
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The next pass reads from the disk, not what this connection has kept of it. */
  #begin(): void {
    this.#table = 0;
    this.#db.pragma('shrink_memory');
  }

  /** Called with the number of rows read. */
  #look(walked: Walk, rowsMax: number, found: string[]): number {
    const { keys } = walked;
    const after = this.#after.length > 0 ? this.#after : keys.map(() => FIRST);
    const rows = this.#read(walked, [...after, rowsMax], found);
    for (const row of rows) {
      if (rowSum(row.slice(0, -1)) === row.at(-1)) continue;
      const names = walked.columns.map((name, index) => `${name}=${String(row[index])}`);
      const key = names.filter((_, index) => keys.includes(walked.columns[index] ?? ''));
      found.push(`history ${this.#file}: ${walked.table} ${key.join(' ')} is not what was written`);
    }
    const last = rows.at(-1);
    const next = keys.map((key) => Number(last?.[walked.columns.indexOf(key)]));
    // A key that has rotted must not lead back to where this piece began.
    if (rows.length === rowsMax && isBeyond(next, after)) this.#after = next;
    else {
      this.#table += 1;
      this.#after = [];
    }
    return rows.length;
  }

  /** Nothing of a table with pages that cannot be read: the next pass tries again. */
  #read({ select }: Walk, bound: number[], found: string[]): unknown[][] {
    try {
      return select.all(...bound);
    } catch (error) {
      found.push(asUnusable(this.#file, error).message);
      return [];
    }
  }
}

function walk(db: SqliteFile, table: (typeof TABLES)[number]): Walk {
  const { name, key } = table;
  const columns = table.namesAt();
  const marks = key.map(() => '?');
  const select = db
    .prepare<number[], unknown[]>(
      `select ${columns}, ${SUM} from ${name} where (${key}) > (${marks}) order by ${key} limit ?`,
    )
    .raw();
  return { table: name, columns, keys: key, select };
}

function isBeyond(key: readonly number[], after: readonly number[]): boolean {
  const at = key.findIndex((part, index) => part !== after[index]);
  return at >= 0 && Number(key[at]) > Number(after[at]);
}
