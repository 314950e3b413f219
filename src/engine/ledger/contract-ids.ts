/**
 * The client ids of an account's contract orders and trigger orders: what is open, by the id that
 * its owner chose, and the ids of what is over that are still taken. They are unique over all
 * contracts.
 */
import type { AccountId, InstrumentId, OrderId } from '#domain';
import { UsedIds } from './used-ids.ts';

/** An open order or a waiting trigger order, as much as is asked of it here. */
export interface NamedOrder {
  readonly orderId: OrderId;
  readonly instrumentId: InstrumentId;
  /** Undefined when its owner chose none. */
  readonly clientOrderId: string | undefined;
}

export class ContractIds {
  readonly #open = new Map<string, NamedOrder>();
  /** The ids of what is over. */
  readonly used: UsedIds;

  constructor(accountId: AccountId) {
    this.used = new UsedIds(accountId, 'contract');
  }

  add(clientOrderId: string, order: NamedOrder): void {
    this.#open.set(clientOrderId, order);
  }

  remove(clientOrderId: string): void {
    this.#open.delete(clientOrderId);
  }

  /** What is open by this id. */
  find(clientOrderId: string): NamedOrder | undefined {
    return this.#open.get(clientOrderId);
  }

  /** Whether something of this id is open, or was over not long ago. */
  isTaken(clientOrderId: string, timeMs: number): boolean {
    return this.#open.has(clientOrderId) || this.used.isTaken(clientOrderId, timeMs);
  }
}
