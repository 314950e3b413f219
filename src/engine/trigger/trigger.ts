/** Plan orders that fire: they become orders, through the same ladder as every other order. */
import {
  type Force,
  holdSideOf,
  type Lots,
  lots,
  type RejectKind,
  ticks,
  ZERO_LOTS,
} from '#domain';
import type { State } from '../state.ts';
import { checkOrder } from '../swap/check.ts';
import { cancelCloses, cancelPlan, endPlan, forgetPlan } from '../swap/close.ts';
import type { OrderTerms } from '../swap/order.ts';
import { placeOrder } from '../swap/place.ts';
import type { PlanOrder } from './plan.ts';

/** Lets a plan order whose trigger was met become an order, or fail. */
export function fire(state: State, plan: PlanOrder): void {
  const { margin, partner } = plan;
  state.instrumentInWork = plan.instrumentId;
  forgetPlan(state, plan);
  if (margin.account.settings.frozen) {
    // Nothing can come of it, so it takes nothing else with it.
    endPlan(state, plan, 'failed', 'account_frozen', 0, ZERO_LOTS);
    return;
  }
  const isStop = plan.purpose === 'stop_loss';
  if (isStop && partner !== null) cancelPlan(state, partner, 'other_preset_fired');
  // It takes precedence over closes that rest.
  if (isStop) cancelCloses(state, margin, holdSideOf(plan.action), 'cancelled_by_owner');
  const terms = orderTerms(plan);
  const reject = refusalOf(state, plan, terms);
  if (reject !== undefined) {
    endPlan(state, plan, 'failed', reject, 0, ZERO_LOTS);
    return;
  }
  // A take-profit that fails leaves the position its stop-loss.
  if (!isStop && partner !== null) cancelPlan(state, partner, 'other_preset_fired');
  const order = placeOrder(state, margin, terms);
  endPlan(state, plan, 'triggered', '', order.orderId, order.filledLots);
}

/** The order that a plan asks for. */
function orderTerms(plan: PlanOrder): OrderTerms {
  return {
    action: plan.action,
    cause: 'owner',
    type: plan.type,
    force: forceOf(plan),
    priceTicks: plan.executeTicks,
    sizeLots: sizeNow(plan),
    clientOrderId: '',
    takeProfitTicks: ticks(0),
    stopLossTicks: ticks(0),
  };
}

function forceOf({ type }: PlanOrder): Force {
  return type === 'market' ? 'ioc' : 'gtc';
}

/** A preset closes what is left of what its order filled; a plan order asks for its size. */
function sizeNow({ margin, action, purpose, sizeLots }: PlanOrder): Lots {
  if (purpose === 'plan') return sizeLots;
  return lots(Math.min(sizeLots, margin.position(holdSideOf(action)).availableLots));
}

/** Why the order cannot be placed now; undefined when it can. */
function refusalOf(state: State, plan: PlanOrder, terms: OrderTerms): RejectKind | undefined {
  if (terms.sizeLots === 0) return 'close_exceeds_position';
  return checkOrder(state, plan.margin, terms, leastOf(plan))?.reject;
}

/** A preset closes what its order filled, however little that was. */
function leastOf({ purpose, margin }: PlanOrder): number {
  return purpose === 'plan' ? margin.market.contract.minLots : 1;
}
