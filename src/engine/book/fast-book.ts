/**
 * The book a venue runs on. Orders are linked into queues per price level, and each side's levels
 * stand in a sorted ladder: best price, fill and cancel cost the same whatever the book's size;
 * a price that gains its first or loses its last order costs a search among the levels.
 */

import type { BookLevel as LevelView, Lots, SelfTradePrevention, Side, Ticks } from '#domain';
import { LIMITS, lots } from '#domain';
import { assert } from '#kernel';
import {
  accepts,
  type Book,
  type BookLevel,
  type BookOrder,
  opposite,
  type Taker,
} from './book.ts';
import { append, roomIn, unlink } from './level.ts';
import { PriceLadder } from './price-ladder.ts';

export function createBook<O extends BookOrder>(): Book<O> {
  return new FastBook<O>();
}

class FastBook<O extends BookOrder> implements Book<O> {
  readonly #buys = new PriceLadder('buy');
  readonly #sells = new PriceLadder('sell');
  #ordersCount = 0;
  /** Of all that ever rested. */
  #largestLots = 0;

  get ordersCount(): number {
    return this.#ordersCount;
  }

  best(side: Side): O | undefined {
    const level = this.#ladder(side).best;
    if (level === null || level.oldest === null) return undefined;
    return isOwn<O>(level.oldest) ? level.oldest : undefined;
  }

  hasRoom(side: Side, priceTicks: Ticks, size: number): boolean {
    // With sizes as they are, all orders there are fit one level, and no price is searched.
    const mostLots = (this.#ordersCount + 1) * Math.max(this.#largestLots, size);
    if (mostLots <= Number.MAX_SAFE_INTEGER) return true;
    return size <= roomIn(this.#ladder(side).find(priceTicks));
  }

  rest(order: O): void {
    assert(order.level === null, 'an order rests once');
    assert(order.openLots > 0, 'a resting order has open lots');
    const level = this.#ladder(order.side).open(order.priceTicks);
    assert(order.openLots <= roomIn(level), 'the level has room');
    append(level, order);
    this.#ordersCount += 1;
    if (order.openLots > this.#largestLots) this.#largestLots = order.openLots;
  }

  fill(order: O, size: Lots): void {
    const { level } = order;
    assert(level !== null, 'the order rests in this book');
    assert(size > 0 && size <= order.openLots, 'a fill takes what the order has');
    order.openLots = lots(order.openLots - size);
    level.lots = lots(level.lots - size);
    if (order.openLots === 0) this.#leave(order, level);
  }

  remove(order: O): void {
    assert(order.level !== null, 'the order rests in this book');
    this.#leave(order, order.level);
  }

  canFill(taker: Taker, prevention: SelfTradePrevention): boolean {
    let missing: number = taker.sizeLots;
    let met = 0;
    for (const maker of this.orders(opposite(taker.side))) {
      if (!accepts(taker.side, taker.limitTicks, maker.priceTicks)) return false;
      met += 1;
      if (met > LIMITS.orderMatchesMax) return false;
      if (prevention !== 'none' && maker.accountId === taker.accountId) {
        if (prevention !== 'cancel_maker') return false;
      } else if (maker.openLots >= missing) return true;
      else missing -= maker.openLots;
    }
    return false;
  }

  levels(side: Side): Iterable<LevelView> {
    return this.#ladder(side).levels();
  }

  *orders(side: Side): Generator<O> {
    for (const level of this.#ladder(side).levels()) {
      for (let order = level.oldest; order !== null; order = order.after) {
        if (isOwn<O>(order)) yield order;
      }
    }
  }

  check(): void {
    this.#buys.check();
    this.#sells.check();
    let ordersCount = 0;
    for (const level of this.#buys.levels()) ordersCount += level.ordersCount;
    for (const level of this.#sells.levels()) ordersCount += level.ordersCount;
    assert(ordersCount === this.#ordersCount, 'every resting order is counted');
    const buy = this.#buys.best;
    const sell = this.#sells.best;
    if (buy === null || sell === null) return;
    assert(buy.priceTicks < sell.priceTicks, 'the book is never crossed');
  }

  #leave(order: O, level: BookLevel): void {
    unlink(level, order);
    this.#ordersCount -= 1;
    if (level.ordersCount === 0) this.#ladder(order.side).close(level);
  }

  #ladder(side: Side): PriceLadder {
    return side === 'buy' ? this.#buys : this.#sells;
  }
}

/** True of whatever a link leads to: only rest() sets links, and it takes nothing but an O. */
function isOwn<O extends BookOrder>(order: BookOrder): order is O {
  return order.level !== null;
}
