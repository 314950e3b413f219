/** Trigger orders that fire: they become orders, through the same ladder as every other order. */
import { holdSideOf, type Lots, lots, type RejectKind, ZERO_LOTS } from '#domain';
import type { State } from '../state.ts';
import { checkOrder, type SizeBounds } from '../swap/check.ts';
import { cancelCloses, cancelTrigger, endTrigger, forgetTrigger } from '../swap/close.ts';
import type { OrderTerms } from '../swap/order.ts';
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
  // It takes precedence over closes that rest.
  if (isStop) cancelCloses(state, margin, holdSideOf(trigger.action), 'cancelled_by_owner');
  const terms = orderTerms(trigger);
  const reject = refusalOf(state, trigger, terms);
  if (reject !== undefined) {
    endTrigger(state, trigger, 'failed', reject, undefined, ZERO_LOTS);
    return;
  }
  // A take-profit that fails leaves the position its stop-loss.
  if (!isStop && partner !== null) cancelTrigger(state, partner, 'other_tp_sl_fired');
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

/** A TP/SL closes what is left of what its order filled; a trigger order asks for its size. */
function sizeNow({ margin, action, purpose, sizeLots, isWhole }: TriggerOrder): Lots {
  if (purpose === 'trigger') return sizeLots;
  const { availableLots } = margin.position(holdSideOf(action));
  return isWhole ? availableLots : lots(Math.min(sizeLots, availableLots));
}

/** Why the order cannot be placed now; undefined when it can. */
function refusalOf(state: State, trigger: TriggerOrder, terms: OrderTerms): RejectKind | undefined {
  if (terms.sizeLots === 0) return 'close_exceeds_position';
  return checkOrder(state, trigger.margin, terms, boundsOf(trigger))?.reject;
}

/** A TP/SL closes what its order filled or what is held, however little or much that is. */
function boundsOf({ purpose, margin, isWhole }: TriggerOrder): SizeBounds {
  const { minLots, maxLots } = margin.market.contract;
  return {
    minLots: purpose === 'trigger' ? minLots : 1,
    maxLots: isWhole ? Number.MAX_SAFE_INTEGER : maxLots,
  };
}
