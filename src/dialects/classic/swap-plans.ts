/**
 * Handlers of plan orders and presets. Waiting ones are in the venue's memory, the others in the
 * history, which is asked only once it holds everything the caller can know of.
 */
import type { Answer, JsonObject } from '#api';
import {
  type AccountId,
  type InstrumentId,
  isRefused,
  type Lots,
  type Refused,
  refuse,
  type StateReader,
  type TriggerOrderView,
} from '#domain';
import { assert } from '#kernel';

import type { PrivateHandler } from '../handlers.ts';
import type { SwapOrdersOptions } from './swap-orders.ts';
import { type ContractOrderReference, readContractOrderReference } from './swap-read-order.ts';
import { type PlansQuery, readPlanOrder, readPlans } from './swap-read-plan.ts';
import { type PlacedOrder, writePlaced } from './swap-write-order.ts';
import {
  waitingOutcome,
  writePlan,
  writePlanCancelled,
  writePlanNotCancelled,
} from './swap-write-plan.ts';

/** One handler per endpoint for plan orders, by its name in the table. */
export function swapPlanHandlers(options: SwapOrdersOptions) {
  return {
    placePlan: (input, accountId) => placePlan(options, input, accountId),
    cancelPlan: (input, accountId) => cancelPlan(options, input, accountId),
    openPlans: (input, accountId) => openPlans(options, input, accountId),
    planHistory: (input, accountId) => planHistory(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

async function placePlan(
  { venue, live }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const command = readPlanOrder(input, accountId, live.listings);
  if (isRefused(command)) return command;
  const [first] = await venue.submit(command);
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'trigger_order_accepted', 'a plan order is accepted or refused');
  return writePlaced(first.trigger);
}

async function cancelPlan(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const reference = readContractOrderReference(input, options.live.listings);
  if (isRefused(reference)) return reference;
  const outcome = await cancel(options, accountId, reference);
  if (!isRefused(outcome)) return writePlanCancelled(outcome);
  return isAboutOrder(outcome) ? writePlanNotCancelled(reference.idText, outcome) : outcome;
}

/** Whether a cancel failed because of the order it names, which is answered with result false. */
export function isAboutOrder({ reject }: Refused): boolean {
  return reject === 'order_unknown' || reject === 'order_state_wrong';
}

async function cancel(
  options: SwapOrdersOptions,
  accountId: AccountId,
  { contract, orderId }: ContractOrderReference,
): Promise<PlacedOrder | Refused> {
  if (orderId === undefined) return refuse('order_unknown');
  const { instrumentId } = contract;
  const { venue, history, historyReady } = options;
  const order = { accountId, instrumentId, orderId };
  const events = await venue.submit({ kind: 'cancel_trigger_order', ...order });
  const [first] = events;
  assert(first !== undefined, 'every command yields an event');
  if (first.kind === 'trigger_order_closed') return first.trigger;
  if (first.kind !== 'refused') assert(false, 'a cancel closes its plan order or is refused');
  if (first.reject !== 'order_unknown') return first;
  await historyReady();
  const closed = await history.trigger(accountId, orderId);
  return closed?.instrumentId === instrumentId ? refuse('order_state_wrong') : first;
}

async function openPlans(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const { venue, live } = options;
  const query = readPlans(input, live.listings);
  if (isRefused(query)) return query;
  const { contract, offset, limit } = query;
  return venue.read((state) => {
    const waiting = [...state.waitingTriggers(accountId, contract.instrumentId)];
    const found = waiting.filter((plan) => isWanted(query, plan));
    const rows = found.slice(offset, offset + limit);
    const isMore = found.length > offset + limit;
    const texts = rows.map((plan) => writePlan(contract, plan, waitingOutcome(plan), isMore));
    return plansAnswer(options, texts, isMore);
  });
}

function isWanted({ action, fromMs, toMs }: PlansQuery, plan: TriggerOrderView): boolean {
  const { createdTimeMs } = plan;
  if (action !== undefined && plan.action !== action) return false;
  return (fromMs ?? createdTimeMs) <= createdTimeMs && createdTimeMs <= (toMs ?? createdTimeMs);
}

async function planHistory(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const { venue, live, history, historyReady } = options;
  const query = readPlans(input, live.listings);
  if (isRefused(query)) return query;
  const { contract, limit, ...filter } = query;
  const { instrumentId } = contract;
  // Asked first: an order that closes after this is in the history by then, with what it filled.
  const open = await venue.read((state) => filledOfOpen(state, accountId, instrumentId));
  await historyReady();
  // One row more than the page shows whether another page follows.
  const found = await history.triggers({ ...filter, accountId, instrumentId, limit: limit + 1 });
  const isMore = found.length > limit;
  const texts = found.slice(0, limit).map((plan) => {
    const { placedOrderId } = plan;
    const ofOpen = placedOrderId === undefined ? undefined : open.get(placedOrderId);
    const executedLots = ofOpen ?? plan.executedLots;
    return writePlan(contract, plan, { ...plan, executedLots }, isMore);
  });
  return plansAnswer(options, texts, isMore);
}

/** How much each open order of a caller has filled so far. */
function filledOfOpen(
  state: StateReader,
  accountId: AccountId,
  instrumentId: InstrumentId,
): ReadonlyMap<number, Lots> {
  const filled = new Map<number, Lots>();
  for (const { orderId, filledLots } of state.openContractOrders(accountId, instrumentId)) {
    filled.set(orderId, filledLots);
  }
  return filled;
}

/** A list as the contract shows it, or as a page for clients that look for one. */
function plansAnswer(
  { compatibility }: Pick<SwapOrdersOptions, 'compatibility'>,
  texts: readonly string[],
  isMore: boolean,
): string {
  const list = `[${texts.join(',')}]`;
  return compatibility?.planLists === 'page' ? `{"nextPage":${isMore},"list":${list}}` : list;
}
