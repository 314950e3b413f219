/**
 * Orders that fill in many pieces: what was checked or frozen pays for all of them, however their
 * fees and margins round, and what positions have set aside is there.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContractSpec,
  type Event,
  type HoldSide,
  lots,
  openingCost,
  openOf,
  otherSide,
  readTagged,
  ticks,
  writeTagged,
} from '#domain';
import { Engine } from '#engine';
import { formatTrimmed, present } from '#kernel';
import { holdSide } from '../support/arbitraries.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';

const DEMO = {
  ...INVERSE,
  tiers: [{ contractsMax: lots(3_000_000), maintenanceRatePpm: 5_000, leverageMax: 100 }],
  referencePriceTicks: ticks(300_000),
};

test('an all-in order that fills in a hundred pieces leaves its margin covered', () => {
  const venue = Floor.ofContract(DEMO);
  venue.open('maker', '1');
  venue.open('taker', '0.00003534', { leverage: 100 });
  for (let at = 0; at < 100; at += 1) refuseNone(venue.order('maker', 'open_short', '29999', 1));
  refuseNone(venue.order('taker', 'open_long', '29999', 100));
  const { balance, long } = venue.account('taker');
  assert.equal(long.lots, 100, 'all of it is filled');
  assert.ok(long.margin <= balance, `${long.margin} set aside of ${balance}`);
  assert.equal(long.margin, 3_333n, '100 / 29999 / 100, rounded down');
  assert.equal(balance, 3_534n - 201n, 'a fee of 0.06 % of 100 / 29999, rounded up once');
  refuseNone(venue.index('29700'));
});

interface Drawn {
  readonly isInverse: boolean;
  readonly leverage: number;
  /** Of the orders that are filled in pieces: size, and steps of the price away from the mark. */
  readonly orders: readonly { readonly size: number; readonly steps: number }[];
  readonly pieces: readonly number[];
  readonly side: HoldSide;
}

const ODD: ContractSpec = {
  ...LINEAR,
  tiers: DEMO.tiers,
  contractValue: '0.00000001',
  priceScale: 0,
  priceStepTicks: ticks(1),
  referencePriceTicks: ticks(30_011),
};

const drawn: fc.Arbitrary<Drawn> = fc.record({
  isInverse: fc.boolean(),
  leverage: fc.constantFrom(1, 3, 7, 20, 75, 99, 100),
  orders: fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 60 }), steps: fc.integer({ min: 0, max: 9 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  pieces: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 30, maxLength: 30 }),
  side: holdSide,
});

/** A venue where ann has everything she could spend taken away at each step. */
class Bare {
  readonly venue: Floor;
  readonly side: HoldSide;

  constructor({ isInverse, leverage, side }: Drawn) {
    this.venue = Floor.ofContract(isInverse ? DEMO : ODD);
    this.side = side;
    this.venue.open('ann', '1', { leverage });
    this.venue.open('tom', '1', { leverage: 1 });
  }

  /** Prices at which nobody opens into a liquidation: the mark price or better for ann. */
  price(steps: number): string {
    const { referencePriceTicks, priceStepTicks, priceScale } = this.venue.contract;
    const away = (this.side === 'long' ? -steps : steps) * priceStepTicks;
    return formatTrimmed(referencePriceTicks + away, priceScale);
  }

  order(name: 'ann' | 'tom', price: string, size: number): readonly Event[] {
    const side = name === 'ann' ? this.side : otherSide(this.side);
    return this.venue.order(name, openOf(side), price, size);
  }

  /** Leaves ann this much to spend. */
  strip(keep = 0n): void {
    const { available } = this.venue.account('ann');
    if (available > keep) refuseNone(this.venue.withdraw('ann', this.venue.text(available - keep)));
  }
}

test('what orders freeze fills them in any number of pieces, whatever else is withdrawn', () => {
  fc.assert(
    fc.property(drawn, (given) => {
      const bare = new Bare(given);
      const { venue, side } = bare;
      for (const { size, steps } of given.orders) {
        refuseNone(bare.order('ann', bare.price(steps), size));
      }
      bare.strip();
      const total = given.orders.reduce((sum, { size }) => sum + size, 0);
      const pieces = given.pieces.values();
      for (let left = total; left > 0; ) {
        const size = Math.min(left, pieces.next().value ?? 1);
        refuseNone(bare.order('tom', bare.price(9), size));
        left -= size;
        bare.strip();
      }
      assert.equal(venue.position('ann', side).lots, total, 'none was dropped');
    }),
    { numRuns: 150 },
  );
});

test('what an order is checked against fills it in any number of pieces', () => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 0, max: 40 }), (given, heldLots) => {
      const bare = new Bare(given);
      const { venue, side } = bare;
      if (heldLots > 0) {
        refuseNone(bare.order('tom', bare.price(0), heldLots));
        refuseNone(bare.order('ann', bare.price(0), heldLots));
      }
      const rows = given.orders.toSorted((one, other) => other.steps - one.steps);
      let total = 0;
      for (const { size, steps } of rows) {
        total += size;
        for (let at = 0; at < size; at += 1) refuseNone(bare.order('tom', bare.price(steps), 1));
      }
      const { contract } = venue;
      const { takerFeePpm, referencePriceTicks } = contract;
      const farthest = rows[0]?.steps ?? 0;
      const dearest =
        (side === 'long') === (contract.kind === 'linear')
          ? referencePriceTicks
          : venue.ticks(bare.price(farthest));
      bare.strip(openingCost(contract, total, dearest, given.leverage, takerFeePpm));
      refuseNone(bare.order('ann', bare.price(0), total));
      assert.equal(venue.position('ann', side).lots, heldLots + total, 'all of it is filled');
    }),
    { numRuns: 100 },
  );
});

/** The venue's state with so much less in ann's wallet, as if it had never come in. */
function shortBy(venue: Floor, less: bigint): Engine {
  const rows = [...venue.engine.dump()].map((row) => {
    const fields = readTagged<(string | number | bigint)[]>(row);
    const isHers = fields[0] === 'balance' && fields[1] === venue.id('ann');
    if (isHers) fields[4] = BigInt(fields[4] ?? 0n) - less;
    const isCoin = fields[0] === 'asset' && row.includes(`"${venue.contract.margin.code}"`);
    if (isCoin) fields[2] = BigInt(fields[2] ?? 0n) - less;
    return writeTagged(fields);
  });
  return Engine.restore(rows);
}

test('a margin an old state does not cover shows in the audit, and no price ends on it', () => {
  const venue = Floor.ofContract(DEMO, { checks: false });
  const { symbol, instrumentId, margin } = venue.contract;
  venue.open('ann', '0.00003534', { leverage: 100 });
  venue.open('tom', '1', { leverage: 1 });
  venue.trade('ann', 'tom', '29999', 100);
  assert.deepEqual(venue.engine.audit().uncoveredWallets, []);
  const engine = shortBy(venue, 6n);
  const [row, ...others] = engine.audit().uncoveredWallets;
  const wallet = symbol;
  const expected = { accountId: venue.id('ann'), wallet, assetId: margin.assetId, missing: 6n };
  assert.deepEqual([row, others], [expected, []]);
  assert.equal(engine.audit().balanced, false);
  const report = { kind: 'report_index', instrumentId, source: 'test' } as const;
  engine.apply({ ...report, priceTicks: ticks(297_000) }, engine.timeMs + 1);
  const account = present(engine.marginAccount(venue.id('ann'), instrumentId), 'ann');
  assert.deepEqual([account.long.lots, account.balance], [0, 0n]);
  assert.equal(engine.audit().balanced, true, 'the unit that was missing went with the position');
});
