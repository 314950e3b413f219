/** Names from before, which a file may still have: of markets without symbols, and of settings. */
import { CLASSIC_SPELLING } from '#dialects';
import type { ConfigDocument } from './document.ts';

/** Keys of what names a market, a wallet or a pair behind an index. */
const NAMING = ['symbol', 'wallet', 'spot'];

/** A setting of the server by the name that it had before. */
const EARLIER_SETTINGS: ReadonlyMap<string, string> = new Map([['gateways', 'httpThreads']]);

/** Puts symbols in place of old names, with a warning for each. */
export function inNewSpelling(document: ConfigDocument): readonly string[] {
  return document.rename(({ text, isKey, under }) => {
    if (isKey) return settingOf(text, under);
    if (!NAMING.includes(under.at(-1) ?? '')) return undefined;
    const now = CLASSIC_SPELLING.neutralOf(text);
    return now === undefined ? undefined : { what: 'market', now };
  });
}

function settingOf(text: string, under: readonly string[]) {
  const now = under.join('.') === 'server' ? EARLIER_SETTINGS.get(text) : undefined;
  return now === undefined ? undefined : { what: 'setting', now };
}
