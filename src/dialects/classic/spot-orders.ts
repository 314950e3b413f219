/**
 * Orders and fills of an account. Open orders are in the venue's memory, closed ones in the
 * history, which is asked only once it holds everything the caller can know of.
 */
import { type JsonObject, refuseSaying, type Services } from '#api';
import {
  type AccountId,
  CANCEL_REASONS,
  type CloseReason,
  isRefused,
  type Listings,
  type OpenOrderView,
  type OrderId,
  type OrderStatus,
  type OrderView,
  openStatus,
  type Refused,
  refuse,
  type SpotInstrument,
  type StateReader,
  spendsBudget,
} from '#domain';
import type { ClosedOrder, Fill } from '#history';
import { formatDecimal, formatTrimmed } from '#kernel';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { ORDER_ID, TIME_MS } from '../kit/examples.ts';
import { Fields, shown } from '../kit/fields.ts';
import { clientIdOf, findNamed, findPastNamed, formatId, parseOrderId } from '../kit/ids.ts';
import { openSpotOrders } from '../kit/open-spot-orders.ts';
import { FILLS_END } from '../kit/page-ends.ts';
import { averagePrice } from '../kit/ratios.ts';
import { type Field, type Named, optionalText } from '../kit/request.ts';
import { decimal, id, jsonList, listedName, listOf, oneOf, row, text, timeMs } from '../kit/row.ts';
import { clientIdField, ID_PAGE, PAIR, pairOf, perSecond, SPOT_BASE } from './spot-terms.ts';
import { pairName } from './symbols.ts';

const SIDES = ['buy', 'sell'] as const;
const ORDER_TYPES = ['limit', 'market'] as const;

export interface PairOrder {
  readonly pair: SpotInstrument;
  readonly order: OrderView;
  readonly status: OrderStatus;
  /** Why it closed; undefined for an open one. */
  readonly reason: CloseReason | undefined;
}

export const ORDER = row<PairOrder>()({
  accountId: decimal('Account id', '1', ({ order }) => order.accountId),
  symbol: listedName('Pair identifier', 'BTCUSDT_SPBL', ({ pair }) => pairName(pair.symbol)),
  orderId: id('Order id', ORDER_ID, ({ order }) => formatId(order.orderId)),
  clientOrderId: text(
    'Id chosen by the client; the order id when it chose none',
    'grid#7',
    ({ order }) => clientIdOf(order),
  ),
  price: decimal('Limit price; 0 for a market order', '29400.00', ({ pair, order }) =>
    limitPrice(pair, order),
  ),
  quantity: decimal(
    'Base coin; for a market buy the quote coin to spend',
    '0.0005',
    ({ pair, order }) => orderQuantity(pair, order),
  ),
  orderType: oneOf(ORDER_TYPES, 'Order type', 'limit', ({ order }) => order.type),
  side: oneOf(SIDES, 'Order direction', 'buy', ({ order }) => order.side),
  status: oneOf(
    ['new', 'partial_fill', 'full_fill', 'cancelled'],
    'Order status',
    'new',
    ({ status }) => status,
  ),
  fillPrice: decimal('Average price of what has filled; 0 for nothing', '0', ({ pair, order }) =>
    averagePrice(pair, order),
  ),
  fillQuantity: decimal('Filled quantity in base coin', '0', ({ pair, order }) =>
    formatTrimmed(order.filledLots, pair.quantityScale),
  ),
  fillTotalAmount: decimal('Filled value in quote coin', '0', ({ pair, order }) =>
    formatTrimmed(order.filledQuote, pair.quote.scale),
  ),
  cTime: timeMs('When the order was placed', TIME_MS, ({ order }) => order.createdTimeMs),
  cancelReason: oneOf(
    ['', ...CANCEL_REASONS],
    'Why it was cancelled; empty otherwise',
    '',
    ({ reason }) => (reason === undefined || reason === 'filled' ? '' : reason),
  ),
});

function limitPrice(pair: SpotInstrument, order: OrderView): string {
  return order.type === 'market' ? '0' : formatDecimal(order.priceTicks, pair.priceScale);
}

/** What the client asked for: base coin, or the quote coin of a market buy's budget. */
function orderQuantity(pair: SpotInstrument, order: OrderView): string {
  if (spendsBudget(order)) return formatTrimmed(order.quoteBudget, pair.quote.scale);
  return formatDecimal(order.sizeLots, pair.quantityScale);
}

interface PairFill {
  readonly pair: SpotInstrument;
  readonly fill: Fill;
  /** 1n shows a fee that was paid as positive, as the contract has it. */
  readonly feeSign: 1n | -1n;
}

const FILL = row<PairFill>()({
  accountId: decimal('Account id', '1', ({ fill }) => fill.accountId),
  symbol: listedName('Pair identifier', 'BTCUSDT_SPBL', ({ pair }) => pairName(pair.symbol)),
  orderId: id('Order id', ORDER_ID, ({ fill }) => formatId(fill.orderId)),
  fillId: id('Fill id', formatId(31), ({ fill }) => formatId(fill.fillId)),
  orderType: oneOf(ORDER_TYPES, 'Order type', 'limit', ({ fill }) => fill.orderType),
  side: oneOf(SIDES, 'Order direction', 'buy', ({ fill }) => fill.side),
  fillPrice: decimal('Price', '30010.00', ({ pair, fill }) =>
    formatDecimal(fill.priceTicks, pair.priceScale),
  ),
  fillQuantity: decimal('Quantity in base coin', '0.0005', ({ pair, fill }) =>
    formatDecimal(fill.sizeLots, pair.quantityScale),
  ),
  fillTotalAmount: decimal('Value in quote coin', '15.005', ({ pair, fill }) =>
    formatTrimmed(fill.quoteAmount, pair.quote.scale),
  ),
  cTime: timeMs('When it traded', TIME_MS, ({ fill }) => fill.timeMs),
  feeCcy: listedName('Coin of the fee: the coin received', 'BTC', (row) => feeCoin(row).code),
  fees: decimal('Fee paid, positive; those of an order are rounded up once', '0.0000005', (row) =>
    formatTrimmed(row.feeSign * row.fill.feeAmount, feeCoin(row).scale),
  ),
});

function feeCoin({ pair, fill }: PairFill): SpotInstrument['base'] {
  return fill.side === 'buy' ? pair.base : pair.quote;
}

/** An order of the caller, by its id or, when that is undefined, by the id the client chose. */
export type OrderReference = { readonly pair: SpotInstrument } & (
  | { readonly orderId: OrderId }
  | { readonly orderId?: undefined; readonly clientOrderId: string }
);

export const ORDER_REFERENCE = {
  symbol: PAIR,
  orderId: optionalText('Order id'),
  clientOrderId: clientIdField('Id chosen by the client, read when no order id is given'),
};

/** The order a cancel or a query is about. An id that cannot be ours counts as unknown. */
export function readOrderReference(body: JsonObject, listings: Listings): OrderReference | Refused {
  const fields = new Fields(body);
  const symbol = ORDER_REFERENCE.symbol.read(fields, 'symbol');
  const given = ORDER_REFERENCE.orderId.read(fields, 'orderId');
  const clientOrderId =
    given === '' ? ORDER_REFERENCE.clientOrderId.read(fields, 'clientOrderId') : undefined;
  if (given === '' && clientOrderId === undefined) fields.refuse('order_id_missing', '');
  if (fields.fault !== undefined) return fields.fault;
  const pair = pairOf(symbol, listings);
  if (isRefused(pair)) return pair;
  if (clientOrderId !== undefined) return { pair, clientOrderId };
  const orderId = parseOrderId(given);
  return orderId === undefined ? refuseSaying('order_unknown', shown(given)) : { pair, orderId };
}

/** A pair; undefined for every pair where it is left out. */
const PAIR_OR_ALL: Named<string, SpotInstrument | undefined> = {
  ...optionalText('Only this pair, in any case'),
  find: (symbol, listings) => (symbol === '' ? undefined : pairOf(symbol, listings)),
};

/** null when the id given cannot be ours: there are no such fills. */
const OF_ORDER: Field<OrderId | null | undefined> = {
  ...optionalText('Only the fills of this order'),
  read: (fields, name) => {
    const given = fields.text(name);
    return given === '' ? undefined : (parseOrderId(given) ?? null);
  },
};

const CLOSED_EXAMPLE = {
  ...ORDER.example,
  price: '30010.00',
  status: 'full_fill',
  fillPrice: '30010',
  fillQuantity: '0.0005',
  fillTotalAmount: '15.005',
};

export const SPOT_ORDERS = {
  orderInfo: signedEndpointReadBy(readOrderReference, {
    method: 'POST',
    path: `${SPOT_BASE}/trade/orderInfo`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'One order, open or closed, in an array',
    request: ORDER_REFERENCE,
    response: listOf(ORDER),
    example: { request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID } },
    answer: async (services: Services, reference, { accountId }) => {
      const { pair } = reference;
      const open = await services.venue.read((state) => {
        const order = findOpen(state, accountId, reference);
        return order && writeOpen(pair, order);
      }, accountId);
      if (open !== undefined) return `[${open}]`;
      const closed = await findClosed(services, accountId, reference);
      return closed === undefined ? refuse('order_unknown') : `[${writeClosed(pair, closed)}]`;
    },
  }),
  openOrders: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/trade/open-orders`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'Open orders, newest first, of one pair or of all',
    request: { symbol: PAIR_OR_ALL },
    response: listOf(ORDER),
    example: { request: { symbol: 'BTCUSDT_SPBL' } },
    answer: ({ venue }: Services, { symbol: only }, { accountId }) =>
      venue.read((state) => openSpotOrders(state, accountId, only, writeOpen), accountId),
  }),
  orderHistory: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/trade/history`,
    rate: perSecond(20),
    permission: 'read',
    summary: 'Closed orders, newest first (100 by default, up to 500)',
    request: { symbol: PAIR, ...ID_PAGE },
    response: listOf(ORDER),
    example: { request: { symbol: 'BTCUSDT_SPBL', limit: 1 }, data: [CLOSED_EXAMPLE] },
    answer: async ({ history, historyReady }: Services, asked, { accountId }) => {
      const { symbol: pair, after: afterId, before: beforeId, limit } = asked;
      const { instrumentId } = pair;
      await historyReady();
      const orders = await history.orders({ accountId, instrumentId, afterId, beforeId, limit });
      return jsonList(orders, (order) => writeClosed(pair, order));
    },
  }),
  fills: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/trade/fills`,
    rate: perSecond(20),
    permission: 'read',
    summary: `Own trades, newest first (100 by default, up to 500). ${FILLS_END}`,
    request: { symbol: PAIR, ...ID_PAGE, orderId: OF_ORDER },
    response: listOf(FILL),
    example: { request: { symbol: 'BTCUSDT_SPBL', orderId: ORDER_ID } },
    answer: async (services: Services, asked, { accountId }) => {
      const { symbol: pair, orderId, after: afterId, before: beforeId, limit } = asked;
      if (orderId === null) return '[]';
      const { history, historyReady, compatibility } = services;
      await historyReady();
      const { instrumentId } = pair;
      const query = { accountId, instrumentId, orderId, afterId, beforeId, limit };
      const fills = await history.fills(query);
      const feeSign = compatibility?.fillFees === 'negative' ? -1n : 1n;
      return jsonList(fills, (fill) => FILL.write({ pair, fill, feeSign }));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function writeOpen(pair: SpotInstrument, order: OrderView): string {
  return ORDER.write({ pair, order, status: openStatus(order), reason: undefined });
}

function writeClosed(pair: SpotInstrument, order: ClosedOrder): string {
  return ORDER.write({ pair, order, status: order.status, reason: order.reason });
}

export function findOpen(
  state: StateReader,
  accountId: AccountId,
  reference: OrderReference,
): OrderView | undefined {
  const { instrumentId } = reference.pair;
  const own = (order: OpenOrderView | undefined) =>
    order?.accountId === accountId && order.instrumentId === instrumentId ? order : undefined;
  if (reference.orderId !== undefined) return own(state.openOrder(reference.orderId));
  return findNamed(
    reference.clientOrderId,
    (name) => own(state.openOrderByClientId(accountId, name)),
    (id) => own(state.openOrder(id)),
  );
}

/** A closed order of the caller, by the newest one with its client order id if it has no id. */
export async function findClosed(
  { history, historyReady }: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<ClosedOrder | undefined> {
  const { instrumentId } = reference.pair;
  await historyReady();
  const byId = async (id: OrderId) => {
    const closed = await history.order(accountId, id);
    return closed?.instrumentId === instrumentId ? closed : undefined;
  };
  if (reference.orderId !== undefined) return byId(reference.orderId);
  return findPastNamed(
    reference.clientOrderId,
    (name) => history.orderByClientId(accountId, instrumentId, name),
    byId,
  );
}
