/**
 * The fields of a new order and the command they make, in whole ticks and lots. The shape of every
 * field is checked first, then the pair, then price and quantity: the order of the table of
 * refusals. What the market allows (bounds, balances) is the engine's to check.
 */
import Type from 'typebox';
import {
  type Amount,
  type Force,
  isRefused,
  LIMITS,
  type OrderType,
  type PlaceSpotOrder,
  type Side,
  type SpotInstrument,
  type SpotOrderTerms,
  ticks,
} from '#domain';
import { noteUnits, readDecimal } from '../kit/decimals.ts';
import type { Fields } from '../kit/fields.ts';
import {
  type OrderBatch,
  orderBatchReader,
  orderReader,
  type SpotWish,
  spotReading,
} from '../kit/new-order.ts';
import {
  type Field,
  optionalChoice,
  requestSchema,
  requiredChoice,
  requiredText,
} from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import { readSize } from './sizes.ts';
import { CLIENT_ID_NAMES, clientIdField, PAIR } from './spot-terms.ts';

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

const ORDER_FIELDS = {
  side: requiredChoice('buy or sell', SIDES, 'buy'),
  orderType: requiredChoice('limit or market', ORDER_TYPES, 'limit'),
  force: optionalChoice(
    'normal or gtc, post_only, fok, ioc; ignored for a market order',
    FORCES,
    'gtc',
    ['normal', 'gtc', 'post_only', 'fok', 'ioc'],
  ),
  price: {
    ...requiredText('Limit price; ignored for a market order'),
    schema: schema.optional('Limit price; ignored for a market order'),
  },
  quantity: requiredText('Base coin; for a market buy the quote coin to spend'),
  clientOrderId: clientIdField(
    'Up to 40 characters without spaces and quotes, not used by an open order',
  ),
};

export const ORDER_EXAMPLE = {
  side: 'buy',
  orderType: 'limit',
  force: 'normal',
  price: '29400',
  quantity: '0.0005',
  clientOrderId: 'grid#7',
};

export const NEW_ORDER_FIELDS = { symbol: PAIR, ...ORDER_FIELDS };

function readWish(fields: Fields): SpotWish {
  const side = ORDER_FIELDS.side.read(fields, 'side');
  const type = ORDER_FIELDS.orderType.read(fields, 'orderType');
  const isLimit = type === 'limit';
  return {
    side,
    type,
    // Clients send any word here with a market order, which is always immediate-or-cancel.
    force: isLimit ? ORDER_FIELDS.force.read(fields, 'force') : 'ioc',
    price: isLimit ? ORDER_FIELDS.price.read(fields, 'price') : '',
    quantity: ORDER_FIELDS.quantity.read(fields, 'quantity'),
    clientOrderId: ORDER_FIELDS.clientOrderId.read(fields, 'clientOrderId'),
  };
}

function readTerms(fields: Fields, wish: SpotWish, pair: SpotInstrument): SpotOrderTerms {
  const { type, side, force, price, quantity } = wish;
  if (type === 'limit') {
    const priceTicks = readPrice(fields, price, pair);
    return { type, side, force, priceTicks, sizeLots: readSize(fields, quantity, pair) };
  }
  return side === 'sell'
    ? { type, side, force, sizeLots: readSize(fields, quantity, pair) }
    : { type, side, force, quoteBudget: readBudget(fields, quantity, pair) };
}

export function readPrice(fields: Fields, given: string, pair: SpotInstrument) {
  return ticks(noteUnits(fields, given, { scale: pair.priceScale, reject: 'price_invalid' }));
}

function readBudget(fields: Fields, given: string, pair: SpotInstrument): Amount {
  const budget = readDecimal(given, {
    scale: pair.quote.scale,
    reject: 'quantity_invalid',
    tooLarge: 'quantity_above_maximum',
  });
  if (!isRefused(budget)) return budget;
  fields.fail(budget);
  return 0n;
}

const READING = spotReading(PAIR, readWish, readTerms);

export const readNewOrder = orderReader(READING);

export type NewOrderBatch = OrderBatch<SpotInstrument, PlaceSpotOrder>;

const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Array(requestSchema(ORDER_FIELDS), {
    description: 'Orders, up to 50',
    minItems: 1,
  }),
  read: (fields, name) => fields.list(name, LIMITS.spotBatchMax),
};

export const NEW_BATCH_FIELDS = { symbol: PAIR, orderList: ORDER_LIST };

export const readNewOrders = orderBatchReader(READING, ORDER_LIST, ...CLIENT_ID_NAMES);
