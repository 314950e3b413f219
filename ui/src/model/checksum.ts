/** The checksum by which a reader knows that its copy of a book is the venue's. */

/** Levels of each side that the checksum covers. */
const CHECKSUM_LEVELS = 25;

/** Price and size as sent. */
interface LevelTexts {
  readonly priceText: string;
  readonly sizeText: string;
}

/**
 * CRC-32, as a signed integer, of the best 25 levels: bid, ask, bid, ask, each as price:size, best
 * first and joined by colons; the longer side goes on alone.
 */
export function bookChecksum(asks: readonly LevelTexts[], bids: readonly LevelTexts[]): number {
  const parts: string[] = [];
  for (let at = 0; at < CHECKSUM_LEVELS; at += 1) {
    for (const level of [bids[at], asks[at]]) {
      if (level !== undefined) parts.push(level.priceText, level.sizeText);
    }
  }
  return crc32(parts.join(':'));
}

const POLYNOMIAL = 0xedb88320;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** Of text in which every character is one byte: digits, points and colons. */
function crc32(text: string): number {
  let rest = -1;
  for (let at = 0; at < text.length; at += 1) {
    rest = (rest >>> 8) ^ (TABLE[(rest ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return ~rest;
}
