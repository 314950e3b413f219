/**
 * The terms that cost, fees and liquidation prices are worked out from: what the public lists say,
 * and /ui/terms besides. Until they are loaded a form works without estimates.
 */
import {
  type ContractFacts,
  type ContractRow,
  listedContract,
  type TradedContract,
  tradedContract,
} from '../../model/contract.ts';
import { type CoinScales, type ProductRow, type TradedPair, tradedPair } from '../../model/pair.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import { tradedName } from '../../wire/market-names.ts';
import { publicGet } from '../../wire/rest.ts';

interface TermsAnswer {
  readonly coins: CoinScales;
  readonly contracts: readonly ContractFacts[];
}

interface Terms {
  readonly coins: CoinScales;
  readonly pairs: ReadonlyMap<string, TradedPair>;
  readonly contracts: ReadonlyMap<string, TradedContract>;
}

const NO_TERMS: Terms = { coins: {}, pairs: new Map(), contracts: new Map() };

export const terms: Store<Terms> = createStore<Terms>(NO_TERMS);

/** Reads the terms anew: an operator may have changed fees or tiers meanwhile. */
export async function loadTerms(): Promise<void> {
  const [answer, products, rows] = await Promise.all([
    publicGet<TermsAnswer>('/ui/terms'),
    publicGet<readonly ProductRow[]>('/api/spot/v1/public/products'),
    publicGet<readonly ContractRow[]>('/api/swap/v3/market/contracts'),
  ]);
  const facts = new Map(answer.contracts.map((each) => [tradedName(each.symbol), each]));
  const contracts = new Map<string, TradedContract>();
  for (const row of rows) {
    const found = facts.get(row.symbol);
    if (found === undefined) continue;
    contracts.set(row.symbol, tradedContract(listedContract(row), found));
  }
  const pairs = new Map(products.map((row) => [row.symbol, tradedPair(row, answer.coins)]));
  terms.set({ coins: answer.coins, pairs, contracts });
}

export function usePair(symbol: string): TradedPair | undefined {
  return useStore(terms, ({ pairs }) => pairs.get(symbol));
}

export function useContract(symbol: string): TradedContract | undefined {
  return useStore(terms, ({ contracts }) => contracts.get(symbol));
}
