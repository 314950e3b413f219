/**
 * Replacing a value. The write compares the one that it replaces, so that an attempt that arrives
 * late, after a newer value, does nothing.
 */
import { settled } from './attempts.ts';
import { only } from './keys.ts';
import type { Comparison, Store, Stored } from './store.ts';

export interface Replacement {
  readonly key: string;
  readonly value: string;
  readonly lease?: number | undefined;
  /** What has to hold besides. */
  readonly when?: readonly Comparison[] | undefined;
}

/** False when something besides did not hold. */
export async function overwrite(store: Store, replacement: Replacement): Promise<boolean> {
  const { key, value, lease, when = [] } = replacement;
  let before = await valueAt(store, key);
  for (;;) {
    const revision = before?.modRevision ?? 0;
    const outcome = await settled(store, {
      when: [...when, { key, of: 'mod', revision }],
      write: [{ kind: 'put', key, value, lease }],
      otherwise: [{ kind: 'get', query: only(key) }],
    });
    if (outcome.held) return true;
    const now = outcome.found[0]?.[0];
    const isChanged = (now?.modRevision ?? 0) !== revision;
    // An attempt without an answer has arrived.
    if (isChanged && now?.value === value) return true;
    if (!isChanged) return false;
    before = now;
  }
}

export async function valueAt(store: Store, key: string): Promise<Stored | undefined> {
  const { found } = await settled(store, { when: [], write: [{ kind: 'get', query: only(key) }] });
  return found[0]?.[0];
}
