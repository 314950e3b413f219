/** The reading side of the history in PostgreSQL: as many connections as pages are read at once. */
import { sql } from 'kysely';
import { HistoryUnavailable } from '#domain';
import { historyPages } from '../pages/history-pages.ts';
import type { Planner } from '../pages/planner.ts';
import { HistoryAway, type HistoryReader } from '../port.ts';
import { Connection, openReadingPool, type ReadingPool } from './connection.ts';
import { asUnusable } from './errors.ts';
import { requireReadable } from './migrations.ts';
import { placeOf } from './place.ts';

/** It knows how many rows a filter leaves, and chooses by that. */
const PLANNER: Planner = { rowByRow: (column) => sql.ref(column) };

/**
 * Rejects with HistoryUnusable for a schema that is missing or of another version. A database that
 * cannot be reached is looked at when it can: until then no page is available.
 */
export async function openPostgresReader(url: string): Promise<HistoryReader> {
  const place = placeOf(url);
  const readable = once(() => checkReadable(url));
  const failing = (cause: unknown): Error => {
    const unusable = asUnusable(place, cause);
    return new HistoryUnavailable(unusable.message, { cause: unusable });
  };
  const pool = openReadingPool(url, failing, readable);
  try {
    await readable();
  } catch (error) {
    if (error instanceof HistoryAway) return readerOf(pool);
    await pool.close();
    throw error;
  }
  return readerOf(pool);
}

function readerOf({ db, close }: ReadingPool): HistoryReader {
  return { ...historyPages(db, PLANNER), close };
}

async function checkReadable(url: string): Promise<void> {
  const connection = await Connection.open(url);
  try {
    await requireReadable(connection);
  } finally {
    await connection.close();
  }
}

/** What has succeeded is not done again. */
function once(check: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= check().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
