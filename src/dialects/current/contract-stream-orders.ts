/** Rows of the orders of contracts, of what waits for a trigger, and of fills. */
import type { ContractOrderChange, TriggerOrderChange } from '#api';
import {
  type Contract,
  closedStatus,
  holdSideOf,
  isOpen,
  type MarginAccountView,
  openStatus,
  sideOf,
  ZERO_TICKS,
} from '#domain';
import { clientIdOf, formatId } from '../kit/ids.ts';
import { marginTypeWord, positionSideWord, separatedWord } from './contract-terms.ts';
import { forceWord, orderTypeWord, sideWord, statusWord } from './enums.ts';
import type { FeeRates } from './fee-rates.ts';
import { MarketFigures } from './market-figures.ts';
import type { FilledPrices } from './order-prices.ts';
import { NO_CANCEL_REASON, NO_TRIGGER } from './private-message.ts';
import { marketName } from './symbols.ts';
import { algoTypeWord, workingTypeWord } from './trigger-words.ts';

/** What a row of an order tells besides the order. */
export interface OrderFrame {
  readonly contract: Contract;
  readonly view: MarginAccountView;
  readonly rates: ReturnType<FeeRates['ofContract']>;
}

type Order = ContractOrderChange['order'];
type FilledBy = NonNullable<ContractOrderChange['filledBy']>;

/** A status that orders do not have: it has not triggered yet. */
const UNTRIGGERED = 'UNTRIGGERED';

/** Orders of no owner, such as steps of a liquidation, pay another fee than owners do. */
function feesOf({ cause }: Pick<Order, 'cause'>, fee: string) {
  return cause === 'owner' ? { own: fee, liquidation: '0' } : { own: '0', liquidation: fee };
}

function leadingFields({ contract, view }: OrderFrame, order: Pick<Order, 'orderId' | 'action'>) {
  return {
    id: formatId(order.orderId),
    coin: contract.margin.code,
    symbol: marketName(contract.symbol),
    marginMode: marginTypeWord(view.marginMode),
    separatedMode: separatedWord(view.isSeparated),
    separatedOpenOrderId: '0',
    positionSide: positionSideWord(holdSideOf(order.action)),
    orderSide: sideWord(sideOf(order.action)),
  };
}

export function contractOrderFields(
  frame: OrderFrame,
  { order, timeMs, reason }: ContractOrderChange,
  { latest, highest, lowest }: FilledPrices,
) {
  const { contract, rates } = frame;
  const figures = new MarketFigures(contract);
  const fees = feesOf(order, figures.amount(order.fee));
  return {
    ...leadingFields(frame, order),
    price: order.type === 'limit' ? figures.price(order.priceTicks) : '0',
    size: figures.size(order.sizeLots),
    value: '0',
    clientOrderId: clientIdOf(order),
    type: orderTypeWord(order.type),
    timeInForce: forceWord(order.type, order.force),
    reduceOnly: !isOpen(order.action),
    ...NO_TRIGGER,
    triggerPriceType: 'UNKNOWN_PRICE_TYPE',
    positionTpsl: false,
    setOpenTp: order.takeProfitTicks !== undefined,
    setOpenSl: order.stopLossTicks !== undefined,
    leverage: String(order.leverage),
    ...rates,
    status: statusWord(reason === undefined ? openStatus(order) : closedStatus(reason)),
    cancelReason: NO_CANCEL_REASON,
    latestFillPrice: figures.price(latest),
    maxFillPrice: figures.price(highest),
    minFillPrice: figures.price(lowest),
    cumFillSize: figures.size(order.filledLots),
    cumFillValue: figures.tickLotsValue(order.filledTickLots),
    cumFillFee: fees.own,
    cumLiquidateFee: fees.liquidation,
    cumRealizePnl: figures.amount(order.realizedPnl),
    createdTime: String(order.createdTimeMs),
    updatedTime: String(timeMs),
  };
}

/** One that waits, and one that has fired, failed or was cancelled. */
export function triggerFields(frame: OrderFrame, { order, timeMs, end }: TriggerOrderChange) {
  const { contract, view, rates } = frame;
  const figures = new MarketFigures(contract);
  const hasFired = end?.status === 'triggered';
  const limit = order.type === 'limit' ? order.executeTicks : ZERO_TICKS;
  return {
    ...leadingFields(frame, order),
    price: figures.price(limit),
    size: figures.size(order.sizeLots),
    value: '0',
    clientOrderId: clientIdOf(order),
    type: algoTypeWord(order),
    timeInForce: order.type === 'limit' ? 'GTC' : 'IOC',
    reduceOnly: !isOpen(order.action),
    ...NO_TRIGGER,
    triggerPrice: figures.price(order.triggerTicks),
    triggerPriceType: workingTypeWord(order.workingPrice),
    positionTpsl: order.purpose !== 'trigger',
    setOpenTp: order.takeProfitTicks !== undefined,
    setOpenSl: order.stopLossTicks !== undefined,
    leverage: String(view[holdSideOf(order.action)].leverage),
    ...rates,
    status: end === undefined ? UNTRIGGERED : statusWord(hasFired ? 'full_fill' : 'cancelled'),
    triggerTime: hasFired ? String(timeMs) : '0',
    cancelReason: NO_CANCEL_REASON,
    latestFillPrice: '0',
    maxFillPrice: '0',
    minFillPrice: '0',
    cumFillSize: '0',
    cumFillValue: '0',
    cumFillFee: '0',
    cumLiquidateFee: '0',
    cumRealizePnl: '0',
    createdTime: String(order.createdTimeMs),
    updatedTime: String(timeMs),
  };
}

export function contractFillFields(
  contract: Contract,
  { marginMode, isSeparated }: MarginAccountView,
  { trade, fill }: FilledBy,
  timeMs: number,
) {
  const figures = new MarketFigures(contract);
  const fees = feesOf(fill, figures.amount(fill.fee));
  return {
    id: formatId(trade.tradeId),
    coin: contract.margin.code,
    symbol: marketName(contract.symbol),
    orderId: formatId(fill.orderId),
    marginMode: marginTypeWord(marginMode),
    separatedMode: separatedWord(isSeparated),
    separatedOpenOrderId: '0',
    positionSide: positionSideWord(holdSideOf(fill.action)),
    orderSide: sideWord(sideOf(fill.action)),
    fillSize: figures.size(trade.sizeLots),
    fillValue: figures.value(trade.priceTicks, trade.sizeLots),
    fillFee: fees.own,
    liquidateFee: fees.liquidation,
    realizePnl: figures.amount(fill.realizedPnl),
    direction: trade.taker.orderId === fill.orderId ? 'TAKER' : 'MAKER',
    createdTime: String(timeMs),
    updatedTime: String(timeMs),
  };
}
