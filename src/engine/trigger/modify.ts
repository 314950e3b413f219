/**
 * Another trigger, working price, execution or size for what waits, trigger orders and TP/SL. It
 * keeps its ids, its direction and what it is for; one that a price has met is left to fire.
 */
import {
  dueTo,
  holdSideOf,
  type ModifyTpSl,
  type ModifyTriggerOrder,
  type Refused,
  refuse,
  type TriggeredPrice,
  ZERO_TICKS,
} from '#domain';
import { present } from '#kernel';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { checkOwner } from '../swap/check.ts';
import { checkAhead, checkTriggerSize } from './place.ts';
import { checkPrices, checkTpSlSize, marginOf } from './position-tp-sl.ts';
import { awaitTrigger, checkAttached } from './tp-sl.ts';
import type { TriggerOrder } from './trigger-order.ts';

/** What came before `modifyTriggerOrder`: it always goes behind the others of its price. */
export function modifyTpSl(state: State, command: ModifyTpSl): Refusal {
  const trigger = waitingOf(state, command);
  if ('reject' in trigger) return trigger;
  const refusal = ownerRefusal(state, trigger) ?? checkNewPrices(trigger, command, false);
  if (refusal !== undefined) return refusal;
  change(state, trigger, command, false);
  return undefined;
}

/** It goes behind the others of its price, unless it waits for the same one as before. */
export function modifyTriggerOrder(state: State, command: ModifyTriggerOrder): Refusal {
  const trigger = waitingOf(state, command);
  if ('reject' in trigger) return trigger;
  const { sizeLots, triggerTicks, workingPrice = trigger.workingPrice } = command;
  const keepsPlace = triggerTicks === trigger.triggerTicks && workingPrice === trigger.workingPrice;
  const refusal =
    ownerRefusal(state, trigger) ??
    checkSize(trigger, sizeLots) ??
    checkNewPrices(trigger, command, keepsPlace) ??
    checkTpSlOf(trigger, command);
  if (refusal !== undefined) return refusal;
  if (sizeLots !== undefined) trigger.sizeLots = sizeLots;
  change(state, trigger, command, keepsPlace);
  return undefined;
}

type Modify = ModifyTpSl | ModifyTriggerOrder;

function ownerRefusal(state: State, { margin, action }: TriggerOrder): Refusal {
  return checkOwner(state, margin, holdSideOf(action));
}

/** The owner's own that no price has met yet. */
function waitingOf(state: State, command: Modify): TriggerOrder | Refused {
  const margin: MarginAccount | Refused = marginOf(state, command);
  if ('reject' in margin) return margin;
  const trigger = state.triggers.get(command.orderId);
  if (trigger?.margin !== margin) return refuse('order_unknown');
  const isOther = command.kind === 'modify_tp_sl' && trigger.purpose === 'trigger';
  if (isOther) return refuse('order_unknown');
  return homeOf(trigger).isDue ? refuse('order_state_wrong') : trigger;
}

function homeOf({ level }: TriggerOrder) {
  return present(level, 'level of a waiting trigger order').home;
}

/** That of a TP/SL that came with an order follows the fills while there may be more of them. */
function checkSize(trigger: TriggerOrder, sizeLots: ModifyTriggerOrder['sizeLots']): Refusal {
  if (sizeLots === undefined) return undefined;
  const { purpose, margin, action, parent } = trigger;
  if (purpose === 'trigger') return checkTriggerSize(trigger.margin.market.contract, sizeLots);
  if (parent !== null) return refuse('order_state_wrong', dueTo('grows_with_order'));
  return checkTpSlSize(margin, holdSideOf(action), sizeLots);
}

function checkNewPrices(trigger: TriggerOrder, command: Modify, isSameTrigger: boolean): Refusal {
  const { margin, action, direction } = trigger;
  const { triggerTicks, execution, workingPrice = trigger.workingPrice } = command;
  const refusal = checkPrices(trigger.margin.market.contract, triggerTicks, execution);
  if (refusal !== undefined || isSameTrigger) return refusal;
  return checkAhead(margin, action, direction, triggerTicks, workingPrice);
}

/** TP/SL that it brings are held against the price that its order will have. */
function checkTpSlOf(trigger: TriggerOrder, command: ModifyTriggerOrder): Refusal {
  const { margin, action, attached } = trigger;
  const { type, executeTicks }: Execution = executionOf(command.execution) ?? trigger;
  const price = type === 'limit' ? executeTicks : command.triggerTicks;
  return checkAttached(margin, { ...attached, action }, price);
}

type Execution = Pick<TriggerOrder, 'type' | 'executeTicks'>;

/** As a waiting order keeps it: without a limit the price is zero. */
function executionOf(execution: TriggeredPrice | undefined): Execution | undefined {
  if (execution === undefined) return undefined;
  const { type } = execution;
  return { type, executeTicks: type === 'limit' ? execution.executeTicks : ZERO_TICKS };
}

function change(state: State, trigger: TriggerOrder, command: Modify, keepsPlace: boolean): void {
  const { triggerTicks, workingPrice = trigger.workingPrice, execution } = command;
  Object.assign(trigger, executionOf(execution));
  if (!keepsPlace) {
    homeOf(trigger).remove(trigger);
    trigger.triggerTicks = triggerTicks;
    trigger.workingPrice = workingPrice;
    trigger.placeId = state.takeIds(1);
    awaitTrigger(state, trigger);
  }
  trigger.margin.touch(state.timeMs);
  const { placeId } = trigger;
  state.emit({ kind: 'trigger_order_modified', trigger: trigger.view(), placeId });
}
