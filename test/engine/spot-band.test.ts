/** How far from the last price a spot order may go: limits are refused, market orders stop. */

import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { detailText } from '#dialects';
import { type Event, type SpotTerms, ticks } from '#domain';
import { Engine } from '#engine';
import { formatTrimmed, present } from '#kernel';
import { side } from '../support/arbitraries.ts';
import { BTCUSDT, Floor } from '../support/floor.ts';

const TENTH: Partial<SpotTerms> = { priceBandPpm: 100_000 };

function venueWith(terms: Partial<SpotTerms>) {
  const venue = Floor.listed(terms);
  const alice = venue.open('alice', { USDT: '10000000', BTC: '100' });
  const bob = venue.open('bob', { USDT: '10000000', BTC: '100' });
  return { venue, alice, bob };
}

/** Fills, refusals and ends as a trader would tell of them. */
function told(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.kind === 'refused') return [`${event.reject}: ${detailText(event.detail)}`];
    if (event.kind === 'trade') return [`${event.sizeLots / 10_000} @ ${event.priceTicks / 100}`];
    if (event.kind === 'order_closed' && event.reason !== 'filled') return [event.reason];
    return event.kind === 'order_rested' ? ['rests'] : [];
  });
}

describe('a limit order beyond the band is refused', () => {
  const AROUND_30000 = [
    { side: 'buy', price: '33000', told: 'rests' },
    { side: 'buy', price: '33000.01', told: 'price_above_ceiling: at most 33000' },
    { side: 'buy', price: '0.01', told: 'rests' },
    { side: 'sell', price: '27000', told: 'rests' },
    { side: 'sell', price: '26999.99', told: 'price_below_floor: at least 27000' },
    { side: 'sell', price: '9999999', told: 'rests' },
  ] as const;

  for (const row of AROUND_30000) {
    test(`around the reference price: ${row.side} at ${row.price}`, () => {
      const { venue, alice } = venueWith({ ...TENTH, referencePriceTicks: ticks(3_000_000) });
      assert.deepEqual(told(venue.limit(alice, row.side, row.price, '0.001')), [row.told]);
    });

    test(`around the last price: ${row.side} at ${row.price}`, () => {
      const { venue, alice, bob } = venueWith({ ...TENTH, referencePriceTicks: ticks(100) });
      venue.run({
        kind: 'update_spot',
        instrumentId: BTCUSDT,
        changes: { priceBandPpm: 0 },
      });
      venue.limit(bob, 'sell', '30000', '1');
      venue.limit(alice, 'buy', '30000', '1');
      venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes: TENTH });
      assert.deepEqual(told(venue.limit(alice, row.side, row.price, '0.001')), [row.told]);
    });
  }

  test('without trade and reference, around the middle of the book if there is one', () => {
    const { venue, alice, bob } = venueWith(TENTH);
    assert.deepEqual(told(venue.limit(alice, 'buy', '10000', '1')), ['rests']);
    assert.deepEqual(told(venue.limit(bob, 'sell', '12000.01', '1')), ['rests']);
    // (10000 + 12000.01) / 2 = 11000.005, a tenth above it 12100
    const above = venue.limit(alice, 'buy', '12100.01', '1');
    assert.deepEqual(told(above), ['price_above_ceiling: at most 12100']);
    assert.deepEqual(told(venue.limit(alice, 'buy', '12000', '1')), ['rests']);
  });

  test('the operator’s reference price counts until somebody trades', () => {
    const { venue, alice, bob } = venueWith({ ...TENTH, referencePriceTicks: ticks(3_000_000) });
    venue.limit(bob, 'sell', '30000', '1');
    venue.limit(alice, 'buy', '30000', '0.5');
    const changes = { referencePriceTicks: ticks(2_000_000) };
    venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes });
    assert.deepEqual(told(venue.limit(bob, 'sell', '18000', '0.001')), ['rests']);
    assert.deepEqual(told(venue.limit(alice, 'buy', '18000', '0.001')), ['0.001 @ 18000']);
    const above = venue.limit(alice, 'buy', '22000', '0.001');
    assert.deepEqual(told(above), ['price_above_ceiling: at most 19800']);
  });

  test('nothing is beyond a band of zero', () => {
    const { venue, alice, bob } = venueWith({
      priceBandPpm: 0,
      referencePriceTicks: ticks(3_000_000),
    });
    assert.deepEqual(told(venue.limit(bob, 'sell', '0.01', '1')), ['rests']);
    assert.deepEqual(told(venue.market(alice, 'buy', '0.01')), ['1 @ 0.01']);
    assert.deepEqual(told(venue.limit(alice, 'buy', '90000', '1')), ['rests']);
  });
});

describe('a market order ends at the band', () => {
  const REFERENCE = { ...TENTH, referencePriceTicks: ticks(3_000_000) };

  test('a buy keeps the rest of its money', () => {
    const { venue, alice, bob } = venueWith(REFERENCE);
    venue.limit(bob, 'sell', '33000', '1');
    venue.limit(bob, 'sell', '33000.01', '1');
    const events = venue.market(alice, 'buy', '66000');
    // The band is that of the order’s arrival: it does not walk along with its own fills.
    assert.deepEqual(told(events), ['1 @ 33000', 'beyond_price_band']);
    const usdt = present(venue.engine.listings.assetByCode('USDT'), 'USDT').assetId;
    const balance = present(venue.engine.account(alice), 'alice').balance('spot', usdt);
    assert.equal(formatTrimmed(present(balance, 'USDT').available, 8), '9967000');
  });

  test('a sale keeps the rest of its coins, be it all of them', () => {
    const { venue, alice, bob } = venueWith(REFERENCE);
    venue.limit(bob, 'buy', '26999.99', '1');
    assert.deepEqual(told(venue.market(alice, 'sell', '0.5')), ['beyond_price_band']);
    venue.limit(bob, 'buy', '27000', '0.2');
    const events = venue.market(alice, 'sell', '0.5');
    assert.deepEqual(told(events), ['0.2 @ 27000', 'beyond_price_band']);
  });

  test('an empty book is no band', () => {
    const { venue, alice } = venueWith(REFERENCE);
    assert.deepEqual(told(venue.market(alice, 'sell', '0.5')), ['remainder_not_filled']);
  });
});

test('a band is a part of the price below one', () => {
  const { venue } = venueWith(TENTH);
  for (const priceBandPpm of [-1, 0.5, 1_000_000]) {
    const changes = { priceBandPpm };
    const [event] = venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes });
    assert.equal(event?.kind === 'refused' && event.reject, 'listing_invalid', `${priceBandPpm}`);
  }
});

const order = fc.record({
  side: side,
  market: fc.boolean(),
  percent: fc.integer({ min: 60, max: 150 }),
  lots: fc.integer({ min: 1, max: 50 }),
});

test('no order trades beyond the band around the last trade before it, restored or not', () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 40 }), (orders) => {
      const { venue, alice, bob } = venueWith({ ...TENTH, referencePriceTicks: ticks(3_000_000) });
      const copy = Engine.restore(venue.engine.dump());
      let last = 3_000_000;
      for (const [at, { side, market, percent, lots }] of orders.entries()) {
        const owner = at % 2 === 0 ? alice : bob;
        const price = formatTrimmed(30_000 * percent, 2);
        const size = formatTrimmed(lots, 4);
        const events = market
          ? venue.market(owner, side, side === 'buy' ? '90' : size)
          : venue.limit(owner, side, price, size);
        const sent = present(venue.commands.at(-1), 'command');
        assert.deepEqual(copy.apply(sent.command, sent.timeMs).events, events);
        const trades = events.filter((event) => event.kind === 'trade');
        for (const { priceTicks, takerSide } of trades) {
          if (takerSide === 'buy') assert.ok(priceTicks * 10 <= last * 11);
          else assert.ok(priceTicks * 10 >= last * 9);
        }
        last = trades.at(-1)?.priceTicks ?? last;
      }
      assert.deepEqual([...Engine.restore(copy.dump()).dump()], [...venue.engine.dump()]);
    }),
  );
});
