/** Orders that wait for a price, take-profits and stop-losses as the pages show them. */
import type { native } from '#client';
import type { ContractAction, TriggerPurpose, TriggerStatus, WorkingPrice } from '#domain';
import { contractActionOf } from './order-words.ts';
import { Table } from './table.ts';

export interface PlanLine {
  readonly id: string;
  readonly clientId: string;
  readonly symbol: string;
  readonly action: ContractAction;
  readonly purpose: TriggerPurpose;
  readonly trigger: string;
  /** The price that the trigger looks at. */
  readonly source: WorkingPrice;
  /** Limit price of the order it places; undefined for a market order. */
  readonly price: string | undefined;
  /** Undefined for whatever is held when it fires. */
  readonly size: string | undefined;
  readonly executed: string;
  readonly status: TriggerStatus;
  /** Why it failed or was cancelled, as the venue names it; empty where the status says it all. */
  readonly reason: string;
  /** Id of the order it placed; undefined when there is none. */
  readonly placedOrderId: string | undefined;
  readonly createdMs: number;
}

export function planLine(row: native.TriggerAnswer): PlanLine {
  return {
    id: row.id,
    clientId: row.clientId ?? '',
    symbol: row.symbol,
    action: contractActionOf(row),
    purpose: row.purpose,
    trigger: row.trigger,
    source: row.triggerBy,
    price: row.price ?? undefined,
    size: row.size ?? undefined,
    executed: row.filled,
    status: row.status,
    reason: row.reason ?? '',
    placedOrderId: row.order ?? undefined,
    createdMs: row.time,
  };
}

/** What waits was given another trigger, price or size, or has grown with its order. */
function isPlanChanged(plan: PlanLine, known: PlanLine): boolean {
  if (plan.status !== 'waiting' || known.status !== 'waiting') return false;
  return CHANGING.some((name) => plan[name] !== known[name]);
}

const CHANGING = ['trigger', 'source', 'price', 'size'] as const;

/** Plan orders, folded from pages and the stream; `open` are those that wait. */
export function planTable(historyMax: number): Table<PlanLine> {
  return new Table({
    isOpen: ({ status }) => status === 'waiting',
    isLater: ({ status }, known) => known.status === 'waiting' && status !== 'waiting',
    isChanged: isPlanChanged,
    historyMax,
  });
}
