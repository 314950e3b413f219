/**
 * The fields of a new order and the command they make, in whole ticks and lots. The shape of every
 * field is checked first, then the pair, then price and quantity: what the market allows is the
 * engine's to check. Quantities are in base coin, also that of a market buy.
 */
import Type from 'typebox';
import { LIMITS, type PlaceSpotOrder, type SpotInstrument, type SpotOrderTerms } from '#domain';
import type { Fields } from '../kit/fields.ts';
import {
  type OrderBatch,
  orderBatchReader,
  orderReader,
  type SpotWish,
  spotReading,
} from '../kit/new-order.ts';
import { type Field, requestSchema, requiredText } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import { readPrice, readSize } from './amounts.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from './enums.ts';
import { clientIdOfUpTo } from './parameters.ts';
import { PAIR } from './spot-terms.ts';

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

function readWish(fields: Fields): SpotWish {
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

function readTerms(fields: Fields, wish: SpotWish, pair: SpotInstrument): SpotOrderTerms {
  const { side, type, force, price, quantity } = wish;
  if (type === 'market') {
    return { type, side, force, sizeLots: readSize(fields, quantity, pair.quantityScale) };
  }
  const priceTicks = readPrice(fields, price, pair.priceScale);
  const sizeLots = readSize(fields, quantity, pair.quantityScale);
  return { type, side, force, priceTicks, sizeLots };
}

const READING = spotReading(PAIR, readWish, readTerms);

export const readNewOrder = orderReader(READING);

export type NewOrders = OrderBatch<SpotInstrument, PlaceSpotOrder>;

const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Array(requestSchema(ORDER_FIELDS), {
    description: `Orders, up to ${NEW_ORDERS_MAX}`,
    minItems: 1,
  }),
  read: (fields, name) => fields.list(name, NEW_ORDERS_MAX),
};

export const NEW_ORDERS_FIELDS = { symbol: PAIR, orderList: ORDER_LIST };

export const readNewOrders = orderBatchReader(READING, ORDER_LIST, 'newClientOrderId');
