/** Where a page begins in a list by time, newest first, that goes on behind one of its rows. */
import { type RawBuilder, sql } from 'kysely';

const LISTS = {
  account_imports: ['createdMs', 'reference'],
  maintenance_windows: ['fromMs', 'windowId'],
} as const;

/** Nothing lies behind a row that is not there. */
export function listedBehind(
  table: keyof typeof LISTS,
  before: string | undefined,
): RawBuilder<boolean> {
  if (before === undefined) return sql<boolean>`1 = 1`;
  const [time, id] = LISTS[table];
  const place = sql`${sql.ref(time)}, ${sql.ref(id)}`;
  return sql<boolean>`(${place}) <
    (select ${place} from ${sql.table(table)} where ${sql.ref(id)} = ${before})`;
}
