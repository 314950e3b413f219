/** What netting leaves for its owner to read: two orders, filled with each other, one profit. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContractTrade, Event } from '#domain';
import type { Floor } from '../support/floor.ts';
import { isNetting } from './swap-arithmetic.ts';
import { play, playOn, QUIET_INVERSE, QUIET_LINEAR } from './swap-table.ts';

/** Ann is long 10 at 30000 and short 4 above 27000, where her long cannot be held any more. */
function hedged(joins: string, venue: 'linear' | 'inverse', shortAt: number): Floor {
  return playOn(venue === 'linear' ? QUIET_LINEAR : QUIET_INVERSE)`
    ann joins ${joins}
    tom joins cross with 1000
    ann and tom trade 10 @ 30000
    index ${shortAt}
    tom bids 4 @ ${shortAt}
    ann open_short 4 @ ${shortAt}
  `;
}

/** Everything that is said of Ann's orders, in order. */
function ordersOf(venue: Floor, events: readonly Event[]): string[] {
  const ann = venue.id('ann');
  return events.flatMap((event) => {
    if (event.kind === 'contract_order_accepted' && event.accountId === ann) {
      const { action, cause, sizeLots } = event.terms;
      return [`accepted ${action} ${cause} ${sizeLots}`];
    }
    if (event.kind === 'contract_order_closed' && event.order.accountId === ann) {
      const { action, filledLots, sizeLots, fee, realizedPnl } = event.order;
      const done = `${filledLots}/${sizeLots}, ${venue.text(realizedPnl)} for ${fee}`;
      return [`${event.reason} ${action} ${done}`];
    }
    return [];
  });
}

function fillOf(venue: Floor, { priceTicks, sizeLots, taker, maker }: ContractTrade) {
  const parties = [taker, maker].map(({ action, cause, fee, realizedPnl }) => {
    return `${action} ${cause} ${venue.text(realizedPnl)} for ${fee}`;
  });
  return [`${sizeLots} @ ${priceTicks}`, ...parties];
}

describe('a hedge that is netted', () => {
  test('cross: two orders of netting at the mark price', () => {
    const venue = hedged('cross 100x with 27.4472', 'linear', 28_000);
    const events = venue.index('27000');
    assert.deepEqual(ordersOf(venue, events), [
      'accepted close_long netting 4',
      'accepted close_short netting 4',
      'filled close_long 4/4, -12 for 0',
      'filled close_short 4/4, 4 for 0',
    ]);
    assert.deepEqual(
      events.filter(isNetting).map((trade) => fillOf(venue, trade)),
      [['4 @ 270000', 'close_short netting 4 for 0', 'close_long netting -12 for 0']],
    );
    play(venue)`ann has balance 19.2, long 6 @ 30000, short none`;
    assert.equal(venue.text(venue.account('ann').realizedPnl), '-8');
  });

  test('isolated: the liquidation order and one of netting at the bankruptcy price', () => {
    const venue = hedged('10x with 100', 'linear', 29_000);
    const events = venue.index('27100');
    // Tom takes the other 6: 10 x (27016.5 - 30000) / 1000 in all.
    assert.deepEqual(ordersOf(venue, events), [
      'accepted close_long liquidation 10',
      'accepted close_short netting 4',
      'filled close_short 4/4, 7.934 for 0',
      'filled close_long 10/10, -29.835 for 0',
    ]);
    assert.deepEqual(
      events.filter(isNetting).map((trade) => fillOf(venue, trade)),
      [['4 @ 270165', 'close_long netting -11.934 for 0', 'close_short netting 7.934 for 0']],
    );
  });

  // 4 x (1/30000 - 1/29000) BTC = -459.77 units, whatever the price between.
  const SUM = -460n;
  const WAYS = [
    'cross 100x with 0.00005',
    ...[3, 5, 6, 7, 8, 9, 10].map((leverage) => `${leverage}x with 0.001`),
  ];
  for (const joins of WAYS) {
    test(`is one profit, rounded once: ${joins}`, () => {
      const venue = hedged(joins, 'inverse', 29_000);
      const before = venue.account('ann').realizedPnl;
      let trades: ContractTrade[] = [];
      for (let price = 28_900; trades.length === 0 && price > 19_000; price -= 100) {
        trades = venue.index(String(price)).filter(isNetting);
      }
      const [netted, ...others] = trades;
      assert.ok(netted !== undefined && others.length === 0);
      assert.equal(netted.taker.realizedPnl + netted.maker.realizedPnl, SUM);
      if (joins.startsWith('cross')) {
        assert.equal(venue.account('ann').realizedPnl - before, SUM);
      }
    });
  }
});
