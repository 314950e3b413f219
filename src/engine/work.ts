/**
 * Does the work that earlier commands have set off and that may be more than one command should do:
 * every command does a bounded piece, and the venue asks for the next one (`continue_work`) between
 * the commands of others.
 */
import { present, unreachable } from '#kernel';
import { goOnLiquidating } from './liquidation/liquidate.ts';
import type {
  CancelContractWork,
  CancelSpotWork,
  ContractOrderWork,
  TriggersWork,
  Work,
} from './pending-work.ts';
import { cancelOrder as cancelSpotOrder } from './spot/close.ts';
import { goOnMatching as goOnMatchingSpot } from './spot/place.ts';
import type { State } from './state.ts';
import { cancelOrder, cancelTrigger } from './swap/close.ts';
import { goOnMatching } from './swap/place.ts';
import { openOtherSide } from './swap/reverse.ts';
import { fire } from './trigger/fire.ts';

/** Whether there is work that can be done now. Costs the contracts that are halted meanwhile. */
export function hasWork(state: State): boolean {
  return nextWork(state) !== undefined;
}

/** While a contract is halted nothing fires: every order would be refused for good. */
function nextWork({ work, swaps }: State): Work | undefined {
  return work.find(
    (one) => one.kind !== 'triggers' || swaps.get(one.instrumentId)?.contract.status === 'online',
  );
}

/** Does a piece of what waits. What it sets off itself waits behind the rest. */
export function doWork(state: State): void {
  for (let work = nextWork(state); work !== undefined; work = nextWork(state)) {
    if (state.isSpent) return;
    if (doNext(state, work)) continue;
    const at = state.work.indexOf(work);
    if (at !== -1) state.work.splice(at, 1);
  }
}

/** The next thing there is to do of one work; false when it is done. */
function doNext(state: State, work: Work): boolean {
  switch (work.kind) {
    case 'liquidations':
      return goOnLiquidating(state, work);
    case 'triggers':
      return fireNext(state, work);
    case 'cancel_spot':
      return cancelNextSpot(state, work);
    case 'cancel_contract':
      return cancelNextContract(state, work);
    case 'spot_order':
      state.instrumentInWork = work.order.instrumentId;
      return goOnMatchingSpot(state, work);
    case 'contract_order':
      state.instrumentInWork = work.order.instrumentId;
      return goOnWithContractOrder(state, work);
    default:
      return unreachable(work);
  }
}

function goOnWithContractOrder(state: State, work: ContractOrderWork): boolean {
  const goesOn = goOnMatching(state, work);
  if (!goesOn && work.reverses) openOtherSide(state, work.order);
  return goesOn;
}

function fireNext(state: State, { due }: TriggersWork): boolean {
  const { first } = due;
  if (first === undefined) return false;
  fire(state, first);
  return true;
}

function cancelNextSpot(state: State, work: CancelSpotWork): boolean {
  const { oldestOrder } = present(state.ledger.account(work.accountId), 'account of a work');
  if (oldestOrder === null || oldestOrder.orderId > work.ordersTo) return false;
  state.instrumentInWork = oldestOrder.instrumentId;
  const order = present(state.orders.get(oldestOrder.orderId), 'listed order');
  cancelSpotOrder(state, order, 'cancelled_by_operator');
  return true;
}

function cancelNextContract(state: State, work: CancelContractWork): boolean {
  const margin = state.swap(work.instrumentId)?.accounts.get(work.accountId);
  if (margin === undefined) return false;
  state.instrumentInWork = work.instrumentId;
  const { oldestOrder, oldestTrigger } = margin;
  if (oldestOrder !== null && oldestOrder.orderId <= work.ordersTo) {
    const order = present(state.contractOrders.get(oldestOrder.orderId), 'listed order');
    cancelOrder(state, order, 'cancelled_by_operator');
    return true;
  }
  // Orders that had filled have armed their TP/SL by now: they go, too.
  if (work.triggersTo === 0) work.triggersTo = state.lastId;
  if (oldestTrigger === null || oldestTrigger.orderId > work.triggersTo) return false;
  const trigger = present(state.triggers.get(oldestTrigger.orderId), 'listed trigger order');
  cancelTrigger(state, trigger, 'cancelled_by_operator');
  return true;
}
