/** Which log, as plain data, and the log that it names: the one place that knows the adapters. */
import { unreachable } from '#kernel';
import type { CommandLog } from './command-log.ts';
import { SqliteLog, type SqliteLogPlace } from './sqlite/log.ts';

/** Can be handed to another thread, which then opens the same log. */
export type LogPlace = SqliteLogPlace;

export function logAt(place: LogPlace): CommandLog {
  switch (place.kind) {
    case 'sqlite':
      return new SqliteLog(place);
    default:
      return unreachable(place.kind);
  }
}
