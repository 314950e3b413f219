/** Encodes plan orders and presets. */
import type { DataJson } from '#api';
import {
  CONTRACT_ACTIONS,
  type Contract,
  type ContractAction,
  formatId,
  type Lots,
  type OrderId,
  type Refused,
  type RejectKind,
  type TriggerOrderView,
  type TriggerPurpose,
  type TriggerStatus,
  ZERO_LOTS,
} from '#domain';
import { meaningOf, WIRE_REJECTS } from './rejects.ts';
import { formatPrice, formatSize } from './swap-format.ts';
import { cancelError, type PlacedOrder } from './swap-write-order.ts';

interface StatusText {
  readonly number: string;
  readonly text: string;
}

const STATUSES: Readonly<Record<TriggerStatus, StatusText>> = {
  waiting: { number: '1', text: 'not executed' },
  triggered: { number: '2', text: 'entrusted' },
  failed: { number: '3', text: 'execution failed' },
  cancelled: { number: '4', text: 'cancelled' },
};

/** Reasons for which an owner's own cancel ends an order or a plan order. */
const BY_OWNER = 'cancelled_by_owner';

const ACTION_TEXTS: Readonly<Record<ContractAction, string>> = {
  open_long: 'open long',
  open_short: 'open short',
  close_long: 'close long',
  close_short: 'close short',
};

const PURPOSE_TEXTS: Readonly<Record<TriggerPurpose, string>> = {
  trigger: '',
  take_profit: ' (take profit)',
  stop_loss: ' (stop loss)',
};

/** State of a plan order. */
export interface PlanOutcome {
  readonly status: TriggerStatus;
  /** Why it failed or was cancelled, the name of a refusal or of another cause; may be empty. */
  readonly reason: string;
  /** The order it became, if any. */
  readonly placedOrderId: OrderId | undefined;
  readonly executedLots: Lots;
  /** When it was created or, once it is final, when that happened. */
  readonly updatedTimeMs: number;
}

/** The outcome of a plan order that still waits. */
export function waitingOutcome({ createdTimeMs }: TriggerOrderView): PlanOutcome {
  return {
    status: 'waiting',
    reason: '',
    placedOrderId: undefined,
    executedLots: ZERO_LOTS,
    updatedTimeMs: createdTimeMs,
  };
}

/** One plan order of a page. Every row has isMore: whether another page follows. */
export function writePlan(
  contract: Contract,
  plan: TriggerOrderView,
  outcome: PlanOutcome,
  isMore: boolean,
): string {
  return JSON.stringify({
    symbol: contract.symbol,
    nextPage: isMore,
    execute_count: formatSize(contract, outcome.executedLots),
    delegate_count: formatSize(contract, plan.sizeLots),
    create_time: String(plan.createdTimeMs),
    update_time: String(outcome.updatedTimeMs),
    direction: String(CONTRACT_ACTIONS.indexOf(plan.action) + 1),
    direction_desc: ACTION_TEXTS[plan.action] + PURPOSE_TEXTS[plan.purpose],
    trigger_price: formatPrice(contract, plan.triggerTicks),
    execute_price: plan.type === 'market' ? '0' : formatPrice(contract, plan.executeTicks),
    order_id: formatId(plan.orderId),
    execute_order_id: outcome.placedOrderId === undefined ? '' : formatId(outcome.placedOrderId),
    client_oid: plan.clientOrderId,
    order_type: plan.type === 'market' ? '1' : '0',
    status: STATUSES[outcome.status].number,
    status_desc: statusText(outcome),
    create_trade_price: formatPrice(contract, plan.createdPriceTicks),
  });
}

/** The status in words, with the reason unless the status says it all. */
function statusText({ status, reason }: PlanOutcome): string {
  if (reason === BY_OWNER) return 'cancelled by user';
  const { text } = STATUSES[status];
  if (reason === '') return text;
  if (reason === 'other_tp_sl_fired') return `${text}: other preset fired`;
  return `${text}: ${isReject(reason) ? meaningOf(reason) : reason.replaceAll('_', ' ')}`;
}

function isReject(reason: string): reason is RejectKind {
  return Object.hasOwn(WIRE_REJECTS, reason);
}

/** A plan order that was cancelled. */
export function writePlanCancelled({ orderId, clientOrderId }: PlacedOrder): DataJson {
  return JSON.stringify({
    order_id: formatId(orderId),
    client_oid: clientOrderId,
    result: true,
    ...cancelError(undefined),
  });
}

/** A plan order that could not be cancelled, which is no error of the call. */
export function writePlanNotCancelled(idText: string, why: Refused): DataJson {
  return JSON.stringify({
    order_id: idText,
    client_oid: null,
    result: false,
    ...cancelError(why),
  });
}
