/** The reading side of the history in PostgreSQL: as many connections as pages are read at once. */
import { sql } from 'kysely';
import { HistoryUnavailable } from '#domain';
import { historyPages } from '../pages/history-pages.ts';
import type { Planner } from '../pages/planner.ts';
import type { HistoryReader } from '../port.ts';
import { Connection, openReadingPool } from './connection.ts';
import { asUnusable } from './errors.ts';
import { requireReadable } from './migrations.ts';

/** It knows how many rows a filter leaves, and chooses by that. */
const PLANNER: Planner = { rowByRow: (column) => sql.ref(column) };

/** Rejects with HistoryUnusable for a schema that is missing or of another version. */
export async function openPostgresReader(url: string): Promise<HistoryReader> {
  const connection = await Connection.open(url);
  try {
    await requireReadable(connection);
  } finally {
    await connection.close();
  }
  const { place } = connection;
  const failing = (cause: unknown): Error =>
    new HistoryUnavailable(asUnusable(place, cause).message, { cause });
  const pool = openReadingPool(url, failing);
  return { ...historyPages(pool.db, PLANNER), close: pool.close };
}
