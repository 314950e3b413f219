/**
 * The spelling of this interface for others: for files from before markets had symbols of their
 * own, and for who plays over it.
 */
import type { MarginMode } from '#domain';
import { MARGIN_MODE_WORDS } from './swap-terms.ts';
import { neutralOf, symbolName } from './symbols.ts';

export const CLASSIC_SPELLING = { neutralOf, marginModeOf, nameOf: symbolName };

/** The margin mode that one of these words means; undefined for what is none of them. */
function marginModeOf(word: string): MarginMode | undefined {
  if (word === MARGIN_MODE_WORDS.isolated) return 'isolated';
  return word === MARGIN_MODE_WORDS.cross ? 'cross' : undefined;
}
