/**
 * Identifiers as the wire shows them: decimal strings of 18 digits whose text order is their
 * number order. Inside, one counter numbers orders, trades, bills and transfers alike, so that
 * an order id and a fill id page through the same sequence.
 */
import { assert } from '#kernel';

const FIRST_DIGIT = '7';
const DIGITS = 17;
const WIRE_ID = /^7[0-9]{17}$/;
const FIRST_ID = 7n * 10n ** BigInt(DIGITS);
const ID_MAX = BigInt(Number.MAX_SAFE_INTEGER);
/** What precedes a number of so many digits. */
const PREFIXES = Array.from({ length: DIGITS + 1 }, (_, digits) => {
  return FIRST_DIGIT + '0'.repeat(DIGITS - digits);
});

/** 28 becomes "700000000000000028". */
export function formatId(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0, 'an id is a safe integer');
  const digits = String(id);
  return PREFIXES[digits.length] + digits;
}

/**
 * Where a decimal id stands among those of this venue, be it one of them or not: comparing with the
 * result is comparing the numbers. Undefined for what is no decimal number.
 */
export function idBound(text: string): number | undefined {
  if (!/^[0-9]{1,64}$/.test(text)) return undefined;
  const place = BigInt(text) - FIRST_ID;
  if (place < 0n) return -1;
  return Number(place > ID_MAX ? ID_MAX : place);
}

/** The inverse of formatId; undefined for text that no id of this venue can have. */
export function parseId(text: string): number | undefined {
  if (!WIRE_ID.test(text)) return undefined;
  const id = Number(text.slice(1));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
