/**
 * Ids as every dialect writes them: 10^15 plus the engine's number, which makes 16 digits whose
 * text order is their number order, and a JSON number that loses none of them. The engine's one
 * counter numbers orders, trades, bills and transfers alike, so that an order id and a fill id page
 * through the same sequence. What has no id of its client's choice is called by its own id.
 */
import { LIMITS, type OrderId, orderId } from '#domain';
import { assert } from '#kernel';

const FIRST_ID = 10 ** 15;
const WIRE_ID = /^[1-9][0-9]{15}$/;
const LAST_DIGITS = 3;
/** Of each number below it the last digits of an id. */
const LAST_TEXTS = Array.from({ length: 10 ** LAST_DIGITS }, (_, last) => {
  return String(last).padStart(LAST_DIGITS, '0');
});
/** Ids mostly follow each other: what their last digits come after is nearly always the same. */
let first = { thousands: 0, text: firstText(0) };

assert(Number.isSafeInteger(FIRST_ID + LIMITS.idMax), 'every id is a safe integer');

function firstText(thousands: number): string {
  return String(FIRST_ID / LAST_TEXTS.length + thousands);
}

/** 28 becomes "1000000000000028". */
export function formatId(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0 && id <= LIMITS.idMax, 'an id of the engine');
  const thousands = Math.floor(id / LAST_TEXTS.length);
  if (thousands !== first.thousands) first = { thousands, text: firstText(thousands) };
  return first.text + LAST_TEXTS[id - thousands * LAST_TEXTS.length];
}

/** The inverse of formatId; undefined for text that no id of this venue can have. */
export function parseId(text: string): number | undefined {
  if (!WIRE_ID.test(text)) return undefined;
  const id = Number(text) - FIRST_ID;
  return id > 0 && id <= LIMITS.idMax ? id : undefined;
}

/** The text of an order id as the order it may be. */
export function parseOrderId(text: string): OrderId | undefined {
  const id = parseId(text);
  return id === undefined ? undefined : orderId(id);
}

/**
 * Where a decimal id stands among those of this venue, be it one of them or not: comparing with the
 * result is comparing the numbers. Undefined for what is no decimal number.
 */
export function idBound(text: string): number | undefined {
  if (!/^[0-9]{1,64}$/.test(text)) return undefined;
  // Beyond the ids of this venue a number may be rounded: it stays beyond them.
  const place = Number(text) - FIRST_ID;
  return place < 0 ? -1 : Math.min(place, LIMITS.idMax);
}

/** An order or trigger order by its names. */
export interface Named {
  readonly orderId: OrderId;
  /** Undefined when its client chose none. */
  readonly clientOrderId: string | undefined;
}

/** What an order is called: as its client says, or by its own id when the client says nothing. */
export function clientIdOf({ orderId, clientOrderId }: Named): string {
  return clientOrderId ?? formatId(orderId);
}

/** What this may be the name of: of two that it fits, the one whose client chose it is meant. */
export function findNamed<T extends Named>(
  name: string,
  byChoice: (name: string) => T | undefined,
  byId: (id: OrderId) => T | undefined,
): T | undefined {
  const chosen = byChoice(name);
  if (chosen !== undefined) return chosen;
  const id = parseOrderId(name);
  const found = id === undefined ? undefined : byId(id);
  return found?.clientOrderId === undefined ? found : undefined;
}

/** As findNamed, in the history. */
export async function findPastNamed<T extends Named>(
  name: string,
  byChoice: (name: string) => Promise<T | undefined>,
  byId: (id: OrderId) => Promise<T | undefined>,
): Promise<T | undefined> {
  const chosen = await byChoice(name);
  const id = chosen === undefined ? parseOrderId(name) : undefined;
  const found = id === undefined ? chosen : await byId(id);
  return findNamed(
    name,
    () => chosen,
    () => found,
  );
}
