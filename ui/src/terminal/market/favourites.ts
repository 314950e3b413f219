/** The starred markets: kept in this browser and never sent. */
import { createStore, type Store } from '../../store/store.ts';

const NAME = 'outcry.favourites';

export const favourites: Store<ReadonlySet<string>> = createStore<ReadonlySet<string>>(read());

/** Stars a market, or takes its star away. */
export function toggleFavourite(symbol: string): void {
  const next = new Set(favourites.get());
  if (!next.delete(symbol)) next.add(symbol);
  favourites.set(next);
  try {
    localStorage.setItem(NAME, [...next].join(' '));
  } catch {
    return; // Without storage they last as long as the page.
  }
}

function read(): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem(NAME) ?? '').split(' ').filter((name) => name !== ''));
  } catch {
    return new Set();
  }
}
