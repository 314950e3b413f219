/**
 * The obviously right book: one plain array per side in price-time order, searched from the front.
 * Too slow for a venue; tests hold the fast book against it.
 */

import type { Lots, Side, Ticks } from '#domain';
import { type BookLevel as LevelView, LIMITS, lots, type SelfTradePrevention } from '#domain';
import { assert } from '#kernel';
import { accepts, type Book, type BookOrder, isBetter, opposite, type Taker } from './book.ts';

interface Tally {
  readonly priceTicks: Ticks;
  lots: Lots;
  ordersCount: number;
}

export class NaiveBook<O extends BookOrder> implements Book<O> {
  readonly #buys: O[] = [];
  readonly #sells: O[] = [];

  get ordersCount(): number {
    return this.#buys.length + this.#sells.length;
  }

  best(side: Side): O | undefined {
    return this.#queue(side)[0];
  }

  hasRoom(side: Side, priceTicks: Ticks, size: number): boolean {
    const level = this.#tally(side).find((tally) => tally.priceTicks === priceTicks);
    return size <= Number.MAX_SAFE_INTEGER - (level?.lots ?? 0);
  }

  rest(order: O): void {
    const queue = this.#queue(order.side);
    assert(order.openLots > 0, 'a resting order has open lots');
    assert(!queue.includes(order), 'an order rests once');
    assert(this.hasRoom(order.side, order.priceTicks, order.openLots), 'the level has room');
    const worse = queue.findIndex((other) =>
      isBetter(order.side, order.priceTicks, other.priceTicks),
    );
    queue.splice(worse === -1 ? queue.length : worse, 0, order);
  }

  fill(order: O, size: Lots): void {
    assert(this.#queue(order.side).includes(order), 'the order rests in this book');
    assert(size > 0 && size <= order.openLots, 'a fill takes what the order has');
    order.openLots = lots(order.openLots - size);
    if (order.openLots === 0) this.remove(order);
  }

  remove(order: O): void {
    const queue = this.#queue(order.side);
    const at = queue.indexOf(order);
    assert(at !== -1, 'the order rests in this book');
    queue.splice(at, 1);
  }

  canFill(taker: Taker, prevention: SelfTradePrevention): boolean {
    let missing: number = taker.sizeLots;
    for (const maker of this.#queue(opposite(taker.side)).slice(0, LIMITS.orderMatchesMax)) {
      if (!accepts(taker.side, taker.limitTicks, maker.priceTicks)) break;
      const own = maker.accountId === taker.accountId && prevention !== 'none';
      if (own && prevention !== 'cancel_maker') break;
      if (!own) missing -= Math.min(maker.openLots, missing);
      if (missing === 0) return true;
    }
    return false;
  }

  levels(side: Side): Iterable<LevelView> {
    return this.#tally(side);
  }

  orders(side: Side): Iterable<O> {
    return [...this.#queue(side)];
  }

  check(): void {
    this.#checkSide('buy');
    this.#checkSide('sell');
    const [buy] = this.#buys;
    const [sell] = this.#sells;
    if (buy === undefined || sell === undefined) return;
    assert(buy.priceTicks < sell.priceTicks, 'the book is never crossed');
  }

  #checkSide(side: Side): void {
    let previous: O | undefined;
    for (const order of this.#queue(side)) {
      assert(order.side === side, 'an order rests on its own side');
      assert(order.openLots > 0, 'a resting order has open lots');
      const sorted =
        previous === undefined || !isBetter(side, order.priceTicks, previous.priceTicks);
      assert(sorted, 'better prices come first');
      previous = order;
    }
  }

  #queue(side: Side): O[] {
    return side === 'buy' ? this.#buys : this.#sells;
  }

  #tally(side: Side): Tally[] {
    const tallies: Tally[] = [];
    for (const order of this.#queue(side)) {
      const last = tallies.at(-1);
      if (last !== undefined && last.priceTicks === order.priceTicks) {
        last.lots = lots(last.lots + order.openLots);
        last.ordersCount += 1;
      } else {
        tallies.push({ priceTicks: order.priceTicks, lots: order.openLots, ordersCount: 1 });
      }
    }
    return tallies;
  }
}
