/** Closing part of a position: the entry stays where it is, and profit is never rounded up. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  AVERAGE_EXTRA_SCALE,
  type Contract,
  type ContractSpec,
  closeOf,
  type Event,
  type HoldSide,
  LIMITS,
  lots,
  openOf,
  otherSide,
  ticks,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { holdSide } from '../support/arbitraries.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';

/** A lot at a price of one tick is worth one unit of the coin, so that every fraction shows. */
const COARSE: ContractSpec = {
  ...LINEAR,
  tiers: [{ contractsMax: lots(1_000_000), maintenanceRatePpm: 5_000, leverageMax: 100 }],
  contractValue: '0.00000001',
  priceScale: 0,
  priceStepTicks: ticks(1),
  priceBandPpm: 999_999,
  takerFeePpm: 0,
  makerFeePpm: 0,
  referencePriceTicks: ticks(4),
};

/** Ann and tom with a position of this side between them, opened at these prices. */
function opened(spec: ContractSpec, side: HoldSide, fills: readonly Fill[]): Floor {
  const venue = Floor.ofContract(spec);
  venue.open('ann', '1000000', { leverage: 1 });
  venue.open('tom', '1000000', { mode: 'cross', leverage: 1 });
  const [long, short] = side === 'long' ? ['ann', 'tom'] : ['tom', 'ann'];
  for (const { size, price } of fills) venue.trade(long ?? '', short ?? '', price, size);
  return venue;
}

interface Fill {
  readonly size: number;
  readonly price: string;
}

/** Ann closes so much against tom, who opens or closes the other side; what she booked. */
function closeSome(venue: Floor, side: HoldSide, { size, price }: Fill): bigint {
  refuseNone(venue.order('tom', closeOf(otherSide(side)), price, size));
  return bookedBy(venue, venue.order('ann', closeOf(side), price, size));
}

function bookedBy(venue: Floor, events: readonly Event[]): bigint {
  refuseNone(events);
  const fills = events.flatMap((event) =>
    event.kind === 'contract_trade' ? [event.taker, event.maker] : [],
  );
  return fills
    .filter(({ accountId }) => accountId === venue.id('ann'))
    .reduce((sum, { realizedPnl }) => sum + realizedPnl, 0n);
}

function entryOf(venue: Floor, side: HoldSide): string {
  const { averageEntry } = venue.position('ann', side);
  return formatDecimal(averageEntry, venue.contract.priceScale + AVERAGE_EXTRA_SCALE);
}

for (const { side, at, booked } of [
  { side: 'long', at: '5', booked: 1n },
  { side: 'long', at: '3', booked: -1n },
  { side: 'short', at: '5', booked: -2n },
  { side: 'short', at: '3', booked: 0n },
] as const) {
  test(`a ${side} from 3 and 4 closes one of two at ${at}: ${booked}`, () => {
    const fills = ['3', '4'].map((price) => ({ size: 1, price }));
    const venue = opened(COARSE, side, fills);
    assert.equal(entryOf(venue, side), '3.50000000');
    assert.equal(closeSome(venue, side, { size: 1, price: at }), booked, '3.5 off, rounded down');
    assert.equal(entryOf(venue, side), '3.50000000');
  });
}

test('an entry that no number of digits tells stays the same through partial closes', () => {
  const fills = [
    { size: 2, price: '30000' },
    { size: 1, price: '30500' },
  ];
  const venue = opened({ ...LINEAR, contractValue: '0.00001' }, 'long', fills);
  assert.equal(entryOf(venue, 'long'), '30166.666666667');
  for (const at of [1, 2]) {
    closeSome(venue, 'long', { size: 1, price: '30200' });
    assert.equal(entryOf(venue, 'long'), '30166.666666667', `after ${at}`);
  }
});

const kinds = fc.constantFrom(COARSE, LINEAR, { ...INVERSE, takerFeePpm: 0, makerFeePpm: 0 });
const steps = fc.integer({ min: -9, max: 9 });
const fill = fc.record({ size: fc.integer({ min: 1, max: 9 }), at: steps });

/** Value of a size at a price as a ratio in units of the coin. */
function worthOf({ kind, valueFactor }: Contract, size: number, price: number): Ratio {
  const lotsValue = BigInt(size) * valueFactor;
  return kind === 'linear' ? [lotsValue * BigInt(price), 1n] : [lotsValue, BigInt(price)];
}

type Ratio = readonly [above: bigint, below: bigint];

function plus([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return [a * d + c * b, b * d];
}

function times([a, b]: Ratio, [c, d]: Ratio): Ratio {
  return [a * c, b * d];
}

test('partial closes never move the entry, and book the exact profit rounded down', () => {
  fc.assert(
    fc.property(
      kinds,
      holdSide,
      fc.array(fill, { minLength: 1, maxLength: 4 }),
      fc.array(fill, { minLength: 1, maxLength: 6 }),
      (spec, side, openings, closings) => {
        const { referencePriceTicks, priceStepTicks, priceScale } = spec;
        const base = spec === COARSE ? 50 : referencePriceTicks;
        const priceOf = (at: number) => base + at * priceStepTicks;
        const shown = (at: number) => formatTrimmed(priceOf(at), priceScale);
        const based = { ...spec, referencePriceTicks: ticks(base) };
        const venue = opened(
          based,
          side,
          openings.map(({ size, at }) => ({ size, price: shown(at) })),
        );
        const { contract } = venue;
        const total = openings.reduce((sum, { size }) => sum + size, 0);
        const open = openings
          .map(({ size, at }) => worthOf(contract, size, priceOf(at)))
          .reduce(plus);
        const entry = entryOf(venue, side);
        let held = total;
        for (const { size, at } of closings) {
          if (size >= held) break;
          const booked = closeSome(venue, side, { size, price: shown(at) });
          const share = times(open, [BigInt(size), BigInt(total)]);
          const value = worthOf(contract, size, priceOf(at));
          const gains = (side === 'long') === (contract.kind === 'linear');
          const [above, below] = plus(
            gains ? value : times(value, [-1n, 1n]),
            gains ? times(share, [-1n, 1n]) : share,
          );
          assert.ok(booked * below <= above, `${booked} of ${above} / ${below}`);
          assert.ok((booked + 1n) * below > above - below / 1_000_000n, 'and no unit too little');
          assert.equal(entryOf(venue, side), entry);
          held -= size;
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('positions worth less than any amount are shown like others', () => {
  fc.assert(
    fc.property(
      holdSide,
      fc.constantFrom(1, 2, 5),
      fc.integer({ min: 1, max: LIMITS.indexTicksMax }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (side, leverage, reference, size, isClosed) => {
        const spec = {
          ...INVERSE,
          contractValue: '0.00000001',
          priceScale: 0,
          priceStepTicks: ticks(1),
          referencePriceTicks: ticks(reference),
        };
        const venue = Floor.ofContract(spec);
        for (const name of ['ann', 'tom']) {
          venue.open(name, '1000', { mode: 'cross', leverage });
        }
        refuseNone(venue.order('tom', openOf(otherSide(side)), `${reference}`, size));
        refuseNone(venue.order('ann', openOf(side), `${reference}`, size));
        if (isClosed && size > 1) closeSome(venue, side, { size: 1, price: `${reference}` });
        const { averageEntry } = venue.position('ann', side);
        const exact = BigInt(reference) * 10n ** BigInt(AVERAGE_EXTRA_SCALE);
        const apart = averageEntry > exact ? averageEntry - exact : exact - averageEntry;
        assert.ok(apart * 1_000_000n <= exact, `${averageEntry} at ${exact}`);
        assert.ok(venue.position('ann', side).liquidationTicks >= 0);
        assert.ok(venue.account('ann').equity > 0n);
      },
    ),
    { numRuns: 150 },
  );
});

test('what an account has realised stays when a side goes flat; what its side has does not', () => {
  const venue = opened(COARSE, 'long', [{ size: 2, price: '4' }]);
  for (const at of [1n, 2n]) {
    closeSome(venue, 'long', { size: 1, price: '5' });
    assert.equal(venue.account('ann').realizedPnl, at);
    assert.equal(venue.account('tom').realizedPnl, -at);
  }
  assert.equal(venue.position('ann', 'long').lots, 0);
  assert.equal(venue.position('ann', 'long').realizedPnl, 0n);
});
