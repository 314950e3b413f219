/** A contract account as the estimates need it, from the latest stream messages. */
import { useMemo } from 'react';
import type { TradedContract } from '../../model/contract.ts';
import { type MarginState, marginState, type Sibling } from '../../model/margin-account.ts';
import type { ContractAccountRow, PositionPair } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import { account } from './account-state.ts';
import { terms } from './terms.ts';
import { useIsShared } from './wallets.ts';

function usePosition(symbol: string): PositionPair | undefined {
  return useStore(account.positions, (all) => all?.find((pair) => pair.symbol === symbol));
}

function useContractAccount(symbol: string): ContractAccountRow | undefined {
  return useStore(account.contracts, (all) => all?.find((row) => row.symbol === symbol));
}

/** Undefined until all of it is known. */
export function useMargin(contract: TradedContract): MarginState | undefined {
  const row = useContractAccount(contract.symbol);
  const positions = usePosition(contract.symbol);
  const siblings = useSiblings(contract);
  const orders = useStore(account.openOrders);
  return useMemo(() => {
    if (row === undefined || positions === undefined || orders === undefined) return undefined;
    return marginState(contract, row, positions, orders, siblings);
  }, [contract, row, positions, orders, siblings]);
}

/** The other contracts on the wallet of this one. */
function useSiblings({ symbol, marginCode }: TradedContract): readonly Sibling[] {
  const all = useStore(account.positions);
  const contracts = useStore(terms, (now) => now.contracts);
  const isShared = useIsShared();
  return useMemo(() => {
    if (!isShared(symbol)) return [];
    return (all ?? []).flatMap((positions) => {
      const contract = contracts.get(positions.symbol);
      const isOfCoin = contract?.marginCode === marginCode && isShared(contract.symbol);
      return isOfCoin && contract.symbol !== symbol ? [{ contract, positions }] : [];
    });
  }, [all, contracts, isShared, symbol, marginCode]);
}
