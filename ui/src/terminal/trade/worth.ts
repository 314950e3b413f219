/** The coin that balances are valued in, kept in the browser, and the markets that price it. */
import type { CoinAmount, PricedMarket } from '../../model/valuation.ts';
import { createKeptValue } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { instruments, tickers } from '../context.ts';
import { account } from './account-state.ts';
import { marginCoinOf } from './formats.ts';

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

/** What is owned of each coin, with the profit of positions; undefined until known. */
export function useOwned(): readonly CoinAmount[] | undefined {
  const balances = useStore(account.balances);
  const positions = useStore(account.positions);
  if (balances === undefined || positions === undefined) return undefined;
  const profits = positions.map(({ symbol, unrealizedPnl: amount }) => {
    return { coin: marginCoinOf(symbol), amount };
  });
  return [...balances.map(({ coin, balance: amount }) => ({ coin, amount })), ...profits];
}
