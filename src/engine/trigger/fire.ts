/** Trigger orders that fire: they become orders, through the same ladder as every other order. */
import { holdSideOf, isOpen, type Lots, lots, type RejectKind, ZERO_LOTS } from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { State } from '../state.ts';
import { checkOrder, type SizeBounds } from '../swap/check.ts';
import { cancelOrder, cancelTrigger, endTrigger, forgetTrigger } from '../swap/close.ts';
import type { ContractOrder, OrderTerms } from '../swap/order.ts';
import { placeOrder } from '../swap/place.ts';
import type { TriggerOrder } from './trigger-order.ts';

/** Lets a trigger order whose trigger was met become an order, or fail. */
export function fire(state: State, trigger: TriggerOrder): void {
  const { margin, partner } = trigger;
  state.instrumentInWork = trigger.instrumentId;
  forgetTrigger(state, trigger);
  if (margin.account.terms.frozen) {
    // Nothing can come of it, so it takes nothing else with it.
    endTrigger(state, trigger, 'failed', 'account_frozen', undefined, ZERO_LOTS);
    return;
  }
  const isStop = trigger.purpose === 'stop_loss';
  if (isStop && partner !== null) cancelTrigger(state, partner, 'other_tp_sl_fired');
  const terms = orderTerms(trigger);
  const inTheWay = closesInTheWay(state, margin, terms);
  const reject = refusalOf(state, trigger, terms, inTheWay);
  if (reject !== undefined) {
    endTrigger(state, trigger, 'failed', reject, undefined, ZERO_LOTS);
    return;
  }
  // A take-profit that fails leaves the position its stop-loss.
  if (!isStop && partner !== null) cancelTrigger(state, partner, 'other_tp_sl_fired');
  for (const order of inTheWay) cancelOrder(state, order, 'closing_trigger_fired');
  const order = placeOrder(state, margin, terms);
  endTrigger(state, trigger, 'triggered', '', order.orderId, order.filledLots);
}

/** The order that a trigger asks for. */
function orderTerms(trigger: TriggerOrder): OrderTerms {
  const { action, type, executeTicks: priceTicks, attached } = trigger;
  const asked = { action, cause: 'owner', sizeLots: sizeNow(trigger) } as const;
  const facts = { ...asked, ...attached };
  return type === 'limit'
    ? { ...facts, type, force: 'gtc', priceTicks }
    : { ...facts, type, force: 'ioc' };
}

/** What closes is cut to what is held, or is all of it. */
function sizeNow({ margin, action, sizeLots, isWhole }: TriggerOrder): Lots {
  if (isOpen(action)) return sizeLots;
  const held = margin.position(holdSideOf(action)).lots;
  return isWhole ? held : lots(Math.min(sizeLots, held));
}

/** The resting closes, newest first, without which a closing order has the lots it asks for. */
function closesInTheWay(state: State, margin: MarginAccount, terms: OrderTerms): ContractOrder[] {
  if (isOpen(terms.action)) return [];
  const side = holdSideOf(terms.action);
  let missing = terms.sizeLots - margin.position(side).availableLots;
  const found: ContractOrder[] = [];
  if (missing <= 0) return found;
  for (const order of state.contractOrdersOf(margin, side)) {
    if (isOpen(order.action)) continue;
    found.push(order);
    missing -= order.openLots;
    if (missing <= 0) break;
  }
  return found;
}

/** Why the order cannot be placed now, the closes in its way gone; undefined when it can. */
function refusalOf(
  state: State,
  trigger: TriggerOrder,
  terms: OrderTerms,
  inTheWay: readonly ContractOrder[],
): RejectKind | undefined {
  if (terms.sizeLots === 0) return 'close_exceeds_position';
  const leaving = {
    ordersCount: inTheWay.length,
    closingLots: inTheWay.reduce((sum, { openLots }) => sum + openLots, 0),
  };
  return checkOrder(state, trigger.margin, terms, boundsOf(trigger), leaving)?.reject;
}

/** A TP/SL closes what its order filled or what is held, however little or much that is. */
function boundsOf({ purpose, margin, isWhole }: TriggerOrder): SizeBounds {
  const { minLots, maxLots } = margin.market.contract;
  return {
    minLots: purpose === 'trigger' ? minLots : 1,
    maxLots: isWhole ? Number.MAX_SAFE_INTEGER : maxLots,
  };
}
