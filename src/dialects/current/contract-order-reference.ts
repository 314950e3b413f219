/** Which order or trigger order of contracts a call is about: it names no contract. */
import type { Services } from '#api';
import type {
  AccountId,
  Contract,
  ContractOrderView,
  InstrumentId,
  Listings,
  StateReader,
  TriggerOrderView,
} from '#domain';
import type { ClosedContractOrder, ClosedTriggerOrder } from '#history';
import { present } from '#kernel';
import { writeClosedOrder, writeOpenOrder, writeTriggerAsOrder } from './contract-order-row.ts';
import type { OrderReference } from './spot-order-reference.ts';

/** The contract of an order. */
export function contractOf(listings: Listings, instrumentId: InstrumentId): Contract {
  return present(listings.contractById(instrumentId), 'contract of an order');
}

/** An open order of the account. */
export function findOpenOrder(
  state: StateReader,
  accountId: AccountId,
  reference: OrderReference,
): ContractOrderView | undefined {
  if ('clientOrderId' in reference) {
    return state.openContractOrderByClientId(accountId, reference.clientOrderId);
  }
  const { orderId } = reference;
  const order = orderId === null ? undefined : state.openContractOrder(orderId);
  return order?.accountId === accountId ? order : undefined;
}

/** A waiting trigger order of the account. */
export function findWaiting(
  state: StateReader,
  accountId: AccountId,
  reference: OrderReference,
): TriggerOrderView | undefined {
  if ('clientOrderId' in reference) {
    return state.waitingTriggerByClientId(accountId, reference.clientOrderId);
  }
  const { orderId } = reference;
  const trigger = orderId === null ? undefined : state.waitingTrigger(orderId);
  return trigger?.accountId === accountId ? trigger : undefined;
}

/** An order or trigger order of the account, as it is answered; undefined when there is none. */
export async function findAny(
  services: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<string | undefined> {
  const open = await services.venue.read((state) => {
    const order = findOpenOrder(state, accountId, reference);
    if (order !== undefined) {
      return writeOpenOrder(contractOf(state.listings, order.instrumentId), order);
    }
    const trigger = findWaiting(state, accountId, reference);
    if (trigger === undefined) return undefined;
    return writeTriggerAsOrder(contractOf(state.listings, trigger.instrumentId), trigger);
  }, accountId);
  if (open !== undefined) return open;
  await services.historyReady();
  return findEnded(services, accountId, reference);
}

async function findEnded(
  { history, live: { listings } }: Services,
  accountId: AccountId,
  reference: OrderReference,
): Promise<string | undefined> {
  const write = (order: ClosedContractOrder) =>
    writeClosedOrder(contractOf(listings, order.instrumentId), order);
  const writeTrigger = (trigger: ClosedTriggerOrder) => {
    const contract = contractOf(listings, trigger.instrumentId);
    return writeTriggerAsOrder(contract, trigger, trigger.status, trigger.updatedTimeMs);
  };
  if ('clientOrderId' in reference) {
    const { clientOrderId } = reference;
    const order = await history.contractOrderByClientId(accountId, undefined, clientOrderId);
    const trigger = await history.triggerByClientId(accountId, clientOrderId);
    // An id is free again after a while: of an order and a trigger order the newer one is meant.
    const isOrder = order !== undefined && order.orderId > (trigger?.orderId ?? 0);
    return isOrder ? write(order) : trigger && writeTrigger(trigger);
  }
  const { orderId } = reference;
  if (orderId === null) return undefined;
  const order = await history.contractOrder(accountId, orderId);
  if (order !== undefined) return write(order);
  const trigger = await history.trigger(accountId, orderId);
  return trigger && writeTrigger(trigger);
}
