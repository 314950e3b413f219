/** A contract account as the estimates need it, from the latest message of the stream. */
import { useCallback, useMemo } from 'react';
import type { TradedContract } from '../../model/contract.ts';
import { type MarginState, marginState, type Sibling } from '../../model/margin-account.ts';
import { type Settings, SHARED, standingOf, walletOf } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import { account } from './account-state.ts';
import { terms } from './terms.ts';

function useSettings(symbol: string): Settings | undefined {
  return useStore(account.settings, (all) => all?.find((row) => row.symbol === symbol));
}

/** Whether a contract stands on one wallet with the others of its coin. */
export function useIsShared(): (symbol: string) => boolean {
  const all = useStore(account.settings);
  const shared = useMemo(() => {
    const rows = (all ?? []).filter(({ wallet }) => wallet === SHARED);
    return new Set(rows.map(({ symbol }) => symbol));
  }, [all]);
  return useCallback((symbol) => shared.has(symbol), [shared]);
}

/** Undefined until all of it is known. */
export function useMargin(contract: TradedContract): MarginState | undefined {
  const settings = useSettings(contract.symbol);
  const siblings = useSiblings(settings);
  const positions = useStore(account.positions);
  const balances = useStore(account.balances);
  const orders = useStore(account.openOrders);
  return useMemo(() => {
    if (settings === undefined || positions === undefined) return undefined;
    if (balances === undefined || orders === undefined) return undefined;
    const wallet = walletOf(settings, balances);
    return marginState(contract, standingOf(settings, positions), wallet, orders, siblings);
  }, [contract, settings, positions, balances, orders, siblings]);
}

/** What is held in the other contracts on its wallet. */
function useSiblings(own: Settings | undefined): readonly Sibling[] {
  const all = useStore(account.settings);
  const positions = useStore(account.positions);
  const contracts = useStore(terms, (now) => now.contracts);
  return useMemo(() => {
    if (own?.wallet !== SHARED || positions === undefined) return [];
    const held = new Set(positions.map(({ symbol }) => symbol));
    return (all ?? []).flatMap((settings) => {
      const { symbol, wallet, coin } = settings;
      const isBeside = wallet === own.wallet && coin === own.coin && symbol !== own.symbol;
      const contract = contracts.get(symbol);
      if (!isBeside || !held.has(symbol) || contract === undefined) return [];
      return [{ contract, standing: standingOf(settings, positions) }];
    });
  }, [own, all, positions, contracts]);
}
