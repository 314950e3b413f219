/**
 * Turns the fields of a contract order, a cancel or a query of orders into what the venue and its
 * views ask for. Shape comes first, then the contract, then prices and size: the order of the
 * table of refusals. Margin, positions and the price band are the engine's to check.
 */
import { type JsonObject, parseJsonList } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  type Force,
  isRefused,
  LIMITS,
  type Listings,
  type Lots,
  lots,
  type OrderId,
  type OrderStatus,
  type OrderType,
  orderId,
  type PlaceContractOrder,
  parseId,
  type Refused,
  type Ticks,
  ticks,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { formatTrimmed, parseScaled } from '#kernel';
import { Fields, scalarText, shown, whyNot } from '../fields.ts';

import { type LongPage, readLongPage, resolveContract } from './swap-read-contract.ts';

export const ACTIONS: ReadonlyMap<string, ContractAction> = new Map([
  ['1', 'open_long'],
  ['2', 'open_short'],
  ['3', 'close_long'],
  ['4', 'close_short'],
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
export const CLIENT_OID_NAMES = ['client_oid', 'clientOid', 'clientOrderId'] as const;

const MS_PER_DAY = 86_400_000;

/** The fields of a new order, each one well-formed. */
interface Wish {
  readonly action: ContractAction;
  readonly type: OrderType;
  readonly force: Force;
  readonly price: string;
  readonly size: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly clientOrderId: string;
}

/** The command of one new order. */
export function readContractOrder(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): PlaceContractOrder | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const wish = readWish(fields);
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : command(fields, wish, contract, accountId);
}

export interface ContractOrderBatch {
  /** One per item, in request order: a bad item does not spoil the others. */
  readonly items: readonly (PlaceContractOrder | Refused)[];
  /** What each item calls itself, for the answer. */
  readonly clientOrderIds: readonly string[];
}

/** The commands of a batch of new orders in one contract. */
export function readContractOrders(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): ContractOrderBatch | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const list = readOrderList(fields, body);
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const sources = list.map(itemFields);
  return {
    items: sources.map((item) => command(item, readWish(item), contract, accountId)),
    clientOrderIds: sources.map((item) => item.text(...CLIENT_OID_NAMES)),
  };
}

/** Half of the clients send orderDataList as a list, half send order_data as the text of one. */
function readOrderList(fields: Fields, body: JsonObject): readonly unknown[] {
  const name = isGiven(body.orderDataList) ? 'orderDataList' : 'order_data';
  const given = Object.hasOwn(body, name) ? body[name] : undefined;
  const list = typeof given === 'string' ? parseJsonList(given) : given;
  if (!Array.isArray(list) || list.length === 0) {
    fields.refuse('parameter_invalid', 'orderDataList must be a list with at least one entry');
    return [];
  }
  const most = LIMITS.contractBatchMax;
  if (list.length <= most) return list;
  fields.refuse('contract_batch_too_large', `${list.length} in ${name}, at most ${most}`);
  return [];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function itemFields(item: unknown): Fields {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return new Fields(item as JsonObject);
  }
  const fields = new Fields({});
  fields.refuse('parameter_invalid', 'an entry of orderDataList must be an object');
  return fields;
}

function readWish(fields: Fields): Wish {
  const action = fields.requiredChoice('type', ACTIONS, 'open_long');
  const type = fields.choice('match_price', ORDER_TYPES, 'limit');
  const force = fields.choice('order_type', FORCES, 'gtc');
  if (type === 'market' && force === 'post_only') {
    fields.refuse('parameter_invalid', 'a market order cannot be post only');
  }
  return {
    action,
    type,
    force: type === 'limit' || force === 'fok' ? force : 'ioc',
    // Clients send null or any price with a market order.
    price: type === 'limit' ? fields.requiredText('price') : '',
    size: fields.requiredText('size'),
    takeProfit: fields.text('presetTakeProfitPrice'),
    stopLoss: fields.text('presetStopLossPrice'),
    clientOrderId: fields.clientId(...CLIENT_OID_NAMES),
  };
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceContractOrder | Refused {
  if (fields.fault !== undefined) return fields.fault;
  const { action, type, force, clientOrderId } = wish;
  const price =
    type === 'limit'
      ? { type, priceTicks: readPrice(fields, 'price', wish.price, contract) }
      : { type };
  const placed: PlaceContractOrder = {
    kind: 'place_contract_order',
    accountId,
    instrumentId: contract.instrumentId,
    action,
    ...price,
    force,
    sizeLots: readSize(fields, wish.size, contract),
    clientOrderId,
    takeProfitTicks: readPriceIfGiven(fields, 'presetTakeProfitPrice', wish.takeProfit, contract),
    stopLossTicks: readPriceIfGiven(fields, 'presetStopLossPrice', wish.stopLoss, contract),
  };
  return fields.fault ?? placed;
}

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
  const value = parseScaled(given, priceScale);
  if (typeof value !== 'number' || value <= 0) {
    fields.refuse('price_invalid', `${name} ${whyNot(given, value, priceScale)}`);
    return ZERO_TICKS;
  }
  if (value % priceStepTicks === 0) return ticks(value);
  const step = formatTrimmed(priceStepTicks, priceScale);
  fields.refuse('price_invalid', `${name} ${shown(given)} is not a multiple of ${step}`);
  return ZERO_TICKS;
}

/** A size in lots, above zero. */
export function readSize(fields: Fields, given: string, { quantityScale }: Contract): Lots {
  const value = parseScaled(given, quantityScale);
  if (typeof value === 'number' && value > 0) return lots(value);
  const reject = value === 'too_large' ? 'quantity_above_maximum' : 'quantity_invalid';
  fields.refuse(reject, whyNot(given, value, quantityScale));
  return ZERO_LOTS;
}

/** One order or plan order of the caller. */
export interface ContractOrderReference {
  readonly contract: Contract;
  /** As the client sent it, for answers that repeat it. */
  readonly idText: string;
  /** Undefined when the text can be no id of this venue. */
  readonly orderId: OrderId | undefined;
}

/** The order that a cancel or a query is about. */
export function readContractOrderReference(
  body: JsonObject,
  listings: Listings,
): ContractOrderReference | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const idText = fields.requiredText('orderId');
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : { contract, ...reference(idText) };
}

function reference(idText: string): Omit<ContractOrderReference, 'contract'> {
  const id = parseId(idText);
  return { idText, orderId: id === undefined ? undefined : orderId(id) };
}

export interface ContractCancelBatch {
  readonly contract: Contract;
  /** In request order. */
  readonly references: readonly ContractOrderReference[];
}

/** The orders that a batch cancel is about. */
export function readContractCancelBatch(
  body: JsonObject,
  listings: Listings,
): ContractCancelBatch | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const texts = fields.list('ids', LIMITS.contractCancelBatchMax).map(scalarText);
  if (texts.includes(undefined)) fields.refuse('parameter_invalid', 'ids must hold order ids');
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const references = texts.map((text) => ({ contract, ...reference(text ?? '') }));
  return { contract, references };
}

export interface ContractHistoryQuery extends LongPage {
  readonly contract: Contract;
  /** Orders created at this time or later. */
  readonly sinceMs: number;
}

/** Which closed orders are wanted. createDate 0 is today, 1 since yesterday, by UTC. */
export function readContractHistory(
  query: JsonObject,
  listings: Listings,
  nowMs: number,
): ContractHistoryQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const page = readLongPage(fields);
  const days = readDays(fields);
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const todayMs = nowMs - (nowMs % MS_PER_DAY);
  return { ...page, contract, sinceMs: todayMs - days * MS_PER_DAY };
}

function readDays(fields: Fields): number {
  fields.requiredText('createDate');
  const days = fields.wholeNumber('createDate') ?? 0;
  if (days > LIMITS.contractHistoryDaysMax) {
    fields.refuse('days_exceeded', `createDate ${days}, at most ${LIMITS.contractHistoryDaysMax}`);
  }
  return days;
}

const STATUSES: ReadonlyMap<string, readonly OrderStatus[]> = new Map<string, OrderStatus[]>([
  ['-1', ['cancelled']],
  ['0', ['new']],
  ['1', ['partial_fill']],
  ['2', ['full_fill']],
  ['3', ['new', 'partial_fill']],
]);
const OPEN: readonly OrderStatus[] = ['new', 'partial_fill'];

export interface OrdersByStatus {
  readonly contract: Contract;
  readonly statuses: readonly OrderStatus[];
  readonly limit: number;
}

/** Orders of one contract by the number of their status; 3, the default, is all open ones. */
export function readOrdersByStatus(
  query: JsonObject,
  listings: Listings,
): OrdersByStatus | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const statuses = fields.choice('status', STATUSES, OPEN);
  const most = LIMITS.contractPageRowsMax;
  const limit = fields.limit(most, most);
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : { contract, statuses, limit };
}
