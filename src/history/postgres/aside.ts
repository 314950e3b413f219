/** Puts a damaged history out of the way: its schema gets another name and can be looked at. */
import { Connection, SCHEMA } from './connection.ts';

/** More than anybody keeps; beyond it the start fails and says so. */
const KEPT_MAX = 1_000;

/** Gives the new name, as in outcry_damaged_1. */
export async function setSchemaAside(url: string): Promise<string> {
  const connection = await Connection.open(url);
  try {
    for (let number = 1; number <= KEPT_MAX; number += 1) {
      const name = `${SCHEMA}_damaged_${number}`;
      const found = await connection.first(`select 1 from pg_namespace where nspname = '${name}'`);
      if (found !== undefined) continue;
      await connection.query(`alter schema ${SCHEMA} rename to ${name}`);
      return `${connection.place} schema ${name}`;
    }
  } finally {
    await connection.close();
  }
  throw new Error(`${connection.place} is damaged, and so are ${KEPT_MAX} before it: drop those`);
}
