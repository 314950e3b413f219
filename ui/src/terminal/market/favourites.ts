/** The starred markets: kept in this browser, in all its tabs, and never sent. */
import { createShared } from '../../store/kept.ts';

const SYMBOLS_MAX = 500;
const SYMBOL = /^[A-Z0-9-]{1,64}$/;

/** In the order in which they were starred. */
export const favourites = createShared<readonly string[]>('outcry.favourites', readSymbols);

/** Stars a market, or takes its star away. */
export function toggleFavourite(symbol: string): void {
  favourites.set((known) =>
    known.includes(symbol)
      ? known.filter((one) => one !== symbol)
      : [...known, symbol].slice(-SYMBOLS_MAX),
  );
}

function readSymbols(kept: string): readonly string[] {
  return [...new Set(kept.match(/[A-Z0-9-]+/g))]
    .filter((one) => SYMBOL.test(one))
    .slice(0, SYMBOLS_MAX);
}
