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
const LAST_DIGITS = 3;
/** Of each number below it the last digits of an id. */
const LAST_TEXTS = Array.from({ length: 10 ** LAST_DIGITS }, (_, last) => {
  return String(last).padStart(LAST_DIGITS, '0');
});
/** Ids mostly follow each other: what their last digits come after is nearly always the same. */
let first = { thousands: 0, text: firstText(0) };

function firstText(thousands: number): string {
  return FIRST_DIGIT + String(thousands).padStart(DIGITS - LAST_DIGITS, '0');
}

/** 28 becomes "700000000000000028". */
export function formatId(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0, 'an id is a safe integer');
  const thousands = Math.floor(id / LAST_TEXTS.length);
  if (thousands !== first.thousands) first = { thousands, text: firstText(thousands) };
  return first.text + LAST_TEXTS[id - thousands * LAST_TEXTS.length];
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
