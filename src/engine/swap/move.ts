/** Another price and size for a resting contract order, in one command: see MoveSpotOrder. */
import { holdSideOf, isOpen, lots, type MoveContractOrder, refuse, type Ticks } from '#domain';
import { takerFeePpm } from '../margin/fee-rate.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { checkOrder, checkOwner, type SizeBounds } from './check.ts';
import { ownOrder, thaw } from './close.ts';
import { type ContractOrder, frozenCost, type OrderTerms } from './order.ts';
import { match, settleRemainder } from './place.ts';

export function moveContractOrder(state: State, command: MoveContractOrder): Refusal {
  const order = ownOrder(state, command);
  if ('reject' in order) return order;
  const { contract } = order.market;
  const { filledLots } = order;
  const { priceTicks, sizeLots } = command;
  if (sizeLots <= filledLots) return refuse('quantity_invalid');
  const openLots = lots(sizeLots - filledLots);
  if (
    priceTicks === order.priceTicks &&
    openLots <= order.openLots &&
    sizeLots >= contract.minLots
  ) {
    return (
      checkOwner(state, order.margin, holdSideOf(order.action)) ?? shrink(state, order, command)
    );
  }
  // What has been filled counts towards the bounds of the whole.
  const bounds = {
    minLots: Math.max(1, contract.minLots - filledLots),
    maxLots: contract.maxLots - filledLots,
  };
  return checkMoved(state, order, command, bounds) ?? replace(state, order, command);
}

/** By the ladder of a new order, on a copy of the account that the order has left. */
function checkMoved(
  state: State,
  order: ContractOrder,
  { priceTicks, sizeLots }: MoveContractOrder,
  bounds: SizeBounds,
): Refusal {
  const { action, force, filledLots } = order;
  const facts = { action, force, cause: 'owner' } as const;
  const openLots = lots(sizeLots - filledLots);
  const terms: OrderTerms = {
    ...facts,
    type: 'limit',
    priceTicks,
    sizeLots: openLots,
    ...pendingTpSl(order),
  };
  const left = without(order);
  // The TP/SL that it brings are no more than there were, whatever the limit is by now.
  left.promisedTpSlCount = -order.promisedTpSl;
  return checkOrder(state, left, terms, bounds);
}

function without(order: ContractOrder): MarginAccount {
  const { action, openLots } = order;
  const left = order.margin.copy();
  const position = left.position(holdSideOf(action));
  if (isOpen(action)) {
    position.pendingLots -= openLots;
    left.balance.release(order.frozen, left.balance.updatedTimeMs);
  } else position.frozenLots = lots(position.frozenLots - openLots);
  return left;
}

/** Its TP/SL as far as they are neither armed nor taken back: those are held against the price. */
function pendingTpSl(order: ContractOrder): Partial<OrderTerms> {
  const { takeProfitTicks, takeProfit, takeProfitDropped } = order;
  const { stopLossTicks, stopLoss, stopLossDropped } = order;
  const { takeProfitWorking, stopLossWorking } = order;
  const ahead = (at: Ticks, armed: unknown, isDropped: boolean) =>
    at === 0 || armed !== null || isDropped ? undefined : at;
  return {
    takeProfitTicks: ahead(takeProfitTicks, takeProfit, takeProfitDropped),
    stopLossTicks: ahead(stopLossTicks, stopLoss, stopLossDropped),
    takeProfitWorking,
    stopLossWorking,
  };
}

/** Less of it at the same price: it keeps its place, and what it froze for the rest is free. */
function shrink(state: State, order: ContractOrder, { sizeLots }: MoveContractOrder): undefined {
  const { margin, priceTicks: fromTicks, openLots: fromLots } = order;
  const less = lots(order.sizeLots - sizeLots);
  if (less > 0) {
    const left = fromLots - less;
    const position = margin.position(holdSideOf(order.action));
    if (isOpen(order.action)) {
      const frozen = frozenCost(order, left);
      margin.balance.release(order.frozen - frozen, state.timeMs);
      order.frozen = frozen;
      position.pendingLots -= less;
    } else position.frozenLots = lots(position.frozenLots - less);
    state.swapOf(order).book.fill(order, less);
  }
  order.sizeLots = sizeLots;
  margin.touch(state.timeMs);
  const moved = { order: order.limitView(), fromTicks, fromLots, keptLots: order.openLots };
  state.emit({ kind: 'contract_order_moved', ...moved });
  return undefined;
}

/** It leaves its place and goes through the book as a new order would, at the fees of now. */
function replace(state: State, order: ContractOrder, command: MoveContractOrder): undefined {
  const { margin, priceTicks: fromTicks, openLots: fromLots } = order;
  state.swapOf(order).book.remove(order);
  thaw(state, order);
  order.priceTicks = command.priceTicks;
  order.sizeLots = command.sizeLots;
  order.openLots = order.unfilledLots;
  order.frozenFeePpm = takerFeePpm(margin);
  order.feeAhead = 0n;
  order.marginOwed = 0n;
  order.placeId = state.takeIds(1);
  if (!isOpen(order.action)) {
    const position = margin.position(holdSideOf(order.action));
    position.frozenLots = lots(position.frozenLots + order.openLots - fromLots);
  }
  margin.touch(state.timeMs);
  const moved = { order: order.limitView(), fromTicks, fromLots, keptLots: lots(0) };
  state.emit({ kind: 'contract_order_moved', ...moved });
  settleRemainder(state, order, match(state, order, order.priceTicks));
  return undefined;
}
