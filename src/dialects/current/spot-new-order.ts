/**
 * The fields of a new order and the command they make, in whole ticks and lots. The shape of every
 * field is checked first, then the pair, then price and quantity: what the market allows is the
 * engine's to check. Quantities are in base coin, also that of a market buy.
 */
import Type from 'typebox';
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Force,
  isRefused,
  LIMITS,
  type Listings,
  type OrderType,
  type PlaceSpotOrder,
  type Refused,
  type Side,
  type SpotInstrument,
  type SpotOrderTerms,
} from '#domain';
import { Fields } from '../fields.ts';
import { type Field, requestSchema, requiredText } from '../request.ts';
import * as schema from '../schema.ts';
import { readPrice, readSize } from './amounts.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from './enums.ts';
import { clientIdOfUpTo } from './parameters.ts';
import { PAIR, pairOf } from './spot-terms.ts';

/** New orders in one batch. */
export const NEW_ORDERS_MAX = 10;

const PRICE_TEXT = 'Limit price; ignored for a market order';

const ORDER_FIELDS = {
  side: SIDE,
  type: ORDER_TYPE,
  timeInForce: TIME_IN_FORCE,
  quantity: requiredText('Base coin, also for a market buy'),
  price: { ...requiredText(PRICE_TEXT), schema: schema.optional(PRICE_TEXT) },
  newClientOrderId: clientIdOfUpTo(LIMITS.clientIdLengthMax),
};

export const NEW_ORDER_FIELDS = { symbol: PAIR, ...ORDER_FIELDS };

export const ORDER_EXAMPLE = {
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.0005',
  price: '29400',
  newClientOrderId: 'grid-7',
};

/** The fields of a new order, each one well-formed. */
interface Wish {
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  readonly quantity: string;
  readonly price: string;
  readonly clientOrderId: string | undefined;
}

/** The command of one new order. Written by hand: every order goes this way, and it is measured. */
export function readNewOrder(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
): PlaceSpotOrder | Refused {
  const fields = new Fields(body);
  const symbol = PAIR.read(fields, 'symbol');
  const wish = readWish(fields);
  if (fields.fault !== undefined) return fields.fault;
  const pair = pairOf(symbol, listings);
  return isRefused(pair) ? pair : command(fields, wish, pair, accountId);
}

function readWish(fields: Fields): Wish {
  const side = ORDER_FIELDS.side.read(fields, 'side');
  const type = ORDER_FIELDS.type.read(fields, 'type');
  const isLimit = type === 'limit';
  return {
    side,
    type,
    force: isLimit ? ORDER_FIELDS.timeInForce.read(fields, 'timeInForce') : 'ioc',
    quantity: ORDER_FIELDS.quantity.read(fields, 'quantity'),
    price: isLimit ? ORDER_FIELDS.price.read(fields, 'price') : '',
    clientOrderId: ORDER_FIELDS.newClientOrderId.read(fields, 'newClientOrderId'),
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
  const { side, type, force, price, quantity } = wish;
  if (type === 'market') {
    return { type, side, force, sizeLots: readSize(fields, quantity, pair.quantityScale) };
  }
  const priceTicks = readPrice(fields, price, pair.priceScale);
  const sizeLots = readSize(fields, quantity, pair.quantityScale);
  return { type, side, force, priceTicks, sizeLots };
}

export interface NewOrders {
  readonly pair: SpotInstrument;
  /** One per item, in request order: a bad item does not spoil the others. */
  readonly items: readonly (PlaceSpotOrder | Refused)[];
  /** What each item calls itself, for the answer. */
  readonly clientOrderIds: readonly string[];
}

const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Array(requestSchema(ORDER_FIELDS), {
    description: `Orders, up to ${NEW_ORDERS_MAX}`,
    minItems: 1,
  }),
  read: (fields, name) => fields.list(name, NEW_ORDERS_MAX),
};

export const NEW_ORDERS_FIELDS = { symbol: PAIR, orderList: ORDER_LIST };

/** The commands of a batch of new orders in one pair. */
export function readNewOrders(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
): NewOrders | Refused {
  const fields = new Fields(body);
  const symbol = PAIR.read(fields, 'symbol');
  const list = ORDER_LIST.read(fields, 'orderList');
  if (fields.fault !== undefined) return fields.fault;
  const pair = pairOf(symbol, listings);
  if (isRefused(pair)) return pair;
  const sources = list.map((item) => Fields.ofItem(item, 'orderList'));
  return {
    pair,
    items: sources.map((item) => command(item, readWish(item), pair, accountId)),
    clientOrderIds: sources.map((item) => item.text('newClientOrderId')),
  };
}
