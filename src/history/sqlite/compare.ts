/** Two histories of the same steps, row by row: what differs is named. Nothing is repaired. */
import Sqlite, { type Database as SqliteFile } from 'better-sqlite3';
import type { RowDifference } from '../port.ts';
import { asUnusable } from '../sqlite/file.ts';

interface Column {
  readonly name: string;
  /** Its place in the key, from 1; 0 for the others. */
  readonly pk: number;
}

/** Differences named at most; a file with more of them is made anew anyway. */
const NAMED_MAX = 1_000;
/** What the files say of themselves, and what the planner is to expect. */
const NOT_ROWS = /^(meta|sqlite_.*)$/;

/** What the file has otherwise than the expected one. Throws HistoryUnusable for damaged pages. */
export function compareHistories(file: string, expectedFile: string): RowDifference[] {
  const db = new Sqlite(expectedFile);
  try {
    db.prepare('attach ? as kept').run(file);
    const names = db
      .prepare<[], string>("select name from main.sqlite_master where type = 'table'")
      .pluck()
      .all();
    const tables = names.filter((name) => !NOT_ROWS.test(name));
    return tables.flatMap((table) => differencesIn(db, table)).slice(0, NAMED_MAX);
  } catch (error) {
    throw asUnusable(file, error);
  } finally {
    db.close();
  }
}

function differencesIn(db: SqliteFile, table: string): RowDifference[] {
  const columns = db
    .prepare<[], Column>(`select name, pk from pragma_table_info('${table}')`)
    .all();
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const others = columns.filter(({ pk }) => pk === 0).map(({ name }) => name);
  return [
    ...oneSided(db, table, keys, ['main', 'kept'], 'missing'),
    ...oneSided(db, table, keys, ['kept', 'main'], 'not of this journal'),
    ...changed(db, table, keys, others),
  ];
}

type Row = Readonly<Record<string, unknown>>;

function oneSided(
  db: SqliteFile,
  table: string,
  keys: readonly string[],
  [here, there]: readonly [string, string],
  what: RowDifference['what'],
): RowDifference[] {
  const same = keys.map((key) => `there.${key} = here.${key}`).join(' and ');
  const rows = db
    .prepare<[], Row>(
      `select ${keys.join(', ')} from ${here}.${table} as here where not exists ` +
        `(select 1 from ${there}.${table} as there where ${same}) limit ${NAMED_MAX}`,
    )
    .all();
  return rows.map((row) => ({ table, key: keyOf(row, keys), what, columns: [] }));
}

function changed(
  db: SqliteFile,
  table: string,
  keys: readonly string[],
  others: readonly string[],
): RowDifference[] {
  if (others.length === 0) return [];
  const same = keys.map((key) => `kept.${key} = mine.${key}`).join(' and ');
  const flags = others.map((name) => `kept.${name} is not mine.${name} as "differs_${name}"`);
  const any = others.map((name) => `kept.${name} is not mine.${name}`).join(' or ');
  const rows = db
    .prepare<[], Row>(
      `select ${keys.map((key) => `mine.${key} as ${key}`).join(', ')}, ${flags.join(', ')} ` +
        `from main.${table} as mine join kept.${table} as kept on ${same} ` +
        `where ${any} limit ${NAMED_MAX}`,
    )
    .all();
  return rows.map((row) => ({
    table,
    key: keyOf(row, keys),
    what: 'differs',
    columns: others.filter((name) => row[`differs_${name}`] === 1),
  }));
}

function keyOf(row: Row, keys: readonly string[]): string {
  return keys.map((key) => `${key}=${String(row[key])}`).join(' ');
}
