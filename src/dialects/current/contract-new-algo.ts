/**
 * The fields of a new trigger order and the command they make. What opens waits for the price to
 * come to its trigger from wherever it is; a stop and a take-profit that close say the direction,
 * and their trigger must not have been reached.
 */
import {
  type AccountId,
  type Contract,
  type ContractAction,
  holdSideOf,
  isOpen,
  type OrderType,
  type PlaceTriggerOrder,
  type Refused,
  type TpSlPurpose,
  type TriggerDirection,
  type TriggeredPrice,
  type WorkingPrice,
} from '#domain';
import type { Fields } from '../kit/fields.ts';
import { orderReader } from '../kit/new-order.ts';
import { type Field, optionalText, requiredText } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import { readContractPrice, readContractSize } from './contract-amounts.ts';
import {
  actionOf,
  CLIENT_ID,
  checkReduceOnly,
  NEW_CONTRACT_ORDER_FIELDS,
  POSITION_SIDE,
  readTpSl,
  workingType,
} from './contract-new-order.ts';
import { ALGO_TYPE_WORDS } from './contract-order-row.ts';
import { CONTRACT } from './contract-terms.ts';
import { SIDE } from './enums.ts';

interface AlgoType {
  readonly purpose: TpSlPurpose;
  readonly type: OrderType;
}

const ALGO_TYPES: ReadonlyMap<string, AlgoType> = new Map<string, AlgoType>([
  ['stop', { purpose: 'stop_loss', type: 'limit' }],
  ['stop_market', { purpose: 'stop_loss', type: 'market' }],
  ['take_profit', { purpose: 'take_profit', type: 'limit' }],
  ['take_profit_market', { purpose: 'take_profit', type: 'market' }],
]);
const HARMLESS: AlgoType = { purpose: 'stop_loss', type: 'market' };

const ALGO_TYPE: Field<AlgoType> = {
  schema: schema.required(
    'STOP and TAKE_PROFIT place a limit order, the others one at market',
    schema.choices(...ALGO_TYPE_WORDS),
  ),
  read: (fields, name) =>
    fields.requiredChoice(name, ALGO_TYPES, HARMLESS, 'order_type_invalid', ALGO_TYPE_WORDS),
};

const PRICE_TEXT = 'Limit price of STOP and TAKE_PROFIT';

export const ALGO_FIELDS = {
  symbol: CONTRACT,
  side: SIDE,
  positionSide: POSITION_SIDE,
  type: ALGO_TYPE,
  quantity: requiredText('Base coin'),
  triggerPrice: requiredText('Price that it waits for'),
  price: { ...requiredText(PRICE_TEXT), schema: schema.optional(PRICE_TEXT) },
  clientAlgoId: CLIENT_ID,
  workingType: workingType('Price that triggerPrice looks at'),
  presetTakeProfitPrice: optionalText('Take-profit of what it opens, at market'),
  presetStopLossPrice: optionalText('Stop-loss of what it opens, at market'),
  TpWorkingType: workingType('Price of the take-profit; without one, of the trigger'),
  SlWorkingType: workingType('Price of the stop-loss; without one, of the trigger'),
  reduceOnly: NEW_CONTRACT_ORDER_FIELDS.reduceOnly,
};

interface Wish extends AlgoType {
  readonly action: ContractAction;
  readonly quantity: string;
  readonly triggerPrice: string;
  readonly price: string;
  readonly clientOrderId: string | undefined;
  readonly workingPrice: WorkingPrice | undefined;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly takeProfitWorking: WorkingPrice | undefined;
  readonly stopLossWorking: WorkingPrice | undefined;
}

function readWish(fields: Fields): Wish {
  const side = ALGO_FIELDS.side.read(fields, 'side');
  const positionSide = ALGO_FIELDS.positionSide.read(fields, 'positionSide');
  const { purpose, type } = ALGO_FIELDS.type.read(fields, 'type');
  const takeProfit = ALGO_FIELDS.presetTakeProfitPrice.read(fields, 'presetTakeProfitPrice');
  const stopLoss = ALGO_FIELDS.presetStopLossPrice.read(fields, 'presetStopLossPrice');
  const takeProfitWorking = ALGO_FIELDS.TpWorkingType.read(fields, 'TpWorkingType');
  const stopLossWorking = ALGO_FIELDS.SlWorkingType.read(fields, 'SlWorkingType');
  // Without a preset of its own a working type is that of the order.
  const isOwn = purpose === 'stop_loss' ? stopLoss === '' : takeProfit === '';
  const own = purpose === 'stop_loss' ? stopLossWorking : takeProfitWorking;
  const action = actionOf(side, positionSide);
  checkReduceOnly(fields, action);
  return {
    purpose,
    type,
    action,
    quantity: ALGO_FIELDS.quantity.read(fields, 'quantity'),
    triggerPrice: ALGO_FIELDS.triggerPrice.read(fields, 'triggerPrice'),
    price: type === 'limit' ? ALGO_FIELDS.price.read(fields, 'price') : '',
    clientOrderId: ALGO_FIELDS.clientAlgoId.read(fields, 'clientAlgoId'),
    workingPrice: ALGO_FIELDS.workingType.read(fields, 'workingType') ?? (isOwn ? own : undefined),
    takeProfit,
    stopLoss,
    takeProfitWorking,
    stopLossWorking,
  };
}

function command(
  fields: Fields,
  wish: Wish,
  contract: Contract,
  accountId: AccountId,
): PlaceTriggerOrder | Refused {
  const { action, type, workingPrice = 'last', clientOrderId } = wish;
  const triggerTicks = readContractPrice(fields, wish.triggerPrice, contract);
  const execution: TriggeredPrice =
    type === 'limit'
      ? { type, executeTicks: readContractPrice(fields, wish.price, contract) }
      : { type };
  const sizeLots = readContractSize(fields, wish.quantity, contract);
  const tpSl = readTpSl(fields, wish, contract);
  if (fields.fault !== undefined) return fields.fault;
  return {
    kind: 'place_trigger_order',
    accountId,
    instrumentId: contract.instrumentId,
    action,
    ...execution,
    sizeLots,
    triggerTicks,
    ...(workingPrice !== 'last' && { workingPrice }),
    ...(isOpen(action) ? intentOf(wish) : { direction: directionOf(wish) }),
    clientOrderId,
    ...tpSl,
  };
}

export const readAlgoOrder = orderReader({ symbol: CONTRACT, wish: readWish, command });

/** What opens may be either, whichever way its price has to go: it is kept to be shown again. */
function intentOf({ purpose }: Wish): Pick<PlaceTriggerOrder, 'intent'> {
  return purpose === 'take_profit' ? { intent: purpose } : {};
}

/** A long takes profit when the price rises, and stops when it falls. */
function directionOf({ action, purpose }: Wish): TriggerDirection {
  return (holdSideOf(action) === 'long') === (purpose === 'take_profit') ? 'rise' : 'fall';
}
