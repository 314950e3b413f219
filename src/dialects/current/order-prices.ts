/**
 * At which prices open orders were filled, and for which fees, as long as their account is
 * followed: of what happened before, the order itself says how much and not at which prices.
 */
import { type Amount, type OrderId, type Ticks, ZERO_TICKS } from '#domain';

/** Zero without a fill. */
export interface FilledPrices {
  readonly latest: Ticks;
  readonly highest: Ticks;
  readonly lowest: Ticks;
  readonly fee: Amount;
}

const NO_PRICES: FilledPrices = {
  latest: ZERO_TICKS,
  highest: ZERO_TICKS,
  lowest: ZERO_TICKS,
  fee: 0n,
};

export class OrderPrices {
  readonly #known = new Map<OrderId, FilledPrices>();

  filled(orderId: OrderId, latest: Ticks, fee: Amount): FilledPrices {
    const before = this.#known.get(orderId);
    const after: FilledPrices = {
      latest,
      highest: before !== undefined && before.highest > latest ? before.highest : latest,
      lowest: before !== undefined && before.lowest < latest ? before.lowest : latest,
      fee: (before?.fee ?? 0n) + fee,
    };
    this.#known.set(orderId, after);
    return after;
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
}
