/**
 * Orders at work: owners' orders that met as many resting orders as one command should do, and go
 * on in `continue_work`. Until one is done its market and its account take no other commands, so
 * that all of it is as if it had been one command: what came later finds the book as it leaves it.
 */
import { type Command, LIMITS, type OrderId, type Ticks } from '#domain';
import type { MatchEnd } from './book/match.ts';
import type { OrderWork, Work } from './pending-work.ts';
import type { SpotOrder } from './spot/order.ts';
import type { State } from './state.ts';
import type { ContractOrder } from './swap/order.ts';

/** How matching ended in a command, or that the order goes on in the next one. */
export type OrderEnd = MatchEnd | 'goes_on';

/** What does not wait: prices, listings, keys, and what belongs to the venue itself. */
const GOES_AHEAD: ReadonlySet<Command['kind']> = new Set([
  ...(['tick', 'report_index', 'settle_funding', 'continue_work', 'fund_insurance'] as const),
  ...(['list_asset', 'update_asset', 'list_spot', 'update_spot'] as const),
  ...(['list_contract', 'update_contract', 'suspend_instrument'] as const),
  ...(['create_account', 'create_key', 'revoke_key'] as const),
  ...(['set_clock', 'save_checkpoint', 'reset_to_checkpoint', 'drop_checkpoint'] as const),
  ...(['add_fault', 'remove_faults'] as const),
]);

/** All orders at work, in the order in which they go on: at most one in a market. */
export function ordersAtWork({ work }: State): OrderWork[] {
  return work.filter(isOrder);
}

function isOrder(one: Work): one is OrderWork {
  return one.kind === 'spot_order' || one.kind === 'contract_order';
}

export function isAtWork(state: State, orderId: OrderId): boolean {
  return ordersAtWork(state).some(({ order }) => order.orderId === orderId);
}

/**
 * Has an order go on in the next commands, behind liquidations and before all other work; false
 * when it has traded with as many resting orders as one order may. `limitTicks` is the worst price
 * that it may trade at, `tradesCount` how many it has just traded with.
 */
export function goOnLater(
  state: State,
  order: SpotOrder | ContractOrder,
  limitTicks: Ticks,
  tradesCount: number,
): boolean {
  const work = ordersAtWork(state).find((one) => one.order === order);
  const traded = (work?.tradesCount ?? 0) + tradesCount;
  if (traded >= LIMITS.orderTradesMax) return false;
  if (work === undefined) begin(state, workOf(order, limitTicks, traded));
  else work.tradesCount = traded;
  state.spend();
  return true;
}

function workOf(
  order: SpotOrder | ContractOrder,
  limitTicks: Ticks,
  tradesCount: number,
): OrderWork {
  return 'margin' in order
    ? { kind: 'contract_order', order, limitTicks, tradesCount }
    : { kind: 'spot_order', order, limitTicks, tradesCount };
}

function begin({ work }: State, begun: OrderWork): void {
  const last = work.findLastIndex((one) => one.kind === 'liquidations' || isOrder(one));
  work.splice(last + 1, 0, begun);
}

/** It ends before it is done. */
export function takeFromWork({ work }: State, order: SpotOrder | ContractOrder): void {
  const at = work.findIndex((one) => 'order' in one && one.order === order);
  if (at !== -1) work.splice(at, 1);
}

/**
 * Whether a command has to wait until an order is done: one of its market or of its account, and
 * whatever clears the orders of an account.
 */
export function holdsBack(state: State, command: Command): boolean {
  if (state.work.length === 0 || GOES_AHEAD.has(command.kind)) return false;
  const instrumentId = 'instrumentId' in command ? command.instrumentId : undefined;
  const accountId = 'accountId' in command ? command.accountId : undefined;
  const toAccountId = 'toAccountId' in command ? command.toAccountId : undefined;
  return ordersAtWork(state).some(
    ({ order }) =>
      order.instrumentId === instrumentId ||
      order.accountId === accountId ||
      order.accountId === toAccountId ||
      command.kind === 'cancel_all_spot_orders' ||
      command.kind === 'cancel_all_contract_orders',
  );
}
