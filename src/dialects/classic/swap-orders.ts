/**
 * Reading contract orders and fills. Open orders are in the venue's memory, closed ones in the
 * history, which is asked only once it holds everything the caller can know of. A market order has
 * no price, which is null; a fee is below zero when it was charged.
 */
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import type { Services } from '#api';
import {
  type AccountId,
  CONTRACT_CANCEL_REASONS,
  type Contract,
  type ContractAction,
  type ContractCloseReason,
  type ContractOrderView,
  closedStatus,
  type Force,
  holdSideOf,
  LIMITS,
  type OrderCause,
  type OrderId,
  type OrderStatus,
  openStatus,
  refuse,
} from '#domain';
import type {
  ClosedContractOrder,
  ClosedContractOrdersQuery,
  ContractFillRecord,
  ContractFillsQuery,
} from '#history';
import { formatFee, formatFillAverage, formatPrice } from '../kit/contract-figures.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { ORDER_ID, TIME_MS } from '../kit/examples.ts';
import { clientIdOf, formatId, parseOrderId } from '../kit/ids.ts';
import { beforeOrder, beforeTrade, type Field, requiredText } from '../kit/request.ts';
import { decimal, id, jsonList, listOf, oneOf, orNull, row, text, timeMs } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import {
  BASE,
  CONTRACT,
  contractColumn,
  LONG_PAGE,
  money,
  nothingBeyond,
  type OfContract,
  ONLY_SYMBOL,
  ORDER_RATE,
  PAGE_SIZE,
  price,
  READING,
  SYMBOL,
  size,
} from './swap-terms.ts';

const MS_PER_DAY = 86_400_000;

const STATUS_NUMBERS = {
  cancelled: '-1',
  new: '0',
  partial_fill: '1',
  full_fill: '2',
} as const satisfies Record<OrderStatus, string>;

const FORCE_NUMBERS = {
  gtc: '0',
  post_only: '1',
  fok: '2',
  ioc: '3',
} as const satisfies Record<Force, string>;

/** What an order of the owner does. */
export const ACTION_NUMBERS = {
  open_long: '1',
  open_short: '2',
  close_long: '3',
  close_short: '4',
} as const satisfies Record<ContractAction, string>;

type VenueCause = Exclude<OrderCause, 'owner'>;

/** `type` of an order the venue placed, for a long and a short; netting has none of its own. */
const VENUE_TYPES = {
  reduction: ['5', '6'],
  deleveraging: ['7', '8'],
  netting: ['7', '8'],
  liquidation: ['9', '10'],
} as const satisfies Record<VenueCause, readonly string[]>;

/** `delegateType` of a fill of such an order. */
const VENUE_DELEGATE_TYPES = {
  reduction: ['5', '6'],
  deleveraging: ['11', '12'],
  netting: ['11', '12'],
  liquidation: ['13', '14'],
} as const satisfies Record<VenueCause, readonly string[]>;

function typeNumber({ order: { action, cause } }: ShownOrder) {
  if (cause === 'owner') return ACTION_NUMBERS[action];
  return VENUE_TYPES[cause][holdSideOf(action) === 'long' ? 0 : 1];
}

function delegateType({ fill: { action, cause } }: ShownFill) {
  if (cause === 'owner') return ACTION_NUMBERS[action];
  return VENUE_DELEGATE_TYPES[cause][holdSideOf(action) === 'long' ? 0 : 1];
}

interface ShownOrder extends OfContract {
  readonly order: ContractOrderView;
  readonly status: OrderStatus;
  /** Why it is closed. */
  readonly reason?: ContractCloseReason | undefined;
}

/** Market orders take what they can at once: clients call that a normal order. */
function forceNumber({ order: { type, force } }: ShownOrder) {
  return FORCE_NUMBERS[type === 'market' && force === 'ioc' ? 'gtc' : force];
}

export const CONTRACT_ORDER = row<ShownOrder>()({
  symbol: contractColumn('Contract'),
  size: size('Quantity in contracts', '1', ({ order }) => order.sizeLots),
  client_oid: text('Id chosen by the client, or the order id', 'drv#1', ({ order }) =>
    clientIdOf(order),
  ),
  createTime: timeMs('When the order was placed', TIME_MS, ({ order }) => order.createdTimeMs),
  filled_qty: size('Filled quantity in contracts', '0', ({ order }) => order.filledLots),
  fee: money(
    'Fees of its fills in the margin coin; below zero when charged',
    '0',
    ({ order }) => -order.fee,
  ),
  order_id: id('Order id', ORDER_ID, ({ order }) => formatId(order.orderId)),
  price: orNull(
    schema.decimal('Limit price'),
    'Limit price; null for a market order',
    '29550.0',
    ({ contract, order }) =>
      order.type === 'limit' ? formatPrice(contract, order.priceTicks) : null,
  ),
  price_avg: decimal(
    'Average price of what has filled, by its value: harmonic when inverse; 0 for nothing',
    '0',
    ({ contract, order }) => formatFillAverage(contract, order),
  ),
  status: oneOf(
    ['-1', '0', '1', '2'],
    '-1 cancelled, 0 waiting, 1 partly filled, 2 filled',
    '0',
    ({ status }) => STATUS_NUMBERS[status],
  ),
  type: oneOf(
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
    '1 open long, 2 open short, 3 close long, 4 close short; by the venue: 5 and 6 reduced, ' +
      '7 and 8 deleveraged or netted, 9 and 10 liquidated, each a long and a short',
    '1',
    typeNumber,
  ),
  order_type: oneOf(
    ['0', '1', '2', '3'],
    '0 normal, 1 post only, 2 fill or kill, 3 immediate or cancel',
    '0',
    forceNumber,
  ),
  totalProfits: money(
    'Profit and loss its fills realised, fees not included',
    '0',
    ({ order }) => order.realizedPnl,
  ),
  cancel_reason: oneOf(
    ['', ...CONTRACT_CANCEL_REASONS],
    'Why it was cancelled; empty otherwise',
    '',
    ({ reason }) => (reason === undefined || reason === 'filled' ? '' : reason),
  ),
});

/** One order alone, with the field that only this answer has. */
const ORDER_DETAIL = row<ShownOrder & { readonly nowMs: number }>()({
  ...CONTRACT_ORDER.columns,
  timestamp: timeMs('Server time; obsolete', TIME_MS, ({ nowMs }) => nowMs),
});

const FILLED_ORDER = {
  ...CONTRACT_ORDER.example,
  filled_qty: '1',
  fee: '-0.01773',
  price_avg: '29550.00',
  status: '2',
};

const DELEGATE_NUMBERS = ['1', '2', '3', '4', '5', '6', '11', '12', '13', '14'];

interface ShownFill extends OfContract {
  readonly fill: ContractFillRecord;
}

/** One fill: order_qty is what traded, as on the exchanges the interface comes from. */
const FILL = row<ShownFill>()({
  symbol: contractColumn('Contract'),
  trade_id: id('Trade id', formatId(31), ({ fill }) => formatId(fill.tradeId)),
  order_id: id('Order id', ORDER_ID, ({ fill }) => formatId(fill.orderId)),
  price: price('Price', '29550.0', ({ fill }) => fill.priceTicks),
  order_qty: size('Quantity of this fill in contracts', '1', ({ fill }) => fill.sizeLots),
  fee: decimal(
    'Fee in the margin coin; below zero when charged',
    '-0.01773000',
    ({ contract, fill }) => formatFee(contract, fill.fee),
  ),
  timestamp: timeMs('When it traded', TIME_MS, ({ fill }) => fill.timeMs),
  exec_type: oneOf(['T', 'M'], 'T took, M rested', 'T', ({ fill }) =>
    fill.role === 'taker' ? 'T' : 'M',
  ),
  side: oneOf(DELEGATE_NUMBERS, 'Same as delegateType', '1', delegateType),
  delegateType: oneOf(
    DELEGATE_NUMBERS,
    '1 open long, 2 open short, 3 close long, 4 close short; by the venue: 5 and 6 reduced, ' +
      '11 and 12 deleveraged or netted, 13 and 14 liquidated, each a long and a short',
    '1',
    delegateType,
  ),
});

/** An order, or plan order, by its id. */
export interface OrderReference {
  /** As the client sent it, for answers that repeat it. */
  readonly idText: string;
  /** Undefined when the text can be no id of this venue. */
  readonly orderId: OrderId | undefined;
}

export function referenceOf(idText: string): OrderReference {
  return { idText, orderId: parseOrderId(idText) };
}

/** The order that a cancel or a query is about. */
export const ORDER_REFERENCE: Field<OrderReference> = {
  ...requiredText('Order id'),
  read: (fields, name) => referenceOf(fields.requiredText(name)),
};

/** An order, as an example of a request names it. */
export const EXAMPLE_REFERENCE = { symbol: SYMBOL, orderId: ORDER_ID };

/** createDate 0 is today, 1 since yesterday, by UTC. */
const DAYS_BACK: Field<number> = {
  schema: schema.required('Days before today (UTC) to look back, 0 to 90'),
  read: (fields, name) => {
    fields.requiredText(name);
    const days = fields.wholeNumber(name) ?? 0;
    const most = LIMITS.contractHistoryDaysMax;
    if (days > most) fields.refuse('days_exceeded', `${name} ${days}, at most ${most}`);
    return days;
  },
};

/** The midnight, by UTC, with which the day begins that was so many days ago. */
export function midnightMs(nowMs: number, daysBack: number): number {
  return nowMs - (nowMs % MS_PER_DAY) - daysBack * MS_PER_DAY;
}

/** Closed orders that are looked through for those of one status. */
const LOOKED_AT_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

const STATUSES: ReadonlyMap<string, readonly OrderStatus[]> = new Map<string, OrderStatus[]>([
  ['-1', ['cancelled']],
  ['0', ['new']],
  ['1', ['partial_fill']],
  ['2', ['full_fill']],
  ['3', ['new', 'partial_fill']],
]);
const OPEN: readonly OrderStatus[] = ['new', 'partial_fill'];

function writeClosed(contract: Contract, order: ClosedContractOrder): string {
  const { reason } = order;
  return CONTRACT_ORDER.write({ contract, order, status: closedStatus(reason), reason });
}

function writeOpen(contract: Contract, order: ContractOrderView): string {
  return CONTRACT_ORDER.write({ contract, order, status: openStatus(order) });
}

/** A closed order of the caller in this contract. */
export async function findClosedOrder(
  { history, historyReady }: Pick<Services, 'history' | 'historyReady'>,
  accountId: AccountId,
  { instrumentId }: Contract,
  wanted: OrderId,
): Promise<ClosedContractOrder | undefined> {
  await historyReady();
  const closed = await history.contractOrder(accountId, wanted);
  return closed?.instrumentId === instrumentId ? closed : undefined;
}

/** Every fill of an order, read page by page: other calls get their turn in between. */
async function allFills(
  history: Services['history'],
  order: Pick<ContractFillsQuery, 'accountId' | 'instrumentId' | 'orderId' | 'before'>,
): Promise<ContractFillRecord[]> {
  const limit = LIMITS.pageRowsMax;
  const found: ContractFillRecord[] = [];
  for (;;) {
    const { tradeId: before = order.before } = found.at(-1) ?? {};
    const page = await history.contractFills({ ...order, before, limit });
    found.push(...page);
    if (page.length < limit || found.length >= LIMITS.contractOrderFillsMax) return found;
    await setImmediate();
  }
}

/** Closed orders that are wanted, among so many of the newest; other calls get their turn. */
async function newestClosed(
  history: Services['history'],
  asked: Pick<ClosedContractOrdersQuery, 'accountId' | 'instrumentId' | 'before'>,
  limit: number,
  isWanted: (order: ClosedContractOrder) => boolean,
): Promise<ClosedContractOrder[]> {
  const found: ClosedContractOrder[] = [];
  let { before } = asked;
  for (let read = 0; read < LOOKED_AT_MAX; read += LIMITS.pageRowsMax) {
    const page = { ...asked, before, offset: 0, limit: LIMITS.pageRowsMax };
    const orders = await history.contractOrders(page);
    found.push(...orders.filter(isWanted));
    before = orders.at(-1)?.orderId;
    if (found.length >= limit || orders.length < LIMITS.pageRowsMax) break;
    await setImmediate();
  }
  return found.slice(0, limit);
}

/** What the endpoints here have in common. */
const ORDERS = { ...READING, rate: ORDER_RATE } as const;

export const SWAP_ORDERS = {
  orderDetail: signedEndpoint({
    ...ORDERS,
    path: `${BASE}/order/detail`,
    summary: 'One order, open or closed',
    request: { symbol: CONTRACT, orderId: ORDER_REFERENCE },
    response: ORDER_DETAIL,
    example: { request: EXAMPLE_REFERENCE },
    answer: async (services: Services, asked, { accountId, nowMs }) => {
      const { symbol: contract } = asked;
      const { orderId: wanted } = asked.orderId;
      if (wanted === undefined) return refuse('order_unknown');
      const open = await services.venue.read((state) => {
        const order = state.openContractOrder(wanted);
        const isOwn = order?.accountId === accountId;
        if (!isOwn || order.instrumentId !== contract.instrumentId) return undefined;
        return ORDER_DETAIL.write({ contract, order, status: openStatus(order), nowMs });
      }, accountId);
      if (open !== undefined) return open;
      const order = await findClosedOrder(services, accountId, contract, wanted);
      if (order === undefined) return refuse('order_unknown');
      const { reason } = order;
      return ORDER_DETAIL.write({ contract, order, status: closedStatus(reason), nowMs, reason });
    },
  }),
  orderHistory: signedEndpoint({
    ...ORDERS,
    path: `${BASE}/order/history`,
    summary: 'Closed orders, newest first',
    request: {
      symbol: CONTRACT,
      pageIndex: LONG_PAGE,
      pageSize: PAGE_SIZE,
      createDate: DAYS_BACK,
    },
    response: listOf(CONTRACT_ORDER),
    example: {
      request: { symbol: SYMBOL, pageIndex: '1', pageSize: '20', createDate: '30' },
      data: [FILLED_ORDER],
    },
    answer: async ({ history, historyReady }: Services, asked, { accountId, nowMs }) => {
      const { symbol: contract, pageIndex, createDate } = asked;
      const { isBeyond, ...page } = pageIndex;
      const fromMs = midnightMs(nowMs, createDate);
      const { instrumentId } = contract;
      await historyReady();
      const orders = await history.contractOrders({ ...page, fromMs, accountId, instrumentId });
      if (isBeyond) return nothingBeyond(orders);
      return jsonList(orders, (order) => writeClosed(contract, order));
    },
  }),
  openOrders: signedEndpoint({
    ...ORDERS,
    path: `${BASE}/order/current`,
    summary: 'Open orders, newest first',
    request: { symbol: CONTRACT },
    response: listOf(CONTRACT_ORDER),
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, { symbol: contract }, { accountId }) =>
      venue.read((state) => {
        const orders = [...state.openContractOrders(accountId, contract.instrumentId)];
        return jsonList(orders, (order) => writeOpen(contract, order));
      }, accountId),
  }),
  fills: signedEndpoint({
    ...ORDERS,
    path: `${BASE}/order/fills`,
    summary: `All fills of an order, newest first (${LIMITS.contractOrderFillsMax} at once)`,
    request: {
      symbol: CONTRACT,
      orderId: ORDER_REFERENCE,
      before: beforeTrade('A trade_id: fills before it, for the rest of more (an extension)'),
    },
    response: listOf(FILL),
    example: { request: EXAMPLE_REFERENCE },
    answer: async ({ history, historyReady }: Services, asked, { accountId }) => {
      const { symbol: contract, before } = asked;
      const { orderId: wanted } = asked.orderId;
      if (wanted === undefined) return '[]';
      const { instrumentId } = contract;
      await historyReady();
      const found = await allFills(history, { accountId, instrumentId, orderId: wanted, before });
      return jsonList(found, (fill) => FILL.write({ contract, fill }));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** What older clients call: orders of one status, closed ones of ninety days. */
export const OLDER_SWAP_ORDERS = {
  swapOrders: signedEndpoint({
    ...ORDERS,
    path: `${BASE}/order/orders`,
    summary: 'Orders of one contract by status',
    request: {
      symbol: CONTRACT,
      status: {
        schema: Type.Optional(
          schema.oneOf([...STATUSES.keys()], 'As in an order; 3, the default, is 0 and 1'),
        ),
        read: (fields, name) => fields.choice(name, STATUSES, OPEN),
      } satisfies Field<readonly OrderStatus[]>,
      limit: {
        schema: schema.optional('Rows, up to 100'),
        read: (fields) => fields.limit(LIMITS.contractPageRowsMax, LIMITS.contractPageRowsMax),
      } satisfies Field<number>,
      before: beforeOrder('An order_id: orders before it'),
    },
    response: listOf(CONTRACT_ORDER),
    example: { request: ONLY_SYMBOL },
    answer: async ({ venue, history, historyReady }: Services, asked, { accountId }) => {
      const { symbol: contract, status: statuses, limit, before } = asked;
      const { instrumentId } = contract;
      if (statuses.some((status) => status === 'full_fill' || status === 'cancelled')) {
        await historyReady();
        const found = await newestClosed(
          history,
          { accountId, instrumentId, before },
          limit,
          (one) => statuses.includes(closedStatus(one.reason)),
        );
        return jsonList(found, (order) => writeClosed(contract, order));
      }
      return venue.read((state) => {
        const found = [...state.openContractOrders(accountId, instrumentId)]
          .filter((order) => order.orderId < (before ?? Number.MAX_SAFE_INTEGER))
          .filter((order) => statuses.includes(openStatus(order)));
        return jsonList(found.slice(0, limit), (order) => writeOpen(contract, order));
      }, accountId);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
