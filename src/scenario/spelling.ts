/** Files with another spelling of markets than theirs: whoever runs one knows how to read it. */
import type { ConfigDocument, Renamed, TextPlace } from '#config';

export interface Spelling {
  /** The symbol of the market that an old name means; undefined for what is none. */
  neutralOf(name: string): string | undefined;
  /** The margin mode that an old word means; undefined for what is none. */
  marginModeOf(word: string): string | undefined;
}

/** Keys of what names a market, and of maps by markets. */
const NAMING = ['market', 'wallet', 'from', 'to', 'index', 'before_funding', 'spot'];
const BY_MARKET = ['terms', 'index', 'status', 'deposits'];

/** Puts new spellings in place of old ones, with a warning for each. */
export function inNewSpelling(document: ConfigDocument, spelling: Spelling): readonly string[] {
  return document.rename((place) => renamed(place, spelling));
}

function renamed(
  { text, isKey, under }: TextPlace,
  { neutralOf, marginModeOf }: Spelling,
): Renamed | undefined {
  // What a call sends is spelled as its interface has it.
  if (under[0] === 'steps' && under[1] === 'call') return undefined;
  const [above = '', last = ''] = under.slice(-2);
  if (!isKey && above === 'mode' && last === 'margin') {
    return spelled('margin', marginModeOf(text));
  }
  const names = isKey ? BY_MARKET : NAMING;
  const isOfMarket = !isKey && above === 'market' && last === 'is';
  return names.includes(last) || isOfMarket ? spelled('market', neutralOf(text)) : undefined;
}

function spelled(what: string, now: string | undefined): Renamed | undefined {
  return now === undefined ? undefined : { what, now };
}
