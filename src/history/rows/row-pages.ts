/** All columns of a table's rows, page by page in the order of the key. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables/schema.ts';
import { SUM } from './row-sum.ts';

/** What a walk needs of a table. */
export interface Walked {
  readonly name: string;
  readonly key: readonly string[];
  readonly names: readonly string[];
}

/** Before every key. */
export function beforeAll({ key }: Walked): number[] {
  return key.map(() => Number.MIN_SAFE_INTEGER);
}

/** The values of each row in the order of the columns, its checksum last. */
export async function rowsAfter(
  db: Kysely<Database>,
  table: Walked,
  after: readonly number[],
  limit: number,
): Promise<unknown[][]> {
  const names = [...table.names, SUM];
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select ${sql.join(names.map((name) => sql.ref(name)))} from ${sql.table(table.name)}
    where (${key}) > (${sql.join(after)}) order by ${key} limit ${limit}`.execute(db);
  return rows.map((row) => names.map((name) => row[name]));
}

/** The key of a row. */
export function keyOf(table: Walked, row: readonly unknown[]): number[] {
  const names = table.names;
  return table.key.map((name) => Number(row[names.indexOf(name)]));
}

/** As in instrument_id=7 open_time_ms=0. */
export function keyText({ key }: Walked, values: readonly unknown[]): string {
  return key.map((name, index) => `${name}=${String(values[index])}`).join(' ');
}

/** Below zero when the first key comes first. */
export function compareKeys(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : Number(one[at]) - Number(other[at]);
}
