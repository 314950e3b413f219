/**
 * The fields of a new order, the same for pairs and contracts, and the command they make. What the
 * market and the account allow is the engine's to check.
 */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  type Force,
  isRefused,
  type Listings,
  type OrderType,
  type PlaceContractOrder,
  type PlaceSpotOrder,
  type Refused,
  type Side,
  type SpotInstrument,
  type SpotOrderTerms,
} from '#domain';
import { readDecimal } from '../kit/decimals.ts';
import { Fields } from '../kit/fields.ts';
import {
  clientId,
  optionalChoice,
  optionalFlag,
  optionalText,
  requiredChoice,
} from '../kit/request.ts';
import { conflict, readPrice, readSize } from './amounts.ts';
import { FORCES } from './order-rows.ts';
import { isPair, MARKET, SIDES } from './terms.ts';
import { givenTpSl, readTpSlWish, TP_SL_FIELDS, type TpSlWish, tpSlOf } from './tp-sl.ts';

const TYPES: ReadonlyMap<string, OrderType> = new Map([
  ['limit', 'limit'],
  ['market', 'market'],
]);
const FORCE_WORDS: ReadonlyMap<string, Force> = new Map(FORCES.map((force) => [force, force]));

export const NEW_ORDER_FIELDS = {
  symbol: MARKET,
  side: requiredChoice('Side', SIDES, 'buy'),
  type: requiredChoice('Type', TYPES, 'limit'),
  size: optionalText('Base coin, or contracts; left out where a market buy says what to spend'),
  price: optionalText('Of a limit order'),
  spend: optionalText('Quote coin that a market buy of a pair spends, in place of a size'),
  timeInForce: optionalChoice(
    'Of a limit order; fok also of a market order of a contract',
    FORCE_WORDS,
    'gtc',
  ),
  reduceOnly: optionalFlag(
    'Only closes: a buy a short, a sell a long. Of contracts; false without it',
  ),
  ...TP_SL_FIELDS,
  clientId: clientId('Up to 40 characters without spaces and quotes, not used by an open order'),
};

export const ORDER_EXAMPLE = {
  symbol: 'BTC-USDT',
  side: 'buy',
  type: 'limit',
  price: '29400',
  size: '0.0005',
  clientId: 'grid-7',
};

interface Wish extends TpSlWish {
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  readonly size: string;
  readonly price: string;
  readonly spend: string;
  readonly reduceOnly: boolean;
  readonly clientOrderId: string | undefined;
}

export type NewOrder = PlaceSpotOrder | PlaceContractOrder;

export function readNewOrder(
  input: JsonObject,
  listings: Listings,
  accountId: AccountId,
): NewOrder | Refused {
  const fields = new Fields(input);
  const symbol = MARKET.read(fields, 'symbol');
  const wish = readWish(fields);
  refuseStrangers(fields, input, NEW_ORDER_FIELDS);
  if (fields.fault !== undefined) return fields.fault;
  const market = MARKET.find(symbol, listings);
  if (isRefused(market)) return market;
  return isPair(market)
    ? ofPair(fields, wish, market, accountId)
    : ofContract(fields, wish, market, accountId);
}

/** An order is money: a field that is not known here may have been meant to protect it. */
export function refuseStrangers(fields: Fields, input: JsonObject, known: object): void {
  const stranger = Object.keys(input).find((name) => !Object.hasOwn(known, name));
  if (stranger === undefined) return;
  const names = Object.keys(known).join(', ');
  fields.refuse('parameter_invalid', `${stranger.slice(0, 40)} is not known, takes ${names}`);
}

function readWish(fields: Fields): Wish {
  const { side, type, size, price, spend, timeInForce, reduceOnly } = NEW_ORDER_FIELDS;
  const { clientId: id } = NEW_ORDER_FIELDS;
  const wish = {
    side: side.read(fields, 'side'),
    type: type.read(fields, 'type'),
    size: size.read(fields, 'size'),
    price: price.read(fields, 'price'),
    spend: spend.read(fields, 'spend'),
    force: timeInForce.read(fields, 'timeInForce'),
    reduceOnly: reduceOnly.read(fields, 'reduceOnly'),
    ...readTpSlWish(fields),
    clientOrderId: id.read(fields, 'clientId'),
  };
  const isMarket = wish.type === 'market';
  if (isMarket && wish.price !== '') conflict(fields, 'price', 'a market order');
  if (isMarket && fields.has('timeInForce') && !TAKING.includes(wish.force)) {
    conflict(fields, 'timeInForce', 'a market order, which is ioc');
  }
  if (!isMarket && wish.price === '') fields.missing('price');
  const spends = isMarket && wish.side === 'buy' && wish.spend !== '';
  if (wish.spend !== '' && !spends) conflict(fields, 'spend', 'anything but a market buy');
  if (spends && wish.size !== '') conflict(fields, 'spend', 'a size');
  if (!spends && wish.size === '') fields.missing('size');
  return isMarket && wish.force !== 'fok' ? { ...wish, force: 'ioc' } : wish;
}

/** What a market order can be: it rests nowhere. */
const TAKING: readonly Force[] = ['ioc', 'fok'];

function ofPair(
  fields: Fields,
  wish: Wish,
  pair: SpotInstrument,
  accountId: AccountId,
): PlaceSpotOrder | Refused {
  for (const name of givenTpSl(wish)) conflict(fields, name, 'a pair');
  if (wish.reduceOnly) conflict(fields, 'reduceOnly', 'a pair');
  if (wish.type === 'market' && wish.force === 'fok') {
    conflict(fields, 'timeInForce', 'a market order of a pair, which is ioc');
  }
  const terms = termsOfPair(fields, wish, pair);
  if (fields.fault !== undefined) return fields.fault;
  const { clientOrderId } = wish;
  const { instrumentId } = pair;
  return { kind: 'place_spot_order', accountId, instrumentId, ...terms, clientOrderId };
}

function termsOfPair(fields: Fields, wish: Wish, pair: SpotInstrument): SpotOrderTerms {
  const { side, type, force } = wish;
  if (type === 'limit') {
    const priceTicks = readPrice(fields, 'price', wish.price, pair);
    return { type, side, force, priceTicks, sizeLots: readSize(fields, wish.size, pair) };
  }
  if (wish.spend === '') return { type, side, force, sizeLots: readSize(fields, wish.size, pair) };
  const rule = { scale: pair.quote.scale, reject: 'quantity_invalid', name: 'spend' } as const;
  const budget = readDecimal(wish.spend, rule);
  if (isRefused(budget)) fields.fail(budget);
  return { type, side: 'buy', force, quoteBudget: isRefused(budget) ? 0n : budget };
}

function actionOf(side: Side, reduceOnly: boolean): ContractAction {
  if (reduceOnly) return side === 'buy' ? 'close_short' : 'close_long';
  return side === 'buy' ? 'open_long' : 'open_short';
}

function ofContract(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceContractOrder | Refused {
  const { type, force, clientOrderId, reduceOnly } = wish;
  if (wish.spend !== '') conflict(fields, 'spend', 'a contract');
  if (reduceOnly) for (const name of givenTpSl(wish)) conflict(fields, name, 'reduceOnly');
  const price = type === 'limit' ? readPrice(fields, 'price', wish.price, contract) : undefined;
  const sizeLots = readSize(fields, wish.size, contract);
  const tpSl = tpSlOf(fields, wish, contract);
  if (fields.fault !== undefined) return fields.fault;
  const action = actionOf(wish.side, reduceOnly);
  const { instrumentId } = contract;
  const terms = { accountId, instrumentId, action, force, sizeLots, clientOrderId, ...tpSl };
  const kind = 'place_contract_order';
  return price === undefined
    ? { kind, type: 'market', ...terms }
    : { kind, type: 'limit', priceTicks: price, ...terms };
}
