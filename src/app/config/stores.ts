/** Where a venue of this program keeps its log: the choice of the adapter, as plain data. */

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
