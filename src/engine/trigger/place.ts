/** Trigger orders: taken on, and picked out by the trades that meet their triggers. */
import {
  byFigure,
  countFigure,
  dueTo,
  holdSideOf,
  isOpen,
  LIMITS,
  ofId,
  type PlaceTriggerOrder,
  refuse,
  type TriggeredPrice,
  ticks,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { betweenSteps, checkStatus, isIdTaken } from '../swap/check.ts';
import type { SwapMarket } from '../swap/market.ts';
import { DueTriggers } from './levels.ts';
import { registerTrigger } from './tp-sl.ts';
import { TriggerOrder } from './trigger-order.ts';

export function placeTriggerOrder(state: State, command: PlaceTriggerOrder): Refusal {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.settings.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  if (market === undefined) return refuse('contract_unknown');
  const margin = market.margin(account);
  const refusal = checkTrigger(state, margin, command);
  if (refusal !== undefined) return refusal;
  const id = state.takeIds(1);
  const { action, triggerTicks, sizeLots } = command;
  const referenceTicks = market.lastTicks === 0 ? market.markTicks : market.lastTicks;
  const trigger = new TriggerOrder(
    id,
    margin,
    {
      action,
      purpose: 'trigger',
      ...priceOf(command),
      triggerTicks,
      direction: triggerTicks >= referenceTicks ? 'rise' : 'fall',
      sizeLots,
      clientOrderId:
        command.clientOrderId === ''
          ? margin.freeClientId(`plan#${id}`, state.timeMs)
          : command.clientOrderId,
      createdPriceTicks: ticks(referenceTicks),
    },
    state.timeMs,
  );
  registerTrigger(state, trigger);
  state.emit({ kind: 'trigger_order_accepted', trigger: trigger.view() });
  return undefined;
}

function priceOf(command: PlaceTriggerOrder): TriggeredPrice {
  const { type } = command;
  return type === 'limit' ? { type, executeTicks: command.executeTicks } : { type };
}

function checkTrigger(state: State, margin: MarginAccount, command: PlaceTriggerOrder): Refusal {
  const { contract } = margin.market;
  const { triggerTicks, sizeLots } = command;
  const refusal = checkStatus(contract);
  if (refusal !== undefined) return refusal;
  if (sizeLots <= 0) return refuse('quantity_invalid');
  if (sizeLots < contract.minLots) return refuse('quantity_below_minimum');
  if (sizeLots > contract.maxLots) return refuse('quantity_above_maximum');
  const { priceStepTicks } = contract;
  if (triggerTicks <= 0 || triggerTicks % priceStepTicks !== 0) {
    return betweenSteps(contract);
  }
  if (command.type === 'limit') {
    if (command.executeTicks <= 0) return refuse('price_invalid');
    if (command.executeTicks % priceStepTicks !== 0) return betweenSteps(contract);
  }
  if (isIdTaken(state, margin, command.clientOrderId)) {
    return refuse('contract_client_id_in_use', ofId(command.clientOrderId));
  }
  if (margin.triggersCount >= contract.triggerOrdersMax) {
    const most = countFigure(contract.triggerOrdersMax);
    return refuse('trigger_orders_exceeded', byFigure('at_most', most));
  }
  if (state.triggers.size >= LIMITS.triggerOrdersMax)
    return refuse('trigger_orders_exceeded', dueTo('venue_full'));
  if (isOpen(command.action)) return undefined;
  const isHeld = margin.position(holdSideOf(command.action)).lots > 0;
  return isHeld ? undefined : refuse('close_exceeds_position', dueTo('no_position'));
}

/**
 * Picks out the trigger orders that the last trade's price triggers; they fire after the command. A
 * liquidation in a halted contract triggers nothing: every order would be refused.
 */
export function noteTrade(state: State, market: SwapMarket): void {
  const { contract, lastTicks, risingTriggers, fallingTriggers } = market;
  if (contract.status !== 'online') return;
  const due = new DueTriggers();
  risingTriggers.meet(lastTicks, due);
  fallingTriggers.meet(lastTicks, due);
  if (due.first === undefined) return;
  state.work.push({ kind: 'triggers', instrumentId: contract.instrumentId, due });
}
