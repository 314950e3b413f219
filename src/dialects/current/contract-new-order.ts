/**
 * The fields of a new contract order and the command they make, in whole ticks and lots. The shape
 * of every field is checked first, then the contract, then prices and size: margin, positions and
 * the price band are the engine's to check. An order names its side of the position.
 */
import Type from 'typebox';
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  closeOf,
  type Force,
  type HoldSide,
  isOpen,
  isRefused,
  type Listings,
  type OrderType,
  openOf,
  type PlaceContractOrder,
  type Refused,
  type Side,
  type Ticks,
  type TpSlTerms,
  type WorkingPrice,
} from '#domain';
import { Fields } from '../kit/fields.ts';
import { orderReader } from '../kit/new-order.ts';
import {
  type Field,
  optionalFlag,
  optionalText,
  requestSchema,
  requiredText,
} from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import { readContractPrice, readContractSize } from './contract-amounts.ts';
import { WORKING_TYPE_WORDS } from './contract-order-row.ts';
import { CONTRACT, contractNamed, POSITION_SIDE_WORDS } from './contract-terms.ts';
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from './enums.ts';
import { clientIdOfUpTo } from './parameters.ts';
import { WORKING_PRICE_OF } from './trigger-words.ts';

/** New orders in one batch. */
export const NEW_ORDERS_MAX = 5;
const CLIENT_ID_LENGTH_MAX = 36;
const PRICE_TEXT = 'Limit price; ignored for a market order';

const POSITION_SIDES: ReadonlyMap<string, HoldSide> = new Map([
  ['long', 'long'],
  ['short', 'short'],
]);

export const POSITION_SIDE: Field<HoldSide> = {
  schema: schema.required('LONG or SHORT', schema.choices(...POSITION_SIDE_WORDS)),
  read: (fields, name) =>
    fields.requiredChoice(name, POSITION_SIDES, 'long', 'side_invalid', POSITION_SIDE_WORDS),
};

const ANY_WORKING: ReadonlyMap<string, WorkingPrice | undefined> = WORKING_PRICE_OF;

/** The price that a trigger looks at. */
export function workingType(description: string): Field<WorkingPrice | undefined> {
  return {
    schema: schema.optional(
      `${description}: CONTRACT_PRICE, the default, MARK_PRICE, or INDEX_PRICE as an extension`,
      schema.choices(...WORKING_TYPE_WORDS),
    ),
    read: (fields, name) =>
      fields.choice(name, ANY_WORKING, undefined, undefined, WORKING_TYPE_WORDS),
  };
}

const REDUCE_ONLY = optionalFlag('Whether it only closes, which side and positionSide say as well');

export const CLIENT_ID = clientIdOfUpTo(CLIENT_ID_LENGTH_MAX);

const ORDER_FIELDS = {
  side: SIDE,
  positionSide: POSITION_SIDE,
  type: ORDER_TYPE,
  timeInForce: TIME_IN_FORCE,
  quantity: requiredText('Base coin'),
  price: { ...requiredText(PRICE_TEXT), schema: schema.optional(PRICE_TEXT) },
  newClientOrderId: CLIENT_ID,
  tpTriggerPrice: optionalText('Closes what it opened when the price reaches this, at market'),
  slTriggerPrice: optionalText('The same when the price falls back to this'),
  TpWorkingType: workingType('Price that tpTriggerPrice looks at'),
  SlWorkingType: workingType('Price that slTriggerPrice looks at'),
  reduceOnly: REDUCE_ONLY,
};

export const NEW_CONTRACT_ORDER_FIELDS = { symbol: CONTRACT, ...ORDER_FIELDS };

export const CONTRACT_ORDER_EXAMPLE = {
  side: 'BUY',
  positionSide: 'LONG',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '29400',
  newClientOrderId: 'grid-7',
};

/** Buying opens a long and closes a short. */
export function actionOf(side: Side, positionSide: HoldSide): ContractAction {
  const opens = (side === 'buy') === (positionSide === 'long');
  return opens ? openOf(positionSide) : closeOf(positionSide);
}

/** An order that only closes must not open. */
export function checkReduceOnly(fields: Fields, action: ContractAction): void {
  const onlyCloses = REDUCE_ONLY.read(fields, 'reduceOnly');
  if (onlyCloses && isOpen(action)) {
    fields.refuse('parameters_conflict', 'reduceOnly does not go with a side that opens');
  }
}

/** The fields of a new order, each one well-formed. */
interface Wish {
  readonly action: ContractAction;
  readonly type: OrderType;
  readonly force: Force;
  readonly quantity: string;
  readonly price: string;
  readonly clientOrderId: string | undefined;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly takeProfitWorking: WorkingPrice | undefined;
  readonly stopLossWorking: WorkingPrice | undefined;
}

function readWish(fields: Fields): Wish {
  const side = ORDER_FIELDS.side.read(fields, 'side');
  const positionSide = ORDER_FIELDS.positionSide.read(fields, 'positionSide');
  const type = ORDER_FIELDS.type.read(fields, 'type');
  const isLimit = type === 'limit';
  const force = ORDER_FIELDS.timeInForce.read(fields, 'timeInForce');
  const action = actionOf(side, positionSide);
  const wish: Wish = {
    action,
    type,
    force: isLimit ? force : 'ioc',
    quantity: ORDER_FIELDS.quantity.read(fields, 'quantity'),
    price: isLimit ? ORDER_FIELDS.price.read(fields, 'price') : '',
    clientOrderId: ORDER_FIELDS.newClientOrderId.read(fields, 'newClientOrderId'),
    takeProfit: ORDER_FIELDS.tpTriggerPrice.read(fields, 'tpTriggerPrice'),
    stopLoss: ORDER_FIELDS.slTriggerPrice.read(fields, 'slTriggerPrice'),
    takeProfitWorking: ORDER_FIELDS.TpWorkingType.read(fields, 'TpWorkingType'),
    stopLossWorking: ORDER_FIELDS.SlWorkingType.read(fields, 'SlWorkingType'),
  };
  checkReduceOnly(fields, action);
  return wish;
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceContractOrder | Refused {
  if (fields.fault !== undefined) return fields.fault;
  const { action, type, force, clientOrderId } = wish;
  const { instrumentId } = contract;
  const price = type === 'limit' ? readContractPrice(fields, wish.price, contract) : undefined;
  const sizeLots = readContractSize(fields, wish.quantity, contract);
  const tpSl = readTpSl(fields, wish, contract);
  if (fields.fault !== undefined) return fields.fault;
  const terms = { accountId, instrumentId, action, force, sizeLots, clientOrderId, ...tpSl };
  const kind = 'place_contract_order';
  return price === undefined
    ? { kind, type: 'market', ...terms }
    : { kind, type: 'limit', priceTicks: price, ...terms };
}

export const readNewContractOrder = orderReader({ symbol: CONTRACT, wish: readWish, command });

type TpSlWish = Pick<Wish, 'takeProfit' | 'stopLoss' | 'takeProfitWorking' | 'stopLossWorking'>;

/** The triggers that come with an order; a working type without its trigger means nothing. */
export function readTpSl(fields: Fields, wish: TpSlWish, contract: Contract): TpSlTerms {
  const takeProfitTicks = readIfGiven(fields, wish.takeProfit, contract);
  const stopLossTicks = readIfGiven(fields, wish.stopLoss, contract);
  const { takeProfitWorking = 'last', stopLossWorking = 'last' } = wish;
  return {
    takeProfitTicks,
    stopLossTicks,
    ...(takeProfitTicks !== undefined && takeProfitWorking !== 'last' && { takeProfitWorking }),
    ...(stopLossTicks !== undefined && stopLossWorking !== 'last' && { stopLossWorking }),
  };
}

function readIfGiven(fields: Fields, given: string, contract: Contract): Ticks | undefined {
  return given === '' ? undefined : readContractPrice(fields, given, contract);
}

/** The orders of a batch: a bad one does not spoil the others. */
export interface NewContractOrders {
  readonly items: readonly (PlaceContractOrder | Refused)[];
  /** What each calls itself, for the answer. */
  readonly clientOrderIds: readonly string[];
}

const SYMBOL_OF_ALL = optionalText('Contract of the orders that name none');

const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Array(requestSchema({ symbol: SYMBOL_OF_ALL, ...ORDER_FIELDS }), {
    description: `Orders, up to ${NEW_ORDERS_MAX}`,
    minItems: 1,
  }),
  read: (fields, name) => fields.list(name, NEW_ORDERS_MAX),
};

export const NEW_CONTRACT_ORDERS_FIELDS = { symbol: SYMBOL_OF_ALL, orderList: ORDER_LIST };

export function readNewContractOrders(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
): NewContractOrders | Refused {
  const fields = new Fields(body);
  const symbol = SYMBOL_OF_ALL.read(fields, 'symbol');
  const list = ORDER_LIST.read(fields, 'orderList');
  if (fields.fault !== undefined) return fields.fault;
  const sources = list.map((item) => Fields.ofItem(item, 'orderList'));
  return {
    items: sources.map((item) => readItem(item, symbol, listings, accountId)),
    clientOrderIds: sources.map((item) => item.text('newClientOrderId')),
  };
}

function readItem(
  item: Fields,
  symbol: string,
  listings: Listings,
  accountId: AccountId,
): PlaceContractOrder | Refused {
  const own = item.text('symbol') || symbol;
  const name = own === '' ? CONTRACT.read(item, 'symbol') : own;
  const wish = readWish(item);
  if (item.fault !== undefined) return item.fault;
  const contract = contractNamed(name, listings);
  return isRefused(contract) ? contract : command(item, wish, contract, accountId);
}
