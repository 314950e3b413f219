/** The scrub of a history file. */
import { Kysely, SqliteDialect } from 'kysely';
import type { HistoryScrub } from '../port.ts';
import { RowScrub } from '../rows/row-scrub.ts';
import type { Database } from '../tables/schema.ts';
import { asUnusable, openForReading } from './file.ts';

/** Throws HistoryUnusable. */
export function openSqliteScrub(file: string): HistoryScrub {
  const connection = openForReading(file);
  return new RowScrub({
    place: file,
    db: new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) }),
    faultOf: (error) => asUnusable(file, error).message,
    forget: () => {
      connection.pragma('shrink_memory');
    },
    close: async () => {
      connection.close();
    },
  });
}
