/** Orders of pairs and contracts, open or closed, as one kind of row. */
import Type from 'typebox';
import {
  type Amount,
  AVERAGE_EXTRA_SCALE,
  type Contract,
  type ContractOrderView,
  closedStatus,
  type Force,
  fillAverage,
  isOpen,
  ORDER_CAUSES,
  type OrderStatus,
  type OrderView,
  openStatus,
  type Side,
  sideOf,
  spendsBudget,
} from '#domain';
import type { ClosedContractOrder, ClosedOrder } from '#history';
import { formatTrimmed } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { averagePrice } from '../kit/ratios.ts';
import {
  decimal,
  encoded,
  id,
  nullOr,
  oneOf,
  orNull,
  row,
  text,
  truth,
  whole,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { isPair, type OfMarket, SYMBOL, sizeText } from './terms.ts';

/** An order that has closed. */
type Ended = (OrderView | ContractOrderView) &
  Pick<ClosedOrder | ClosedContractOrder, 'reason' | 'closedTimeMs'>;

export interface ShownOrder extends OfMarket {
  readonly order: OrderView | ContractOrderView | Ended;
}

const STATUSES: readonly OrderStatus[] = ['new', 'partial_fill', 'full_fill', 'cancelled'];

export const FORCES: readonly Force[] = ['gtc', 'ioc', 'fok', 'post_only'];

export function isOfContract(order: ShownOrder['order']): order is ContractOrderView {
  return 'action' in order;
}

export function sideOfOrder(order: ShownOrder['order']): Side {
  return isOfContract(order) ? sideOf(order.action) : order.side;
}

function isReduceOnly(order: ShownOrder['order']): boolean {
  return isOfContract(order) && !isOpen(order.action);
}

/** When and why it closed; undefined while it is open. */
function endOf(order: ShownOrder['order']) {
  return 'closedTimeMs' in order ? order : undefined;
}

function statusOf(order: ShownOrder['order']): OrderStatus {
  const end = endOf(order);
  return end === undefined ? openStatus(order) : closedStatus(end.reason);
}

/** The quote coin that a market buy may spend; undefined for an order of a size. */
function budgetOf(order: ShownOrder['order']): Amount | undefined {
  return !isOfContract(order) && spendsBudget(order) ? order.quoteBudget : undefined;
}

function averageOf({ market, order }: ShownOrder): string {
  if (isOfContract(order)) {
    if (isPair(market)) return '0';
    const average = fillAverage(market.kind, order, AVERAGE_EXTRA_SCALE);
    return formatTrimmed(average, market.priceScale + AVERAGE_EXTRA_SCALE);
  }
  return isPair(market) ? averagePrice(market, order) : '0';
}

/** Of a contract order; null of a pair's. */
function ofContract(
  description: string,
  example: string | null,
  of: (order: ContractOrderView, market: Contract) => string | null,
) {
  return orNull<ShownOrder>(schema.decimal('Number'), description, example, ({ market, order }) =>
    isOfContract(order) && !isPair(market) ? of(order, market) : null,
  );
}

export const ORDER = row<ShownOrder>()({
  id: id('Order', formatId(28), ({ order }) => formatId(order.orderId)),
  clientId: nullOr(
    'Id chosen by the client; null for none',
    text<ShownOrder>('Client id', 'grid-7', ({ order }) => order.clientOrderId ?? ''),
    ({ order }) => order.clientOrderId === undefined,
  ),
  symbol: SYMBOL,
  side: oneOf(['buy', 'sell'], 'Side', 'buy', ({ order }) => sideOfOrder(order)),
  type: oneOf(['limit', 'market'], 'Type', 'limit', ({ order }) => order.type),
  timeInForce: oneOf(FORCES, 'Time in force', 'gtc', ({ order }) => order.force),
  reduceOnly: truth('Whether it only closes', false, ({ order }) => isReduceOnly(order)),
  price: nullOr(
    'Limit price; null of a market order',
    decimal<ShownOrder>('Price', '29400.00', ({ market, order }) =>
      order.type === 'limit' ? priceText(order.priceTicks, market) : '0',
    ),
    ({ order }) => order.type !== 'limit',
  ),
  size: nullOr(
    'Size of the whole order; null of a market buy that says what to spend',
    decimal<ShownOrder>('Size', '0.0005', ({ market, order }) =>
      'sizeLots' in order ? sizeText(order.sizeLots, market) : '0',
    ),
    ({ order }) => budgetOf(order) !== undefined,
  ),
  spend: orNull(
    schema.decimal('Number'),
    'Quote coin that a market buy may spend; null of an order of a size',
    null,
    ({ market, order }) => {
      const budget = budgetOf(order);
      return budget === undefined || !isPair(market)
        ? null
        : formatTrimmed(budget, market.quote.scale);
    },
  ),
  takeProfit: ofContract(
    'Trigger of the take-profit that it brings; null without one, or of a pair',
    null,
    ({ takeProfitTicks }, market) =>
      takeProfitTicks === undefined ? null : priceText(takeProfitTicks, market),
  ),
  stopLoss: ofContract(
    'Trigger of the stop-loss that it brings; null without one, or of a pair',
    null,
    ({ stopLossTicks }, market) =>
      stopLossTicks === undefined ? null : priceText(stopLossTicks, market),
  ),
  leverage: encoded<ShownOrder, number | null>(
    {
      schema: Type.Union([schema.wholeNumber('Leverage'), Type.Null()], {
        description: 'Leverage it was placed with; null of a pair',
      }),
      example: null,
    },
    ({ order }) => (isOfContract(order) ? String(order.leverage) : 'null'),
  ),
  cause: oneOf(
    ORDER_CAUSES,
    'owner, or the step of a liquidation that placed it',
    'owner',
    ({ order }) => (isOfContract(order) ? order.cause : 'owner'),
  ),
  filled: decimal('Of it filled', '0', ({ market, order }) => sizeText(order.filledLots, market)),
  average: decimal('Average price of that; 0 for nothing', '0', averageOf),
  fee: ofContract(
    'Fees paid so far, in the money of the contract; null of a pair, whose fills have them',
    null,
    ({ fee }, { margin }) => formatTrimmed(fee, margin.scale),
  ),
  realizedPnl: ofContract(
    'Profit or loss that it realised so far, fees not included; null of a pair',
    null,
    ({ realizedPnl }, { margin }) => formatTrimmed(realizedPnl, margin.scale),
  ),
  status: oneOf(
    STATUSES,
    'new and partial_fill are open, full_fill and cancelled are closed',
    'new',
    ({ order }) => statusOf(order),
  ),
  reason: orNull(
    schema.text('Why'),
    'Why it closed, as in filled or cancelled_by_owner; null while it is open',
    null,
    ({ order }) => endOf(order)?.reason ?? null,
  ),
  time: whole(
    'When it was placed, in Unix milliseconds',
    TIME_MS,
    ({ order }) => order.createdTimeMs,
  ),
  closedTime: nullOr(
    'When it closed; null while it is open',
    whole<ShownOrder>('When', TIME_MS, ({ order }) => endOf(order)?.closedTimeMs ?? 0),
    ({ order }) => endOf(order) === undefined,
  ),
});
