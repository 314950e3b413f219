/**
 * The client ids of contract orders and trigger orders: which are taken, which the venue makes up,
 * and which stay taken when an order is over. Under which rules is the state's to say.
 */
import { ofId, orderId, parseId, refuse } from '#domain';
import type { ContractIdScope } from '../ledger/contract-ids.ts';
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
  if (!named?.hasMadeId || named.accountId !== margin.accountId) return false;
  return scopeOf(state, margin) === 'contract' || named.margin === margin;
}

/** An id for an order whose owner gave none: as made, or longer when that one is taken. */
export function freeClientId(state: State, margin: MarginAccount, made: string): string {
  let found = made;
  while (isUsed(state, margin, found)) found += '#';
  return found;
}

/** Keeps the id that the owner chose for what is over now. */
export function keepClientId(state: State, margin: MarginAccount, clientOrderId: string): void {
  const used = margin.account.contractIds.used(scopeOf(state, margin));
  state.usedIds.keep(used, clientOrderId, state.timeMs);
}

function isUsed(state: State, margin: MarginAccount, clientOrderId: string): boolean {
  const { chosenContractIds: chosen } = margin.account;
  if (chosen === null) return false;
  return chosen.isTaken(clientOrderId, state.timeMs, scopeOf(state, margin));
}

function scopeOf({ rules }: State, { market }: MarginAccount): ContractIdScope {
  return rules === 2 ? market.contract.instrumentId : 'contract';
}
