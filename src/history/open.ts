/** Which history, as plain data, and the history that it names: this file knows the adapters. */
import { unreachable } from '#kernel';
import type { History } from './port.ts';
import { PostgresHistory, type PostgresHistoryPlace } from './postgres/history.ts';
import { SqliteHistory, type SqliteHistoryPlace } from './sqlite/history.ts';

/** Can be handed to another thread, which then opens the same history. */
export type HistoryPlace = SqliteHistoryPlace | PostgresHistoryPlace;

export function historyAt(place: HistoryPlace): History {
  switch (place.kind) {
    case 'sqlite':
      return new SqliteHistory(place.file);
    case 'postgres':
      return new PostgresHistory(place);
    default:
      return unreachable(place);
  }
}
