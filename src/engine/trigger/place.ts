/** Trigger orders: taken on, and picked out by the prices that meet their triggers. */
import {
  byFigure,
  type Contract,
  type ContractAction,
  countFigure,
  dueTo,
  holdSideOf,
  isOpen,
  LIMITS,
  type Lots,
  type PlaceTriggerOrder,
  refuse,
  type Ticks,
  type TriggerDirection,
  type TriggeredPrice,
  ticks,
  type WorkingPrice,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { betweenSteps, checkOwner } from '../swap/check.ts';
import { checkClientId } from '../swap/client-ids.ts';
import type { SwapMarket } from '../swap/market.ts';
import { checkAttached, checkBeyond, directionOf, registerTrigger } from './tp-sl.ts';
import { TriggerOrder, tpSlOf } from './trigger-order.ts';

export function placeTriggerOrder(state: State, command: PlaceTriggerOrder): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const margin = market.margin(account);
  const refusal = checkTrigger(state, margin, command);
  if (refusal !== undefined) return refusal;
  const id = state.takeIds(1);
  const { action, triggerTicks, sizeLots, workingPrice = 'last' } = command;
  const trigger = new TriggerOrder(
    id,
    margin,
    {
      action,
      purpose: 'trigger',
      ...priceOf(command),
      triggerTicks,
      workingPrice,
      direction: directionTo(market, command),
      intent: command.intent,
      sizeLots,
      clientOrderId: command.clientOrderId,
      createdPriceTicks: ticks(market.workingTicks('last')),
      ...tpSlOf(command),
    },
    state.timeMs,
  );
  registerTrigger(state, trigger);
  state.emit({ kind: 'trigger_order_accepted', trigger: trigger.view() });
  return undefined;
}

/** Towards the trigger from where the price is, unless it is said. */
function directionTo(market: SwapMarket, command: PlaceTriggerOrder): TriggerDirection {
  const { direction, triggerTicks, workingPrice = 'last' } = command;
  if (direction !== undefined) return direction;
  return triggerTicks >= market.workingTicks(workingPrice) ? 'rise' : 'fall';
}

/** What waits for a price to go one way must not have been reached. */
export function checkAhead(
  { market }: MarginAccount,
  action: ContractAction,
  direction: TriggerDirection,
  triggerTicks: Ticks,
  working: WorkingPrice,
): Refusal {
  const current = market.workingTicks(working);
  if (isOpen(action)) {
    const isAhead = direction === 'rise' ? triggerTicks > current : triggerTicks < current;
    return isAhead ? undefined : refuse('trigger_direction_mismatch');
  }
  const side = holdSideOf(action);
  const purpose = direction === directionOf(side, 'stop_loss') ? 'stop_loss' : 'take_profit';
  return checkBeyond(market.contract, side, purpose, triggerTicks, current);
}

function checkDirection(margin: MarginAccount, command: PlaceTriggerOrder): Refusal {
  const { action, direction, triggerTicks, workingPrice = 'last' } = command;
  if (direction === undefined) return undefined;
  return checkAhead(margin, action, direction, triggerTicks, workingPrice);
}

function priceOf(command: PlaceTriggerOrder): TriggeredPrice {
  const { type } = command;
  return type === 'limit' ? { type, executeTicks: command.executeTicks } : { type };
}

function checkTrigger(state: State, margin: MarginAccount, command: PlaceTriggerOrder): Refusal {
  const { contract } = margin.market;
  const { triggerTicks, sizeLots } = command;
  const refusal =
    checkOwner(state, margin, holdSideOf(command.action)) ?? checkTriggerSize(contract, sizeLots);
  if (refusal !== undefined) return refusal;
  const { priceStepTicks } = contract;
  if (triggerTicks <= 0 || triggerTicks % priceStepTicks !== 0) {
    return betweenSteps(contract);
  }
  if (command.type === 'limit') {
    if (command.executeTicks <= 0) return refuse('price_invalid');
    if (command.executeTicks % priceStepTicks !== 0) return betweenSteps(contract);
  }
  const taken = checkClientId(state, margin, command.clientOrderId);
  if (taken !== undefined) return taken;
  if (margin.triggersCount >= contract.triggerOrdersMax) {
    const most = countFigure(contract.triggerOrdersMax);
    return refuse('trigger_orders_exceeded', byFigure('at_most', most));
  }
  if (state.triggers.size >= LIMITS.triggerOrdersMax)
    return refuse('trigger_orders_exceeded', dueTo('venue_full'));
  const refusedToo = checkDirection(margin, command) ?? checkTpSlOf(margin, command);
  if (refusedToo !== undefined || isOpen(command.action)) return refusedToo;
  const isHeld = margin.position(holdSideOf(command.action)).lots > 0;
  return isHeld ? undefined : refuse('close_exceeds_position', dueTo('no_position'));
}

/** Of one that is no TP/SL. */
export function checkTriggerSize(contract: Contract, sizeLots: Lots): Refusal {
  if (sizeLots <= 0) return refuse('quantity_invalid');
  if (sizeLots < contract.minLots) return refuse('quantity_below_minimum');
  if (sizeLots > contract.maxLots) return refuse('quantity_above_maximum');
  return undefined;
}

function checkTpSlOf(margin: MarginAccount, command: PlaceTriggerOrder): Refusal {
  const price = command.type === 'limit' ? command.executeTicks : command.triggerTicks;
  return checkAttached(margin, command, price);
}

/**
 * Picks out the trigger orders that a price sets off, after a trade or with a new mark price; they
 * fire after the command. In a halted contract nothing is set off: every order would be refused.
 */
export function notePrice(state: State, market: SwapMarket, working: WorkingPrice): void {
  const { contract, waiting } = market;
  if (contract.status !== 'online') return;
  const due = waiting[working].meet(market.workingTicks(working));
  if (due === undefined) return;
  state.work.push({ kind: 'triggers', instrumentId: contract.instrumentId, due });
}
