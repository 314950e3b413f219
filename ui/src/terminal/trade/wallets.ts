/**
 * Which wallet stands behind each contract of the account. Until it is known, and for a key that
 * may not read it, each contract is taken to have its own.
 */
import { useCallback } from 'react';
import { native } from '#client';
import { session } from '../../session/session.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';

/** What the venue calls the wallet of all linear contracts of a coin. */
export const SHARED = 'margin';

const shared: Store<ReadonlySet<string>> = createStore<ReadonlySet<string>>(new Set());

/** Reads them anew, as after signing in. */
export async function learnWallets(): Promise<void> {
  shared.set(new Set());
  const rows = await session.ask(native.margin, {});
  const found = rows.filter(({ wallet }) => wallet === SHARED);
  shared.set(new Set(found.map(({ symbol }) => symbol)));
}

/** Whether a contract stands on one wallet with the others of its coin. */
export function useIsShared(): (symbol: string) => boolean {
  const symbols = useStore(shared);
  return useCallback((symbol) => symbols.has(symbol), [symbols]);
}
