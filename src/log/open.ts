/** Which log, as plain data, and the log that it names: the one place that knows the adapters. */
import { unreachable } from '#kernel';
import type { CommandLog } from './command-log.ts';
import type { SharedLog, SharedLogPlace } from './shared-log.ts';
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

/** Loads what a venue of its own has no use for. Connects when it is first used. */
export async function openSharedLog(place: SharedLogPlace): Promise<SharedLog> {
  const { sharedLogAt } = await import('./etcd/log.ts');
  return sharedLogAt(place);
}
