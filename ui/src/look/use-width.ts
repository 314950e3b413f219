/** How wide the page is, as far as the layout asks, followed as it changes. */
import { useSyncExternalStore } from 'react';

// Both also in the style sheets.
const narrow = matchMedia('(max-width: 760px)');
const wide = matchMedia('(min-width: 1600px)');

/** As narrow as a phone: one thing at a time. */
export function useIsPhone(): boolean {
  return useMatch(narrow);
}

/** Room for the trades in a column of their own. */
export function useIsWide(): boolean {
  return useMatch(wide);
}

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (onChange) => {
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => query.matches,
  );
}
