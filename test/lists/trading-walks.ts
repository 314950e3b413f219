/** Every list of the trading dialects that comes in pages: how it is walked, and what it holds. */
import type { Endpoint } from '#api';
import {
  CURRENT_CONTRACT_ENDPOINTS as CONTRACT,
  CURRENT_SPOT_ENDPOINTS as CURRENT,
  LEGACY_ENDPOINTS,
  NATIVE_ENDPOINTS as OWN,
  SPOT_ENDPOINTS as SPOT,
  SWAP_ENDPOINTS as SWAP,
} from '#dialects';
import type { Event } from '#domain';
import type { Told } from './told.ts';
import { byBound, byCandles, byPage, byTime, type Ways } from './walking.ts';

export interface Walk {
  readonly endpoint: Endpoint;
  /** What is asked for on every page; given what was told, because ids are. */
  readonly filters?: (told: Told) => object;
  /** Where in the answer the rows are; the answer itself without it. */
  readonly rowsAt?: string;
  /** What no two rows have in common. */
  readonly key: readonly string[];
  readonly ways: Ways;
  /** How many rows there are, by what happened. */
  readonly count: (told: Told) => number | Promise<number>;
}

const PAIR = () => ({ symbol: 'BTCUSDT_SPBL' });
const NAME = () => ({ symbol: 'BTCUSDT' });
const PERPETUAL = () => ({ symbol: 'cmt_btcusdt' });
const MINUTE_MS = 60_000;
const DAYS = { createDate: 90 };

const sides = (one: boolean, other: boolean): number => Number(one) + Number(other);

function spotFills({ steps, accountId }: Told, order?: number): number {
  const of = (account: number, id: number) => account === accountId && (order ?? id) === id;
  return count(steps, (event) =>
    event.kind === 'trade'
      ? sides(
          of(event.takerAccountId, event.takerOrderId),
          of(event.makerAccountId, event.makerOrderId),
        )
      : 0,
  );
}

function contractFills({ steps, accountId }: Told, order?: number): number {
  const of = (fill: { accountId: number; orderId: number }) =>
    fill.accountId === accountId && (order ?? fill.orderId) === fill.orderId;
  return count(steps, (event) =>
    event.kind === 'contract_trade' ? sides(of(event.taker), of(event.maker)) : 0,
  );
}

function changes({ steps, accountId }: Told, isSpot: boolean): number {
  return count(steps, (event) =>
    event.kind === 'balance_changed' &&
    event.accountId === accountId &&
    (event.wallet === 'spot') === isSpot
      ? 1
      : 0,
  );
}

const spotBills = (told: Told): number => 2 * spotFills(told) + changes(told, true);
const ledger = (told: Told): number => contractFills(told) + changes(told, false);

function count(steps: Told['steps'], of: (event: Event) => number): number {
  return steps.flatMap(({ events }) => events).reduce((sum, event) => sum + of(event), 0);
}

/** Events of a kind that are about the account, or about everybody. */
function counted(kind: Event['kind'], isOwn: (event: Event, told: Told) => boolean = () => true) {
  return (told: Told) =>
    count(told.steps, (event) => Number(event.kind === kind && isOwn(event, told)));
}

const closedOrders = counted(
  'order_closed',
  (event, told) => event.kind === 'order_closed' && event.order.accountId === told.accountId,
);
const closedContractOrders = counted(
  'contract_order_closed',
  (event, told) =>
    event.kind === 'contract_order_closed' && event.order.accountId === told.accountId,
);
const endedTriggers = counted(
  'trigger_order_closed',
  (event, told) =>
    event.kind === 'trigger_order_closed' && event.trigger.accountId === told.accountId,
);
const transfers = counted(
  'transferred',
  (event, told) => event.kind === 'transferred' && event.accountId === told.accountId,
);

const settlements = counted(
  'funding_settled',
  (event, told) =>
    event.kind === 'funding_settled' && event.instrumentId === told.contract.instrumentId,
);

/** Of the first trade's minute and every one since. */
function minutes(kind: 'trade' | 'contract_trade') {
  return ({ steps, nowMs }: Told): number => {
    const first = steps.find(({ events }) => events.some((event) => event.kind === kind));
    const since = Math.floor((first?.timeMs ?? nowMs) / MINUTE_MS);
    return Math.floor(nowMs / MINUTE_MS) - since + 1;
  };
}

const CLASSIC_IDS = { older: 'after', newer: 'before' };
const CURRENT_TIMES = { from: 'startTime', to: 'endTime' };
const CANDLE_TIMES = { from: 'startTime', to: 'endTime', of: '0' };

export const TRADING_WALKS: readonly Walk[] = [
  {
    endpoint: OWN.closedOrders,
    rowsAt: 'rows',
    key: ['id'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: (told) => closedOrders(told) + closedContractOrders(told),
  },
  {
    endpoint: OWN.closedTriggers,
    rowsAt: 'rows',
    key: ['id'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: endedTriggers,
  },
  {
    endpoint: OWN.fills,
    rowsAt: 'rows',
    key: ['id', 'order'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: (told) => spotFills(told) + contractFills(told),
  },
  {
    endpoint: OWN.transfers,
    rowsAt: 'rows',
    key: ['id'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: transfers,
  },
  {
    endpoint: OWN.ledger,
    rowsAt: 'rows',
    key: ['id'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: (told) => spotBills(told) + ledger(told),
  },
  {
    endpoint: OWN.funding,
    filters: () => ({ symbol: 'BTC-USDT-PERP' }),
    rowsAt: 'rows',
    key: ['time'],
    ways: {
      ...byBound({ older: 'before', of: 'time' }),
      ...byTime({ from: 'from', to: 'to', of: 'time' }),
    },
    count: settlements,
  },
  {
    endpoint: OWN.liquidations,
    rowsAt: 'rows',
    key: ['id'],
    ways: byBound({ older: 'before', of: 'id' }),
    count: counted('liquidated'),
  },
  {
    endpoint: OWN.candles,
    filters: () => ({ symbol: 'BTC-USDT', period: '1min' }),
    key: ['time'],
    ways: byCandles({ from: 'from', to: 'to', of: 'time' }, MINUTE_MS, 'limit'),
    count: minutes('trade'),
  },
  {
    endpoint: SPOT.orderHistory,
    filters: PAIR,
    key: ['orderId'],
    ways: byBound({ ...CLASSIC_IDS, of: 'orderId' }),
    count: closedOrders,
  },
  {
    endpoint: SPOT.fills,
    filters: PAIR,
    key: ['fillId', 'orderId'],
    ways: byBound({ ...CLASSIC_IDS, of: 'orderId' }),
    count: (told) => spotFills(told),
  },
  {
    endpoint: SPOT.fills,
    filters: ({ largest }) => ({ ...PAIR(), orderId: largest.spot.text }),
    key: ['fillId'],
    ways: byBound({ ...CLASSIC_IDS, of: 'fillId' }),
    count: (told) => spotFills(told, told.largest.spot.orderId),
  },
  {
    endpoint: SPOT.bills,
    key: ['billId'],
    ways: byBound({ ...CLASSIC_IDS, of: 'billId' }),
    count: spotBills,
  },
  {
    endpoint: SPOT.transferRecords,
    key: ['amount'],
    ways: byBound({ ...CLASSIC_IDS, of: 'tradeTime' }),
    count: transfers,
  },
  {
    endpoint: SPOT.candles,
    filters: () => ({ ...PAIR(), period: '1min' }),
    key: ['ts'],
    ways: byCandles({ from: 'after', to: 'before', of: 'ts' }, MINUTE_MS, 'limit'),
    count: minutes('trade'),
  },
  {
    endpoint: SWAP.candles,
    filters: () => ({ ...PERPETUAL(), granularity: '60' }),
    key: ['0'],
    ways: byCandles(CANDLE_TIMES, MINUTE_MS),
    count: minutes('contract_trade'),
  },
  {
    endpoint: SWAP.fundingHistory,
    filters: PERPETUAL,
    key: ['funding_time'],
    ways: byPage({ page: 'pageIndex', size: 'pageSize', first: 1 }),
    count: settlements,
  },
  {
    endpoint: SWAP.recentLiquidations,
    key: ['liquidation_id'],
    ways: byBound({ older: 'before', of: 'liquidation_id' }),
    count: counted('liquidated'),
  },
  {
    endpoint: SWAP.orderHistory,
    filters: () => ({ ...PERPETUAL(), ...DAYS }),
    key: ['order_id'],
    ways: byPage({ page: 'pageIndex', size: 'pageSize', first: 1 }),
    count: closedContractOrders,
  },
  {
    endpoint: LEGACY_ENDPOINTS.swapOrders,
    filters: () => ({ ...PERPETUAL(), status: '2' }),
    key: ['order_id'],
    ways: byBound({ older: 'before', of: 'order_id' }),
    count: counted(
      'contract_order_closed',
      (event, { accountId }) =>
        event.kind === 'contract_order_closed' &&
        event.order.accountId === accountId &&
        event.reason === 'filled',
    ),
  },
  {
    endpoint: SWAP.fills,
    filters: ({ largest }) => ({ ...PERPETUAL(), orderId: largest.contract.text }),
    key: ['trade_id'],
    ways: byBound({ older: 'before', of: 'trade_id' }),
    count: (told) => contractFills(told, told.largest.contract.orderId),
  },
  {
    endpoint: SWAP.openPlans,
    filters: PERPETUAL,
    key: ['order_id'],
    ways: byPage({ page: 'pageIndex', size: 'pageSize', first: 1 }),
    count: ({ waiting }) => waiting,
  },
  {
    endpoint: SWAP.planHistory,
    filters: PERPETUAL,
    key: ['order_id'],
    ways: byPage({ page: 'pageIndex', size: 'pageSize', first: 1 }),
    count: endedTriggers,
  },
  {
    endpoint: SWAP.ledger,
    key: ['ledger_id'],
    ways: byBound({ older: 'before', of: 'ledger_id' }),
    count: ledger,
  },
  {
    endpoint: CURRENT.klines,
    filters: () => ({ ...NAME(), interval: '1m' }),
    key: ['0'],
    ways: byCandles(CANDLE_TIMES, MINUTE_MS, 'limit'),
    count: minutes('trade'),
  },
  {
    endpoint: CURRENT.bills,
    key: ['billId'],
    ways: {
      ...byTime({ from: 'after', to: 'before', of: 'cTime' }),
      ...byBound({ older: 'beforeId', of: 'billId' }),
    },
    count: spotBills,
  },
  {
    endpoint: CURRENT.transferRecords,
    key: ['amount'],
    ways: byTime({ from: 'after', to: 'before', of: 'tradeTime' }),
    count: transfers,
  },
  {
    endpoint: CURRENT.allOrders,
    filters: NAME,
    key: ['orderId'],
    ways: byPage({ page: 'page', size: 'limit', first: 1 }),
    count: (told) => closedOrders(told) + told.open.spot,
  },
  {
    endpoint: CURRENT.myTrades,
    filters: NAME,
    key: ['id', 'orderId'],
    ways: {
      ...byTime({ ...CURRENT_TIMES, of: 'time' }),
      ...byBound({ older: 'beforeId', of: 'id' }),
    },
    count: (told) => spotFills(told),
  },
  {
    endpoint: CURRENT.myTrades,
    filters: ({ largest }) => ({ ...NAME(), orderId: largest.spot.text }),
    key: ['id'],
    ways: byBound({ older: 'beforeId', of: 'id' }),
    count: (told) => spotFills(told, told.largest.spot.orderId),
  },
  {
    endpoint: CONTRACT.contractHistoryKlines,
    filters: () => ({ ...NAME(), interval: '1m' }),
    key: ['0'],
    ways: byCandles(CANDLE_TIMES, MINUTE_MS, 'limit'),
    count: minutes('contract_trade'),
  },
  {
    endpoint: CONTRACT.fundingRate,
    filters: NAME,
    key: ['fundingTime'],
    ways: byTime({ ...CURRENT_TIMES, of: 'fundingTime' }),
    count: settlements,
  },
  {
    endpoint: CONTRACT.income,
    rowsAt: 'items',
    key: ['billId'],
    ways: byBound({ older: 'nextKeyId', of: 'billId' }),
    count: ledger,
  },
  {
    endpoint: CONTRACT.contractOpenOrders,
    key: ['orderId'],
    ways: byPage({ page: 'page', size: 'limit', first: 0 }),
    count: ({ open }) => open.contract,
  },
  {
    endpoint: CONTRACT.contractOrderHistory,
    key: ['orderId'],
    ways: byPage({ page: 'page', size: 'limit', first: 0 }),
    count: (told) => closedContractOrders(told) + endedTriggers(told),
  },
  {
    endpoint: CONTRACT.userTrades,
    key: ['id', 'orderId'],
    ways: {
      ...byTime({ ...CURRENT_TIMES, of: 'time' }),
      ...byBound({ older: 'beforeId', of: 'id' }),
    },
    count: (told) => contractFills(told),
  },
  {
    endpoint: CONTRACT.userTrades,
    filters: ({ largest }) => ({ orderId: largest.contract.text }),
    key: ['id'],
    ways: byBound({ older: 'beforeId', of: 'id' }),
    count: (told) => contractFills(told, told.largest.contract.orderId),
  },
  {
    endpoint: CONTRACT.openAlgoOrders,
    key: ['algoId'],
    ways: byPage({ page: 'page', size: 'limit', first: 1 }),
    count: ({ waiting }) => waiting,
  },
  {
    endpoint: CONTRACT.allAlgoOrders,
    rowsAt: 'orders',
    key: ['algoId'],
    ways: byPage({ page: 'page', size: 'limit', first: 1 }),
    count: endedTriggers,
  },
];
