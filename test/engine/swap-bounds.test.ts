/**
 * Bounds that hold to the last lot and in the right direction: how much can be opened, where the
 * liquidation price goes, and who is deleveraged before whom.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { leveragedLotsMax, openableLots, openOf, otherSide, ticks } from '#domain';
import { formatDecimal } from '#kernel';
import {
  marginMode as mode,
  holdSide as side,
  smallContract as spec,
} from '../support/arbitraries.ts';
import { Floor, refuseNone, rejectOf } from '../support/floor.ts';
import { ceilDiv, fineOf, gainOf } from './swap-arithmetic.ts';

const leverage = fc.constantFrom(1, 2, 3, 7, 10, 20, 33, 50, 100);

/** Margin coin worth about so many lots at 30,000, and a bit of dust. */
function moneyOf({ contract }: Floor, lots: number, dust: number): string {
  const value = fineOf(contract, lots, 300_000) / contract.fineFactor + BigInt(dust);
  return formatDecimal(value, contract.margin.scale);
}

describe('the openable count', () => {
  test('passes, and one lot more does not, whatever is open already', () => {
    let counts = 0;
    fc.assert(
      fc.property(
        fc.record({
          spec,
          side,
          mode,
          leverage,
          takerFeePpm: fc.constantFrom(0, 37, 600),
          money: fc.integer({ min: 0, max: 40 }),
          dust: fc.nat({ max: 100_000 }),
          resting: fc.integer({ min: 0, max: 30 }),
          better: fc.nat({ max: 500 }),
        }),
        (drawn) => {
          const { takerFeePpm } = drawn;
          const venue = Floor.ofContract({ ...drawn.spec, takerFeePpm, makerFeePpm: 0 });
          const { contract } = venue;
          const { mode, leverage } = drawn;
          venue.open('trader', moneyOf(venue, drawn.money, drawn.dust + 1), { mode, leverage });
          venue.open('other', moneyOf(venue, 2_000, 0), { leverage: 1 });
          const action = openOf(drawn.side);
          const far = drawn.side === 'long' ? '29000' : '31000';
          const rested = rejectOf(venue.order('trader', action, far, drawn.resting)) === undefined;
          const steps = (drawn.side === 'long' ? -drawn.better : drawn.better) * 5;
          const priceTicks = ticks(300_000 + steps);
          const price = formatDecimal(priceTicks, contract.priceScale);
          const { available } = venue.account('trader');
          const pending = rested ? drawn.resting : 0;
          const room = leveragedLotsMax(contract, leverage) - pending;
          const count = Math.min(openableLots(contract, available, priceTicks, leverage), room);
          const refused = rejectOf(venue.order('trader', action, price, count + 1));
          const bound = ['margin_insufficient', 'openable_exceeded', 'quantity_above_maximum'];
          assert.ok(refused !== undefined && bound.includes(refused), `${count + 1}: ${refused}`);
          if (count === 0) return;
          counts += 1;
          refuseNone(venue.order('trader', action, price, count));
          refuseNone(venue.order('other', openOf(otherSide(drawn.side)), price, count));
          const held = venue.account('trader');
          assert.equal(held[drawn.side].lots, count, 'and it can be carried when it fills');
        },
      ),
      { numRuns: 400, seed: 11 },
    );
    assert.ok(counts > 200, `${counts} counts above zero`);
  });
});

test('an order costs its margin and its fee to the unit, rounded up once', () => {
  fc.assert(
    fc.property(
      fc.record({ spec, side, mode, leverage, size: fc.integer({ min: 1, max: 20 }) }),
      fc.constantFrom(0, 37, 600),
      fc.nat({ max: 300 }),
      (drawn, takerFeePpm, better) => {
        const { side, size } = drawn;
        const terms = { ...drawn.spec, takerFeePpm, makerFeePpm: 0 };
        const steps = (side === 'long' ? -better : better) * 5;
        const price = formatDecimal(300_000 + steps, 1);
        for (const isShort of [true, false]) {
          const venue = Floor.ofContract(terms);
          const { valueFactor, kind, margin } = venue.contract;
          const lots = BigInt(size) * valueFactor;
          const ticks = BigInt(300_000 + steps);
          const leverage = BigInt(drawn.leverage);
          const [above, below] = kind === 'linear' ? [lots * ticks, 1n] : [lots, ticks];
          const share = 1_000_000n + leverage * BigInt(takerFeePpm);
          const cost = ceilDiv(above * share, below * leverage * 1_000_000n);
          venue.open('trader', formatDecimal(cost - (isShort ? 1n : 0n), margin.scale), {
            mode: drawn.mode,
            leverage: drawn.leverage,
          });
          const reject = rejectOf(venue.order('trader', openOf(side), price, size));
          assert.equal(reject, isShort ? 'margin_insufficient' : undefined, `${cost} units`);
          if (!isShort) assert.equal(venue.account('trader').marginFrozen, cost);
        }
      },
    ),
    { numRuns: 300, seed: 19 },
  );
});

describe('the liquidation price', () => {
  test('goes away from the mark price with more money, and towards it with more size', () => {
    fc.assert(
      fc.property(
        fc.record({
          spec,
          side,
          mode,
          leverage: fc.constantFrom(2, 7, 10, 20),
          size: fc.integer({ min: 1, max: 60 }),
          more: fc.integer({ min: 1, max: 60 }),
          money: fc.integer({ min: 1, max: 30 }),
        }),
        (drawn) => {
          const venue = Floor.ofContract(drawn.spec);
          const { side, mode, leverage } = drawn;
          venue.open('trader', moneyOf(venue, 110, 0), { mode, leverage });
          venue.open('other', moneyOf(venue, 500, 0), { leverage: 1 });
          const open = (size: number) =>
            side === 'long'
              ? venue.trade('trader', 'other', '30000', size)
              : venue.trade('other', 'trader', '30000', size);
          // As a distance, so that none at all is the furthest.
          const distance = () => {
            const at = venue.position('trader', side).liquidationTicks;
            if (side === 'short') return at === 0 ? Number.POSITIVE_INFINITY : at - 300_000;
            return 300_000 - at;
          };
          open(drawn.size);
          const before = distance();
          if (mode === 'cross') venue.fund('trader', moneyOf(venue, drawn.money, 0));
          else refuseNone(venue.adjustMargin('trader', side, moneyOf(venue, drawn.money, 0)));
          const after = distance();
          assert.ok(after >= before, `${before} to ${after} with more money`);
          open(drawn.more);
          assert.ok(distance() <= after, `${after} to ${distance()} with more size`);
        },
      ),
      { numRuns: 200, seed: 13 },
    );
  });
});

describe('deleveraging', () => {
  test('takes those who gain most with least behind it, by a ranking worked out apart', () => {
    fc.assert(
      fc.property(
        fc.record({
          spec,
          side,
          winners: fc.array(
            fc.record({
              size: fc.integer({ min: 1, max: 20 }),
              leverage: fc.constantFrom(1, 2, 3, 5, 10),
              steps: fc.nat({ max: 400 }),
            }),
            { minLength: 2, maxLength: 7 },
          ),
        }),
        (drawn) => {
          const venue = Floor.ofContract(drawn.spec);
          const { contract } = venue;
          const { side, winners } = drawn;
          venue.open('loser', moneyOf(venue, 100, 0), { leverage: 10 });
          venue.open('keeper', moneyOf(venue, 300, 0), { leverage: 1 });
          const entry = winners.map(({ steps }) => 300_000 + (side === 'long' ? 5 : -5) * steps);
          const all = winners.reduce((sum, { size }) => sum + size, 0);
          winners.forEach(({ size, leverage }, at) => {
            venue.open(`winner${at}`, moneyOf(venue, 60, 0), { leverage });
            const price = formatDecimal(entry[at] ?? 0, 1);
            // Who trades with the loser is liquidated too; most of them trade with somebody safe.
            const whom = at === 0 ? 'loser' : 'keeper';
            const pair = side === 'long' ? [whom, `winner${at}`] : [`winner${at}`, whom];
            venue.trade(pair[0] ?? '', pair[1] ?? '', price, size);
          });
          const before = winners.map((_, at) => venue.position(`winner${at}`, otherSide(side)));
          const events = venue.index(side === 'long' ? '26000' : '34500');
          const liquidated = events.find((event) => event.kind === 'liquidated');
          assert.ok(liquidated !== undefined && liquidated.deleveragedLots <= all);
          const scores = winners.map(({ size }, at) => {
            const value = fineOf(contract, size, liquidated.markTicks);
            const open = fineOf(contract, size, entry[at] ?? 0);
            const gain = gainOf(contract, otherSide(side), open, value);
            const equity = (before[at]?.margin ?? 0n) * contract.fineFactor + gain;
            assert.ok(gain > 0n && equity > 0n, 'whoever is on the other side gains');
            return (10n ** 9n * gain * value) / (open * equity);
          });
          const ranked = winners
            .map((_, at) => at)
            .sort((one, other) => {
              const [a, b] = [scores[one] ?? 0n, scores[other] ?? 0n];
              return a === b ? one - other : a > b ? -1 : 1;
            });
          const victims = events.flatMap((event) =>
            event.kind === 'contract_trade' && !event.inBook ? [event.maker.accountId] : [],
          );
          const expected = ranked.map((at) => venue.id(`winner${at}`)).slice(0, victims.length);
          assert.deepEqual(victims, expected);
          assert.ok(victims.length > 0);
        },
      ),
      { numRuns: 200, seed: 17 },
    );
  });
});
