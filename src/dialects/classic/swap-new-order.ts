/**
 * The fields of a new contract order and their reader. The shape of every field is checked first,
 * then the contract, then prices and size: the order of the table of refusals. Margin, positions
 * and the price band are the engine's to check.
 */
import Type from 'typebox';
import { type JsonObject, parseJsonList } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  type Force,
  LIMITS,
  type OrderType,
  type PlaceContractOrder,
  type Refused,
  type Ticks,
  ticks,
  type WorkingPrice,
  ZERO_TICKS,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { noteUnits } from '../kit/decimals.ts';
import { Fields, shown } from '../kit/fields.ts';
import { orderReader } from '../kit/new-order.ts';
import {
  clientId,
  type Field,
  optionalChoice,
  optionalText,
  requestSchema,
  requiredChoice,
  requiredText,
} from '../kit/request.ts';
import { readContracts } from './sizes.ts';
import { ACTION_NUMBERS } from './swap-orders.ts';
import { CONTRACT } from './swap-terms.ts';
import { PRESET_TYPES } from './trigger-types.ts';

export const ACTIONS: ReadonlyMap<string, ContractAction> = new Map([
  [ACTION_NUMBERS.open_long, 'open_long'],
  [ACTION_NUMBERS.open_short, 'open_short'],
  [ACTION_NUMBERS.close_long, 'close_long'],
  [ACTION_NUMBERS.close_short, 'close_short'],
]);

const FORCES: ReadonlyMap<string, Force> = new Map([
  ['0', 'gtc'],
  ['1', 'post_only'],
  ['2', 'fok'],
  ['3', 'ioc'],
]);

export const ORDER_TYPES: ReadonlyMap<string, OrderType> = new Map([
  ['0', 'limit'],
  ['1', 'market'],
]);

/** Names under which clients send the id they chose. */
const CLIENT_ID_NAMES = ['client_oid', 'clientOid', 'clientOrderId'] as const;

export const CLIENT_OID = clientId(
  'Up to 40 characters without spaces and quotes, not used by an open order; ' +
    'the venue makes one up when there is none',
  ...CLIENT_ID_NAMES,
);
export const ORDER_SIZE = requiredText('Quantity in contracts');

export const ORDER_FIELDS = {
  client_oid: CLIENT_OID,
  size: ORDER_SIZE,
  type: requiredChoice(
    '1 open long, 2 open short, 3 close long, 4 close short',
    ACTIONS,
    'open_long',
  ),
  order_type: optionalChoice(
    '0 normal, 1 post only, 2 fill or kill, 3 immediate or cancel; for a market order 0, 2 or 3',
    FORCES,
    'gtc',
  ),
  match_price: optionalChoice('0 limit price, 1 market price', ORDER_TYPES, 'limit'),
  price: optionalText('Limit price; ignored for a market order'),
  presetTakeProfitPrice: optionalText('Closes what the order opened when the price reaches it'),
  presetStopLossPrice: optionalText('Closes what the order opened when the price falls back to it'),
  ...PRESET_TYPES,
};

/** The fields of a new order, each one well-formed. */
interface Wish {
  readonly action: ContractAction;
  readonly type: OrderType;
  readonly force: Force;
  readonly price: string;
  readonly size: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly takeProfitWorking: WorkingPrice | undefined;
  readonly stopLossWorking: WorkingPrice | undefined;
  readonly clientOrderId: string | undefined;
}

function readWish(fields: Fields): Wish {
  const action = ORDER_FIELDS.type.read(fields, 'type');
  const type = ORDER_FIELDS.match_price.read(fields, 'match_price');
  const force = ORDER_FIELDS.order_type.read(fields, 'order_type');
  if (type === 'market' && force === 'post_only') {
    fields.refuse('parameter_invalid', 'a market order cannot be post only');
  }
  const takeProfit = ORDER_FIELDS.presetTakeProfitPrice.read(fields, 'presetTakeProfitPrice');
  const stopLoss = ORDER_FIELDS.presetStopLossPrice.read(fields, 'presetStopLossPrice');
  return {
    action,
    type,
    force: type === 'limit' || force === 'fok' ? force : 'ioc',
    // Clients send null or any price with a market order.
    price: type === 'limit' ? fields.requiredText('price') : '',
    size: ORDER_FIELDS.size.read(fields, 'size'),
    takeProfit,
    stopLoss,
    takeProfitWorking: readPresetType(fields, 'presetTakeProfitTriggerType'),
    stopLossWorking: readPresetType(fields, 'presetStopLossTriggerType'),
    clientOrderId: ORDER_FIELDS.client_oid.read(fields, 'client_oid'),
  };
}

function readPresetType(fields: Fields, name: keyof typeof PRESET_TYPES) {
  return PRESET_TYPES[name].read(fields, name);
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceContractOrder | Refused {
  if (fields.fault !== undefined) return fields.fault;
  const { action, type, force, clientOrderId } = wish;
  // Two objects spelled out: spreading the price into one costs a third of the reading.
  const priceTicks =
    type === 'limit' ? readPrice(fields, 'price', wish.price, contract) : ZERO_TICKS;
  const sizeLots = readContracts(fields, wish.size, contract);
  const takeProfitTicks = readPriceIfGiven(
    fields,
    'presetTakeProfitPrice',
    wish.takeProfit,
    contract,
  );
  const stopLossTicks = readPriceIfGiven(fields, 'presetStopLossPrice', wish.stopLoss, contract);
  const { instrumentId } = contract;
  // A price to look at without its trigger means nothing.
  const takeProfitWorking = wish.takeProfit === '' ? undefined : wish.takeProfitWorking;
  const stopLossWorking = wish.stopLoss === '' ? undefined : wish.stopLossWorking;
  const kind = 'place_contract_order';
  const placed: PlaceContractOrder =
    type === 'limit'
      ? {
          kind,
          accountId,
          instrumentId,
          action,
          type,
          priceTicks,
          force,
          sizeLots,
          clientOrderId,
          takeProfitTicks,
          stopLossTicks,
          takeProfitWorking,
          stopLossWorking,
        }
      : {
          kind,
          accountId,
          instrumentId,
          action,
          type,
          force,
          sizeLots,
          clientOrderId,
          takeProfitTicks,
          stopLossTicks,
          takeProfitWorking,
          stopLossWorking,
        };
  return fields.fault ?? placed;
}

/** It is read by hand: a market order has no price, and nothing else is read as often. */
export const readContractOrder = orderReader({ symbol: CONTRACT, wish: readWish, command });

function readPriceIfGiven(
  fields: Fields,
  name: string,
  given: string,
  contract: Contract,
): Ticks | undefined {
  return given === '' ? undefined : readPrice(fields, name, given, contract);
}

/** A price in ticks. It must be on a step of the contract. */
export function readPrice(
  fields: Fields,
  name: string,
  given: string,
  { priceScale, priceStepTicks }: Contract,
): Ticks {
  const value = noteUnits(fields, given, { scale: priceScale, reject: 'price_invalid', name });
  if (value % priceStepTicks === 0) return ticks(value);
  const step = formatTrimmed(priceStepTicks, priceScale);
  fields.refuse('price_invalid', `${name} ${shown(given)} is not a multiple of ${step}`);
  return ZERO_TICKS;
}

/** Half of the clients send orderDataList as a list, half send order_data as the text of one. */
export const ORDER_LIST: Field<readonly unknown[]> = {
  schema: Type.Optional(
    Type.Array(requestSchema(ORDER_FIELDS), { description: 'Orders, up to 20', minItems: 1 }),
  ),
  read: (fields, listName) => {
    const own = fields.value(listName);
    const name = own === '' ? 'order_data' : listName;
    const given = fields.value(name);
    const list = typeof given === 'string' ? parseJsonList(given) : given;
    if (!Array.isArray(list) || list.length === 0) {
      fields.refuse('parameter_invalid', `${listName} must be a list with at least one entry`);
      return [];
    }
    const most = LIMITS.contractBatchMax;
    if (list.length <= most) return list;
    fields.refuse('contract_batch_too_large', `${list.length} in ${name}, at most ${most}`);
    return [];
  },
};

function itemFields(item: unknown): Fields {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return new Fields(item as JsonObject);
  }
  const fields = new Fields({});
  fields.refuse('parameter_invalid', 'an entry of orderDataList must be an object');
  return fields;
}

/** An order of a batch: a bad one does not spoil the others. */
export interface BatchItem {
  readonly order: PlaceContractOrder | Refused;
  /** What it calls itself, for the answer. */
  readonly clientOrderId: string;
}

export function readBatchItem(item: unknown, contract: Contract, accountId: AccountId): BatchItem {
  const fields = itemFields(item);
  const order = command(fields, readWish(fields), contract, accountId);
  return { order, clientOrderId: fields.text(...CLIENT_ID_NAMES) };
}
