/** One price level: a doubly linked queue through the orders themselves, with its totals. */

import { type Lots, lots, type Side, type Ticks, ZERO_LOTS } from '#domain';
import { assert } from '#kernel';
import type { BookLevel, BookOrder } from './book.ts';

export class Level implements BookLevel {
  readonly priceTicks: Ticks;
  lots: Lots = ZERO_LOTS;
  ordersCount = 0;
  oldest: BookOrder | null = null;
  newest: BookOrder | null = null;

  constructor(priceTicks: Ticks) {
    this.priceTicks = priceTicks;
  }
}

/** How many more lots the level's total can count. */
export function roomIn(level: BookLevel | undefined): Lots {
  return lots(Number.MAX_SAFE_INTEGER - (level === undefined ? 0 : level.lots));
}

/** Puts an order at the end of the queue. */
export function append(level: BookLevel, order: BookOrder): void {
  order.level = level;
  order.before = level.newest;
  if (level.newest === null) level.oldest = order;
  else level.newest.after = order;
  level.newest = order;
  level.lots = lots(level.lots + order.openLots);
  level.ordersCount += 1;
}

/** Takes an order out of the queue, wherever it stands. */
export function unlink(level: BookLevel, order: BookOrder): void {
  const { before, after } = order;
  if (before === null) level.oldest = after;
  else before.after = after;
  if (after === null) level.newest = before;
  else after.before = before;
  order.level = null;
  order.before = null;
  order.after = null;
  level.lots = lots(level.lots - order.openLots);
  level.ordersCount -= 1;
}

/** Asserts that totals, links and prices of a level agree. */
export function checkLevel(level: BookLevel, side: Side): void {
  let sum = 0;
  let ordersCount = 0;
  let before: BookOrder | null = null;
  for (let order = level.oldest; order !== null; order = order.after) {
    assert(order.level === level && order.before === before, 'links run both ways');
    assert(order.side === side && order.priceTicks === level.priceTicks, 'an order in its place');
    assert(order.openLots > 0, 'a resting order has open lots');
    sum += order.openLots;
    ordersCount += 1;
    before = order;
  }
  assert(level.newest === before, 'the newest order ends the queue');
  assert(ordersCount > 0, 'a level without orders is gone');
  assert(level.lots === sum && level.ordersCount === ordersCount, 'level totals add up');
}
