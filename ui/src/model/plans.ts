/** Plan orders and presets of contracts, from REST and the stream. */
import { CONTRACT_ACTIONS, type ContractAction, type WorkingPrice } from '#domain';
import { present } from '#kernel';
import type { PlanPurpose, PlanStatus } from './contract-words.ts';
import { Table } from './table.ts';

export interface PlanLine {
  readonly id: string;
  readonly clientId: string;
  readonly symbol: string;
  readonly action: ContractAction;
  readonly purpose: PlanPurpose;
  readonly trigger: string;
  /** The price that the trigger looks at. */
  readonly source: WorkingPrice;
  /** Limit price of the order it places; undefined for a market order. */
  readonly price: string | undefined;
  readonly size: string;
  readonly executed: string;
  readonly status: PlanStatus;
  /** The status in the venue's words, with the reason. */
  readonly statusText: string;
  /** Id of the order it placed; undefined when there is none. */
  readonly placedOrderId: string | undefined;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** order/currentPlan, order/historyPlan and the channels of the same names. */
export interface PlanRow {
  readonly symbol: string;
  readonly execute_count: string;
  readonly delegate_count: string;
  readonly create_time: string;
  readonly update_time: string;
  readonly direction: string;
  readonly direction_desc: string;
  readonly trigger_price: string;
  readonly trigger_type: WorkingPrice;
  readonly execute_price: string;
  readonly order_id: string;
  readonly execute_order_id: string;
  readonly client_oid: string;
  readonly order_type: string;
  readonly status: string;
  readonly status_desc: string;
}

const STATUSES: ReadonlyMap<string, PlanStatus> = new Map([
  ['1', 'waiting'],
  ['2', 'triggered'],
  ['3', 'failed'],
  ['4', 'cancelled'],
]);

export function planLine(row: PlanRow): PlanLine {
  return {
    id: row.order_id,
    clientId: row.client_oid,
    symbol: row.symbol,
    action: present(CONTRACT_ACTIONS[Number(row.direction) - 1], `direction ${row.direction}`),
    purpose: purposeOf(row.direction_desc),
    trigger: row.trigger_price,
    source: row.trigger_type,
    price: row.order_type === '1' ? undefined : row.execute_price,
    size: row.delegate_count,
    executed: row.execute_count,
    status: present(STATUSES.get(row.status), `plan status ${row.status}`),
    statusText: row.status_desc,
    placedOrderId: row.execute_order_id === '' ? undefined : row.execute_order_id,
    createdMs: Number(row.create_time),
    updatedMs: Number(row.update_time),
  };
}

/** Why it ended, in the venue's words; empty where the status says it all. */
export function endReason({ statusText }: PlanLine): string {
  const colon = statusText.indexOf(': ');
  return colon === -1 ? '' : statusText.slice(colon + 2);
}

/** Take-profit and stop-loss differ in their description only. */
function purposeOf(description: string): PlanPurpose {
  if (description.endsWith('(take profit)')) return 'take_profit';
  return description.endsWith('(stop loss)') ? 'stop_loss' : 'plan';
}

/** What waits was given another trigger, price or size, or has grown with its order. */
function isPlanChanged(plan: PlanLine, known: PlanLine): boolean {
  if (plan.status !== 'waiting' || known.status !== 'waiting') return false;
  return CHANGING.some((name) => plan[name] !== known[name]);
}

const CHANGING = ['trigger', 'source', 'price', 'size'] as const;

/** Plan orders, folded from REST and the stream; `open` are those that wait. */
export function planTable(historyMax: number): Table<PlanLine> {
  return new Table({
    isOpen: ({ status }) => status === 'waiting',
    isLater: ({ status }, known) => known.status === 'waiting' && status !== 'waiting',
    isChanged: isPlanChanged,
    historyMax,
  });
}
