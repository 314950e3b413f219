/**
 * Rows of the contract stream: those of the REST interface with the name the stream has for the
 * contract put in front, so that both say the same in the same words.
 */
import type { Contract } from '#domain';
import type { LevelValues } from '../encoded-market.ts';
import { jsonList } from '../row.ts';
import { formatPrice, formatSize } from './swap-format.ts';
import { contractName } from './symbols.ts';

/** A row of the REST interface as a row of the stream. It is an object with at least one field. */
export function writeStreamRow(contract: Contract, row: string): string {
  const symbol = contractName(contract.symbol);
  return `{"instrument_id":"${symbol}",${row.slice(1)}`;
}

/** Both sides of a book in two columns each: the third one of REST is obsolete. */
export function writeStreamSides(
  contract: Contract,
  asks: readonly LevelValues[],
  bids: readonly LevelValues[],
): string {
  const [askRows, bidRows] = [asks, bids].map((levels) =>
    writeStreamLevels(contractLevelTexts(contract, levels)),
  );
  return `"asks":${askRows},"bids":${bidRows}`;
}

function writeStreamLevels(levels: readonly (readonly [string, string])[]): string {
  return jsonList(levels, ([price, size]) => `["${price}","${size}"]`);
}

/** The levels of one side of a book as clients see them, which its checksum is over. */
export function contractLevelTexts(
  contract: Contract,
  levels: readonly LevelValues[],
): (readonly [price: string, size: string])[] {
  return levels.map(([priceTicks, size]) => [
    formatPrice(contract, priceTicks),
    formatSize(contract, size),
  ]);
}
