/**
 * Identifiers as the wire shows them: decimal strings of 18 digits whose text order is their
 * number order. Inside, one counter numbers orders, trades, bills and transfers alike, so that
 * an order id and a fill id page through the same sequence.
 */
import { assert } from '#kernel';

const FIRST_DIGIT = '7';
const DIGITS = 17;
const WIRE_ID = /^7[0-9]{17}$/;

/** 28 becomes "700000000000000028". */
export function formatId(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0, 'an id is a safe integer');
  return FIRST_DIGIT + String(id).padStart(DIGITS, '0');
}

/** The inverse of formatId; undefined for text that no id of this venue can have. */
export function parseId(text: string): number | undefined {
  if (!WIRE_ID.test(text)) return undefined;
  const id = Number(text.slice(1));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
