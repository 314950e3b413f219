/** Names of markets from before they had symbols of their own, which a file may still have. */
import { CLASSIC_SPELLING } from '#dialects';
import type { ConfigDocument } from './document.ts';

/** Keys of what names a market, a wallet or a pair behind an index. */
const NAMING = ['symbol', 'wallet', 'spot'];

/** Puts symbols in place of old names, with a warning for each. */
export function inNewSpelling(document: ConfigDocument): readonly string[] {
  return document.rename(({ text, isKey, under }) => {
    if (isKey || !NAMING.includes(under.at(-1) ?? '')) return undefined;
    const now = CLASSIC_SPELLING.neutralOf(text);
    return now === undefined ? undefined : { what: 'market', now };
  });
}
