/** What a history file says has happened. */
import Sqlite from 'better-sqlite3';

/** Every row of what has happened. Starting is also a tick, which moves how far it reaches. */
export function pastRows(file: string): Map<string, unknown[]> {
  const tables = dumpTables(file);
  tables.delete('meta');
  return tables;
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
