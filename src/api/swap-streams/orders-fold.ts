/**
 * The open contract orders of one account folded from released events. It starts from a copy of
 * the venue's own and then needs no look at the venue: no change is missed, however fast they come.
 */
import {
  type AccountId,
  type ContractCloseReason,
  type ContractFill,
  type ContractOrderAccepted,
  type ContractOrderClosed,
  type ContractOrderView,
  type ContractTrade,
  type Event,
  type InstrumentId,
  lots,
  lotsPerTick,
  type OrderId,
  type OrderStatus,
  type PlanOrderView,
  tickLots,
  ZERO_LOTS,
} from '#domain';
import { present } from '#kernel';
import type { ContractOrderValues } from '#wire';

/** An order as one event left it. */
export interface OrderState {
  readonly order: ContractOrderValues;
  readonly status: OrderStatus;
  /** Of one that has ended. */
  readonly reason?: ContractCloseReason;
}

const NO_CHANGES: readonly OrderState[] = [];

export class OrdersFold {
  readonly #accountId: AccountId;
  /** Oldest first. */
  readonly #open = new Map<OrderId, ContractOrderValues>();

  constructor(accountId: AccountId) {
    this.#accountId = accountId;
  }

  /** Takes over an order that is open when the fold begins; they come oldest first. */
  seed(order: ContractOrderValues): void {
    this.#open.set(order.orderId, order);
  }

  /** The open orders in a contract, oldest first. */
  openIn(instrumentId: InstrumentId): OrderState[] {
    const found: OrderState[] = [];
    for (const order of this.#open.values()) {
      if (order.instrumentId === instrumentId) found.push({ order, status: openStatus(order) });
    }
    return found;
  }

  /** What an event made of the account's orders, in order; none when it concerns other accounts. */
  changes(event: Event, timeMs: number): readonly OrderState[] {
    switch (event.kind) {
      case 'contract_order_accepted':
        return event.accountId === this.#accountId ? [this.#accept(event, timeMs)] : NO_CHANGES;
      case 'contract_trade':
        return [event.maker, event.taker].flatMap((fill) => this.#fill(event, fill));
      case 'contract_order_closed':
        return event.order.accountId === this.#accountId ? [this.#close(event)] : NO_CHANGES;
      default:
        return NO_CHANGES;
    }
  }

  #accept(event: ContractOrderAccepted, timeMs: number): OrderState {
    const { orderId, accountId, instrumentId } = event;
    const order = {
      ...event.terms,
      orderId,
      accountId,
      instrumentId,
      filledLots: ZERO_LOTS,
      filledTickLots: 0n,
      filledPerTick: 0n,
      fee: 0n,
      realizedPnl: 0n,
      createdTimeMs: timeMs,
    };
    this.#open.set(orderId, order);
    return { order, status: 'new' };
  }

  /** A fill that completes its order is published with the closing that follows it. */
  #fill(trade: ContractTrade, fill: ContractFill): readonly OrderState[] {
    if (fill.accountId !== this.#accountId) return NO_CHANGES;
    const before = present(this.#open.get(fill.orderId), 'order of a fill');
    const order = {
      ...before,
      filledLots: lots(before.filledLots + trade.sizeLots),
      filledTickLots: before.filledTickLots + tickLots(trade.sizeLots, trade.priceTicks),
      filledPerTick: before.filledPerTick + lotsPerTick(trade.sizeLots, trade.priceTicks),
      fee: before.fee + fill.fee,
      realizedPnl: before.realizedPnl + fill.realizedPnl,
    };
    this.#open.set(fill.orderId, order);
    if (order.filledLots === order.sizeLots) return NO_CHANGES;
    return [{ order, status: 'partial_fill' }];
  }

  #close({ order, reason }: ContractOrderClosed): OrderState {
    this.#open.delete(order.orderId);
    return { order, status: reason === 'filled' ? 'full_fill' : 'cancelled', reason };
  }
}

function openStatus({ filledLots }: ContractOrderValues): OrderStatus {
  return filledLots > 0 ? 'partial_fill' : 'new';
}

/** An open order as it is now, safe to keep: the venue's own goes on changing. */
export function copyOrder(order: ContractOrderView): ContractOrderValues {
  const { orderId, accountId, instrumentId, clientOrderId, action, cause, type, force } = order;
  const { priceTicks, sizeLots, filledLots, filledTickLots, filledPerTick, fee } = order;
  const { realizedPnl, takeProfitTicks, stopLossTicks, createdTimeMs } = order;
  return {
    ...{ orderId, accountId, instrumentId, clientOrderId, action, cause, type, force },
    ...{ priceTicks, sizeLots, filledLots, filledTickLots, filledPerTick, fee, realizedPnl },
    ...{ takeProfitTicks, stopLossTicks, createdTimeMs },
  };
}

/** A waiting plan order, safe to keep. */
export function copyPlan(plan: PlanOrderView): PlanOrderView {
  const { orderId, accountId, instrumentId, clientOrderId, action, purpose, type } = plan;
  const { triggerTicks, direction, executeTicks, sizeLots } = plan;
  const { createdPriceTicks, createdTimeMs } = plan;
  return {
    ...{ orderId, accountId, instrumentId, clientOrderId, action, purpose, type },
    ...{ triggerTicks, direction, executeTicks, sizeLots, createdPriceTicks, createdTimeMs },
  };
}
