/**
 * Orders and trigger orders followed through events alone: an order's fills add up to what it is
 * said to have become, and every trade sets off exactly the trigger orders whose trigger it meets,
 * in the order of the trades and, for one trade, of their acceptance; while a contract is halted it
 * sets off none. Those at the mark price have fired when a tick is over.
 */
import { strict as assert } from 'node:assert/strict';
import type {
  ContractOrderClosed,
  ContractOrderFilled,
  ContractPrices,
  ContractTrade,
  Event,
  InstrumentId,
  OrderId,
  TriggerOrderClosed,
  TriggerOrderModified,
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

function isOfTrades({ workingPrice = 'last' }: TriggerOrderView): boolean {
  return workingPrice === 'last';
}

export class OrdersWalk {
  readonly #open = new Map<OrderId, Filled>();
  readonly #waiting = new Map<OrderId, TriggerOrderView>();
  /** What each goes by among those of one price. */
  readonly #places = new Map<OrderId, number>();
  readonly #prices = new Map<InstrumentId, ContractPrices>();
  /** Contracts in which only liquidations trade. */
  readonly #halted = new Set<InstrumentId>();
  /** Accepted by this command. */
  readonly #new = new Set<OrderId>();
  /** Set off by a trade of this command and not yet told of. */
  #due: TriggerOrderView[] = [];

  get openCount(): number {
    return this.#open.size;
  }

  follow(events: readonly Event[]): void {
    let before: Event | undefined;
    this.#new.clear();
    for (const event of events) {
      if (event.kind === 'contract_order_accepted') {
        this.#open.set(event.orderId, { lots: 0, tickLots: 0n, fee: 0n, pnl: 0n });
      } else if (event.kind === 'contract_trade') {
        this.#trade(event);
      } else if (event.kind === 'contract_order_closed') {
        this.#close(event);
      } else if (event.kind === 'trigger_order_accepted') {
        this.#await(event.trigger, event.trigger.orderId);
        this.#new.add(event.trigger.orderId);
      } else if (event.kind === 'trigger_order_modified') {
        this.#modify(event);
      } else if (event.kind === 'contract_priced') {
        this.#prices.set(event.prices.instrumentId, event.prices);
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
    if (events[0]?.kind === 'ticked') this.#checkPrices();
  }

  /**
   * After a tick no trigger order waits for a mark or index price that is there, unless it came
   * later in the tick: what another contract's liquidation fills is armed after the look.
   */
  #checkPrices(): void {
    for (const trigger of this.#waiting.values()) {
      if (isOfTrades(trigger) || this.#halted.has(trigger.instrumentId)) continue;
      if (this.#new.has(trigger.orderId)) continue;
      assert.ok(!this.#isThere(trigger), 'what the mark or index price meets has fired');
    }
  }

  #isThere(trigger: TriggerOrderView): boolean {
    const { instrumentId, direction, triggerTicks, workingPrice } = trigger;
    const { markTicks, indexTicks } = present(this.#prices.get(instrumentId), 'prices');
    const price = workingPrice === 'index' ? indexTicks : markTicks;
    return direction === 'rise' ? price >= triggerTicks : price <= triggerTicks;
  }

  #await(trigger: TriggerOrderView, placeId: number): void {
    this.#waiting.set(trigger.orderId, trigger);
    this.#places.set(trigger.orderId, placeId);
  }

  /** What it is for and its direction stay, and its place while it waits for the same price. */
  #modify({ trigger, placeId }: TriggerOrderModified): void {
    const before = present(this.#waiting.get(trigger.orderId), 'waiting trigger order');
    const { purpose, direction } = before;
    const kept = { purpose: trigger.purpose, direction: trigger.direction };
    assert.deepEqual(kept, { purpose, direction });
    const place = present(this.#places.get(trigger.orderId), 'place');
    const isSame =
      trigger.triggerTicks === before.triggerTicks && trigger.workingPrice === before.workingPrice;
    assert.ok(placeId > place || (isSame && placeId === place));
    this.#await(trigger, placeId);
  }

  #placeOf({ orderId }: TriggerOrderView): number {
    return present(this.#places.get(orderId), 'place');
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
      .filter(isOfTrades)
      .filter(({ direction, triggerTicks }) =>
        direction === 'rise' ? event.priceTicks >= triggerTicks : event.priceTicks <= triggerTicks,
      )
      .sort((one, other) => this.#placeOf(one) - this.#placeOf(other));
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
    this.#places.delete(orderId);
    if (status === 'cancelled') {
      this.#due = this.#due.filter((due) => due.orderId !== orderId);
      return;
    }
    // A preset that fails to be armed ends right where it began.
    const isUnarmed =
      before?.kind === 'trigger_order_accepted' && before.trigger.orderId === orderId;
    if (status === 'failed' && isUnarmed) return;
    if (!isOfTrades(trigger)) {
      assert.ok(this.#isThere(trigger), 'the mark or index price has met it');
      return;
    }
    const due = this.#due.shift();
    assert.equal(orderId, due?.orderId, 'trigger orders fire in the order they were set off');
  }
}
