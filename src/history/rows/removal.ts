/**
 * Removes rows that are older than the history is kept, a bounded number of them at a time, and
 * along the keys, so that no step costs more however long the past is. What stays is said in
 * aged-tables.ts. The database uses the room that becomes free for the rows that come.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Removed } from '../port.ts';
import type { Database } from '../tables/schema.ts';
import { AGED_SERIES, AGED_TABLES, type AgedSeries, type AgedTable } from './aged-tables.ts';

/** Rows looked at in a step: some 20 milliseconds of a thread that has a lower priority. */
const ROWS_PER_STEP = 500;
/** What it costs to look for the next series, in rows. */
const SERIES_ROWS = 10;
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

/** What one query has looked at. */
interface Looked {
  readonly rows: number;
  readonly removed: number;
  readonly isOver: boolean;
}

type Row = Readonly<Record<string, unknown>>;

export class RowRemoval {
  readonly beforeMs: number;
  /** Tables, then tables of series. */
  #at = 0;
  #after = BEFORE_ALL;
  #series: readonly number[] | undefined;
  /** By table and market: rows from this key on stay. Newer rows only let more go. */
  readonly #staying = new Map<string, number>();

  constructor(beforeMs: number) {
    this.beforeMs = beforeMs;
  }

  /** The next few rows, in the transaction that is open. */
  async step(db: Kysely<Database>): Promise<Removed> {
    let left = ROWS_PER_STEP;
    let rowsCount = 0;
    while (left > 0) {
      const looked = await this.#look(db, left);
      if (looked === undefined) return { rowsCount, isDone: true };
      left -= looked.rows;
      rowsCount += looked.removed;
      if (looked.isOver) this.#next();
    }
    return { rowsCount, isDone: false };
  }

  #next(): void {
    this.#at += 1;
    this.#after = BEFORE_ALL;
    this.#series = undefined;
  }

  /** Undefined when all tables have been looked at. */
  async #look(db: Kysely<Database>, rowsMax: number): Promise<Looked | undefined> {
    const table = AGED_TABLES[this.#at];
    if (table !== undefined) return this.#lookAt(db, table, rowsMax);
    const series = AGED_SERIES[this.#at - AGED_TABLES.length];
    return series && this.#lookAtSeries(db, series, rowsMax);
  }

  async #lookAt(db: Kysely<Database>, table: AgedTable, rowsMax: number): Promise<Looked> {
    const { name, key, began, newestOfMarket } = table;
    const market = newestOfMarket === undefined ? sql`0` : sql.ref('instrument_id');
    const { rows } = await sql<Row>`select ${sql.ref(key)} as id, ${sql.ref(began)} as began,
      ${market} as market from ${sql.table(name)} where ${sql.ref(key)} > ${this.#after}
      order by ${sql.ref(key)} limit ${rowsMax}`.execute(db);
    const old = rows.filter((row) => Number(row.began) < this.beforeMs);
    const last = old.at(-1);
    if (last === undefined) return { rows: 1, removed: 0, isOver: true };
    const span = { afterKey: this.#after, lastKey: Number(last.id) };
    const markets = new Set(old.map((row) => Number(row.market)));
    let removed = 0;
    for (const one of markets) removed += await this.#remove(db, table, one, span);
    this.#after = span.lastKey;
    return { rows: rows.length, removed, isOver: old.length < rowsMax };
  }

  async #remove(
    db: Kysely<Database>,
    { name, key, time, mayGo = sql`1 = 1`, newestOfMarket }: AgedTable,
    market: number,
    { afterKey, lastKey }: { readonly afterKey: number; readonly lastKey: number },
  ): Promise<number> {
    let endKey = lastKey + 1;
    let ofMarket: RawBuilder<boolean> = sql`1 = 1`;
    if (newestOfMarket !== undefined) {
      const stays = await this.#staysFrom(db, { name, key }, market, newestOfMarket);
      endKey = Math.min(endKey, stays);
      ofMarket = sql`instrument_id = ${market}`;
    }
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(name)}
      where ${sql.ref(key)} > ${afterKey} and ${sql.ref(key)} < ${endKey}
      and ${sql.ref(time)} < ${this.beforeMs} and ${ofMarket} and (${mayGo})`.execute(db);
    return Number(numAffectedRows);
  }

  /** The key of the oldest of the newest rows of a market; before all when there are fewer. */
  async #staysFrom(
    db: Kysely<Database>,
    { name, key }: Pick<AgedTable, 'name' | 'key'>,
    market: number,
    { count, of }: NonNullable<AgedTable['newestOfMarket']>,
  ): Promise<number> {
    const known = this.#staying.get(`${name} ${market}`);
    if (known !== undefined) return known;
    const { rows } = await sql<Row>`select ${sql.ref(key)} as id from ${sql.table(name)}
      where instrument_id = ${market} and ${of}
      order by ${sql.ref(key)} desc limit 1 offset ${count - 1}`.execute(db);
    const stays = Number(rows[0]?.id ?? BEFORE_ALL);
    this.#staying.set(`${name} ${market}`, stays);
    return stays;
  }

  async #lookAtSeries(db: Kysely<Database>, table: AgedSeries, rowsMax: number): Promise<Looked> {
    const series = this.#series ?? (await nextSeries(db, table, undefined));
    if (series === undefined) return { rows: 1, removed: 0, isOver: true };
    const { rows, removed, isOver } = table.isAged(series)
      ? await this.#removeOf(db, table, series, rowsMax)
      : { rows: 0, removed: 0, isOver: true };
    this.#series = isOver ? await nextSeries(db, table, series) : series;
    return { rows: rows + SERIES_ROWS, removed, isOver: this.#series === undefined };
  }

  async #removeOf(
    db: Kysely<Database>,
    { name, series: columns, time, newest }: AgedSeries,
    series: readonly number[],
    rowsMax: number,
  ): Promise<Looked> {
    const parts = columns.map((column, index) => sql`${sql.ref(column)} = ${series[index]}`);
    const ofSeries = sql.join(parts, sql` and `);
    const at = sql.ref(time);
    const stays = await sql<Row>`select ${at} as at from ${sql.table(name)} where ${ofSeries}
      order by ${at} desc limit 1 offset ${newest - 1}`.execute(db);
    const endMs = Math.min(this.beforeMs, Number(stays.rows[0]?.at ?? BEFORE_ALL));
    const { rows } = await sql<Row>`select ${at} as at from ${sql.table(name)} where ${ofSeries}
      and ${at} < ${endMs} order by ${at} limit ${rowsMax}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return { rows: 0, removed: 0, isOver: true };
    await sql`delete from ${sql.table(name)} where ${ofSeries} and ${at} <= ${last.at}`.execute(db);
    return { rows: rows.length, removed: rows.length, isOver: rows.length < rowsMax };
  }
}

/** The series that comes after another one; undefined after the last. */
async function nextSeries(
  db: Kysely<Database>,
  { name, series: columns, time }: AgedSeries,
  after: readonly number[] | undefined,
): Promise<readonly number[] | undefined> {
  const key = sql.join([...columns, time].map((column) => sql.ref(column)));
  const from = after === undefined ? columns.map(() => BEFORE_ALL) : after;
  const { rows } = await sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))}
    from ${sql.table(name)} where (${key}) > (${sql.join([...from, AFTER_ALL])})
    order by ${key} limit 1`.execute(db);
  const [row] = rows;
  return row && columns.map((column) => Number(row[column]));
}
