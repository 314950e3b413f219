/**
 * Orders and trigger orders followed through events alone: an order's fills add up to what it is
 * said to have become, and every trade sets off exactly the trigger orders whose trigger it meets,
 * in the order of the trades and, for one trade, of their acceptance; while a contract is halted it
 * sets off none.
 */
import { strict as assert } from 'node:assert/strict';
import type {
  ContractOrderClosed,
  ContractOrderFilled,
  ContractTrade,
  Event,
  InstrumentId,
  OrderId,
  TriggerOrderClosed,
  TriggerOrderView,
} from '#domain';
import { present } from '#kernel';

interface Filled {
  lots: number;
  tickLots: bigint;
  fee: bigint;
  pnl: bigint;
}

function totalsOf(order: ContractOrderFilled): Filled {
  const { filledLots, filledTickLots, fee, realizedPnl } = order;
  return { lots: filledLots, tickLots: filledTickLots, fee, pnl: realizedPnl };
}

export class OrdersWalk {
  readonly #open = new Map<OrderId, Filled>();
  readonly #waiting = new Map<OrderId, TriggerOrderView>();
  /** Contracts in which only liquidations trade. */
  readonly #halted = new Set<InstrumentId>();
  /** Set off by a trade of this command and not yet told of. */
  #due: TriggerOrderView[] = [];

  get openCount(): number {
    return this.#open.size;
  }

  follow(events: readonly Event[]): void {
    let before: Event | undefined;
    for (const event of events) {
      if (event.kind === 'contract_order_accepted') {
        this.#open.set(event.orderId, { lots: 0, tickLots: 0n, fee: 0n, pnl: 0n });
      } else if (event.kind === 'contract_trade') {
        this.#trade(event);
      } else if (event.kind === 'contract_order_closed') {
        this.#close(event);
      } else if (event.kind === 'trigger_order_accepted') {
        this.#waiting.set(event.trigger.orderId, event.trigger);
      } else if (event.kind === 'trigger_order_closed') {
        this.#end(event, before);
      } else if (event.kind === 'contract_updated') {
        const { instrumentId, status } = event.contract;
        if (status === 'online') this.#halted.delete(instrumentId);
        else this.#halted.add(instrumentId);
      }
      before = event;
    }
    assert.deepEqual(this.#due, [], 'every trigger order that was set off has fired');
  }

  #trade(event: ContractTrade): void {
    for (const fill of [event.taker, event.maker]) {
      const filled = present(this.#open.get(fill.orderId), 'open order');
      filled.lots += event.sizeLots;
      filled.tickLots += BigInt(event.sizeLots) * BigInt(event.priceTicks);
      filled.fee += fill.fee;
      filled.pnl += fill.realizedPnl;
      assert.deepEqual(
        totalsOf(fill.filled),
        filled,
        'a fill carries what its order has got so far',
      );
    }
    if (!event.inBook || this.#halted.has(event.instrumentId)) return;
    const due = [...this.#waiting.values()]
      .filter(
        (trigger) => trigger.instrumentId === event.instrumentId && !this.#due.includes(trigger),
      )
      .filter(({ direction, triggerTicks }) =>
        direction === 'rise' ? event.priceTicks >= triggerTicks : event.priceTicks <= triggerTicks,
      )
      .sort((one, other) => one.orderId - other.orderId);
    this.#due.push(...due);
  }

  #close({ order }: ContractOrderClosed): void {
    const filled = present(this.#open.get(order.orderId), 'open order');
    this.#open.delete(order.orderId);
    assert.deepEqual(totalsOf(order), filled, 'an order is what its fills made of it');
    const { filledLots } = order;
    assert.ok(filledLots <= order.sizeLots);
    const isKillable = order.force === 'fok' && order.cause === 'owner';
    if (isKillable) assert.ok([0, order.sizeLots].includes(filledLots), 'all or nothing');
  }

  #end({ trigger, status }: TriggerOrderClosed, before: Event | undefined): void {
    const { orderId } = trigger;
    assert.ok(this.#waiting.delete(orderId), 'a trigger order ends once');
    if (status === 'cancelled') {
      this.#due = this.#due.filter((due) => due.orderId !== orderId);
      return;
    }
    // A preset that fails to be armed ends right where it began.
    const isUnarmed =
      before?.kind === 'trigger_order_accepted' && before.trigger.orderId === orderId;
    if (status === 'failed' && isUnarmed) return;
    const due = this.#due.shift();
    assert.equal(orderId, due?.orderId, 'trigger orders fire in the order they were set off');
  }
}
