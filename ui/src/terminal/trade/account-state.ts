/**
 * What is known of the account that is signed in: orders, triggers, fills, positions and money,
 * folded from its stream. The stores hold what the parts of the screen show of it.
 */

import { type FillLine, fillTable } from '../../model/fills.ts';
import { Latest } from '../../model/latest.ts';
import { type OrderLine, orderTable } from '../../model/orders.ts';
import { type PlanLine, planTable } from '../../model/plans.ts';
import type { Balance, Position, Settings } from '../../model/positions.ts';
import { createStore, type Store } from '../../store/store.ts';

/** Closed orders, ended triggers and fills from the stream; older ones are read by page. */
const HEARD_MAX = 500;

export const tables = {
  orders: orderTable(HEARD_MAX),
  plans: planTable(HEARD_MAX),
  fills: fillTable(HEARD_MAX),
  balances: new Latest<Balance>(),
  settings: new Latest<Settings>(),
  positions: new Latest<Position>(),
};

/** A store whose value is undefined until it is known. */
type Known<T> = Store<T | undefined>;

function known<T>(): Known<T> {
  return createStore<T | undefined>(undefined);
}

/** Newest first where order matters. Undefined until the first snapshot has come. */
export const account = {
  openOrders: known<readonly OrderLine[]>(),
  closedOrders: createStore<readonly OrderLine[]>([]),
  waitingPlans: known<readonly PlanLine[]>(),
  endedPlans: createStore<readonly PlanLine[]>([]),
  fills: createStore<readonly FillLine[]>([]),
  /** Of every wallet. */
  balances: known<readonly Balance[]>(),
  /** Of every contract. */
  settings: known<readonly Settings[]>(),
  /** What is held, in all contracts. */
  positions: known<readonly Position[]>(),
  /** Counts how often something may have been missed: pages of history are then read again. */
  gaps: createStore(0),
};

/**
 * Something may have been missed, or the venue has gone back to an earlier state: what had ended is
 * read again by page.
 */
export function noteGap(): void {
  const { orders, plans, fills } = tables;
  for (const table of [orders, plans, fills]) table.forgetHistory();
  account.gaps.set((count) => count + 1);
}

/** Puts into the stores what the tables say now. */
export function publish(): void {
  const { orders, plans, fills, balances, settings, positions } = tables;
  account.openOrders.set(orders.open);
  account.closedOrders.set(orders.history);
  account.waitingPlans.set(plans.open);
  account.endedPlans.set(plans.history);
  account.fills.set(fills.history);
  account.balances.set(balances.all);
  account.settings.set(settings.all);
  account.positions.set(positions.all);
}

/** Forgets everything, as after signing out. */
export function forgetAccount(): void {
  for (const table of Object.values(tables)) table.clear();
  account.openOrders.set(undefined);
  account.closedOrders.set([]);
  account.waitingPlans.set(undefined);
  account.endedPlans.set([]);
  account.fills.set([]);
  account.balances.set(undefined);
  account.settings.set(undefined);
  account.positions.set(undefined);
}
