/** Which history, as plain data, and the history that it names: this file knows the adapters. */
import { unreachable } from '#kernel';
import type { History } from './port.ts';
import { SqliteHistory, type SqliteHistoryPlace } from './sqlite/history.ts';

/** Can be handed to another thread, which then opens the same history. */
export type HistoryPlace = SqliteHistoryPlace;

export function historyAt(place: HistoryPlace): History {
  switch (place.kind) {
    case 'sqlite':
      return new SqliteHistory(place.file);
    default:
      return unreachable(place.kind);
  }
}
