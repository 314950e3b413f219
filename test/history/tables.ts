/** Every row of a history file, to compare whole files. */
import Sqlite from 'better-sqlite3';

/** The rows of every table by its name, in an order that depends on the rows alone. */
export function tablesOf(file: string): Map<string, string[]> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const names = db
      .prepare<[], string>("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all();
    const rowsIn = (name: string) => db.prepare(`select * from "${name}"`).raw().all();
    const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    return new Map(names.map((name) => [name, inOrder(rowsIn(name))]));
  } finally {
    db.close();
  }
}
