/**
 * The fields of a new trigger and the command they make. What closes by a trigger is a take-profit
 * or stop-loss of the position: it ends with the position, so that it never closes another one.
 */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Contract,
  closeOf,
  type HoldSide,
  isRefused,
  type Listings,
  type OrderType,
  openOf,
  type PlaceTpSl,
  type PlaceTriggerOrder,
  type Refused,
  type Side,
  type Ticks,
  type TpSlPurpose,
  type TpSlTerms,
  type TriggerDirection,
  type TriggeredPrice,
  type TriggerOrderView,
  type WorkingPrice,
  ZERO_LOTS,
} from '#domain';
import { Fields } from '../kit/fields.ts';
import {
  clientId,
  optionalFlag,
  optionalText,
  requiredChoice,
  requiredText,
} from '../kit/request.ts';
import { conflict, readPrice, readSize } from './amounts.ts';
import { NEW_ORDER_FIELDS, refuseStrangers } from './new-order.ts';
import { CONTRACT } from './terms.ts';
import {
  givenTpSl,
  readTpSlWish,
  TP_SL_FIELDS,
  type TpSlWish,
  tpSlOf,
  triggerPriceOf,
} from './tp-sl.ts';

const DIRECTIONS: ReadonlyMap<string, TriggerDirection> = new Map([
  ['rise', 'rise'],
  ['fall', 'fall'],
]);

export const NEW_TRIGGER_FIELDS = {
  symbol: CONTRACT,
  side: NEW_ORDER_FIELDS.side,
  reduceOnly: optionalFlag(
    'Closes what is held, a buy a short, a sell a long, and ends with it; false without it',
  ),
  size: optionalText('Contracts; of a reduceOnly one without it whatever is held when it fires'),
  trigger: requiredText('Price that it waits for'),
  triggerBy: triggerPriceOf('Price that trigger looks at; last without it'),
  direction: requiredChoice(
    'Which way that price has to go; refused where it is there already',
    DIRECTIONS,
    'rise',
  ),
  type: NEW_ORDER_FIELDS.type,
  price: optionalText('Of a limit order'),
  ...TP_SL_FIELDS,
  clientId: clientId('Up to 40 characters without spaces and quotes, not used by another order'),
};

export const TRIGGER_EXAMPLE = {
  symbol: 'BTC-USDT-PERP',
  side: 'buy',
  size: '10',
  trigger: '36000',
  direction: 'rise',
  type: 'limit',
  price: '36050',
  stopLoss: '35000',
  clientId: 'breakout-7',
};

interface Wish extends TpSlWish {
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly size: string;
  readonly trigger: string;
  readonly triggerBy: WorkingPrice;
  readonly direction: TriggerDirection;
  readonly type: OrderType;
  readonly price: string;
  readonly clientOrderId: string | undefined;
}

export type NewTrigger = PlaceTriggerOrder | PlaceTpSl;

function readWish(fields: Fields): Wish {
  const { side, reduceOnly, size, trigger, triggerBy } = NEW_TRIGGER_FIELDS;
  const { direction, type, price, clientId: id } = NEW_TRIGGER_FIELDS;
  const wish = {
    side: side.read(fields, 'side'),
    reduceOnly: reduceOnly.read(fields, 'reduceOnly'),
    size: size.read(fields, 'size'),
    trigger: trigger.read(fields, 'trigger'),
    triggerBy: triggerBy.read(fields, 'triggerBy') ?? 'last',
    direction: direction.read(fields, 'direction'),
    type: type.read(fields, 'type'),
    price: price.read(fields, 'price'),
    ...readTpSlWish(fields),
    clientOrderId: id.read(fields, 'clientId'),
  };
  if (wish.type === 'market' && wish.price !== '') conflict(fields, 'price', 'a market order');
  if (wish.type === 'limit' && wish.price === '') fields.missing('price');
  if (!wish.reduceOnly && wish.size === '') fields.missing('size');
  if (wish.reduceOnly) for (const name of givenTpSl(wish)) conflict(fields, name, 'reduceOnly');
  return wish;
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): NewTrigger | Refused {
  const { instrumentId } = contract;
  const shared = {
    accountId,
    instrumentId,
    triggerTicks: readPrice(fields, 'trigger', wish.trigger, contract),
    workingPrice: wish.triggerBy,
    ...executionOf(fields, wish, contract),
    sizeLots: wish.size === '' ? ZERO_LOTS : readSize(fields, wish.size, contract),
    clientOrderId: wish.clientOrderId,
  };
  const made = wish.reduceOnly
    ? { kind: 'place_tp_sl' as const, ...shared, ...exitOf(wish) }
    : { kind: 'place_trigger_order' as const, ...shared, ...entryOf(fields, wish, contract) };
  return fields.fault ?? made;
}

/** The order that it places. */
export function executionOf(
  fields: Fields,
  { type, price }: Pick<Wish, 'type' | 'price'>,
  contract: Contract,
): TriggeredPrice {
  return type === 'limit'
    ? { type, executeTicks: readPrice(fields, 'price', price, contract) }
    : { type };
}

/** A long takes profit when the price rises, and stops when it falls. */
function exitOf({ side, direction }: Wish): { side: HoldSide; purpose: TpSlPurpose } {
  const held = side === 'sell' ? 'long' : 'short';
  const isProfit = (held === 'long') === (direction === 'rise');
  return { side: held, purpose: isProfit ? 'take_profit' : 'stop_loss' };
}

function entryOf(fields: Fields, wish: Wish, contract: Contract) {
  const action = openOf(wish.side === 'buy' ? 'long' : 'short');
  return { action, direction: wish.direction, ...tpSlOf(fields, wish, contract) };
}

export function readNewTrigger(
  input: JsonObject,
  listings: Listings,
  accountId: AccountId,
): NewTrigger | Refused {
  const fields = new Fields(input);
  const symbol = CONTRACT.read(fields, 'symbol');
  const wish = readWish(fields);
  refuseStrangers(fields, input, NEW_TRIGGER_FIELDS);
  if (fields.fault !== undefined) return fields.fault;
  const contract = CONTRACT.find(symbol, listings);
  return isRefused(contract) ? contract : command(fields, wish, contract, accountId);
}

/** Whether a trigger is what a command asks for; one that was changed since is another. */
export function isSame(command: NewTrigger, trigger: TriggerOrderView): boolean {
  const { triggerTicks, workingPrice = 'last', sizeLots } = trigger;
  if (command.clientOrderId !== trigger.clientOrderId) return false;
  if (command.instrumentId !== trigger.instrumentId) return false;
  if (command.triggerTicks !== triggerTicks || command.workingPrice !== workingPrice) return false;
  if (command.sizeLots !== sizeLots || limitOf(command) !== limitOf(trigger)) return false;
  const { purpose, action, direction } = trigger;
  return command.kind === 'place_tp_sl'
    ? command.purpose === purpose && closeOf(command.side) === action
    : command.action === action && command.direction === direction && isSameTpSl(command, trigger);
}

function limitOf(price: TriggeredPrice): Ticks | undefined {
  return price.type === 'limit' ? price.executeTicks : undefined;
}

function isSameTpSl(one: TpSlTerms, other: TpSlTerms): boolean {
  return (
    one.takeProfitTicks === other.takeProfitTicks &&
    one.takeProfitWorking === other.takeProfitWorking &&
    one.stopLossTicks === other.stopLossTicks &&
    one.stopLossWorking === other.stopLossWorking
  );
}
