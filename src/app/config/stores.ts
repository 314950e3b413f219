/** Where a venue keeps its log and its history: the choice of the adapters, as plain data. */
import { join } from 'node:path';

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

export interface HistoryPlace {
  readonly kind: 'sqlite';
  readonly file: string;
}

export function historyPlaceOf(directory: string): HistoryPlace {
  return { kind: 'sqlite', file: join(directory, 'history.sqlite') };
}
