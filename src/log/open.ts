/** Which log, as plain data, and the log that it names: the one place that knows the adapters. */
import { unreachable } from '#kernel';
import type { CommandLog } from './command-log.ts';
import { EtcdStore } from './etcd/store.ts';
import { KeySpace } from './shared/keys.ts';
import { StoredSharedLog } from './shared/stored-log.ts';
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

/** Connects when it is first used. */
export function sharedLogAt(place: SharedLogPlace): SharedLog {
  return new StoredSharedLog(new EtcdStore(place), new KeySpace(place.venue, place.shard));
}
