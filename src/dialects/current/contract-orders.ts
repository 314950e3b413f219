/**
 * Orders and fills of an account in contracts. Open orders are in the venue's memory, closed ones
 * in the history, which is asked only once it holds everything the caller can know of.
 */
import type { DataJson, Services } from '#api';
import {
  type AccountId,
  type Contract,
  type ContractOrderView,
  isRefused,
  LIMITS,
  type Listings,
  type Refused,
  refuse,
} from '#domain';
import type { EndedContractOrder } from '#history';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { pageId } from '../kit/request.ts';
import { ID_NUMBER, jsonList, listOf } from '../kit/row.ts';
import { contractOf, findAny } from './contract-order-reference.ts';
import {
  CONTRACT_FILL,
  CONTRACT_ORDER,
  writeClosedOrder,
  writeOpenOrder,
  writeTriggerAsOrder,
} from './contract-order-row.ts';
import { CONTRACT_BASE, CONTRACT_OR_ALL, ONLY_SYMBOL } from './contract-terms.ts';
import { costs } from './costs.ts';
import { BEFORE_FILL, ORDER_ID, OWN_FILLS_END, ownRowsWanted, pageFrom } from './parameters.ts';
import { ORDER_REFERENCE, readOrderReference } from './spot-order-reference.ts';
import { type AskedRange, END_TIME, rangeOf, START_TIME } from './time-range.ts';

const DAY_MS = 86_400_000;
const HISTORY_DAYS_MAX = 90;
const HISTORY_ROWS_DEFAULT = 500;
const FILLS_MAX = 100;
const OPEN_MAX = 100;
/** Rows that a page may begin after. */
const OFFSET_MAX = LIMITS.contractPageIndexMax * LIMITS.contractPageRowsMax;

/** The rows of a page, or why there is none: rows are only skipped up to a bound. */
export function pageOf(page: number, limit: number): { readonly offset: number } | Refused {
  const offset = page * limit;
  return offset <= OFFSET_MAX ? { offset } : refuse('page_window_exceeded');
}

/** Whether something was placed within a range. */
export function isWithin(
  { createdTimeMs }: { readonly createdTimeMs: number },
  { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: AskedRange,
): boolean {
  return createdTimeMs >= fromMs && createdTimeMs <= toMs;
}

function writeEnded(listings: Listings, ended: EndedContractOrder): string {
  if (ended.kind === 'order') {
    const { order } = ended;
    return writeClosedOrder(contractOf(listings, order.instrumentId), order);
  }
  const { trigger } = ended;
  const { status, updatedTimeMs } = trigger;
  const contract = contractOf(listings, trigger.instrumentId);
  return writeTriggerAsOrder(contract, trigger, status, updatedTimeMs);
}

/** Newest first over all contracts: each contract's own come that way. */
export function newestFirst<T extends { readonly orderId: ContractOrderView['orderId'] }>(
  orders: Iterable<T>,
): readonly T[] {
  return [...orders].sort((one, other) => other.orderId - one.orderId);
}

const READING = { method: 'GET', permission: 'read' } as const;

export const CONTRACT_ORDERS = {
  contractOrder: signedEndpointReadBy(readOrderReference, {
    ...READING,
    path: `${CONTRACT_BASE}/order`,
    ...costs(3),
    summary: 'One order or trigger order, open or not, by its id or the id the client chose',
    request: ORDER_REFERENCE,
    response: CONTRACT_ORDER,
    example: { request: { orderId: String(ID_NUMBER) } },
    answer: async (services: Services, reference, { accountId }) =>
      (await findAny(services, accountId, reference)) ?? refuse('order_unknown'),
  }),
  contractOpenOrders: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/openOrders`,
    ...costs(5),
    summary: 'Open orders of a contract or all, newest first; no trigger orders',
    request: {
      symbol: CONTRACT_OR_ALL,
      orderId: pageId('Only orders with a larger id'),
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(OPEN_MAX, OPEN_MAX),
      page: pageFrom(0),
    },
    response: listOf(CONTRACT_ORDER),
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, asked, { accountId }) => {
      const { symbol, orderId: above = -1, startTime, endTime, limit, page } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const from = page * limit;
      return venue.read((state) => {
        const open = newestFirst(state.openContractOrders(accountId, symbol?.instrumentId));
        const wanted = open.filter((order) => order.orderId > above && isWithin(order, range));
        return jsonList(wanted.slice(from, from + limit), (order) =>
          writeOpenOrder(contractOf(state.listings, order.instrumentId), order),
        );
      }, accountId);
    },
  }),
  contractOrderHistory: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/order/history`,
    ...costs(10),
    summary: 'Orders and trigger orders that are over, newest first; at most 90 days at once',
    request: {
      symbol: CONTRACT_OR_ALL,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(HISTORY_ROWS_DEFAULT, LIMITS.historyRowsMax),
      page: pageFrom(0),
    },
    response: listOf(CONTRACT_ORDER),
    example: { request: ONLY_SYMBOL },
    answer: async (services: Services, asked, { accountId, nowMs }) => {
      const { symbol, startTime, endTime, limit, page } = asked;
      const range = rangeWithin(HISTORY_DAYS_MAX, startTime, endTime, nowMs);
      if (isRefused(range)) return range;
      const place = pageOf(page, limit);
      if (isRefused(place)) return place;
      return endedOrders(services, accountId, symbol, { ...range, ...place, limit });
    },
  }),
  userTrades: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/userTrades`,
    ...costs(5),
    summary: `Fills of a contract, an order or all, newest first. ${OWN_FILLS_END}`,
    request: {
      symbol: CONTRACT_OR_ALL,
      orderId: ORDER_ID,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: ownRowsWanted(FILLS_MAX, FILLS_MAX),
      beforeId: BEFORE_FILL,
    },
    response: listOf(CONTRACT_FILL),
    example: { request: ONLY_SYMBOL },
    answer: async ({ history, historyReady, live }: Services, asked, { accountId }) => {
      const { symbol, orderId, startTime, endTime, limit, beforeId: before } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      if (orderId === null) return '[]';
      const instrumentId = symbol?.instrumentId;
      await historyReady();
      const fills = await history.contractFills({
        accountId,
        instrumentId,
        orderId,
        ...range,
        before,
        limit,
        whole: orderId === undefined ? 'millisecond' : 'order',
      });
      return jsonList(fills, (fill) =>
        CONTRACT_FILL.write({ contract: contractOf(live.listings, fill.instrumentId), fill }),
      );
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** A range of at most so many days; one that is open at its end ends now. */
export function rangeWithin(
  daysMax: number,
  fromMs: number | undefined,
  toMs: number | undefined,
  nowMs: number,
): AskedRange | Refused {
  const range = rangeOf(fromMs, toMs);
  if (isRefused(range) || fromMs === undefined) return range;
  const days = (Math.min(toMs ?? nowMs, nowMs) - fromMs) / DAY_MS;
  return days > daysMax ? refuse('days_exceeded', { is: 'text', text: String(daysMax) }) : range;
}

async function endedOrders(
  { history, historyReady, live: { listings } }: Services,
  accountId: AccountId,
  contract: Contract | undefined,
  page: AskedRange & { readonly offset: number; readonly limit: number },
): Promise<DataJson> {
  await historyReady();
  const instrumentId = contract?.instrumentId;
  const ended = await history.contractPast({ accountId, instrumentId, ...page });
  return jsonList(ended, (one) => writeEnded(listings, one));
}
