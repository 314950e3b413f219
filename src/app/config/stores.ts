/** Where a venue keeps its log and its history: the choice of the adapters, as plain data. */
import { join } from 'node:path';
import type { ClusterConfig } from './cluster.ts';
import { ConfigFault } from './document.ts';

export interface LogPlace {
  readonly kind: 'sqlite';
  readonly directory: string;
  readonly masterKey: Uint8Array | undefined;
  readonly synced: boolean;
}

export function logPlaceOf(
  directory: string,
  masterKey: Uint8Array | undefined,
  synced = true,
): LogPlace {
  return { kind: 'sqlite', directory, masterKey, synced };
}

/** There is one cluster of a venue's processes; shards come later. */
const SHARD = 'main';

/** The log that the processes of a cluster share. */
export function sharedLogPlaceOf({ venue, etcd }: Pick<ClusterConfig, 'venue' | 'etcd'>) {
  return { kind: 'etcd', venue, shard: SHARD, ...etcd } as const;
}

export type HistoryPlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** In a file of the data directory, or in the database that is named. */
export function historyPlaceOf(directory: string, url: string | undefined): HistoryPlace {
  if (url !== undefined) return { kind: 'postgres', url };
  return { kind: 'sqlite', file: join(directory, 'history.sqlite') };
}

/**
 * Checks the address of a database. Throws ConfigFault, which says where the address was read and
 * never what it is: it may hold a password.
 */
export function checkedHistoryUrl(url: string, place: string): string {
  return checkedDatabaseUrl(url, place, 'the history is');
}

/** As checkedHistoryUrl, of whatever is kept there. */
export function checkedDatabaseUrl(url: string, place: string, what: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPostgres = parsed !== undefined && /^postgres(ql)?:$/.test(parsed.protocol);
  if (isPostgres && parsed.hostname !== '' && /^\/[^/]+$/.test(parsed.pathname)) return url;
  throw new ConfigFault([
    `${place}: ${what} kept in a database that is named as in ` +
      'postgres://user:password@host:5432/database',
  ]);
}
