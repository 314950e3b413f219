/**
 * The contracts of one account as its owner follows them. Orders and plan orders are folded from
 * events. Account and positions depend on more than events say: they are encoded from the
 * venue's state right after each step that touches them, and published when that step is released.
 */
import {
  type AccountId,
  type Contract,
  type Event,
  HOLD_SIDES,
  type InstrumentId,
  type OrderId,
  type PlanOrderView,
  type StateReader,
  type Step,
} from '#domain';
import { present } from '#kernel';
import type { LiveMarkets } from '#market-data';
import {
  waitingOutcome,
  writeContractAccount,
  writeContractOrder,
  writePlan,
  writePosition,
  writeStreamRow,
} from '#wire';
import {
  type AccountFold,
  type PublishPrivate,
  rowsOf,
  type SnapshotRows,
} from '../streams/dialect.ts';
import { feedName, type PrivateChannel, readPrivateFeed } from './channels.ts';
import { copyOrder, copyPlan, type OrderState, OrdersFold } from './orders-fold.ts';

export interface AccountFoldOptions {
  readonly live: LiveMarkets;
  readonly accountId: AccountId;
  readonly publish: PublishPrivate;
  readonly onClose: () => void;
}

/** Account and positions in one contract, encoded. */
interface MarginRows {
  readonly instrumentId: InstrumentId;
  readonly account: string;
  readonly position: string;
}

export class ContractAccountFold implements AccountFold {
  readonly #options: AccountFoldOptions;
  readonly #orders: OrdersFold;
  /** Waiting plan orders and presets, oldest first. */
  readonly #plans = new Map<OrderId, PlanOrderView>();
  /** As last published. */
  readonly #margins = new Map<InstrumentId, MarginRows>();
  /** What steps left that are not released yet; the venue bounds how many those are. */
  readonly #ahead: { readonly seq: number; readonly rows: MarginRows }[] = [];
  /** Contracts in which the account holds anything, as of the last step applied. */
  readonly #held = new Set<InstrumentId>();
  /** Rows of the step under way, by feed. */
  readonly #rows = new Map<string, string[]>();

  constructor(options: AccountFoldOptions, state: StateReader) {
    this.#options = options;
    this.#orders = new OrdersFold(options.accountId);
    for (const contract of state.listings.contracts.values()) this.#seed(contract, state);
  }

  #seed({ instrumentId }: Contract, state: StateReader): void {
    const { accountId } = this.#options;
    this.#margins.set(instrumentId, this.#look(instrumentId, state));
    const orders = [...state.openContractOrders(accountId, instrumentId)];
    for (const order of orders.reverse()) this.#orders.seed(copyOrder(order));
    const plans = [...state.waitingPlans(accountId, instrumentId)];
    for (const plan of plans.reverse()) this.#plans.set(plan.orderId, copyPlan(plan));
  }

  /** Whether a new mark price of the contract changes what the account is worth. */
  holds(instrumentId: InstrumentId): boolean {
    return this.#held.has(instrumentId);
  }

  /** Whether states wait for a step that is not released yet. */
  get isAhead(): boolean {
    return this.#ahead.length > 0;
  }

  /** Takes down what a step that was just applied has left in a contract. */
  onApplied(seq: number, instrumentId: InstrumentId, state: StateReader): void {
    this.#ahead.push({ seq, rows: this.#look(instrumentId, state) });
  }

  #look(instrumentId: InstrumentId, state: StateReader): MarginRows {
    const { accountId } = this.#options;
    const contract = present(state.listings.contractById(instrumentId), 'listed contract');
    const owner = present(state.account(accountId), 'account of a key');
    const view = present(state.marginAccount(accountId, instrumentId), 'contract account');
    if (HOLD_SIDES.some((side) => view[side].lots > 0)) this.#held.add(instrumentId);
    else this.#held.delete(instrumentId);
    const account = writeContractAccount(contract, view, owner.createdTimeMs);
    const position = writePosition(contract, view, owner.createdTimeMs);
    return {
      instrumentId,
      account: writeStreamRow(contract, account),
      position: writeStreamRow(contract, position),
    };
  }

  snapshot(feed: string): SnapshotRows {
    const { channel, instrumentId } = readPrivateFeed(feed);
    return this.#current(channel, this.#contract(instrumentId));
  }

  /** What is open, waiting or held now; history begins with the next change. */
  #current(channel: PrivateChannel, contract: Contract): SnapshotRows {
    const { instrumentId } = contract;
    switch (channel) {
      case 'order':
        return rowsOf(this.#orders.openIn(instrumentId), (state) => orderRow(contract, state));
      case 'currentPlan': {
        const plans = [...this.#plans.values()];
        const waiting = plans.filter((plan) => plan.instrumentId === instrumentId);
        return rowsOf(waiting, (plan) => waitingRow(contract, plan));
      }
      case 'historyPlan':
        return rowsOf<string>([], (row) => row);
      default: {
        const rows = this.#margins.get(instrumentId);
        return rowsOf(rows === undefined ? [] : [rows[channel]], (row) => row);
      }
    }
  }

  apply(event: Event, step: Step): void {
    for (const state of this.#orders.changes(event, step.timeMs)) {
      const contract = this.#contract(state.order.instrumentId);
      this.#add('order', contract, orderRow(contract, state));
    }
    this.#applyPlan(event, step.timeMs);
  }

  #applyPlan(event: Event, timeMs: number): void {
    if (event.kind === 'plan_order_accepted' || event.kind === 'plan_order_grown') {
      const { plan } = event;
      this.#plans.set(plan.orderId, plan);
      const contract = this.#contract(plan.instrumentId);
      this.#add('currentPlan', contract, waitingRow(contract, plan));
    } else if (event.kind === 'plan_order_closed') {
      const { plan } = event;
      this.#plans.delete(plan.orderId);
      const contract = this.#contract(plan.instrumentId);
      const row = writePlan(contract, plan, { ...event, updatedTimeMs: timeMs }, false);
      const texts = writeStreamRow(contract, row);
      this.#add('currentPlan', contract, texts);
      this.#add('historyPlan', contract, texts);
    }
  }

  #add(channel: PrivateChannel, contract: Contract, row: string): void {
    const feed = feedName(channel, contract);
    const rows = this.#rows.get(feed);
    if (rows === undefined) this.#rows.set(feed, [row]);
    else rows.push(row);
  }

  endStep(step: Step): void {
    for (const [feed, rows] of this.#rows) {
      this.#options.publish(feed, 'update', `[${rows.join(',')}]`);
    }
    this.#rows.clear();
    while (this.#ahead[0] !== undefined && this.#ahead[0].seq <= step.seq) {
      this.#publishMargin(this.#ahead[0].rows);
      this.#ahead.shift();
    }
  }

  close(): void {
    this.#options.onClose();
  }

  #publishMargin(rows: MarginRows): void {
    const before = this.#margins.get(rows.instrumentId);
    this.#margins.set(rows.instrumentId, rows);
    const contract = this.#contract(rows.instrumentId);
    for (const channel of ['position', 'account'] as const) {
      if (rows[channel] === before?.[channel]) continue;
      this.#options.publish(feedName(channel, contract), 'update', `[${rows[channel]}]`);
    }
  }

  #contract(instrumentId: InstrumentId): Contract {
    return present(this.#options.live.listings.contractById(instrumentId), 'listed contract');
  }
}

function orderRow(contract: Contract, { order, status, reason }: OrderState): string {
  return writeStreamRow(contract, writeContractOrder(contract, order, status, reason));
}

function waitingRow(contract: Contract, plan: PlanOrderView): string {
  return writeStreamRow(contract, writePlan(contract, plan, waitingOutcome(plan), false));
}
