/**
 * What all parts of the terminal share: the instruments with their tickers, and which one is
 * looked at. The address keeps the choice behind its #, so that a link or a reload finds it again.
 */

import { native, type StreamMessage } from '#client';
import { createStore, type Store, useStore } from '../store/store.ts';
import { ask } from '../wire/ask.ts';
import { stream } from '../wire/stream.ts';
import { type Instrument, instrumentOf, type Ticker } from './instrument.ts';

export type { ContractInstrument, Instrument, SpotInstrument, Ticker } from './instrument.ts';

/** Pairs first, then contracts, in the order of the venue. Empty until they are loaded. */
export const instruments: Store<readonly Instrument[]> = createStore<readonly Instrument[]>([]);
/** By symbol, once a second: enough for a list, too seldom for the chosen market. */
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

/** Looks at another instrument. An unknown symbol changes nothing. */
export function select(symbol: string): void {
  const found = instruments.get().find((instrument) => instrument.symbol === symbol);
  if (found === undefined) return;
  selected.set(found);
  history.replaceState(null, '', `#${symbol}`);
}

/** Loads the instruments and chooses the one of the address, else the first. */
export async function loadInstruments(): Promise<void> {
  const all = (await ask(native.markets, {})).map(instrumentOf);
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
  let end: (() => void) | undefined;
  const follow = (): void => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible) end ??= stream.follow('tickers', { onMessage: takeTickers });
    else {
      end?.();
      end = undefined;
    }
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    end?.();
  };
}

function takeTickers({ type, data }: StreamMessage<native.TickersAnswer>): void {
  const rows = data.map((row) => [row.symbol, row] as const);
  tickers.set((known) => new Map(type === 'snapshot' ? rows : [...known, ...rows]));
}
