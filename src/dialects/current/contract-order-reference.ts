/** Which order or trigger order of contracts a call is about: it names no contract. */
import type { Services } from '#api';
import type {
  AccountId,
  Contract,
  ContractOrderView,
  InstrumentId,
  Listings,
  OrderId,
  StateReader,
  TriggerOrderView,
} from '#domain';
import type { ClosedContractOrder, ClosedTriggerOrder } from '#history';
import { present } from '#kernel';
import { findNamed, findPastNamed } from '../kit/ids.ts';
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
  const byId = (id: OrderId) => {
    const order = state.openContractOrder(id);
    return order?.accountId === accountId ? order : undefined;
  };
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => state.openContractOrderByClientId(accountId, name);
    return findNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
}

/** A waiting trigger order of the account. */
export function findWaiting(
  state: StateReader,
  accountId: AccountId,
  reference: OrderReference,
): TriggerOrderView | undefined {
  const byId = (id: OrderId) => {
    const trigger = state.waitingTrigger(id);
    return trigger?.accountId === accountId ? trigger : undefined;
  };
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => state.waitingTriggerByClientId(accountId, name);
    return findNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
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
  const order = await closedOf(history, accountId, reference);
  if (order !== undefined && 'orderId' in reference) return write(order);
  const trigger = await endedOf(history, accountId, reference);
  // An id is free again after a while: of an order and a trigger order the newer one is meant.
  const isOrder = order !== undefined && order.orderId > (trigger?.orderId ?? 0);
  return isOrder ? write(order) : trigger && writeTrigger(trigger);
}

async function closedOf(
  history: Services['history'],
  accountId: AccountId,
  reference: OrderReference,
): Promise<ClosedContractOrder | undefined> {
  const byId = (id: OrderId) => history.contractOrder(accountId, id);
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => history.contractOrderByClientId(accountId, undefined, name);
    return findPastNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
}

async function endedOf(
  history: Services['history'],
  accountId: AccountId,
  reference: OrderReference,
): Promise<ClosedTriggerOrder | undefined> {
  const byId = (id: OrderId) => history.trigger(accountId, id);
  if ('clientOrderId' in reference) {
    const byChoice = (name: string) => history.triggerByClientId(accountId, name);
    return findPastNamed(reference.clientOrderId, byChoice, byId);
  }
  return reference.orderId === null ? undefined : byId(reference.orderId);
}
