/** Turns the fields of a plan order, and of a query of plan orders, into ticks, lots and times. */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractAction,
  closeOf,
  type HoldSide,
  isRefused,
  type Listings,
  type OrderType,
  openOf,
  type PlaceTriggerOrder,
  type Refused,
} from '#domain';
import { Fields } from '../fields.ts';
import { type PageOfRows, readPage, resolveContract } from './swap-read-contract.ts';
import { ACTIONS, CLIENT_OID_NAMES, ORDER_TYPES, readPrice, readSize } from './swap-read-order.ts';

type Direction = 'open' | 'close';

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['1', 'open'],
  ['2', 'close'],
]);

const HOLD_SIDES: ReadonlyMap<string, HoldSide | undefined> = new Map([
  ['1', 'long'],
  ['2', 'short'],
]);

const ANY_ACTION: ReadonlyMap<string, ContractAction | undefined> = ACTIONS;

/** The fields of a new plan order, each one well-formed. */
interface Wish {
  readonly action: ContractAction;
  readonly type: OrderType;
  readonly size: string;
  readonly trigger: string;
  readonly execute: string;
  readonly clientOrderId: string;
}

/** The command of one new plan order. */
export function readPlanOrder(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): PlaceTriggerOrder | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const wish = readWish(fields);
  const contract = resolveContract(fields, symbol, listings);
  return isRefused(contract) ? contract : command(fields, wish, contract, accountId);
}

function readWish(fields: Fields): Wish {
  const direction = fields.requiredChoice('type', DIRECTIONS, 'open');
  const side = readHoldSide(fields);
  // Some clients name it as in an ordinary order.
  const typeName = fields.text('match_type') === '' ? 'match_price' : 'match_type';
  const type = fields.choice(typeName, ORDER_TYPES, 'limit');
  return {
    action: direction === 'open' ? openOf(side) : closeOf(side),
    type,
    size: fields.requiredText('size'),
    trigger: fields.requiredText('trigger_price'),
    execute: type === 'limit' ? fields.requiredText('execute_price') : '',
    clientOrderId: fields.clientId(...CLIENT_OID_NAMES),
  };
}

/** holdSide or, as older clients call it, side. If both are given they must agree. */
function readHoldSide(fields: Fields): HoldSide {
  const holdSide = fields.choice('holdSide', HOLD_SIDES, undefined);
  const side = fields.choice('side', HOLD_SIDES, undefined);
  const found = holdSide ?? side;
  if (found === undefined) fields.refuse('parameter_invalid', 'holdSide is required');
  if (side !== undefined && side !== found) {
    fields.refuse('trigger_direction_mismatch', `holdSide is ${found}, side is ${side}`);
  }
  return found ?? 'long';
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceTriggerOrder | Refused {
  const { action, type, clientOrderId } = wish;
  const triggerTicks = readPrice(fields, 'trigger_price', wish.trigger, contract);
  const price =
    type === 'limit'
      ? { type, executeTicks: readPrice(fields, 'execute_price', wish.execute, contract) }
      : { type };
  const placed: PlaceTriggerOrder = {
    kind: 'place_trigger_order',
    accountId,
    instrumentId: contract.instrumentId,
    action,
    ...price,
    triggerTicks,
    sizeLots: readSize(fields, wish.size, contract),
    clientOrderId,
  };
  return fields.fault ?? placed;
}

/** Which plan orders are wanted: created within the times, both inclusive. */
export interface PlansQuery extends PageOfRows {
  readonly contract: Contract;
  /** Undefined for every action. */
  readonly action: ContractAction | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

export function readPlans(query: JsonObject, listings: Listings): PlansQuery | Refused {
  const fields = new Fields(query);
  const symbol = fields.requiredText('symbol');
  const page = readPage(fields);
  const delegate = fields.choice('delegateType', ANY_ACTION, undefined);
  const side = fields.choice('side', ANY_ACTION, undefined);
  const fromMs = fields.wholeNumber('startTime');
  const toMs = fields.wholeNumber('endTime');
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    fields.refuse('time_range_reversed', `${fromMs} is after ${toMs}`);
  }
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  return { ...page, contract, action: delegate ?? side, fromMs, toMs };
}
