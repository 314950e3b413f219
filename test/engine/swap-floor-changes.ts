/**
 * Random changes of what a trader of a floor has open: moved orders, TP/SL of positions and their
 * modifications, closed sides. Finds which command each means in the state it meets.
 */
import {
  type AccountId,
  type Command,
  type Contract,
  lots,
  otherSide,
  type Ticks,
  type TriggeredPrice,
} from '#domain';
import type { Engine } from '#engine';
import { present, unreachable } from '#kernel';
import type { Action } from './swap-random.ts';

export type OrderChange = Extract<
  Action,
  { act: 'move_order' | 'protect' | 'modify' | 'close_all' }
>;

/** Whose change it is, and where. */
export interface Changing {
  readonly engine: Engine;
  readonly accountId: AccountId;
  readonly contract: Contract;
  /** A price this far from the mark price, on a whole step. */
  readonly priceAt: (at: number) => Ticks;
}

export function orderChange(changing: Changing, action: OrderChange): Command | undefined {
  const { accountId, contract } = changing;
  const { instrumentId } = contract;
  switch (action.act) {
    case 'move_order':
      return moveCommand(changing, action);
    case 'protect':
      return protectCommand(changing, action);
    case 'modify':
      return modifyCommand(changing, action);
    case 'close_all':
      return { kind: 'close_position', accountId, instrumentId, side: action.side };
    default:
      return unreachable(action);
  }
}

function moveCommand(
  { engine, accountId, contract, priceAt }: Changing,
  { which, at, part }: Extract<Action, { act: 'move_order' }>,
): Command | undefined {
  const { instrumentId } = contract;
  const order = [...engine.openContractOrders(accountId, instrumentId)][which];
  if (order?.type !== 'limit') return undefined;
  const priceTicks = at === undefined ? order.priceTicks : priceAt(at);
  const sizeLots = lots(partOf(order.sizeLots, part));
  const { orderId } = order;
  return { kind: 'move_contract_order', accountId, instrumentId, orderId, priceTicks, sizeLots };
}

function protectCommand(
  changing: Changing,
  action: Extract<Action, { act: 'protect' }>,
): Command | undefined {
  const { engine, accountId, contract, priceAt } = changing;
  const { instrumentId } = contract;
  const view = present(engine.marginAccount(accountId, instrumentId), 'margin account');
  const side = view[action.side].lots > 0 ? action.side : otherSide(action.side);
  const { purpose, working: workingPrice, trigger } = action;
  const rises = (side === 'long') === (purpose === 'take_profit');
  return {
    kind: 'place_tp_sl',
    accountId,
    instrumentId,
    side,
    purpose,
    triggerTicks: priceAt(rises ? trigger : -trigger),
    workingPrice,
    sizeLots: lots(partOf(view[side].lots, action.part)),
    clientOrderId: undefined,
    ...execution(changing, action.execute),
  };
}

function modifyCommand(
  changing: Changing,
  action: Extract<Action, { act: 'modify' }>,
): Command | undefined {
  const { engine, accountId, contract, priceAt } = changing;
  const { instrumentId } = contract;
  const trigger = [...engine.waitingTriggers(accountId, instrumentId)][action.which];
  if (trigger === undefined) return undefined;
  const sign = trigger.direction === 'rise' ? 1 : -1;
  const triggerTicks = priceAt(sign * action.trigger);
  const facts = {
    accountId,
    instrumentId,
    orderId: trigger.orderId,
    triggerTicks: action.isSame ? trigger.triggerTicks : triggerTicks,
    workingPrice: action.isSame ? undefined : action.working,
    execution: execution(changing, action.execute),
  };
  const { size } = action;
  if (trigger.purpose !== 'trigger' && size === undefined) {
    return { kind: 'modify_tp_sl', ...facts };
  }
  return {
    kind: 'modify_trigger_order',
    ...facts,
    ...(size !== undefined && { sizeLots: lots(size) }),
  };
}

function execution({ priceAt }: Changing, at: number | undefined): TriggeredPrice {
  return at === undefined ? { type: 'market' } : { type: 'limit', executeTicks: priceAt(at) };
}

function partOf(size: number, ppm: number): number {
  return Math.floor((size * ppm) / 1_000_000);
}
