/**
 * Take-profit and stop-loss that an owner puts on a position that is held: for a part of it or for
 * whatever there is when they fire. They end with the position, like those that came with an order.
 */
import {
  byFigure,
  type Contract,
  closeOf,
  contractsFigure,
  countFigure,
  dueTo,
  type HoldSide,
  LIMITS,
  type Lots,
  type ModifyTpSl,
  type ModifyTriggerOrder,
  type PlaceTpSl,
  type Refused,
  refuse,
  type TriggeredPrice,
  type TriggerTerms,
  ticks,
} from '#domain';
import type { MarginAccount } from '../margin/margin-account.ts';
import type { Refusal, State } from '../state.ts';
import { betweenSteps, checkOwner } from '../swap/check.ts';
import { checkClientId } from '../swap/client-ids.ts';
import { checkBeyond, directionOf, registerTrigger } from './tp-sl.ts';
import { TriggerOrder } from './trigger-order.ts';

export function placeTpSl(state: State, command: PlaceTpSl): Refusal {
  const margin = marginOf(state, command);
  if ('reject' in margin) return margin;
  const refusal = checkTpSl(state, margin, command);
  if (refusal !== undefined) return refusal;
  const id = state.takeIds(1);
  const { side, purpose, triggerTicks, workingPrice, sizeLots, clientOrderId } = command;
  const terms: TriggerTerms = {
    action: closeOf(side),
    purpose,
    ...executionOf(command),
    triggerTicks,
    workingPrice,
    direction: directionOf(side, purpose),
    sizeLots,
    clientOrderId,
    createdPriceTicks: ticks(margin.market.workingTicks('last')),
  };
  const trigger = new TriggerOrder(id, margin, terms, state.timeMs);
  registerTrigger(state, trigger);
  state.emit({ kind: 'trigger_order_accepted', trigger: trigger.view() });
  return undefined;
}

/** The side of an account that may ask something of its triggers. */
export function marginOf(
  state: State,
  command: PlaceTpSl | ModifyTpSl | ModifyTriggerOrder,
): MarginAccount | Refused {
  const account = state.ledger.account(command.accountId);
  if (account === undefined) return refuse('account_unknown');
  if (account.terms.frozen) return refuse('account_frozen');
  const market = state.swap(command.instrumentId);
  return market === undefined ? refuse('contract_unknown') : market.margin(account);
}

function checkTpSl(state: State, margin: MarginAccount, command: PlaceTpSl): Refusal {
  const { market } = margin;
  const { side, purpose, triggerTicks, workingPrice } = command;
  return (
    checkOwner(state, margin, side) ??
    checkTpSlSize(margin, side, command.sizeLots) ??
    checkPrices(market.contract, triggerTicks, executionOf(command)) ??
    checkRoom(state, margin, command) ??
    checkBeyond(market.contract, side, purpose, triggerTicks, market.workingTicks(workingPrice))
  );
}

/** A part of what is held, or zero for whatever that is when it fires. */
export function checkTpSlSize(margin: MarginAccount, side: HoldSide, sizeLots: Lots): Refusal {
  const { contract } = margin.market;
  const { lots } = margin.position(side);
  if (lots === 0) return refuse('close_exceeds_position', dueTo('no_position'));
  if (sizeLots < 0) return refuse('quantity_invalid');
  if (sizeLots > lots) {
    const closable = contractsFigure(contract, lots);
    return refuse('close_exceeds_position', byFigure('closable', closable));
  }
  if (sizeLots <= contract.maxLots) return undefined;
  const most = contractsFigure(contract, contract.maxLots);
  return refuse('quantity_above_maximum', byFigure('at_most', most));
}

export function checkPrices(
  contract: Contract,
  triggerTicks: number,
  execution: TriggeredPrice | undefined,
): Refusal {
  const isStep = (priceTicks: number) =>
    priceTicks > 0 && priceTicks % contract.priceStepTicks === 0;
  if (!isStep(triggerTicks)) return betweenSteps(contract);
  if (execution?.type !== 'limit' || isStep(execution.executeTicks)) return undefined;
  return betweenSteps(contract);
}

function checkRoom(state: State, margin: MarginAccount, { clientOrderId }: PlaceTpSl): Refusal {
  const refusal = checkClientId(state, margin, clientOrderId);
  if (refusal !== undefined) return refusal;
  const { tpSlMax } = margin.market.contract;
  if (margin.tpSlCount + margin.promisedTpSlCount >= tpSlMax) {
    return refuse('tp_sl_exceeded', byFigure('at_most', countFigure(tpSlMax)));
  }
  if (state.triggers.size < LIMITS.triggerOrdersMax) return undefined;
  return refuse('tp_sl_exceeded', dueTo('venue_full'));
}

function executionOf(command: PlaceTpSl): TriggeredPrice {
  const { type } = command;
  return type === 'limit' ? { type, executeTicks: command.executeTicks } : { type };
}
