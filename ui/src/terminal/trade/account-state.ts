/**
 * What is known of the account that is signed in: orders, plans, fills, positions and money, folded
 * from the private streams. The stores hold what the parts of the screen show of it.
 */

import { type FillLine, fillTable } from '../../model/fills.ts';
import { Latest } from '../../model/latest.ts';
import { type OrderLine, orderTable } from '../../model/orders.ts';
import { type PlanLine, planTable } from '../../model/plans.ts';
import type { BalanceRow, ContractAccountRow, PositionPair } from '../../model/positions.ts';
import { createStore, type Store } from '../../store/store.ts';

/** Closed orders, ended plan orders and fills from the streams; older ones are read by page. */
const HEARD_MAX = 500;

export const tables = {
  orders: orderTable(HEARD_MAX),
  plans: planTable(HEARD_MAX),
  fills: fillTable(HEARD_MAX),
  balances: new Latest<BalanceRow>(),
  positions: new Latest<PositionPair>(),
  accounts: new Latest<ContractAccountRow>(),
};

/** A store whose value is undefined until it is known. */
type Known<T> = Store<T | undefined>;

function known<T>(): Known<T> {
  return createStore<T | undefined>(undefined);
}

/** Newest first where order matters. Undefined until the first snapshots have come. */
export const account = {
  openOrders: known<readonly OrderLine[]>(),
  closedOrders: createStore<readonly OrderLine[]>([]),
  waitingPlans: known<readonly PlanLine[]>(),
  endedPlans: createStore<readonly PlanLine[]>([]),
  fills: createStore<readonly FillLine[]>([]),
  balances: known<readonly BalanceRow[]>(),
  positions: known<readonly PositionPair[]>(),
  contracts: known<readonly ContractAccountRow[]>(),
  /** Counts how often something may have been missed: pages of history are then read again. */
  gaps: createStore(0),
};

/** Topics whose first snapshot has not come, by channel. */
const awaited = new Map<string, string>();

/** A topic was begun, so what belongs to its channel is not wholly known yet. */
export function awaitTopic(name: string, channel: string): void {
  awaited.set(name, channel);
}

/** The topic's snapshot has arrived, or the topic is no longer followed. */
export function settleTopic(name: string): void {
  awaited.delete(name);
}

function isKnown(channels: readonly string[]): boolean {
  return ![...awaited.values()].some((channel) => channels.includes(channel));
}

/**
 * Something may have been missed, or the venue has gone back to an earlier state: what had ended is
 * read again by page.
 */
export function noteGap(): void {
  const { orders, plans, fills } = tables;
  for (const table of [orders, plans, fills]) table.forgetHistory();
  account.gaps.set((count) => count + 1);
  publishOrders();
  publishPlans();
}

/** Puts into the stores what the tables say now. */
export function publishOrders(): void {
  const { orders, fills } = tables;
  if (isKnown(['orders', 'order'])) account.openOrders.set(orders.open);
  account.closedOrders.set(orders.history);
  account.fills.set(fills.history);
}

export function publishPlans(): void {
  if (isKnown(['currentPlan'])) account.waitingPlans.set(tables.plans.open);
  account.endedPlans.set(tables.plans.history);
}

export function publishBalances(): void {
  if (isKnown(['balances'])) account.balances.set(tables.balances.all);
}

export function publishPositions(): void {
  if (isKnown(['position'])) account.positions.set(tables.positions.all);
}

export function publishContracts(): void {
  if (isKnown(['account'])) account.contracts.set(tables.accounts.all);
}

/** Forgets everything, as after signing out. */
export function forgetAccount(): void {
  for (const table of Object.values(tables)) table.clear();
  awaited.clear();
  account.openOrders.set(undefined);
  account.closedOrders.set([]);
  account.waitingPlans.set(undefined);
  account.endedPlans.set([]);
  account.fills.set([]);
  account.balances.set(undefined);
  account.positions.set(undefined);
  account.contracts.set(undefined);
}
