/**
 * The client ids of contract orders and trigger orders: which are taken, and which stay taken when
 * an order is over.
 */
import { ofId, refuse } from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';

/** An owner's id must not be that of an order or trigger order, open or closed not long ago. */
export function checkClientId(
  { timeMs }: State,
  { account }: MarginAccount,
  clientOrderId: string | undefined,
): Refusal {
  if (clientOrderId === undefined) return undefined;
  const isTaken = account.chosenContractIds?.isTaken(clientOrderId, timeMs) ?? false;
  return isTaken ? refuse('contract_client_id_in_use', ofId(clientOrderId)) : undefined;
}

/** Keeps the id that the owner chose for what is over now. */
export function keepClientId(state: State, margin: MarginAccount, clientOrderId: string): void {
  state.usedIds.keep(margin.account.contractIds.used, clientOrderId, state.timeMs);
}
