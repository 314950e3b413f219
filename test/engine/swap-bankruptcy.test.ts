/**
 * The price at which a position is worth nothing, driven to by random positions: what a liquidation
 * there leaves, what a better fill earns the fund, and what deleveraging in small pieces costs.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Liquidated, openOf, otherSide } from '#domain';
import { formatDecimal } from '#kernel';
import {
  marginMode as mode,
  holdSide as side,
  smallContract as spec,
} from '../support/arbitraries.ts';
import { Floor, refuseNone } from '../support/floor.ts';
import { ceilDiv, fineOf, floorOf, gainOf, isNetting } from './swap-arithmetic.ts';

const feePpm = fc.constantFrom(0, 37, 150, 600);

/** Somebody who holds one position, and on an isolated account some money and a hedge beside it. */
const position = fc.record({
  spec,
  feePpm,
  side,
  mode,
  leverage: fc.constantFrom(4, 7, 13, 20),
  size: fc.integer({ min: 60, max: 180 }),
  price: fc.integer({ min: 29_000, max: 31_000 }),
  hedge: fc.integer({ min: 0, max: 20 }),
});
type Drawn = typeof position extends fc.Arbitrary<infer T> ? T : never;

/** The drawn position, held by 'loser' against 'winner'; a cross one with its margin only. */
function held(drawn: Drawn): Floor {
  const { side, mode, leverage, size, price } = drawn;
  const fees = { takerFeePpm: drawn.feePpm, makerFeePpm: 0 };
  const venue = Floor.ofContract({ ...drawn.spec, ...fees });
  const money = venue.contract.kind === 'linear' ? '9000' : '0.1';
  for (const name of ['winner', 'bidder']) venue.open(name, money, { leverage: 1 });
  venue.open('loser', money, { mode, leverage });
  venue.index(String(price));
  const trade = (longName: string, shortName: string, lots: number) => {
    const isLong = side === 'long';
    venue.trade(isLong ? longName : shortName, isLong ? shortName : longName, String(price), lots);
  };
  trade('loser', 'winner', size);
  if (mode === 'cross') {
    venue.withdraw('loser', venue.text(venue.account('loser').available));
  } else if (drawn.hedge > 0) {
    trade('winner', 'loser', drawn.hedge);
  }
  return venue;
}

/** Lets the index jump beyond the bankruptcy price and tells of the liquidation. */
function jump(venue: Floor, ticks: number, name = 'loser'): Liquidated {
  const events = venue.index(formatDecimal(ticks, venue.contract.priceScale));
  const found = events.find(
    (event) => event.kind === 'liquidated' && event.accountId === venue.id(name),
  );
  assert.ok(found?.kind === 'liquidated', 'a liquidation');
  return found;
}

/** Where the drawn position is bankrupt: the engine's word, held against what a close costs. */
function bankruptcyOf(drawn: Drawn): { readonly at: number; readonly beyond: number } {
  const venue = held(drawn);
  const { contract } = venue;
  const { side, size } = drawn;
  const { balance } = venue.account('loser');
  const money = drawn.mode === 'isolated' ? venue.position('loser', side).margin : balance;
  const far = venue.ticks(side === 'long' ? '15000' : '60000');
  const at: number = jump(venue, far).bankruptcyTicks;
  const open = fineOf(contract, size, venue.ticks(String(drawn.price)));
  const left = (ticks: number) => {
    const value = fineOf(contract, size, ticks);
    const fee = ceilDiv(value * BigInt(drawn.feePpm), 1_000_000n * contract.fineFactor);
    return money + floorOf(contract, gainOf(contract, side, open, value)) - fee;
  };
  const step = side === 'long' ? -contract.priceStepTicks : contract.priceStepTicks;
  assert.ok(left(at) >= 0n, `${left(at)} is left at the bankruptcy price`);
  // An inverse profit and its fee are rounded apart: a unit is kept back for that.
  assert.ok(left(at + step) < (contract.kind === 'linear' ? 0n : 2n), 'nothing a step beyond it');
  return { at, beyond: Math.round(at * (side === 'long' ? 0.99 : 1.01)) };
}

describe('a position that is taken over', () => {
  for (const better of [0, 1]) {
    const where = better === 0 ? 'at the bankruptcy price' : 'one step better';
    test(`${where} leaves its owner nothing and costs him nothing else`, () => {
      fc.assert(
        fc.property(position, (drawn) => {
          const { at, beyond } = bankruptcyOf(drawn);
          const venue = held(drawn);
          const { contract } = venue;
          const { side, mode, size } = drawn;
          const steps = side === 'long' ? better : -better;
          const price = formatDecimal(at + steps * contract.priceStepTicks, contract.priceScale);
          refuseNone(venue.order('bidder', openOf(side), price, size));
          const before = venue.account('loser');
          const event = jump(venue, beyond);
          assert.deepEqual([event.sizeLots, event.deleveragedLots], [size, 0]);
          const after = venue.account('loser');
          assert.equal(after[side].lots, 0);
          const other = otherSide(side);
          assert.equal(after[other].lots, before[other].lots);
          assert.equal(after[other].margin, before[other].margin);
          const risked = mode === 'isolated' ? before[side].margin : before.balance;
          assert.equal(before.balance - after.balance, risked);
          const stepWorth =
            fineOf(contract, size, at) -
            fineOf(contract, size, at + (contract.kind === 'linear' ? -1 : 1) * 5);
          const units = floorOf(contract, stepWorth);
          // A step moves the fee as well, and each part is rounded by itself.
          const slack = ceilDiv(units * BigInt(drawn.feePpm), 1_000_000n) + 3n;
          if (better === 0) assert.ok(event.fundDelta <= units + slack, 'less than a step');
          else
            assert.ok(event.fundDelta > 0n && event.fundDelta >= units - slack, 'what is better');
        }),
        { numRuns: 150, seed: 5 },
      );
    });
  }
});

describe('a liquidation in small pieces', () => {
  test('never takes more than the position has, whatever rounding takes from each piece', () => {
    fc.assert(
      fc.property(
        fc.record({
          spec,
          feePpm,
          side,
          mode,
          leverage: fc.constantFrom(3, 7, 13, 20),
          pieces: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 2, maxLength: 8 }),
          extra: fc.nat({ max: 50 }),
        }),
        (drawn) => {
          const loser = drawn.side;
          const venue = Floor.ofContract({
            ...drawn.spec,
            takerFeePpm: drawn.feePpm,
            makerFeePpm: 0,
          });
          const money = venue.contract.kind === 'linear' ? '1000' : '0.04';
          const { mode, leverage } = drawn;
          venue.open('loser', money, { mode, leverage });
          drawn.pieces.forEach((size, at) => {
            const price = String(30_000 + 7.5 * at);
            venue.open(`winner${at}`, money, { leverage: 1 });
            refuseNone(venue.order(`winner${at}`, openOf(otherSide(loser)), price, size));
            refuseNone(venue.order('loser', openOf(loser), price, size));
          });
          if (mode === 'isolated' && drawn.extra > 0) {
            venue.adjustMargin('loser', loser, venue.text(BigInt(drawn.extra)));
          } else if (mode === 'cross') {
            const left = venue.account('loser').available - BigInt(drawn.extra);
            venue.withdraw('loser', venue.text(left));
          }
          venue.index(loser === 'long' ? '15000' : '60000');
          assert.equal(venue.position('loser', loser).lots, 0);
          if (mode === 'cross') assert.equal(venue.balance('loser'), '0');
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  test('closes a hedge whose loss only the rest of the position can pay', () => {
    let late = 0;
    let pieces = 0;
    let paid = 0;
    fc.assert(
      fc.property(hedge, (drawn) => {
        const { bankruptcyTicks } = jump(lockedIn(drawn), 100_000, 'hedger');
        const venue = lockedIn(drawn);
        if (drawn.fund !== '0') venue.fundInsurance(drawn.fund);
        const bid = Math.floor((bankruptcyTicks * (1_000 - drawn.worse)) / 1_000 / 5) * 5;
        const price = formatDecimal(bid, venue.contract.priceScale);
        for (let at = 0; at < drawn.bids; at += 1) {
          refuseNone(venue.order(`bidder${at}`, 'open_long', price, 1));
        }
        const below = Math.trunc(bankruptcyTicks * 0.98);
        const events = venue.index(formatDecimal(below, 1));
        const kinds = events.map(({ kind }) => kind);
        if (events.some((event) => event.kind === 'liquidated' && event.fundDelta < 0n)) paid += 1;
        if (events.findIndex(isNetting) > kinds.indexOf('contract_trade')) late += 1;
        if (kinds.filter((kind) => kind === 'contract_trade').length > 3) pieces += 1;
        assert.equal(venue.position('hedger', 'long').lots, 0);
        assert.equal(venue.position('hedger', 'short').lots, 0);
        assert.equal(venue.balance('hedger'), '0');
      }),
      { numRuns: 400, seed: 3 },
    );
    assert.ok(late > 50, `${late} hedges were netted only after the rest was closed`);
    assert.ok(pieces > 50, `${pieces} liquidations took more than two fills`);
    assert.ok(paid > 20, `${paid} liquidations cost the fund something`);
  });
});

const hedge = fc.record({
  spec,
  feePpm,
  price: fc.integer({ min: 26_000, max: 30_000 }),
  short: fc.integer({ min: 1, max: 9 }),
  more: fc.integer({ min: 1, max: 9 }),
  bids: fc.integer({ min: 0, max: 9 }),
  /** How far below the bankruptcy price they are, in parts of a thousand of it. */
  worse: fc.constantFrom(0, 0, 5, 15),
  fund: fc.constantFrom('0', '0.00000001', '0.000002', '0.5'),
});

/**
 * A hedger who is short at 20,000 and more long above it, has locked in a loss that only the gain
 * of the rest at 40,000 pays for, and has taken out all the money that this lets him.
 */
function lockedIn(drawn: typeof hedge extends fc.Arbitrary<infer T> ? T : never): Floor {
  const { feePpm, price, short, more } = drawn;
  const fees = { takerFeePpm: feePpm, makerFeePpm: feePpm };
  const venue = Floor.ofContract({ ...drawn.spec, ...fees });
  const money = venue.contract.kind === 'linear' ? '1000' : '0.04';
  venue.open('hedger', money, { mode: 'cross', leverage: 20 });
  for (let at = 0; at < 9; at += 1) venue.open(`bidder${at}`, money, { leverage: 1 });
  for (let at = 0; at < short + more; at += 1) {
    venue.open(`other${at}`, money, { mode: 'cross', leverage: 5 });
  }
  venue.index('20000');
  for (let at = 0; at < short; at += 1) venue.trade(`other${at}`, 'hedger', '20000', 1);
  venue.index(String(price));
  for (let at = 0; at < short + more; at += 1) {
    venue.trade('hedger', `other${at}`, String(price - at), 1);
  }
  venue.index('40000');
  venue.tick();
  venue.withdraw('hedger', venue.text(venue.account('hedger').available));
  return venue;
}
