/** The coin that balances are valued in, kept in the browser, and the markets that price it. */
import type { CoinAmount, PricedMarket } from '../../model/valuation.ts';
import { createKeptValue } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { instruments, tickers } from '../context.ts';
import { account } from './account-state.ts';
import { instrumentOf } from './formats.ts';
import { SHARED, useIsShared } from './wallets.ts';

const COIN_DEFAULT = 'USDT';

function readCoin(kept: string): string {
  try {
    const coin: unknown = JSON.parse(kept);
    return typeof coin === 'string' ? coin : COIN_DEFAULT;
  } catch {
    return COIN_DEFAULT;
  }
}

export const valueCoin = createKeptValue('outcry.balances.coin', readCoin);

/** What the coins of the venue's pairs can be valued in: those that others are priced in first. */
export function useValueCoins(): readonly string[] {
  const all = useStore(instruments);
  const quotes = all.map(({ quote }) => quote);
  return [...new Set([...quotes, ...all.map(({ base }) => base)])];
}

/** The chosen coin, or the first that there is where the venue does not have it. */
export function useValueCoin(): string {
  const chosen = useStore(valueCoin);
  const coins = useValueCoins();
  return coins.includes(chosen) ? chosen : (coins[0] ?? chosen);
}

/** Pairs first: a contract prices a coin only where no pair does. */
export function useMarkets(): readonly PricedMarket[] {
  const all = useStore(instruments);
  const last = useStore(tickers);
  return all.map(({ symbol, base, quote }) => {
    return { base, quote, price: last.get(symbol)?.last ?? '0' };
  });
}

/** What is owned of each coin, spot and each wallet behind contracts; undefined until known. */
export function useOwned(): readonly CoinAmount[] | undefined {
  const balances = useStore(account.balances);
  const contracts = useStore(account.contracts);
  const isShared = useIsShared();
  if (balances === undefined || contracts === undefined) return undefined;
  const spot = balances.flatMap(({ coinName: coin, available, frozen, lock }) =>
    [available, frozen, lock].map((amount) => ({ coin, amount })),
  );
  const wallets = new Map<string, CoinAmount>();
  for (const { symbol, equity } of contracts) {
    const found = instrumentOf(symbol);
    if (found?.kind !== 'contract') continue;
    const coin = found.marginCoin;
    // Contracts on one wallet all show its equity.
    wallets.set(isShared(symbol) ? `${SHARED}.${coin}` : symbol, { coin, amount: equity });
  }
  return [...spot, ...wallets.values()];
}
