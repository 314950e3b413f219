/**
 * Handlers that read contract orders and fills. Open orders are in the venue's memory, closed ones
 * in the history, which is asked only once it holds everything the caller can know of.
 */

import { setImmediate } from 'node:timers/promises';
import type { Answer, JsonObject, Services } from '#api';
import { type AccountId, closedStatus, isRefused, LIMITS, openStatus, refuse } from '#domain';
import type { ClosedContractOrder, ContractFillRecord, ContractFillsQuery } from '#history';
import type { PrivateHandler } from '../handlers.ts';
import { jsonList } from '../row.ts';
import { readContractQuery } from './swap-read-contract.ts';
import {
  type ContractOrderReference,
  readContractHistory,
  readContractOrderReference,
  readOrdersByStatus,
} from './swap-read-order.ts';
import { nothingBeyond } from './swap-terms.ts';
import {
  writeContractFill,
  writeContractOrder,
  writeContractOrderDetail,
} from './swap-write-order.ts';

export type SwapOrdersOptions = Pick<
  Services,
  'venue' | 'live' | 'history' | 'historyReady' | 'compatibility'
>;

/** One handler per endpoint that reads contract orders, by its name in the table. */
export function swapOrderHandlers(options: SwapOrdersOptions) {
  return {
    orderDetail: (input, accountId, nowMs) => orderDetail(options, input, accountId, nowMs),
    orderHistory: (input, accountId, nowMs) => orderHistory(options, input, accountId, nowMs),
    openOrders: (input, accountId) => openOrders(options, input, accountId),
    fills: (input, accountId) => fills(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

async function orderDetail(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
  nowMs: number,
): Promise<Answer> {
  const reference = readContractOrderReference(input, options.live.listings);
  if (isRefused(reference)) return reference;
  const { contract, orderId } = reference;
  if (orderId === undefined) return refuse('order_unknown');
  const open = await options.venue.read((state) => {
    const order = state.openContractOrder(orderId);
    const isHere = order?.accountId === accountId && order.instrumentId === contract.instrumentId;
    return isHere ? writeContractOrderDetail(contract, order, openStatus(order), nowMs) : undefined;
  });
  if (open !== undefined) return open;
  const closed = await findClosedContractOrder(options, accountId, reference);
  if (closed === undefined) return refuse('order_unknown');
  return writeContractOrderDetail(
    contract,
    closed,
    closedStatus(closed.reason),
    nowMs,
    closed.reason,
  );
}

/** A closed order of the caller in the contract the reference names. */
export async function findClosedContractOrder(
  { history, historyReady }: Pick<SwapOrdersOptions, 'history' | 'historyReady'>,
  accountId: AccountId,
  { contract, orderId }: ContractOrderReference,
): Promise<ClosedContractOrder | undefined> {
  if (orderId === undefined) return undefined;
  await historyReady();
  const closed = await history.contractOrder(accountId, orderId);
  return closed?.instrumentId === contract.instrumentId ? closed : undefined;
}

async function orderHistory(
  { live, history, historyReady }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
  nowMs: number,
): Promise<Answer> {
  const query = readContractHistory(input, live.listings, nowMs);
  if (isRefused(query)) return query;
  const { contract, isBeyond, ...page } = query;
  const { instrumentId } = contract;
  await historyReady();
  const orders = await history.contractOrders({ ...page, accountId, instrumentId });
  if (isBeyond) return nothingBeyond(orders);
  return jsonList(orders, (order) =>
    writeContractOrder(contract, order, closedStatus(order.reason), order.reason),
  );
}

async function openOrders(
  { venue, live }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readContractQuery(input, live.listings);
  if (isRefused(query)) return query;
  const { contract } = query;
  return venue.read((state) => {
    const orders = [...state.openContractOrders(accountId, contract.instrumentId)];
    return jsonList(orders, (order) => writeContractOrder(contract, order, openStatus(order)));
  });
}

async function fills(
  { live, history, historyReady }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const reference = readContractOrderReference(input, live.listings);
  if (isRefused(reference)) return reference;
  const { contract, orderId } = reference;
  if (orderId === undefined) return '[]';
  const { instrumentId } = contract;
  await historyReady();
  const found = await allFills(history, { accountId, instrumentId, orderId });
  return jsonList(found, (fill) => writeContractFill(contract, fill));
}

/** Every fill of an order, read page by page: other calls get their turn in between. */
async function allFills(
  history: SwapOrdersOptions['history'],
  order: Pick<ContractFillsQuery, 'accountId' | 'instrumentId' | 'orderId'>,
): Promise<ContractFillRecord[]> {
  const limit = LIMITS.pageRowsMax;
  const found: ContractFillRecord[] = [];
  for (;;) {
    const page = await history.contractFills({ ...order, before: found.at(-1)?.tradeId, limit });
    found.push(...page);
    if (page.length < limit || found.length >= LIMITS.contractOrderFillsMax) return found;
    await setImmediate();
  }
}

/** Orders of one status, open ones unless another is asked for; closed ones of ninety days. */
export async function ordersByStatus(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const query = readOrdersByStatus(input, options.live.listings);
  if (isRefused(query)) return query;
  const { contract, statuses, limit } = query;
  const { instrumentId } = contract;
  if (statuses.some((status) => status === 'full_fill' || status === 'cancelled')) {
    const { history, historyReady } = options;
    await historyReady();
    const page = { accountId, instrumentId, sinceMs: 0, offset: 0, limit };
    const closed = await history.contractOrders(page);
    const asked = closed.filter((order) => statuses.includes(closedStatus(order.reason)));
    return jsonList(asked, (order) =>
      writeContractOrder(contract, order, closedStatus(order.reason), order.reason),
    );
  }
  return options.venue.read((state) => {
    const open = [...state.openContractOrders(accountId, instrumentId)];
    const asked = open.filter((order) => statuses.includes(openStatus(order))).slice(0, limit);
    return jsonList(asked, (order) => writeContractOrder(contract, order, openStatus(order)));
  });
}
