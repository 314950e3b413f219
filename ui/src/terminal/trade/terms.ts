/**
 * The terms that cost, fees and liquidation prices are worked out from. Until they are loaded a
 * form works without estimates.
 */
import { native } from '#client';
import { type TradedContract, tradedContract } from '../../model/contract.ts';
import { type CoinScales, type TradedPair, tradedPair } from '../../model/pair.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import { ask } from '../../wire/ask.ts';

interface Terms {
  readonly coins: CoinScales;
  readonly pairs: ReadonlyMap<string, TradedPair>;
  readonly contracts: ReadonlyMap<string, TradedContract>;
}

const NO_TERMS: Terms = { coins: {}, pairs: new Map(), contracts: new Map() };

export const terms: Store<Terms> = createStore<Terms>(NO_TERMS);

/** Reads the terms anew: an operator may have changed fees or tiers meanwhile. */
export async function loadTerms(): Promise<void> {
  const [rows, listed] = await Promise.all([ask(native.markets, {}), ask(native.coins, {})]);
  const coins = Object.fromEntries(listed.map(({ coin, decimals }) => [coin, decimals]));
  terms.set({
    coins,
    pairs: bySymbol(rows.map((row) => tradedPair(row, coins))),
    contracts: bySymbol(rows.map((row) => tradedContract(row, coins))),
  });
}

function bySymbol<Of extends TradedPair | TradedContract>(
  found: readonly (Of | undefined)[],
): ReadonlyMap<string, Of> {
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.symbol, one] as const])));
}

export function usePair(symbol: string): TradedPair | undefined {
  return useStore(terms, ({ pairs }) => pairs.get(symbol));
}

export function useContract(symbol: string): TradedContract | undefined {
  return useStore(terms, ({ contracts }) => contracts.get(symbol));
}
