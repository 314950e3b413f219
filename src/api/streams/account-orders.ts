/**
 * The open orders of one account as released steps left them: the last view of each. What an order
 * has been filled is what the event of its fill says; nothing is added up here.
 */
import {
  type AccountId,
  type CloseReason,
  type ContractCloseReason,
  type ContractFill,
  type ContractOrderAccepted,
  type ContractOrderView,
  type ContractTrade,
  type Event,
  NO_CONTRACTS_FILLED,
  NOTHING_FILLED,
  type OrderAccepted,
  type OrderFilled,
  type OrderId,
  type OrderView,
  type StateReader,
  type Trade,
  type TriggerOrderClosed,
  type TriggerOrderView,
} from '#domain';

/** A spot order as a change left it, or as it stands. */
export interface SpotOrderChange {
  readonly kind: 'spot_order';
  readonly order: OrderView;
  /** When it changed; when it was created, of one that only stands. */
  readonly timeMs: number;
  /** The trade that filled it further. */
  readonly trade?: Trade;
  /** Of one that has ended. */
  readonly reason?: CloseReason;
}

export interface ContractOrderChange {
  readonly kind: 'contract_order';
  readonly order: ContractOrderView;
  /** As of a spot order. */
  readonly timeMs: number;
  /** The trade that filled it further, and its own side of it. */
  readonly filledBy?: { readonly trade: ContractTrade; readonly fill: ContractFill };
  readonly reason?: ContractCloseReason;
}

export interface TriggerOrderChange {
  readonly kind: 'trigger_order';
  readonly order: TriggerOrderView;
  readonly timeMs: number;
  /** How it ended. */
  readonly end?: TriggerOrderClosed;
}

export type OrderChange = SpotOrderChange | ContractOrderChange | TriggerOrderChange;

const NO_CHANGES: readonly OrderChange[] = [];

export class AccountOrders {
  /** Oldest first. */
  readonly #open = new Map<OrderId, OrderChange>();

  constructor(standing: Iterable<OrderChange>) {
    for (const order of standing) this.#stand(order);
  }

  /** The open orders as they stand. */
  standing(): Iterable<OrderChange> {
    return this.#open.values();
  }

  /** What an event that concerns the account made of its orders, in order. */
  changes(event: Event, timeMs: number): readonly OrderChange[] {
    switch (event.kind) {
      case 'order_accepted':
        return [this.#stand(standingOrder(acceptedOrder(event, timeMs)))];
      case 'contract_order_accepted':
        return [this.#stand(standingContractOrder(acceptedContractOrder(event, timeMs)))];
      case 'order_moved':
        return [this.#stand({ kind: 'spot_order', order: event.order, timeMs })];
      case 'contract_order_moved':
        return [this.#stand({ kind: 'contract_order', order: event.order, timeMs })];
      case 'trigger_order_accepted':
      case 'trigger_order_grown':
      case 'trigger_order_modified':
        return [this.#stand(standingTrigger(event.trigger))];
      case 'trade':
        return [
          ...this.#fill(event, event.takerOrderId, event.takerFilled, timeMs),
          ...this.#fill(event, event.makerOrderId, event.makerFilled, timeMs),
        ];
      case 'contract_trade':
        return [
          ...this.#fillContract(event, event.maker, timeMs),
          ...this.#fillContract(event, event.taker, timeMs),
        ];
      case 'order_closed':
        return [
          this.#end({ kind: 'spot_order', order: event.order, timeMs, reason: event.reason }),
        ];
      case 'contract_order_closed':
        return [
          this.#end({ kind: 'contract_order', order: event.order, timeMs, reason: event.reason }),
        ];
      case 'trigger_order_closed':
        return [this.#end({ kind: 'trigger_order', order: event.trigger, timeMs, end: event })];
      default:
        return NO_CHANGES;
    }
  }

  #stand(change: OrderChange): OrderChange {
    this.#open.set(change.order.orderId, change);
    return change;
  }

  #end(change: OrderChange): OrderChange {
    this.#open.delete(change.order.orderId);
    return change;
  }

  /** The other order of a trade is most often another account's. */
  #fill(
    trade: Trade,
    orderId: OrderId,
    filled: OrderFilled,
    timeMs: number,
  ): readonly OrderChange[] {
    const before = this.#open.get(orderId);
    if (before?.kind !== 'spot_order') return NO_CHANGES;
    const order = { ...before.order, ...filled };
    this.#stand(standingOrder(order, timeMs));
    return [{ kind: 'spot_order', order, timeMs, trade }];
  }

  #fillContract(trade: ContractTrade, fill: ContractFill, timeMs: number): readonly OrderChange[] {
    const before = this.#open.get(fill.orderId);
    if (before?.kind !== 'contract_order') return NO_CHANGES;
    const order = { ...before.order, ...fill.filled };
    this.#stand(standingContractOrder(order));
    return [{ kind: 'contract_order', order, timeMs, filledBy: { trade, fill } }];
  }
}

/** The open spot orders of an account, oldest first. */
export function spotOrdersOf(state: StateReader, accountId: AccountId): OrderChange[] {
  const open = [...state.openOrders(accountId)].reverse();
  return open.map((order) => standingOrder(order, order.updatedTimeMs));
}

/** The open orders of an account in every contract, then those that wait; each oldest first. */
export function contractOrdersOf(state: StateReader, accountId: AccountId): OrderChange[] {
  return [...state.listings.contracts.values()].flatMap(({ instrumentId }): OrderChange[] => {
    const orders = [...state.openContractOrders(accountId, instrumentId)].reverse();
    const triggers = [...state.waitingTriggers(accountId, instrumentId)].reverse();
    return [...orders.map(standingContractOrder), ...triggers.map(standingTrigger)];
  });
}

function standingOrder(order: OrderView, timeMs: number = order.createdTimeMs): SpotOrderChange {
  return { kind: 'spot_order', order, timeMs };
}

function standingContractOrder(order: ContractOrderView): ContractOrderChange {
  return { kind: 'contract_order', order, timeMs: order.createdTimeMs };
}

function standingTrigger(trigger: TriggerOrderView): TriggerOrderChange {
  return { kind: 'trigger_order', order: trigger, timeMs: trigger.createdTimeMs };
}

function acceptedOrder(
  { terms, orderId, clientOrderId }: OrderAccepted,
  createdTimeMs: number,
): OrderView {
  const { kind: _kind, ...asked } = terms;
  return { ...asked, orderId, clientOrderId, ...NOTHING_FILLED, createdTimeMs };
}

function acceptedContractOrder(
  { terms, orderId, accountId, instrumentId, clientOrderId, leverage }: ContractOrderAccepted,
  createdTimeMs: number,
): ContractOrderView {
  const ids = { orderId, accountId, instrumentId, clientOrderId };
  return { ...terms, ...ids, leverage, ...NO_CONTRACTS_FILLED, createdTimeMs };
}
