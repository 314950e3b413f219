/** The public book: totals per price, merging, versions, and what must never happen. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lots, type Side, ticks } from '#domain';
import { AssertionFailed } from '#kernel';
import { type DepthStep, LiveMarkets } from '#market-data';
import { Depth, type Level, PriceLevels } from '#market-data/testing';
import { at, BTCUSDT, ETHBTC, Tape } from '../support/tape.ts';

const START_MS = at('2024-03-01 09:30');

function market(): { live: LiveMarkets; tape: Tape } {
  const live = new LiveMarkets();
  return { live, tape: new Tape(live, START_MS) };
}

/** "101x5 102x3" */
function text(levels: readonly Level[]): string {
  return levels.map(([price, size]) => `${price}x${size}`).join(' ');
}

function book(live: LiveMarkets, step: DepthStep = 0, limit = 200): { asks: string; bids: string } {
  const view = live.depth(BTCUSDT.instrumentId, step, limit);
  return { asks: text(view.asks), bids: text(view.bids) };
}

describe('the update id of a book', () => {
  it('is the number of the step that changed it last, and of no other book', () => {
    const { live, tape } = market();
    const idOf = () => live.depth(BTCUSDT.instrumentId, 0, 5).updateId;
    assert.equal(idOf(), 0);
    const act = (what: () => void, changes: boolean): void => {
      const [before, content] = [idOf(), book(live)];
      what();
      assert.equal(idOf(), changes ? live.seq : before);
      assert.equal(JSON.stringify(book(live)) !== JSON.stringify(content), changes);
    };
    act(() => tape.place(BTCUSDT, 'sell', 102, 2), true);
    act(() => tape.place(ETHBTC, 'sell', 102, 2), false);
    act(() => tape.refuse(), false);
    act(() => tape.place(BTCUSDT, 'buy', 102, 1), true);
    act(() => {
      for (const order of tape.resting) if (order.instrument === BTCUSDT) tape.cancel(order);
    }, true);
  });

  it('goes on from the state a start begins with', () => {
    const { live } = market();
    const seeded = new LiveMarkets();
    seeded.seedListings(1_000, live.listings);
    const level = { priceTicks: ticks(100), lots: lots(1), ordersCount: 1 };
    seeded.seedBook(BTCUSDT.instrumentId, 'buy', [level]);
    assert.equal(seeded.depth(BTCUSDT.instrumentId, 0, 5).updateId, 1_000);
  });
});

describe('the book after each order', () => {
  const orders: readonly [side: Side, price: number, size: number, asks: string, bids: string][] = [
    ['buy', 100, 5, '', '100x5'],
    ['buy', 98, 4, '', '100x5 98x4'],
    ['buy', 100, 1, '', '100x6 98x4'],
    ['sell', 103, 7, '103x7', '100x6 98x4'],
    ['sell', 102, 2, '102x2 103x7', '100x6 98x4'],
    // Takes one order of the level whole and part of the next one.
    ['sell', 100, 3, '102x2 103x7', '100x3 98x4'],
    // Takes a level whole, then rests what is left on the other side.
    ['sell', 99, 5, '99x2 102x2 103x7', '98x4'],
    ['buy', 103, 100, '', '103x89 98x4'],
  ];
  it('shows the size left at every price', () => {
    const { live, tape } = market();
    for (const [side, price, size, asks, bids] of orders) {
      tape.place(BTCUSDT, side, price, size);
      assert.deepEqual(book(live), { asks, bids }, `after ${side} ${size} at ${price}`);
    }
  });

  it('takes a cancelled order off its level and leaves the others there', () => {
    const { live, tape } = market();
    tape.place(BTCUSDT, 'sell', 102, 2);
    tape.place(BTCUSDT, 'sell', 102, 3);
    tape.place(BTCUSDT, 'buy', 102, 1);
    for (const order of tape.resting.slice(0, 1)) tape.cancel(order);
    assert.deepEqual(book(live), { asks: '102x3', bids: '' });
    for (const order of tape.resting) tape.cancel(order);
    assert.deepEqual(book(live), { asks: '', bids: '' });
  });

  it('keeps pairs apart', () => {
    const { live, tape } = market();
    tape.place(ETHBTC, 'buy', 100, 5);
    assert.deepEqual(book(live), { asks: '', bids: '' });
    assert.equal(text(live.depth(ETHBTC.instrumentId, 0, 1).bids), '100x5');
  });

  it('cuts each side to the limit, best first', () => {
    const { live, tape } = market();
    for (const price of [97, 99, 98]) tape.place(BTCUSDT, 'buy', price, 1);
    for (const price of [101, 103, 102]) tape.place(BTCUSDT, 'sell', price, 1);
    assert.deepEqual(book(live, 0, 2), { asks: '101x1 102x1', bids: '99x1 98x1' });
  });
});

describe('merging prices', () => {
  const bids = [1, 9, 10, 19, 12_345, 99_999].map((price): [Side, number] => ['buy', price]);
  const asks = [100_000, 100_001, 123_456, 2_000_000].map((price): [Side, number] => [
    'sell',
    price,
  ]);
  const table: readonly [DepthStep, asks: string, bids: string][] = [
    [0, '100000x1 100001x1 123456x1 2000000x1', '99999x1 12345x1 19x1 10x1 9x1 1x1'],
    [1, '100000x1 100010x1 123460x1 2000000x1', '99990x1 12340x1 10x2 0x2'],
    [2, '100000x1 100100x1 123500x1 2000000x1', '99900x1 12300x1 0x4'],
    [3, '100000x1 101000x1 124000x1 2000000x1', '99000x1 12000x1 0x4'],
    [4, '100000x1 110000x1 130000x1 2000000x1', '90000x1 10000x1 0x4'],
    [5, '100000x1 200000x2 2000000x1', '0x6'],
  ];
  for (const [step, askText, bidText] of table) {
    it(`rounds asks up and bids down to ${10 ** step} ticks in step${step}`, () => {
      const { live, tape } = market();
      for (const [side, price] of [...bids, ...asks]) tape.place(BTCUSDT, side, price, 1);
      assert.deepEqual(book(live, step), { asks: askText, bids: bidText });
    });
  }

  it('keeps a merged step up to date once it has been asked for', () => {
    const { live, tape } = market();
    tape.place(BTCUSDT, 'buy', 101, 5);
    assert.equal(book(live, 1).bids, '100x5');
    tape.place(BTCUSDT, 'buy', 109, 2);
    assert.equal(book(live, 1).bids, '100x7');
    tape.place(BTCUSDT, 'sell', 101, 7);
    assert.deepEqual(book(live, 1), { asks: '', bids: '' });
  });
});

describe('numbers at the edge', () => {
  const MAX = Number.MAX_SAFE_INTEGER;
  const bids = (depth: Depth, step: DepthStep) => text(depth.view(step, 10).bids);

  it('shows a merged total no larger than a safe integer, and comes back exact', () => {
    const depth = new Depth();
    assert.equal(bids(depth, 1), '');
    depth.add('buy', ticks(101), MAX);
    depth.add('buy', ticks(102), MAX);
    depth.add('buy', ticks(103), 3);
    assert.equal(bids(depth, 1), `100x${MAX}`);
    assert.equal(bids(depth, 2), `100x${MAX}`);
    depth.add('buy', ticks(101), -MAX);
    depth.add('buy', ticks(102), -MAX + 1);
    assert.equal(bids(depth, 1), '100x4');
    depth.add('buy', ticks(102), -1);
    depth.add('buy', ticks(103), -3);
    assert.deepEqual([bids(depth, 0), bids(depth, 1), bids(depth, 2)], ['', '', '']);
  });

  it('rounds the highest prices up no further than the safe integers', () => {
    const depth = new Depth();
    depth.add('sell', ticks(MAX), 1);
    depth.add('sell', ticks(MAX - 1), 1);
    assert.equal(text(depth.view(5, 10).asks), `${MAX}x2`);
  });
});

describe('the version of a book', () => {
  it('changes with every change of the book and with nothing else', () => {
    const { live, tape } = market();
    const version = () => live.depthVersion(BTCUSDT.instrumentId);
    const seen = [version()];
    tape.place(BTCUSDT, 'buy', 100, 5);
    seen.push(version());
    tape.place(BTCUSDT, 'sell', 100, 1);
    seen.push(version());
    for (const order of tape.resting) tape.cancel(order);
    seen.push(version());
    assert.equal(new Set(seen).size, 4, `versions ${seen.join(' ')}`);
    tape.place(ETHBTC, 'buy', 100, 5);
    tape.refuse();
    assert.equal(version(), seen.at(-1));
    assert.equal(live.depth(BTCUSDT.instrumentId, 0, 1).version, version());
  });
});

describe('a book that cannot be', () => {
  it('crashes when more leaves a level than was there', () => {
    const depth = new Depth();
    depth.add('buy', ticks(100), 5);
    assert.throws(() => depth.add('buy', ticks(100), -6), AssertionFailed);
    assert.throws(() => depth.add('buy', ticks(99), -1), AssertionFailed);
    assert.throws(() => depth.add('sell', ticks(99), -1), AssertionFailed);
  });

  it('crashes when a step leaves it crossed', () => {
    const { live, tape } = market();
    tape.place(BTCUSDT, 'sell', 100, 1);
    tape.resting = [];
    assert.throws(() => tape.place(BTCUSDT, 'buy', 100, 1), AssertionFailed);
    assert.ok(live.seq > 0);
  });

  it('crashes when steps or time run backward', () => {
    const { live, tape } = market();
    const { seq } = live;
    const apply = (stepSeq: number, timeMs: number) => () =>
      live.apply({ seq: stepSeq, timeMs, events: [] });
    assert.throws(apply(seq, tape.timeMs), AssertionFailed);
    assert.throws(apply(seq + 1, tape.timeMs - 1), AssertionFailed);
    assert.doesNotThrow(apply(seq + 1, tape.timeMs));
  });
});

describe('sorted levels', () => {
  const change = fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 3 }));
  for (const side of ['buy', 'sell'] as const) {
    it(`hold what a plain map holds, over many blocks (${side})`, () => {
      const changes = fc.array(change, { minLength: 500, maxLength: 3_000, size: 'max' });
      fc.assert(
        fc.property(changes, (list) => {
          const levels = new PriceLevels(side);
          const plain = new Map<number, number>();
          for (const [price, size] of list) {
            const delta = size - (plain.get(price) ?? 0);
            if (delta !== 0) levels.add(ticks(price), delta);
            if (size === 0) plain.delete(price);
            else plain.set(price, size);
          }
          const sorted = [...plain].sort(([a], [b]) => (side === 'buy' ? b - a : a - b));
          assert.deepEqual(levels.top(Number.POSITIVE_INFINITY), sorted);
          for (const [index, [price, size]] of sorted.entries()) {
            assert.equal(levels.bestTicks(), price);
            levels.add(ticks(price), -size);
            assert.equal(levels.top(1)[0]?.[0], sorted[index + 1]?.[0]);
          }
          assert.equal(levels.bestTicks(), undefined);
        }),
        { numRuns: 40 },
      );
    });
  }

  it('change far from the best price about as cheaply with 100,000 levels as with 1,000', () => {
    const costNs = (levelsCount: number): number => {
      const levels = new PriceLevels('buy');
      for (let price = 1; price <= levelsCount; price += 1) levels.add(ticks(price * 2), 1);
      const start = process.hrtime.bigint();
      for (let round = 0; round < 20_000; round += 1) {
        const price = ticks(2 * ((round * 7_919) % levelsCount) + 1);
        levels.add(price, 1);
        levels.add(price, -1);
      }
      return Number(process.hrtime.bigint() - start) / 40_000;
    };
    costNs(1_000);
    const small = costNs(1_000);
    const large = costNs(100_000);
    assert.ok(large < 20 * small + 1_000, `${small} ns at 1,000 levels, ${large} ns at 100,000`);
  });
});

describe('a seeded book', () => {
  it('starts from levels and goes on from there', () => {
    const { live } = market();
    const level = (price: number, size: number) => ({
      priceTicks: ticks(price),
      lots: lots(size),
      ordersCount: 1,
    });
    live.seedBook(BTCUSDT.instrumentId, 'buy', [level(100, 5), level(99, 2)]);
    live.seedBook(BTCUSDT.instrumentId, 'sell', [level(101, 1)]);
    assert.deepEqual(book(live), { asks: '101x1', bids: '100x5 99x2' });
    const again = () => live.seedBook(BTCUSDT.instrumentId, 'buy', [level(98, 5)]);
    assert.throws(again, AssertionFailed);
  });
});
