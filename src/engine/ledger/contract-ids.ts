/**
 * The client ids of an account's contract orders and trigger orders: what is open, by the id that
 * its owner chose, and the ids of what is over that are still taken. They are unique over all
 * contracts; under rules 2 they were in each contract, and orders of then may share theirs.
 */
import type { AccountId, InstrumentId, OrderId } from '#domain';
import { UsedIds } from './used-ids.ts';

/** An open order or a waiting trigger order, as much as is asked of it here. */
export interface NamedOrder {
  readonly orderId: OrderId;
  readonly instrumentId: InstrumentId;
  readonly clientOrderId: string;
}

/** Over all contracts, or in one of them alone as under rules 2. */
export type ContractIdScope = 'contract' | InstrumentId;

export class ContractIds {
  readonly #accountId: AccountId;
  /** Of several with one id the newest. */
  readonly #open = new Map<string, NamedOrder>();
  /** Those that a newer one of the same id hides, for as long as orders of rules 2 are open. */
  #hidden: NamedOrder[] = NONE;
  /** Null before the first one. */
  #used: UsedIds | null = null;
  #usedIn: Map<InstrumentId, UsedIds> | null = null;

  constructor(accountId: AccountId) {
    this.#accountId = accountId;
  }

  add(order: NamedOrder): void {
    const known = this.#open.get(order.clientOrderId);
    const isNewest = known === undefined || known.orderId < order.orderId;
    if (isNewest) this.#open.set(order.clientOrderId, order);
    if (known !== undefined) this.#hidden = [...this.#hidden, isNewest ? known : order];
  }

  remove(order: NamedOrder): void {
    const { clientOrderId } = order;
    const isHidden = this.#open.get(clientOrderId) !== order;
    if (!isHidden) this.#open.delete(clientOrderId);
    if (this.#hidden.length === 0) return;
    const [next] = isHidden ? [order] : this.#hiddenOf(clientOrderId);
    if (next === undefined) return;
    this.#hidden = this.#hidden.filter((other) => other !== next);
    if (!isHidden) this.#open.set(clientOrderId, next);
  }

  /** What is open by this id, newest first: one, or several of rules 2. */
  *find(clientOrderId: string): Generator<NamedOrder> {
    const newest = this.#open.get(clientOrderId);
    if (newest === undefined) return;
    yield newest;
    if (this.#hidden.length > 0) yield* this.#hiddenOf(clientOrderId);
  }

  /** Whether something of this id is open, or was over not long ago. */
  isTaken(clientOrderId: string, timeMs: number, scope: ContractIdScope): boolean {
    if (this.#open.size > 0 && this.#isOpen(clientOrderId, scope)) return true;
    if (scope !== 'contract')
      return this.#usedIn?.get(scope)?.isTaken(clientOrderId, timeMs) ?? false;
    if (this.#used?.isTaken(clientOrderId, timeMs)) return true;
    if (this.#usedIn === null) return false;
    return this.#usedIn.values().some((used) => used.isTaken(clientOrderId, timeMs));
  }

  /** Where the ids of what is over are kept. */
  used(scope: ContractIdScope): UsedIds {
    if (scope === 'contract') {
      this.#used ??= new UsedIds(this.#accountId, scope);
      return this.#used;
    }
    this.#usedIn ??= new Map();
    const known = this.#usedIn.get(scope);
    if (known !== undefined) return known;
    const made = new UsedIds(this.#accountId, scope);
    this.#usedIn.set(scope, made);
    return made;
  }

  #isOpen(clientOrderId: string, scope: ContractIdScope): boolean {
    if (scope === 'contract') return this.#open.has(clientOrderId);
    return this.find(clientOrderId).some(({ instrumentId }) => instrumentId === scope);
  }

  #hiddenOf(clientOrderId: string): NamedOrder[] {
    return this.#hidden
      .filter((other) => other.clientOrderId === clientOrderId)
      .sort((one, other) => other.orderId - one.orderId);
  }
}

const NONE: NamedOrder[] = [];
