/** Two histories of the same steps, row by row: what differs is named. Nothing is repaired. */
import type { Kysely } from 'kysely';
import type { RowDifference } from '../port.ts';
import { type Database, TABLES } from '../tables/schema.ts';
import { mayBeRemoved } from './aged-tables.ts';
import { beforeAll, compareKeys, keyOf, keyText, rowsAfter, type Walked } from './row-pages.ts';
import { SUM } from './row-sum.ts';

/** Differences named at most; a history with more of them is made anew anyway. */
const NAMED_MAX = 1_000;
const ROWS_PER_PAGE = 2_000;

/** What a history has otherwise than the one that is expected. */
export async function compareHistories(
  kept: Kysely<Database>,
  expected: Kysely<Database>,
): Promise<RowDifference[]> {
  const found: RowDifference[] = [];
  const meta = await kept.selectFrom('meta').select('kept_from_ms').executeTakeFirst();
  const keptFromMs = meta?.kept_from_ms ?? 0;
  for (const table of TABLES) {
    // What a history says of itself is not a row.
    if (table.name === 'meta') continue;
    const [one, other] = [new Walk(kept, table), new Walk(expected, table)];
    await compareTable(table, { kept: one, expected: other, keptFromMs }, found);
  }
  return found;
}

/** Both sides, and from when on the kept one has to be whole. */
interface Walks {
  readonly kept: Walk;
  readonly expected: Walk;
  readonly keptFromMs: number;
}

async function compareTable(
  table: Walked,
  { kept, expected, keptFromMs }: Walks,
  found: RowDifference[],
): Promise<void> {
  while (found.length < NAMED_MAX) {
    const [one, other] = [await kept.next(), await expected.next()];
    if (one === undefined && other === undefined) return;
    const order = orderOf(one, other);
    const key = keyText(table, (order > 0 ? other : one)?.key ?? []);
    if (order > 0 && other !== undefined && isRemoved(table, other, keptFromMs)) {
      expected.step();
      continue;
    }
    if (order !== 0) {
      const what = order < 0 ? 'not of this journal' : 'missing';
      found.push({ table: table.name, key, what, columns: [] });
    } else {
      const columns = columnsThatDiffer(table, one, other);
      if (columns.length > 0) found.push({ table: table.name, key, what: 'differs', columns });
    }
    if (order <= 0) kept.step();
    if (order >= 0) expected.step();
  }
}

function isRemoved(table: Walked, { values }: KeyedRow, keptFromMs: number): boolean {
  const names = table.names;
  return mayBeRemoved(table.name, (name) => Number(values[names.indexOf(name)]), keptFromMs);
}

interface KeyedRow {
  readonly key: readonly number[];
  readonly values: readonly unknown[];
}

/** A row that the other side has no more of comes first. */
function orderOf(one: KeyedRow | undefined, other: KeyedRow | undefined): number {
  if (one === undefined) return 1;
  return other === undefined ? -1 : compareKeys(one.key, other.key);
}

function columnsThatDiffer(
  table: Walked,
  one: KeyedRow | undefined,
  other: KeyedRow | undefined,
): string[] {
  const names = [...table.names, SUM];
  return names.filter((_, index) => one?.values[index] !== other?.values[index]);
}

/** The rows of a table, one after the other. */
class Walk {
  readonly #db: Kysely<Database>;
  readonly #table: Walked;
  #after: readonly number[];
  #rows: readonly unknown[][] = [];
  #at = 0;
  #isLast = false;

  constructor(db: Kysely<Database>, table: Walked) {
    this.#db = db;
    this.#table = table;
    this.#after = beforeAll(table);
  }

  /** The row it stands at; undefined at the end. */
  async next(): Promise<KeyedRow | undefined> {
    if (this.#at >= this.#rows.length && !this.#isLast) await this.#read();
    const values = this.#rows[this.#at];
    return values && { key: keyOf(this.#table, values), values };
  }

  step(): void {
    this.#at += 1;
  }

  async #read(): Promise<void> {
    this.#rows = await rowsAfter(this.#db, this.#table, this.#after, ROWS_PER_PAGE);
    this.#at = 0;
    this.#isLast = this.#rows.length < ROWS_PER_PAGE;
    const last = this.#rows.at(-1);
    if (last !== undefined) this.#after = keyOf(this.#table, last);
  }
}
