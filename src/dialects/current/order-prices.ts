/**
 * At which prices open orders were filled, and for which fees, as long as their account is
 * followed. What was filled before comes from the history: the order itself says how much, and not
 * at which prices.
 */
import { setImmediate } from 'node:timers/promises';
import type { OrderChange, StreamServices } from '#api';
import {
  type Amount,
  LIMITS,
  type OrderId,
  type Ticks,
  type TradeId,
  tradeId,
  ZERO_TICKS,
} from '#domain';

/** Zero without a fill. */
export interface FilledPrices {
  readonly latest: Ticks;
  readonly highest: Ticks;
  readonly lowest: Ticks;
  readonly fee: Amount;
}

/** What an order was filled for. */
export interface OwnFill {
  readonly tradeId: TradeId;
  readonly priceTicks: Ticks;
  readonly fee: Amount;
}

/** The newest fills of an order before a trade, newest first. */
type FillPages = (page: {
  readonly orderId: OrderId;
  readonly before: TradeId;
  readonly limit: number;
}) => Promise<readonly OwnFill[]>;

const NO_PRICES: FilledPrices = {
  latest: ZERO_TICKS,
  highest: ZERO_TICKS,
  lowest: ZERO_TICKS,
  fee: 0n,
};

const FILLS_PER_PAGE = LIMITS.pageRowsMax;

export class OrderPrices {
  readonly #known = new Map<OrderId, FilledPrices>();

  filled(orderId: OrderId, latest: Ticks, fee: Amount): FilledPrices {
    return this.#widen(orderId, latest, latest, fee);
  }

  /**
   * Adds the fills of standing orders up to the last id of their state. Others get their turn
   * between two pages: an order may have been filled by any number of trades.
   */
  async recall(
    { historyReady }: Pick<StreamServices, 'historyReady'>,
    standing: Iterable<OrderChange>,
    lastId: number,
    pages: FillPages,
  ): Promise<void> {
    const orders = [...standing].filter(isPartlyFilled);
    if (orders.length === 0) return;
    await historyReady();
    for (const { order } of orders) await this.#recallOrder(order.orderId, lastId, pages);
  }

  of(orderId: OrderId): FilledPrices {
    return this.#known.get(orderId) ?? NO_PRICES;
  }

  /** Of an order that has ended; it is forgotten. */
  ended(orderId: OrderId): FilledPrices {
    const found = this.of(orderId);
    this.#known.delete(orderId);
    return found;
  }

  async #recallOrder(orderId: OrderId, lastId: number, pages: FillPages): Promise<void> {
    const limit = FILLS_PER_PAGE;
    let before = tradeId(lastId + 1);
    for (;;) {
      const fills = await pages({ orderId, before, limit });
      for (const { priceTicks, fee } of fills) {
        this.#widen(orderId, this.#known.get(orderId)?.latest ?? priceTicks, priceTicks, fee);
      }
      const oldest = fills.at(-1);
      await setImmediate();
      if (oldest === undefined || fills.length < limit) return;
      before = oldest.tradeId;
    }
  }

  #widen(orderId: OrderId, latest: Ticks, price: Ticks, fee: Amount): FilledPrices {
    const before = this.#known.get(orderId);
    const after: FilledPrices = {
      latest,
      highest: before !== undefined && before.highest > price ? before.highest : price,
      lowest: before !== undefined && before.lowest < price ? before.lowest : price,
      fee: (before?.fee ?? 0n) + fee,
    };
    this.#known.set(orderId, after);
    return after;
  }
}

function isPartlyFilled({ kind, order }: OrderChange): boolean {
  return kind !== 'trigger_order' && 'filledLots' in order && order.filledLots > 0;
}
