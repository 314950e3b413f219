/** The checksum by which a client knows that its copy of a book is the venue's. */
import { crc32 } from 'node:zlib';

/** Levels of each side that the checksum covers. */
export const CHECKSUM_LEVELS = 25;

/** Price and size as sent. */
export type LevelText = readonly [price: string, size: string];

/**
 * CRC-32, as a signed integer, of the best 25 levels: bid, ask, bid, ask, each as price:size, best
 * first and joined by colons; the longer side goes on alone. The texts are those that were sent.
 */
export function bookChecksum(asks: readonly LevelText[], bids: readonly LevelText[]): number {
  const parts: string[] = [];
  for (let at = 0; at < CHECKSUM_LEVELS; at += 1) {
    for (const level of [bids[at], asks[at]]) {
      if (level !== undefined) parts.push(level[0], level[1]);
    }
  }
  return crc32(parts.join(':')) | 0;
}
