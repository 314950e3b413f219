/** What a history file says has happened. */
import Sqlite from 'better-sqlite3';

/**
 * Every row of what has happened. Starting is also a tick: it moves how far the history reaches,
 * and may publish prices, so candles of mark and index prices are left out.
 */
export function pastRows(file: string): Map<string, unknown[]> {
  const tables = dumpTables(file);
  tables.delete('meta');
  const candles = tables.get('candles') ?? [];
  return tables.set('candles', candles.filter(isOfTrades));
}

/** Candles of published prices have greater numbers of periods. */
function isOfTrades(row: unknown): boolean {
  return Number(JSON.parse(String(row))[1]) < 100;
}

/** Every row of every table, with the tables' names. */
function dumpTables(file: string): Map<string, unknown[]> {
  const database = new Sqlite(file, { readonly: true });
  try {
    const names = database
      .prepare<[], string>("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all();
    const rowsIn = (name: string) => database.prepare(`select * from "${name}"`).raw().all();
    const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    return new Map(names.map((name) => [name, inOrder(rowsIn(name))]));
  } finally {
    database.close();
  }
}
