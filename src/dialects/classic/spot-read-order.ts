/**
 * Turns the fields of a new order into a command in whole ticks and lots. The shape of every field
 * is checked first, then the pair, then price and quantity: the order of the table of refusals.
 * What the market allows (bounds, balances) is the engine's to check.
 */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Amount,
  type Force,
  isRefused,
  LIMITS,
  type Listings,
  lots,
  type OrderType,
  type PlaceSpotOrder,
  type Refused,
  type Side,
  type SpotInstrument,
  type SpotOrderTerms,
  ticks,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { parseDecimal, parseScaled } from '#kernel';
import { Fields, shown } from '../fields.ts';
import { resolvePair } from './spot-read-pair.ts';
import { CLIENT_ORDER_ID_NAMES } from './spot-terms.ts';

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['buy', 'buy'],
  ['sell', 'sell'],
]);

const ORDER_TYPES: ReadonlyMap<string, OrderType> = new Map([
  ['limit', 'limit'],
  ['market', 'market'],
]);

const FORCES: ReadonlyMap<string, Force> = new Map([
  ['normal', 'gtc'],
  ['gtc', 'gtc'],
  ['post_only', 'post_only'],
  ['postonly', 'post_only'],
  ['fok', 'fok'],
  ['ioc', 'ioc'],
]);

/** The fields of a new order, each one well-formed. */
interface Wish {
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  readonly price: string;
  readonly quantity: string;
  readonly clientOrderId: string;
}

/** The command of one new order. */
export function readNewOrder(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): PlaceSpotOrder | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const wish = readWish(fields);
  const pair = resolvePair(fields, symbol, listings);
  return isRefused(pair) ? pair : command(fields, wish, pair, accountId);
}

export interface NewOrderBatch {
  /** One per item, in request order: a bad item does not spoil the others. */
  readonly items: readonly (PlaceSpotOrder | Refused)[];
  /** What each item calls itself, for the answer. */
  readonly clientOrderIds: readonly string[];
}

/** The commands of a batch of new orders in one pair. */
export function readNewOrders(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): NewOrderBatch | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const list = fields.list('orderList', LIMITS.spotBatchMax);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  const sources = list.map(itemFields);
  return {
    items: sources.map((item) => command(item, readWish(item), pair, accountId)),
    clientOrderIds: sources.map((item) => item.text(...CLIENT_ORDER_ID_NAMES)),
  };
}

function itemFields(item: unknown): Fields {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return new Fields(item as JsonObject);
  }
  const fields = new Fields({});
  fields.refuse('parameter_invalid', 'an entry of orderList must be an object');
  return fields;
}

function readWish(fields: Fields): Wish {
  const side = fields.requiredChoice('side', SIDES, 'buy');
  const type = fields.requiredChoice('orderType', ORDER_TYPES, 'limit');
  const isLimit = type === 'limit';
  return {
    side,
    type,
    // Clients send any word here with a market order, which is always immediate-or-cancel.
    force: isLimit ? fields.choice('force', FORCES, 'gtc') : 'ioc',
    price: isLimit ? fields.requiredText('price') : '',
    quantity: fields.requiredText('quantity'),
    clientOrderId: fields.clientId(...CLIENT_ORDER_ID_NAMES),
  };
}

function command(
  fields: Fields,
  wish: Wish,
  pair: SpotInstrument,
  accountId: AccountId,
): PlaceSpotOrder | Refused {
  if (fields.fault !== undefined) return fields.fault;
  const terms = readTerms(fields, wish, pair);
  if (fields.fault !== undefined) return fields.fault;
  const { clientOrderId } = wish;
  const { instrumentId } = pair;
  return { kind: 'place_spot_order', accountId, instrumentId, ...terms, clientOrderId };
}

function readTerms(fields: Fields, wish: Wish, pair: SpotInstrument): SpotOrderTerms {
  const { type, side, force, price, quantity } = wish;
  if (type === 'limit') {
    const priceTicks = readPrice(fields, price, pair);
    return { type, side, force, priceTicks, sizeLots: readSize(fields, quantity, pair) };
  }
  return side === 'sell'
    ? { type, side, force, sizeLots: readSize(fields, quantity, pair) }
    : { type, side, force, quoteBudget: readBudget(fields, quantity, pair) };
}

function readPrice(fields: Fields, given: string, pair: SpotInstrument) {
  const value = parseScaled(given, pair.priceScale);
  if (typeof value === 'number' && value > 0) return ticks(value);
  fields.refuse('price_invalid', whyNot(given, value, pair.priceScale));
  return ZERO_TICKS;
}

function readSize(fields: Fields, given: string, pair: SpotInstrument) {
  const value = parseScaled(given, pair.quantityScale);
  if (typeof value === 'number' && value > 0) return lots(value);
  const reject = value === 'too_large' ? 'quantity_above_maximum' : 'quantity_invalid';
  fields.refuse(reject, whyNot(given, value, pair.quantityScale));
  return ZERO_LOTS;
}

function readBudget(fields: Fields, given: string, pair: SpotInstrument): Amount {
  const value = parseDecimal(given, pair.quote.scale);
  if (typeof value === 'bigint' && value > 0n) return value;
  const reject = value === 'too_large' ? 'quantity_above_maximum' : 'quantity_invalid';
  fields.refuse(reject, whyNot(given, value, pair.quote.scale));
  return 0n;
}

/** Why a number was refused: its own fault, or that it is not above zero. */
export function whyNot(given: string, fault: unknown, scale: number): string {
  if (fault === 'malformed') return `${shown(given)} is not a plain decimal number`;
  if (fault === 'too_precise') return `${shown(given)} has more than ${scale} decimal places`;
  if (fault === 'too_large') return `${shown(given)} is too large`;
  return `${shown(given)} is not above zero`;
}
