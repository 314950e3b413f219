/** The values of a range as they are now, and again after each change. */
import { asSharedLogFault, isFault, settled } from './attempts.ts';
import type { KeyRange, Store, Stored } from './store.ts';

export type Values = ReadonlyMap<string, Stored>;

/** By key, in order. */
export async function readValues(store: Store, range: KeyRange): Promise<Values> {
  return (await valuesNow(store, range)).values;
}

/** Goes on until the signal is given. The map is valid until the next one is asked for. */
export async function* watchValues(
  store: Store,
  range: KeyRange,
  signal: AbortSignal,
): AsyncGenerator<Values, void> {
  while (!signal.aborted) {
    try {
      const { values, revision } = await valuesNow(store, range, signal);
      yield values;
      const expected = () => range;
      const watch = store.watch({ range, revision: revision + 1, signal, expected });
      for await (const changes of watch) {
        for (const change of changes) {
          if (change.kind === 'put') values.set(change.stored.key, change.stored);
          else values.delete(change.key);
        }
        yield new Map([...values].toSorted(byKey));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isFault(error, 'compacted')) throw asSharedLogFault(error);
    }
  }
}

function byKey([one]: readonly [string, Stored], [other]: readonly [string, Stored]): number {
  return one < other ? -1 : 1;
}

async function valuesNow(
  store: Store,
  range: KeyRange,
  signal?: AbortSignal,
): Promise<{ readonly values: Map<string, Stored>; readonly revision: number }> {
  const patience = signal && { limitMs: Number.POSITIVE_INFINITY, signal };
  const get = { kind: 'get', query: range } as const;
  const { found, revision } = await settled(store, { when: [], write: [get] }, patience);
  const values = new Map(found[0]?.map((stored) => [stored.key, stored]));
  return { values, revision };
}
