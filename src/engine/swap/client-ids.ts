/**
 * The client ids of contract orders and trigger orders: which are taken, which the venue makes up,
 * and which stay taken when an order is over.
 */
import { ofId, orderId, parseId, refuse } from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';

/** An owner's id must not be that of an order or trigger order, open or closed not long ago. */
export function checkClientId(
  state: State,
  margin: MarginAccount,
  clientOrderId: string | undefined,
): Refusal {
  if (clientOrderId === undefined || !isIdTaken(state, margin, clientOrderId)) return undefined;
  return refuse('contract_client_id_in_use', ofId(clientOrderId));
}

function isIdTaken(state: State, margin: MarginAccount, clientOrderId: string): boolean {
  if (isUsed(state, margin, clientOrderId)) return true;
  const id = parseId(clientOrderId);
  const named = id === undefined ? undefined : state.contractOrders.get(orderId(id));
  return named?.hasMadeId === true && named.accountId === margin.accountId;
}

/** An id for an order whose owner gave none: as made, or longer when that one is taken. */
export function freeClientId(state: State, margin: MarginAccount, made: string): string {
  let found = made;
  while (isUsed(state, margin, found)) found += '#';
  return found;
}

/** Keeps the id that the owner chose for what is over now. */
export function keepClientId(state: State, margin: MarginAccount, clientOrderId: string): void {
  state.usedIds.keep(margin.account.contractIds.used, clientOrderId, state.timeMs);
}

function isUsed(state: State, margin: MarginAccount, clientOrderId: string): boolean {
  return margin.account.chosenContractIds?.isTaken(clientOrderId, state.timeMs) ?? false;
}
