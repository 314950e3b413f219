/**
 * The log of a cluster in etcd. It brings gRPC and the shapes of what is stored along, a third of
 * what a start would load: a venue of its own does not.
 */
import { KeySpace } from '../shared/keys.ts';
import { StoredSharedLog } from '../shared/stored-log.ts';
import type { SharedLog, SharedLogPlace } from '../shared-log.ts';
import { EtcdStore } from './store.ts';

/** Connects when it is first used. */
export function sharedLogAt(place: SharedLogPlace): SharedLog {
  return new StoredSharedLog(new EtcdStore(place), new KeySpace(place.venue, place.shard));
}
