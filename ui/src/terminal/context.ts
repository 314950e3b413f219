/**
 * What all parts of the terminal share: the instruments with their tickers, and which one is
 * looked at. The address keeps the choice behind its #, so that a link or a reload finds it again.
 */

import type { SpotProduct, SpotTicker, SwapContract, SwapTicker } from '#dialects';
import { createStore, type Store, useStore } from '../store/store.ts';
import { tradedName } from '../wire/market-names.ts';
import { publicGet } from '../wire/rest.ts';
import {
  contractInstrument,
  type Instrument,
  spotInstrument,
  spotTicker,
  swapTicker,
  type Ticker,
} from './instrument.ts';

export type { ContractInstrument, Instrument, SpotInstrument, Ticker } from './instrument.ts';

const TICKERS_EVERY_MS = 3_000;

/** Pairs first, then contracts, in the order of the venue. Empty until they are loaded. */
export const instruments: Store<readonly Instrument[]> = createStore<readonly Instrument[]>([]);
/** By symbol, read every three seconds: enough for a list, too seldom for the chosen market. */
export const tickers: Store<ReadonlyMap<string, Ticker>> = createStore<ReadonlyMap<string, Ticker>>(
  new Map(),
);
/** The instrument that chart, book and form are about; undefined until they are loaded. */
export const selected: Store<Instrument | undefined> = createStore<Instrument | undefined>(
  undefined,
);
/** A price that was clicked, for the order form; a new object per click. */
export const pickedPrice: Store<{ readonly price: string } | undefined> = createStore<
  { readonly price: string } | undefined
>(undefined);

export function useInstrument(): Instrument | undefined {
  return useStore(selected);
}

/** BTC-USDT-PERP of what is traded as cmt_btcusdt; the name as it is while it is not loaded. */
export function listedSymbol(traded: string): string {
  const found = instruments.get().find(({ symbol }) => symbol === traded);
  if (found === undefined) return traded;
  const { base, quote, kind } = found;
  return kind === 'spot' ? `${base}-${quote}` : `${base}-${quote}-PERP`;
}

/** Looks at another instrument. An unknown symbol changes nothing. */
export function select(symbol: string): void {
  const found = instruments.get().find((instrument) => instrument.symbol === symbol);
  if (found === undefined) return;
  selected.set(found);
  history.replaceState(null, '', `#${symbol}`);
}

/** Loads the instruments and chooses the one of the address, else the first. */
export async function loadInstruments(): Promise<void> {
  const [products, contracts] = await Promise.all([
    publicGet<readonly SpotProduct[]>('/api/spot/v1/public/products'),
    publicGet<readonly SwapContract[]>('/api/swap/v3/market/contracts'),
  ]);
  const all = [...products.map(spotInstrument), ...contracts.map(contractInstrument)];
  instruments.set(all);
  const named = selected.get()?.symbol ?? location.hash.slice(1);
  selected.set(all.find(({ symbol }) => symbol === named) ?? all[0]);
}

/** Looks at what the address names when it is changed, as by a link. Returns how to stop. */
export function followAddress(): () => void {
  const read = (): void => select(location.hash.slice(1));
  addEventListener('hashchange', read);
  return () => removeEventListener('hashchange', read);
}

/** Keeps the tickers fresh while the page is visible. Returns how to stop. */
export function followTickers(): () => void {
  const read = (): void => {
    if (document.visibilityState === 'visible') void readTickers();
  };
  read();
  const timer = setInterval(read, TICKERS_EVERY_MS);
  return () => clearInterval(timer);
}

async function readTickers(): Promise<void> {
  try {
    const [spot, swap] = await Promise.all([
      publicGet<readonly SpotTicker[]>('/api/spot/v1/market/tickers'),
      publicGet<readonly SwapTicker[]>('/api/swap/v3/market/tickers'),
    ]);
    const rows: [string, Ticker][] = [
      ...spot.map((row): [string, Ticker] => [tradedName(row.symbol), spotTicker(row)]),
      ...swap.map((row): [string, Ticker] => [row.symbol, swapTicker(row)]),
    ];
    tickers.set(new Map(rows));
  } catch {
    return; // The old ones stay: the connection says that the venue is away.
  }
}
