/** Where the keyboard goes on when what had the focus is gone. */
import { atNextFrame } from '../store/store.ts';

/**
 * Focuses the first of these selectors that matches, after the stores' changes have been painted.
 * Without it the browser drops the focus to the document, and Tab begins at the top.
 */
export function focusNext(...selectors: readonly string[]): void {
  // Stores publish at the first frame; what they show is there at the one after it.
  atNextFrame(() =>
    atNextFrame(() => {
      for (const selector of selectors) {
        const found = document.querySelector<HTMLElement>(selector);
        if (found === null) continue;
        found.focus();
        return;
      }
    }),
  );
}
