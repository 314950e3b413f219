/**
 * Notices go away by themselves, on a busy machine before a test looks for one. So each page writes
 * down the notices that it has shown, and a test finds its notice there.
 */
import type { Page } from 'playwright-core';
import { reads } from './until.ts';

/** Runs in a page before its own scripts. A notice that a test has found is crossed out. */
export const NOTES_NOTICES = `(() => {
  const seen = new WeakSet();
  const notes = [];
  new MutationObserver(() => {
    for (const notice of document.getElementsByClassName('notice')) {
      if (seen.has(notice)) continue;
      seen.add(notice);
      notes.push(notice.textContent);
    }
  }).observe(document, { childList: true, subtree: true });
  window.findNotice = (texts) => {
    const at = notes.findIndex((note) => texts.every((text) => note.includes(text)));
    if (at < 0) return notes.join(' | ');
    notes.splice(at, 1);
    return 'found';
  };
})()`;

/** Waits until a notice with all of these texts was shown; the next one is another notice. */
export async function noticed(page: Page, ...texts: readonly string[]): Promise<void> {
  await reads(() => page.evaluate(`findNotice(${JSON.stringify(texts)})`), 'found');
}
