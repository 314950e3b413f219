/** Orders, trigger orders and fills of contracts as they are answered. */
import {
  type ContractOrderView,
  closedStatus,
  type FillSums,
  holdSideOf,
  isOpen,
  type OrderId,
  type OrderStatus,
  openStatus,
  sideOf,
  type Ticks,
  type TriggerOrderView,
  type TriggerStatus,
} from '#domain';
import type { ClosedContractOrder, ClosedTriggerOrder, ContractFillRecord } from '#history';
import { clientIdOf, formatId } from '../kit/ids.ts';
import {
  decimal,
  idNumber,
  listedName,
  nullOr,
  oneOf,
  row,
  text,
  truth,
  whole,
} from '../kit/row.ts';
import { contractFillAverage } from './contract-amounts.ts';
import {
  CONTRACT_NAME,
  money,
  type OfContract,
  POSITION_SIDE_WORDS,
  positionSideWord,
  price,
  size,
} from './contract-terms.ts';
import {
  FORCE_WORDS,
  forceWord,
  orderTypeWord,
  SIDE_WORDS,
  sideWord,
  statusWord,
} from './enums.ts';
import { figuresOf } from './market-figures.ts';
import { TIME_MS } from './spot-terms.ts';
import { algoTypeWord, workingTypeWord } from './trigger-words.ts';

export const ALGO_TYPE_WORDS = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
] as const;
export const WORKING_TYPE_WORDS = ['CONTRACT_PRICE', 'MARK_PRICE', 'INDEX_PRICE'] as const;

/** Of an order, or of one that waits for its trigger; both can be asked for by their ids. */
interface ShownOrder extends OfContract {
  readonly orderId: OrderId;
  readonly clientOrderId: string | undefined;
  readonly action: ContractOrderView['action'];
  readonly type: 'LIMIT' | 'MARKET' | (typeof ALGO_TYPE_WORDS)[number];
  readonly status: 'NEW' | 'FILLED' | 'CANCELED' | 'UNTRIGGERED';
  readonly timeInForce: (typeof FORCE_WORDS)[number];
  readonly workingType: (typeof WORKING_TYPE_WORDS)[number] | 'UNKNOWN_PRICE_TYPE';
  /** Zero at market. */
  readonly limit: Ticks | 0;
  readonly trigger: Ticks | 0;
  readonly size: ContractOrderView['sizeLots'];
  /** What has been filled; nothing of one that waits. */
  readonly filled: ContractOrderView | undefined;
  readonly createdTimeMs: number;
  readonly updatedTimeMs: number;
}

const ZERO_PRICE = '0.0';

export const CONTRACT_ORDER = row<ShownOrder>()({
  orderId: idNumber('Order id', ({ orderId }) => formatId(orderId)),
  clientOrderId: text('Id chosen by the client, or the order id', 'grid-7', clientIdOf),
  symbol: CONTRACT_NAME,
  side: oneOf(SIDE_WORDS, 'Direction', 'BUY', ({ action }) => sideWord(sideOf(action))),
  positionSide: oneOf(POSITION_SIDE_WORDS, 'Side that it changes', 'LONG', ({ action }) =>
    positionSideWord(holdSideOf(action)),
  ),
  status: oneOf(
    ['NEW', 'FILLED', 'CANCELED', 'UNTRIGGERED'],
    'NEW is open, also partly filled; UNTRIGGERED waits for its trigger',
    'NEW',
    ({ status }) => status,
  ),
  type: oneOf(['LIMIT', 'MARKET', ...ALGO_TYPE_WORDS], 'Order type', 'LIMIT', ({ type }) => type),
  timeInForce: oneOf(FORCE_WORDS, 'IOC at market', 'GTC', ({ timeInForce }) => timeInForce),
  workingType: oneOf(
    ['UNKNOWN_PRICE_TYPE', ...WORKING_TYPE_WORDS],
    'Price that its trigger looks at',
    'UNKNOWN_PRICE_TYPE',
    ({ workingType }) => workingType,
  ),
  price: decimal('Limit price; 0.0 at market', '29400.0', ({ contract, limit }) =>
    limit === 0 ? ZERO_PRICE : figuresOf(contract).price(limit),
  ),
  avgPrice: decimal('Average price of its fills; 0 for none', '0', ({ contract, filled }) =>
    filled === undefined ? '0' : contractFillAverage(contract, filled),
  ),
  origQty: size('Base coin', '0.001', (order) => order.size),
  executedQty: size('Filled, in base coin', '0', ({ filled }) => BigInt(filled?.filledLots ?? 0)),
  cumQuote: decimal('Filled, in quote coin', '0', ({ contract, filled }) =>
    figuresOf(contract).tickLotsValue(filled?.filledTickLots ?? 0n),
  ),
  reduceOnly: truth('Whether it closes', false, ({ action }) => !isOpen(action)),
  stopPrice: decimal('Trigger; 0 for none', '0', ({ contract, trigger }) =>
    trigger === 0 ? '0' : figuresOf(contract).price(trigger),
  ),
  time: whole('When it was placed', TIME_MS, ({ createdTimeMs }) => createdTimeMs),
  updateTime: whole('When it was closed', TIME_MS, ({ updatedTimeMs }) => updatedTimeMs),
});

interface Ended extends OfContract {
  readonly order: ContractOrderView;
  readonly status: OrderStatus;
  readonly updatedTimeMs: number;
}

function write({ contract, order, status, updatedTimeMs }: Ended): string {
  return CONTRACT_ORDER.write({
    contract,
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    action: order.action,
    type: orderTypeWord(order.type),
    status: statusWord(status),
    timeInForce: forceWord(order.type, order.force),
    workingType: 'UNKNOWN_PRICE_TYPE',
    limit: order.type === 'limit' ? order.priceTicks : 0,
    trigger: 0,
    size: order.sizeLots,
    filled: order,
    createdTimeMs: order.createdTimeMs,
    updatedTimeMs,
  });
}

export function writeOpenOrder(contract: OfContract['contract'], order: ContractOrderView): string {
  const { createdTimeMs: updatedTimeMs } = order;
  return write({ contract, order, status: openStatus(order), updatedTimeMs });
}

export function writeClosedOrder(
  contract: OfContract['contract'],
  order: ClosedContractOrder,
): string {
  const { reason, closedTimeMs: updatedTimeMs } = order;
  return write({ contract, order, status: closedStatus(reason), updatedTimeMs });
}

/** A trigger order, as the list of orders shows it. */
export function writeTriggerAsOrder(
  contract: OfContract['contract'],
  trigger: TriggerOrderView,
  status: TriggerStatus = 'waiting',
  updatedTimeMs: number = trigger.createdTimeMs,
): string {
  return CONTRACT_ORDER.write({
    contract,
    orderId: trigger.orderId,
    clientOrderId: trigger.clientOrderId,
    action: trigger.action,
    type: algoTypeWord(trigger),
    status: ALGO_STATUS_OF[status],
    timeInForce: trigger.type === 'limit' ? 'GTC' : 'IOC',
    workingType: workingTypeWord(trigger.workingPrice),
    limit: trigger.type === 'limit' ? trigger.executeTicks : 0,
    trigger: trigger.triggerTicks,
    size: trigger.sizeLots,
    filled: undefined,
    createdTimeMs: trigger.createdTimeMs,
    updatedTimeMs,
  });
}

const ALGO_STATUS_WORDS = ['UNTRIGGERED', 'FILLED', 'CANCELED'] as const;

const ALGO_STATUS_OF = {
  waiting: 'UNTRIGGERED',
  triggered: 'FILLED',
  failed: 'CANCELED',
  cancelled: 'CANCELED',
} as const;

/** A trigger order, and what became of it. */
interface ShownAlgo extends OfContract {
  readonly trigger: TriggerOrderView;
  readonly status: TriggerStatus;
  /** The order it became. */
  readonly placedOrderId: OrderId | undefined;
  /** What that has been filled; undefined without one. */
  readonly executed: FillSums | undefined;
  readonly updatedTimeMs: number;
}

/** A price of a preset; null for none. */
function preset(description: string, of: (trigger: TriggerOrderView) => Ticks | undefined) {
  return nullOr<ShownAlgo, string>(
    description,
    price(description, '31000.0', ({ trigger }) => of(trigger) ?? (0 as Ticks)),
    ({ trigger }) => of(trigger) === undefined,
  );
}

export const ALGO_ORDER = row<ShownAlgo>()({
  algoId: idNumber('Id of the trigger order', ({ trigger }) => formatId(trigger.orderId)),
  clientAlgoId: text('Id chosen by the client, or the algo id', 'stop-7', ({ trigger }) =>
    clientIdOf(trigger),
  ),
  algoType: oneOf(['CONDITIONAL'], 'Always the same', 'CONDITIONAL', () => 'CONDITIONAL'),
  orderType: oneOf(ALGO_TYPE_WORDS, 'What it is for', 'STOP_MARKET', ({ trigger }) =>
    algoTypeWord(trigger),
  ),
  symbol: CONTRACT_NAME,
  side: oneOf(SIDE_WORDS, 'Direction', 'SELL', ({ trigger }) => sideWord(sideOf(trigger.action))),
  positionSide: oneOf(POSITION_SIDE_WORDS, 'Side that it changes', 'LONG', ({ trigger }) =>
    positionSideWord(holdSideOf(trigger.action)),
  ),
  timeInForce: oneOf(['GTC', 'IOC'], 'IOC at market', 'IOC', ({ trigger }) =>
    trigger.type === 'limit' ? 'GTC' : 'IOC',
  ),
  quantity: size('Base coin; 0 for all that is held', '0.001', ({ trigger }) => trigger.sizeLots),
  algoStatus: oneOf(
    ALGO_STATUS_WORDS,
    'FILLED when it fired; CANCELED also when it failed',
    'UNTRIGGERED',
    ({ status }) => ALGO_STATUS_OF[status],
  ),
  actualOrderId: nullOr(
    'Order that it placed; null before',
    idNumber<ShownAlgo>('Order id', ({ placedOrderId }) =>
      placedOrderId === undefined ? 'null' : formatId(placedOrderId),
    ),
    ({ placedOrderId }) => placedOrderId === undefined,
  ),
  actualPrice: decimal(
    'Average price of that order; 0 while nothing is filled',
    '0',
    ({ contract, executed }) =>
      executed === undefined ? '0' : contractFillAverage(contract, executed),
  ),
  triggerPrice: price('Trigger', '28000.0', ({ trigger }) => trigger.triggerTicks),
  price: decimal('Limit price; 0 at market', '0', ({ contract, trigger }) =>
    trigger.type === 'limit' ? figuresOf(contract).price(trigger.executeTicks) : '0',
  ),
  tpTriggerPrice: preset('Take-profit it brings', ({ takeProfitTicks }) => takeProfitTicks),
  tpPrice: preset('Always null: it closes at market', () => undefined),
  slTriggerPrice: preset('Stop-loss it brings', ({ stopLossTicks }) => stopLossTicks),
  slPrice: preset('Always null: it closes at market', () => undefined),
  tpOrderType: nullOr<ShownAlgo, string>(
    'Price that the take-profit looks at',
    listedName('Price', 'CONTRACT_PRICE', ({ trigger }) =>
      workingTypeWord(trigger.takeProfitWorking),
    ),
    ({ trigger }) => trigger.takeProfitTicks === undefined,
  ),
  workingType: oneOf(
    WORKING_TYPE_WORDS,
    'Price that the trigger looks at',
    'CONTRACT_PRICE',
    ({ trigger }) => workingTypeWord(trigger.workingPrice),
  ),
  closePosition: truth('Closes all that is held', false, ({ trigger }) => trigger.sizeLots === 0),
  reduceOnly: truth('Whether it closes', true, ({ trigger }) => !isOpen(trigger.action)),
  createTime: whole('When it was placed', TIME_MS, ({ trigger }) => trigger.createdTimeMs),
  updateTime: whole('When it last changed', TIME_MS, ({ updatedTimeMs }) => updatedTimeMs),
  triggerTime: whole('When it fired; 0 before', 0, ({ status, updatedTimeMs }) =>
    status === 'triggered' ? updatedTimeMs : 0,
  ),
});

export function writeWaiting(contract: OfContract['contract'], trigger: TriggerOrderView): string {
  const { createdTimeMs: updatedTimeMs } = trigger;
  const waiting = { status: 'waiting', placedOrderId: undefined, executed: undefined } as const;
  return ALGO_ORDER.write({ contract, trigger, ...waiting, updatedTimeMs });
}

export function writeEndedTrigger(
  contract: OfContract['contract'],
  trigger: ClosedTriggerOrder,
  executed: FillSums | undefined,
): string {
  const { status, placedOrderId, updatedTimeMs } = trigger;
  return ALGO_ORDER.write({ contract, trigger, status, placedOrderId, executed, updatedTimeMs });
}

interface ShownFill extends OfContract {
  readonly fill: ContractFillRecord;
}

export const CONTRACT_FILL = row<ShownFill>()({
  id: idNumber('Trade id', ({ fill }) => formatId(fill.tradeId)),
  orderId: idNumber('Order id', ({ fill }) => formatId(fill.orderId)),
  symbol: CONTRACT_NAME,
  buyer: truth('Whether the account bought', true, ({ fill }) => sideOf(fill.action) === 'buy'),
  commission: money('Fee', '0.018006', ({ fill }) => fill.fee),
  commissionAsset: listedName('Coin of the fee', 'USDT', ({ contract }) => contract.margin.code),
  maker: truth('Whether its order had rested', false, ({ fill }) => fill.role === 'maker'),
  price: price('Price', '30010.0', ({ fill }) => fill.priceTicks),
  qty: size('Base coin', '0.001', ({ fill }) => fill.sizeLots),
  quoteQty: money('Value in quote coin', '30.01', ({ fill }) => fill.quoteAmount),
  realizedPnl: money('Profit of a close, before fees', '0', ({ fill }) => fill.realizedPnl),
  side: oneOf(SIDE_WORDS, 'Direction', 'BUY', ({ fill }) => sideWord(sideOf(fill.action))),
  positionSide: oneOf(POSITION_SIDE_WORDS, 'Side that it changed', 'LONG', ({ fill }) =>
    positionSideWord(holdSideOf(fill.action)),
  ),
  time: whole('When it traded', TIME_MS, ({ fill }) => fill.timeMs),
});
