/**
 * Plays order-by-order messages on a book. The messages name which resting order each execution
 * hit, so they check price-time priority against a market that is not ours.
 *
 * What messages cannot decide is counted:
 * - unknown: they delete or execute orders that they never showed.
 * - jumped: they execute an order while one older order at the same price stays untouched. They do
 *   not say why (order attributes are not published), so the fill is applied as it is.
 */
import assert from 'node:assert/strict';
import { accountId, type Force, lots, type Side, ticks } from '#domain';
import { type Book, type MatchEnd, matchOrder, opposite } from '#engine/testing';
import { present } from '#kernel';
import { DeskOrder, ticket } from './book-desk.ts';
import { joinSweeps, splitOpening, type TapeRow } from './book-tape.ts';

interface Fill {
  readonly id: number;
  readonly size: number;
}

const TAKER = accountId(2);
const CHECK_EVERY = 5_000;

export class TapeMarket {
  readonly book: Book<DeskOrder>;
  readonly resting = new Map<number, DeskOrder>();
  readonly counts = { opening: 0, added: 0, matched: 0, sweeps: 0, jumped: 0, unknown: 0 };

  constructor(book: Book<DeskOrder>) {
    this.book = book;
  }

  /** Rests an order; post_only because no order on the tape takes while it is added. */
  add(row: TapeRow): void {
    const { id, size, priceTicks: price, side } = row;
    const order = new DeskOrder(id, { ...ticket('A buy 1 @ 1'), side, size, price });
    assert.equal(this.#match(row, side, 'post_only', []), 'exhausted');
    this.resting.set(id, order);
    this.book.rest(order);
  }

  /** One message, or the executions of one sweep. */
  apply(group: readonly TapeRow[]): void {
    const known = group.filter((row) => row.kind === 'add' || this.resting.has(row.id));
    this.counts.unknown += group.length - known.length;
    const [first] = known;
    if (first === undefined) return;
    if (first.kind === 'add') {
      this.counts.added += 1;
      this.add(first);
    } else if (first.kind === 'execute') this.#execute(known);
    else this.#shrink(first);
  }

  #shrink(row: TapeRow): void {
    const order = this.#order(row);
    if (row.kind === 'reduce') {
      this.book.fill(order, lots(row.size));
      return;
    }
    assert.equal(order.openLots, row.size, `order ${row.id} is deleted with what it has left`);
    this.book.remove(order);
    this.resting.delete(row.id);
  }

  #execute(rows: readonly TapeRow[]): void {
    if (rows.some((row, at) => this.#isBehind(row, rows.slice(0, at)))) {
      for (const row of rows) this.#executeAlone(row);
      return;
    }
    const last = present(rows.at(-1), 'a last execution');
    const size = rows.reduce((sum, row) => sum + row.size, 0);
    assert.deepEqual(
      this.#take(last, size),
      rows.map((row) => ({ id: row.id, size: row.size })),
    );
    this.counts.matched += rows.length;
    if (rows.length > 1) this.counts.sweeps += 1;
  }

  #executeAlone(row: TapeRow): void {
    if (this.#isBehind(row, [])) {
      this.counts.jumped += 1;
      const order = this.#order(row);
      this.#settle(order, row.size);
      this.book.fill(order, lots(row.size));
      return;
    }
    assert.deepEqual(this.#take(row, row.size), [{ id: row.id, size: row.size }]);
    this.counts.matched += 1;
  }

  /** Whether an older order at the row's price stands before it, other than those just taken. */
  #isBehind(row: TapeRow, taken: readonly TapeRow[]): boolean {
    for (const order of this.book.orders(row.side)) {
      if (order.orderId === row.id) return false;
      const older = order.priceTicks === row.priceTicks;
      if (older && !taken.some((other) => other.id === order.orderId)) return true;
    }
    return false;
  }

  /** What an immediate-or-cancel order of this size, at the row's price, trades with. */
  #take(row: TapeRow, size: number): Fill[] {
    const fills: Fill[] = [];
    const incoming = { ...row, size };
    assert.equal(this.#match(incoming, opposite(row.side), 'ioc', fills), 'satisfied');
    return fills;
  }

  #match(row: TapeRow, side: Side, force: Force, fills: Fill[]): MatchEnd {
    let wanted = row.size;
    const taker = {
      accountId: TAKER,
      side,
      limitTicks: ticks(row.priceTicks),
      sizeLots: lots(row.size),
    };
    return matchOrder(this.book, taker, force, 'none', {
      wantedLots: () => lots(wanted),
      admit: () => 'trade',
      makerDropped: () => assert.fail('nothing is dropped here'),
      trade: (maker, size) => {
        wanted -= size;
        fills.push({ id: maker.orderId, size });
        this.#settle(maker, size);
      },
      selfTradeCancelled: () => assert.fail('prevention is off'),
    });
  }

  #settle(maker: DeskOrder, size: number): void {
    if (maker.openLots === size) this.resting.delete(maker.orderId);
  }

  #order(row: TapeRow): DeskOrder {
    return present(this.resting.get(row.id), `order ${row.id} of the tape`);
  }
}

/** All messages through the book, which in the end must hold what they have left. */
export function playTape(book: Book<DeskOrder>, rows: readonly TapeRow[]): TapeMarket {
  const market = new TapeMarket(book);
  const { opening, later } = splitOpening(rows);
  for (const row of opening) market.add(row);
  market.counts.opening = opening.length;
  for (const [at, group] of joinSweeps(later).entries()) {
    market.apply(group);
    if (at % CHECK_EVERY === 0) market.book.check();
  }
  market.book.check();
  assert.deepEqual(leftOnTape(rows), leftInBook(market));
  return market;
}

/** What is left of every order, by the tape's own arithmetic. */
function leftOnTape(rows: readonly TapeRow[]): [number, number][] {
  const left = new Map<number, number>();
  for (const row of rows) {
    if (row.kind === 'add') left.set(row.id, row.size);
    else if (left.has(row.id)) left.set(row.id, (left.get(row.id) ?? 0) - row.size);
  }
  return [...left].filter(([, size]) => size > 0).sort(([one], [other]) => one - other);
}

function leftInBook({ book }: TapeMarket): [number, number][] {
  return [...book.orders('buy'), ...book.orders('sell')]
    .map((order): [number, number] => [order.orderId, order.openLots])
    .sort(([one], [other]) => one - other);
}
