/** What an error of the database means for the history. Only the text of the server is shown. */
import { DatabaseError } from 'pg';
import { HistoryAway, HistoryDamaged, HistoryUnusable } from '../port.ts';

/**
 * The connection broke, the server stops or starts, lacks room or connections, is a standby, or was
 * too slow: all of it may pass.
 */
const AWAY = /^(08|53|57|58|40|55P03|25006)/;
/** Broken pages or indexes, a row that is there already, tables that are not what we made. */
const DAMAGED = /^(XX001|XX002|23505|42P01|42703|42804)/;

/** The place names the database without its password. */
export function asUnusable(place: string, cause: unknown): HistoryUnusable {
  if (cause instanceof HistoryUnusable) return cause;
  const why = textOf(cause);
  if (!(cause instanceof DatabaseError)) {
    return new HistoryAway(`history ${place} cannot be reached: ${why}`, { cause });
  }
  const { code = '' } = cause;
  if (AWAY.test(code)) return new HistoryAway(`history ${place}: ${why} (${code})`, { cause });
  if (DAMAGED.test(code)) return damaged(place, cause);
  return new HistoryUnusable(`history ${place}: ${why} (${code})`, { cause });
}

export function damaged(place: string, cause: unknown): HistoryUnusable {
  if (cause instanceof HistoryUnusable) return cause;
  return new HistoryDamaged(
    `history ${place} is damaged: ${textOf(cause)}; stop the venue and drop the schema, and it ` +
      'is rebuilt from the journal',
    { cause },
  );
}

/** A name with several addresses that all fail has an empty text of its own. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
