/**
 * Closing a whole side at the market: what would close it rests no more, and all of it goes; or
 * reversing it, which then opens as much on the other side.
 */
import { type ClosePosition, closeOf, dueTo, refuse } from '#domain';
import type { Refusal, State } from '../state.ts';
import { checkOwner } from './check.ts';
import { cancelCloses } from './close.ts';
import { checkDepth } from './depth.ts';
import type { OrderTerms } from './order.ts';
import { placeOrder } from './place.ts';
import { checkReversal, reverse } from './reverse.ts';

/** One order, however large the position: what the band or the book keeps back is cancelled. */
export function closePosition(state: State, command: ClosePosition): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const { side, reverses } = command;
  const margin = market.margin(account);
  const position = margin.position(side);
  const action = closeOf(side);
  const facts = { action, cause: 'owner', sizeLots: position.lots } as const;
  const terms: OrderTerms = { ...facts, type: 'market', force: 'ioc' };
  const refusal = checkOwner(state, margin, side);
  if (refusal !== undefined) return refusal;
  if (position.lots === 0) return refuse('close_exceeds_position', dueTo('no_position'));
  const depth = checkDepth(margin, terms);
  if (depth !== undefined) return depth;
  const unopened = reverses ? checkReversal(state, margin, side) : undefined;
  if (unopened !== undefined) return unopened;
  cancelCloses(state, margin, side, 'cancelled_by_owner');
  const order = placeOrder(state, margin, terms);
  if (reverses) reverse(state, order);
  return undefined;
}
