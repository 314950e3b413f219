/** What a trader expects of a book, asked of every implementation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS, lots, type Side, ticks } from '#domain';
import { AssertionFailed } from '#kernel';
import { BOOKS, BookDesk, DeskOrder, ticket } from './book-desk.ts';

/**
 * Tables of scenarios: a title, the orders on the book, oldest first, and the incoming one with
 * what it does, in order, and its end; then the buys and sells that rest, in price-time order.
 */
const PRIORITY = `
a lone order rests
  A buy 5 @ 100 -> exhausted
  buys A 5 @ 100

an order that does not cross rests opposite the others
  A sell 5 @ 101
  B buy 5 @ 100 -> exhausted
  buys B 5 @ 100
  sells A 5 @ 101

a buy takes the cheapest sells first and pays their prices
  A sell 2 @ 103; B sell 2 @ 101; C sell 2 @ 102
  D buy 5 @ 105 -> fill B 2 @ 101; fill C 2 @ 102; fill A 1 @ 103; satisfied
  sells A 1 @ 103

a sell takes the dearest buys first and gets their prices
  A buy 2 @ 97; B buy 2 @ 99; C buy 2 @ 98
  D sell 5 @ 95 -> fill B 2 @ 99; fill C 2 @ 98; fill A 1 @ 97; satisfied
  buys A 1 @ 97

at one price who came first trades first
  A sell 2 @ 101; B sell 2 @ 101; C sell 2 @ 101
  D buy 3 @ 101 -> fill A 2 @ 101; fill B 1 @ 101; satisfied
  sells B 1 @ 101, C 2 @ 101

a partly filled order keeps its place in the queue
  A sell 5 @ 101; B sell 5 @ 101; C buy 2 @ 101
  D buy 4 @ 101 -> fill A 3 @ 101; fill B 1 @ 101; satisfied
  sells B 4 @ 101

a later order at a better price goes before older ones
  A buy 2 @ 99; B buy 2 @ 99; C buy 2 @ 100
  D sell 3 @ 99 -> fill C 2 @ 100; fill A 1 @ 99; satisfied
  buys A 1 @ 99, B 2 @ 99

matching stops at the limit and the rest of the order rests there
  A sell 2 @ 101; B sell 2 @ 103
  C buy 5 @ 102 -> fill A 2 @ 101; exhausted
  buys C 3 @ 102
  sells B 2 @ 103

an order that takes the last lot of the book is satisfied, not out of makers
  A sell 2 @ 101
  B buy 2 @ 101 -> fill A 2 @ 101; satisfied
`;

const FORCES = `
ioc takes what is there and drops the rest
  A sell 2 @ 101
  B buy 5 @ 101 ioc -> fill A 2 @ 101; exhausted

a market sell takes any price
  A buy 2 @ 100; B buy 2 @ 1
  C sell 3 @ market -> fill A 2 @ 100; fill B 1 @ 1; satisfied
  buys B 1 @ 1

a market order on an empty side gets nothing and never rests
  A sell 2 @ 101
  B sell 3 @ market -> exhausted
  sells A 2 @ 101

a market buy by budget buys whole lots while the money lasts
  A sell 2 @ 100; B sell 9 @ 110
  C buy for 450 -> fill A 2 @ 100; fill B 2 @ 110; satisfied
  sells B 7 @ 110

a budget that cannot pay one lot at the next price ends there
  A sell 2 @ 100; B sell 9 @ 110
  C buy for 309 -> fill A 2 @ 100; satisfied
  sells B 9 @ 110

a budget that cannot pay even the first lot trades nothing
  A sell 2 @ 100
  C buy for 99 -> satisfied
  sells A 2 @ 100

a budget larger than the book buys the book
  A sell 2 @ 100
  C buy for 1000 -> fill A 2 @ 100; exhausted

post_only below the best sell rests
  A sell 2 @ 101
  B buy 2 @ 100 post_only -> exhausted
  buys B 2 @ 100
  sells A 2 @ 101

post_only at the best sell is refused whole
  A sell 2 @ 101
  B buy 5 @ 101 post_only -> post_only_would_take
  sells A 2 @ 101

post_only against the own order is refused too and cancels nothing
  A buy 2 @ 101
  A sell 2 @ 101 post_only cancel_maker -> post_only_would_take
  buys A 2 @ 101

fok fills across levels when all of it can be had
  A sell 2 @ 101; B sell 2 @ 102; C sell 2 @ 103
  D buy 4 @ 102 fok -> fill A 2 @ 101; fill B 2 @ 102; satisfied
  sells C 2 @ 103

fok one lot short does nothing
  A sell 2 @ 101; B sell 2 @ 102; C sell 2 @ 103
  D buy 5 @ 102 fok -> fok_not_fillable
  sells A 2 @ 101, B 2 @ 102, C 2 @ 103

fok on an empty book does nothing
  D sell 1 @ 1 fok -> fok_not_fillable
`;

const SELF_TRADES = `
none: an account trades with itself
  A sell 2 @ 101
  A buy 2 @ 101 gtc none -> fill A 2 @ 101; satisfied

cancel_maker: own resting orders give way and matching goes on
  A sell 2 @ 101; B sell 2 @ 101; A sell 2 @ 102; C sell 2 @ 102
  A buy 3 @ 102 gtc cancel_maker
  -> cancel A 2 @ 101; fill B 2 @ 101; cancel A 2 @ 102; fill C 1 @ 102; satisfied
  sells C 1 @ 102

cancel_maker: what is left rests where the own order was
  A sell 2 @ 101
  A buy 3 @ 101 gtc cancel_maker -> cancel A 2 @ 101; exhausted
  buys A 3 @ 101

cancel_maker: a satisfied order leaves the own order behind alone
  B sell 2 @ 101; A sell 2 @ 101
  A buy 2 @ 101 gtc cancel_maker -> fill B 2 @ 101; satisfied
  sells A 2 @ 101

cancel_taker: earlier trades stand, the incoming order ends
  B sell 2 @ 101; A sell 2 @ 101; C sell 2 @ 101
  A buy 5 @ 101 gtc cancel_taker -> fill B 2 @ 101; self_trade
  sells A 2 @ 101, C 2 @ 101

cancel_both: the own resting order goes as well, only the first
  B sell 2 @ 101; A sell 2 @ 101; A sell 2 @ 102
  A buy 5 @ 102 gtc cancel_both -> fill B 2 @ 101; cancel A 2 @ 101; self_trade
  sells A 2 @ 102

fok with none counts own orders
  A sell 2 @ 101; B sell 2 @ 101
  A buy 4 @ 101 fok none -> fill A 2 @ 101; fill B 2 @ 101; satisfied

fok with cancel_maker passes over own orders when others hold enough
  A sell 2 @ 101; B sell 2 @ 101; C sell 2 @ 102
  A buy 4 @ 102 fok cancel_maker -> cancel A 2 @ 101; fill B 2 @ 101; fill C 2 @ 102; satisfied

fok with cancel_maker that needs own orders does nothing
  A sell 2 @ 101; B sell 2 @ 101
  A buy 3 @ 101 fok cancel_maker -> fok_not_fillable
  sells A 2 @ 101, B 2 @ 101

fok with cancel_taker fills when enough stands before the own order
  B sell 2 @ 101; A sell 2 @ 101
  A buy 2 @ 101 fok cancel_taker -> fill B 2 @ 101; satisfied
  sells A 2 @ 101

fok with cancel_taker never fills in part: an own order in the way refuses it
  B sell 2 @ 101; A sell 2 @ 101; C sell 2 @ 102
  A buy 4 @ 102 fok cancel_taker -> fok_not_fillable
  sells B 2 @ 101, A 2 @ 101, C 2 @ 102

fok with cancel_both refused by an own order in the way leaves that order
  B sell 2 @ 101; A sell 2 @ 101; C sell 2 @ 102
  A buy 4 @ 102 fok cancel_both -> fok_not_fillable
  sells B 2 @ 101, A 2 @ 101, C 2 @ 102
`;

const SCENARIOS = [PRIORITY, FORCES, SELF_TRADES]
  .flatMap((table) => table.trim().split('\n\n'))
  .map((scenario) => scenario.replace('\n  ->', ' ->'));

for (const { name, create } of BOOKS) {
  const deskWith = (...orders: readonly string[]) => {
    const desk = new BookDesk(create());
    for (const text of orders) desk.place(ticket(text));
    return desk;
  };

  describe(name, () => {
    for (const scenario of SCENARIOS) {
      const [title = '', ...rows] = scenario.split('\n').map((row) => row.trim());
      it(title, () => {
        const desk = deskWith();
        const does = rows.flatMap((row) => acted(desk, row));
        const left = (['buy', 'sell'] as const).map((side) => [`${side}s`, ...desk.orders(side)]);
        const rest = left.filter(({ length }) => length > 1);
        assert.deepEqual(
          [...does, ...rest.map(([name, ...orders]) => `${name} ${orders.join(', ')}`)],
          rows.filter((row) => /^(buys|sells) |->/.test(row)),
        );
        assert.equal(does.length, 1, 'a scenario has one incoming order');
        desk.book.check();
      });
    }

    it('shows its best orders, its levels and its count', () => {
      const desk = deskWith('A buy 5 @ 99', 'B buy 1 @ 100', 'C buy 2 @ 99', 'A sell 4 @ 102');
      assert.equal(desk.book.best('buy')?.who, 'B');
      assert.equal(desk.book.best('sell')?.who, 'A');
      assert.deepEqual(desk.levels('buy'), ['1 @ 100 in 1', '7 @ 99 in 2']);
      assert.deepEqual(desk.levels('sell'), ['4 @ 102 in 1']);
      assert.equal(desk.book.ordersCount, 4);
    });

    it('has no best order and no levels when empty', () => {
      const desk = deskWith('A buy 5 @ 99');
      assert.ok(desk.cancel(1));
      assert.equal(desk.book.best('buy'), undefined);
      assert.equal(desk.book.best('sell'), undefined);
      assert.deepEqual(desk.levels('buy'), []);
      assert.equal(desk.book.ordersCount, 0);
    });

    for (const [number, left] of [
      [1, ['B 2 @ 99', 'C 3 @ 99']],
      [2, ['A 1 @ 99', 'C 3 @ 99']],
      [3, ['A 1 @ 99', 'B 2 @ 99']],
    ] as const) {
      it(`closes the gap when order ${number} of three at a price is cancelled`, () => {
        const desk = deskWith('A buy 1 @ 99', 'B buy 2 @ 99', 'C buy 3 @ 99');
        assert.ok(desk.cancel(number));
        assert.deepEqual(desk.orders('buy'), left);
        desk.book.check();
      });
    }

    it('keeps the place of a reduced order and drops it when nothing is left', () => {
      const desk = deskWith('A buy 5 @ 99', 'B buy 5 @ 99');
      assert.ok(desk.reduce(1, 4));
      assert.deepEqual(desk.orders('buy'), ['A 1 @ 99', 'B 5 @ 99']);
      assert.deepEqual(desk.levels('buy'), ['6 @ 99 in 2']);
      assert.ok(desk.reduce(1, 1));
      assert.deepEqual(desk.orders('buy'), ['B 5 @ 99']);
      desk.book.check();
    });

    it('puts an order that left and came back at the end of the queue', () => {
      const desk = deskWith('A buy 5 @ 99', 'B buy 5 @ 99');
      const first = desk.book.best('buy');
      assert.ok(first !== undefined);
      desk.book.remove(first);
      desk.book.rest(first);
      assert.deepEqual(desk.orders('buy'), ['B 5 @ 99', 'A 5 @ 99']);
      desk.book.check();
    });

    it('keeps thousands of prices in order while they come and go in any order', () => {
      const desk = new BookDesk(create());
      // Two thirds go again: more levels than may stand idle.
      const count = 3_000;
      // 577 shares no factor with the count, so this walks every price once, far from sorted.
      const priceOf = (at: number) => 1 + ((at * 577) % count);
      for (let at = 0; at < count; at += 1) desk.place(ticket(`A buy 1 @ ${priceOf(at)}`));
      desk.book.check();
      for (let at = 0; at < count; at += 1) if (priceOf(at) % 3 !== 0) desk.cancel(at + 1);
      desk.book.check();
      const left = Array.from({ length: count / 3 }, (_, at) => `1 @ ${count - 3 * at} in 1`);
      assert.deepEqual(desk.levels('buy'), left);
      for (let left = count / 3; left > 0; left -= desk.notes.length) {
        desk.place(ticket('B sell 500 @ market'));
        assert.equal(desk.notes.length, Math.min(LIMITS.orderMatchesMax, left));
      }
      assert.equal(desk.book.ordersCount, 0);
    });

    it('is rebuilt by resting its orders again in price-time order', () => {
      const desk = deskWith('A buy 5 @ 99', 'B buy 1 @ 100', 'C buy 2 @ 99', 'D sell 4 @ 102');
      const copy = new BookDesk(create());
      for (const side of ['buy', 'sell'] as const) {
        for (const { orderId, who, openLots: size, priceTicks: price } of desk.book.orders(side)) {
          copy.rest(new DeskOrder(orderId, order(who, side, size, price)));
        }
      }
      assert.deepEqual(copy.orders('buy'), desk.orders('buy'));
      assert.deepEqual(copy.orders('sell'), desk.orders('sell'));
      copy.book.check();
    });

    it('tells how much room a level has before its total is no safe integer', () => {
      const half = 2 ** 52;
      const desk = deskWith(`A buy ${half} @ 99`);
      assert.ok(desk.book.hasRoom('buy', ticks(98), Number.MAX_SAFE_INTEGER));
      assert.ok(desk.book.hasRoom('sell', ticks(99), Number.MAX_SAFE_INTEGER));
      assert.ok(desk.book.hasRoom('buy', ticks(99), half - 1));
      assert.ok(!desk.book.hasRoom('buy', ticks(99), half));
      const tooLarge = new DeskOrder(9, order('B', 'buy', half, 99));
      assert.throws(() => desk.book.rest(tooLarge), /has room/);
    });

    it('sums what a fill-or-kill asks for beyond safe integers', () => {
      const size = Number.MAX_SAFE_INTEGER;
      const desk = deskWith(`A sell ${size - 1} @ 101`, `B sell ${size} @ 102`);
      assert.equal(desk.place(ticket(`C buy ${size} @ 101 fok`)), 'fok_not_fillable');
      assert.equal(desk.place(ticket(`C buy ${size} @ 102 fok`)), 'satisfied');
      assert.deepEqual(desk.notes, [`fill A ${size - 1} @ 101`, 'fill B 1 @ 102']);
    });

    it('crashes on misuse, which is a bug of the caller', () => {
      const { book } = deskWith('A buy 5 @ 99');
      const [resting] = book.orders('buy');
      assert.ok(resting !== undefined);
      const stranger = new DeskOrder(9, order('B', 'buy', 5, 99));
      const empty = new DeskOrder(10, order('B', 'buy', 0, 99));
      assert.throws(() => book.rest(resting), AssertionFailed);
      assert.throws(() => book.rest(empty), AssertionFailed);
      assert.throws(() => book.remove(stranger), AssertionFailed);
      assert.throws(() => book.fill(stranger, lots(1)), AssertionFailed);
      assert.throws(() => book.fill(resting, lots(0)), AssertionFailed);
      assert.throws(() => book.fill(resting, lots(6)), AssertionFailed);
      book.check();
    });

    it('finds crossed sides and lost lots when asked to check', () => {
      const crossed = deskWith('A buy 5 @ 99');
      crossed.rest(new DeskOrder(9, order('B', 'sell', 5, 99)));
      assert.throws(() => crossed.book.check(), /never crossed/);
      const emptied = deskWith('A buy 5 @ 99');
      for (const resting of emptied.book.orders('buy')) resting.openLots = lots(0);
      assert.throws(() => emptied.book.check(), /open lots/);
    });
  });
}

describe('fast book', () => {
  it('finds a level whose total does not add up, and a broken link', () => {
    const [, fast] = BOOKS;
    assert.ok(fast !== undefined);
    const desk = new BookDesk(fast.create());
    for (const text of ['A buy 5 @ 99', 'B buy 5 @ 99']) desk.place(ticket(text));
    const [oldest, newest] = desk.book.orders('buy');
    assert.ok(oldest !== undefined && newest !== undefined);
    oldest.openLots = lots(4);
    assert.throws(() => desk.book.check(), /add up/);
    oldest.openLots = lots(5);
    newest.before = null;
    assert.throws(() => desk.book.check(), /both ways/);
  });
});

/** Places the orders of a row, and repeats it as it went when it says what comes of it. */
function acted(desk: BookDesk, row: string): string[] {
  if (/^(buys|sells) /.test(row)) return [];
  const [orders = '', does] = row.split(' -> ');
  const ends = orders.split('; ').map((text) => desk.place(ticket(text)));
  return does === undefined ? [] : [`${orders} -> ${[...desk.notes, ...ends].join('; ')}`];
}

function order(who: string, side: Side, size: number, price: number) {
  return { ...ticket(`${who} ${side} 1 @ 1`), size, price };
}
