/**
 * Reversing a position: an order at the market closes one side, and a second one opens on the other
 * as much as the first has closed. Nobody trades between the two. The second one passes the ladder
 * of every order when the first is done, for only then is it known what it costs: where it is
 * refused the position is closed, and an event says why nothing was opened.
 */
import {
  byFigure,
  contractsFigure,
  type HoldSide,
  holdSideOf,
  openOf,
  otherSide,
  refuse,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import { checkIndex } from '../margin/opening.ts';
import { ordersAtWork } from '../orders-at-work.ts';
import type { Refusal, State } from '../state.ts';
import { checkOrder, checkOwner } from './check.ts';
import type { ContractOrder, OrderTerms } from './order.ts';
import { placeOrder } from './place.ts';

/** What can be said of the opening before anything is closed. */
export function checkReversal(state: State, margin: MarginAccount, side: HoldSide): Refusal {
  const { market } = margin;
  const refusal = checkOwner(state, margin, otherSide(side)) ?? checkIndex(state, market);
  if (refusal !== undefined) return refusal;
  const { contract } = market;
  if (margin.position(side).lots <= contract.maxLots) return undefined;
  const most = contractsFigure(contract, contract.maxLots);
  return refuse('quantity_above_maximum', byFigure('at_most', most));
}

/** Opens what an order has just closed, or as soon as the order is done. */
export function reverse(state: State, closing: ContractOrder): void {
  const work = ordersAtWork(state).find(({ order }) => order === closing);
  if (work?.kind === 'contract_order') work.reverses = true;
  else openOtherSide(state, closing);
}

/** Opens at the market, on the other side, as much as an order that is done has closed. */
export function openOtherSide(state: State, closing: ContractOrder): void {
  const { margin, filledLots: sizeLots, orderId } = closing;
  if (sizeLots === 0) return;
  const action = openOf(otherSide(holdSideOf(closing.action)));
  const facts = { action, cause: 'owner', sizeLots } as const;
  const terms: OrderTerms = { ...facts, type: 'market', force: 'ioc' };
  const refused = checkOrder(state, margin, terms);
  if (refused === undefined) {
    placeOrder(state, margin, terms, orderId);
    return;
  }
  const { accountId, instrumentId } = closing;
  state.emit({ kind: 'reversal_refused', orderId, accountId, instrumentId, refused });
}
