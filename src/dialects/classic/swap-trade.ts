/** Handlers that place and cancel contract orders, and the map of all order handlers. */
import type { Answer, JsonObject } from '#api';
import { type AccountId, type Event, isRefused, type OrderId, type Refused, refuse } from '#domain';
import { assert } from '#kernel';

import { settleBatch, submitBatch } from '../batch.ts';
import type { PrivateHandler } from '../handlers.ts';
import {
  findClosedContractOrder,
  type SwapOrdersOptions,
  swapOrderHandlers,
} from './swap-orders.ts';
import { isAboutOrder, swapPlanHandlers } from './swap-plans.ts';
import {
  type ContractOrderReference,
  readContractCancelBatch,
  readContractOrder,
  readContractOrderReference,
  readContractOrders,
} from './swap-read-order.ts';
import {
  type CancelFailure,
  type PlacedOrder,
  writeCancelBatch,
  writeCancelled,
  writeNotCancelled,
  writePlaced,
  writePlacedItem,
  writeRefusedItem,
} from './swap-write-order.ts';

/** One handler per contract endpoint for orders and plan orders, by its name in the table. */
export function swapTradeHandlers(options: SwapOrdersOptions) {
  return {
    placeOrder: (input, accountId) => placeOrder(options, input, accountId),
    placeBatch: (input, accountId) => placeBatch(options, input, accountId),
    cancelOrder: (input, accountId) => cancelOrder(options, input, accountId),
    cancelBatch: (input, accountId) => cancelBatch(options, input, accountId),
    ...swapOrderHandlers(options),
    ...swapPlanHandlers(options),
  } as const satisfies Record<string, PrivateHandler>;
}

async function placeOrder(
  { venue, live }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const command = readContractOrder(input, accountId, live.listings);
  if (isRefused(command)) return command;
  const placed = placedOrder(await venue.submit(command));
  return isRefused(placed) ? placed : writePlaced(placed);
}

/** The ids an order got, or why it got none. */
function placedOrder([first]: readonly Event[]): PlacedOrder | Refused {
  if (first?.kind === 'refused') return first;
  assert(first?.kind === 'contract_order_accepted', 'an order is accepted or refused');
  return first;
}

async function placeBatch(
  { venue, live }: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const batch = readContractOrders(input, accountId, live.listings);
  if (isRefused(batch)) return batch;
  const outcomes = await submitBatch(venue, batch.items, placedOrder);
  if (isRefused(outcomes)) return outcomes;
  const rows = outcomes.map((outcome, at) =>
    isRefused(outcome)
      ? writeRefusedItem(batch.clientOrderIds[at] ?? '', outcome)
      : writePlacedItem(outcome),
  );
  return `{"result":true,"order_info":[${rows.join(',')}]}`;
}

async function cancelOrder(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const reference = readContractOrderReference(input, options.live.listings);
  if (isRefused(reference)) return reference;
  const { contract, idText } = reference;
  const outcome = await cancel(options, accountId, reference);
  if (!isRefused(outcome)) return writeCancelled(contract, outcome);
  return isAboutOrder(outcome) ? writeNotCancelled(contract, idText, outcome) : outcome;
}

async function cancel(
  options: SwapOrdersOptions,
  accountId: AccountId,
  reference: ContractOrderReference,
): Promise<PlacedOrder | Refused> {
  const { orderId } = reference;
  if (orderId === undefined) return refuse('order_unknown');
  const { instrumentId } = reference.contract;
  const order = { accountId, instrumentId, orderId };
  const events = await options.venue.submit({ kind: 'cancel_contract_order', ...order });
  const [first] = events;
  if (first?.kind !== 'refused') return cancelledOrder(events, orderId);
  if (first.reject !== 'order_unknown') return first;
  const closed = await findClosedContractOrder(options, accountId, reference);
  return closed === undefined ? first : refuse('order_state_wrong');
}

function cancelledOrder(events: readonly Event[], orderId: OrderId): PlacedOrder {
  for (const event of events) {
    if (event.kind === 'contract_order_closed' && event.order.orderId === orderId) {
      return event.order;
    }
  }
  assert(false, 'a cancel closes its order or is refused');
}

async function cancelBatch(
  options: SwapOrdersOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const batch = readContractCancelBatch(input, options.live.listings);
  if (isRefused(batch)) return batch;
  const outcomes = await settleBatch(options.venue, batch.references, (reference) =>
    cancel(options, accountId, reference),
  );
  if (isRefused(outcomes)) return outcomes;
  const cancelled: OrderId[] = [];
  const failures: CancelFailure[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    const idText = batch.references[at]?.idText ?? '';
    if (isRefused(outcome)) failures.push({ idText, why: outcome });
    else cancelled.push(outcome.orderId);
  }
  return writeCancelBatch(batch.contract, cancelled, failures);
}
