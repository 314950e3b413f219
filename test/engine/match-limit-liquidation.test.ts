/**
 * A liquidation that meets more orders than one order may goes on in the next commands: small
 * orders in front of a deep bid change neither who loses what nor when.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, type Event, LIMITS, type MarginMode } from '#domain';
import { Engine } from '#engine';
import { BTC, COIN, coinFloor, ETH } from '../support/coin-floor.ts';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';
import { QUIET_LINEAR } from './swap-table.ts';

const MOST = LIMITS.orderMatchesMax;
/** Bids of one lot that one command takes: each makes a fill and an end. */
const PIECE = LIMITS.commandEventsMax / 2;
const SIZE = 2 * MOST + 10;
const CONTINUE: Command = { kind: 'continue_work' };

function traded(events: readonly Event[]): { readonly inBook: number; readonly outside: number } {
  const trades = events.filter((event) => event.kind === 'contract_trade');
  const inBook = trades.filter((trade) => trade.inBook).length;
  return { inBook, outside: trades.length - inBook };
}

/** What a price does and, until nothing of it waits, the commands behind it. */
function pieces(venue: Floor, first: readonly Event[]): (readonly Event[])[] {
  const found = [first];
  while (venue.engine.hasWork) {
    found.push(venue.run(CONTINUE));
    // A restart between any two pieces goes on to the same state.
    const rows = [...venue.engine.dump()];
    assert.deepEqual([...Engine.restore(rows).dump()], rows);
  }
  venue.engine.check();
  return found;
}

function liquidated(mode: MarginMode): Floor {
  const venue = Floor.ofContract(undefined, { checks: false });
  venue.fundInsurance('1000');
  venue.open('ann', '1540', { mode, leverage: 10 });
  venue.open('sam', '100000', { mode: 'cross' });
  venue.open('bea', '1000000', { mode: 'cross' });
  venue.trade('ann', 'sam', '30000', SIZE);
  for (let at = 0; at < SIZE + 5; at += 1) venue.order('bea', 'open_long', '27150', 1);
  return venue;
}

test('the book takes all of an isolated position before anybody is deleveraged', () => {
  const venue = liquidated('isolated');
  assert.deepEqual(pieces(venue, venue.index('27120')).map(traded), [
    { inBook: PIECE, outside: 0 },
    { inBook: PIECE, outside: 0 },
    { inBook: SIZE - 2 * PIECE, outside: 0 },
  ]);
  assert.equal(venue.position('ann', 'long').lots, 0);
  assert.equal(venue.position('sam', 'short').lots, SIZE);
});

test('a cross position that a piece of its liquidation saves keeps the rest', () => {
  const venue = liquidated('cross');
  assert.deepEqual(pieces(venue, venue.index('27120')).map(traded), [
    { inBook: PIECE, outside: 0 },
    { inBook: 0, outside: 0 },
  ]);
  assert.equal(venue.position('ann', 'long').lots, SIZE - PIECE);
});

/** A long of tier 3, bids for all of it, and so many bids of one lot in front of them. */
function reduced(dustCount: number): { readonly equity: string; readonly fund: string } {
  const venue = Floor.ofContract(
    { ...QUIET_LINEAR, maxLots: 1_000_000 as never },
    { checks: false },
  );
  venue.open('vic', '153000', { mode: 'cross', leverage: 20 });
  venue.open('sam', '9000000', { mode: 'cross', leverage: 10 });
  venue.open('mm', '9000000', { mode: 'cross', leverage: 10 });
  venue.open('dot', '100000', { mode: 'cross', leverage: 10 });
  venue.trade('vic', 'sam', '30000', 100_000);
  refuseNone(venue.order('mm', 'open_long', '29195', 200_000));
  for (let at = 0; at < dustCount; at += 1) venue.order('dot', 'open_long', '29200', 1);
  pieces(venue, venue.index('29200'));
  assert.equal(venue.position('vic', 'long').lots, 10_000, `${dustCount} small bids`);
  return { equity: venue.balance('vic'), fund: venue.insuranceFund() };
}

describe('a reduction of a large position', () => {
  const without = reduced(0);
  for (const count of [1, MOST - 1, MOST, MOST + 1, 3 * MOST]) {
    test(`goes down to the same size behind ${count} bids of one lot`, () => {
      const { equity, fund } = reduced(count);
      assert.equal(fund, without.fund);
      // Whatever the small bids take, they take at a better price, less a rounded fee each.
      const gain = Number(equity) - Number(without.equity);
      assert.ok(gain >= 0 && gain < 1 + count * 0.01, `${gain}`);
    });
  }
});

test('two who collude cannot have a contract closed that loses nothing', () => {
  const venue = coinFloor();
  venue.fundInsurance('1000');
  for (const [who, money] of [
    ['vic', '3900'],
    ['sam', '9000000'],
    ['mm', '9000000'],
    ['col', '900000'],
  ] as const) {
    venue.open(who, money, COIN);
    for (const { symbol } of [BTC, ETH]) {
      venue.leverage(who, 'both', who === 'vic' ? 100 : 10, symbol);
    }
  }
  venue.trade('vic', 'sam', '30000', 8_000, BTC.symbol);
  venue.trade('vic', 'sam', '2000', 5, ETH.symbol);
  refuseNone(venue.order('mm', 'open_long', '29690', 50_000));
  for (let at = 0; at <= MOST; at += 1) venue.order('col', 'open_long', '29690.5', 1);
  refuseNone(venue.order('col', 'open_long', '1267.5', 5, { on: ETH.symbol }));
  const events = pieces(venue, venue.index('29699')).flat();
  const outside = events.filter((event) => event.kind === 'contract_trade' && !event.inBook);
  assert.deepEqual(outside, [], 'nobody is deleveraged while a deep bid rests');
  const ethereum = venue.contractOf(ETH.symbol).instrumentId;
  const sold = events.filter(
    (event) => event.kind === 'contract_trade' && event.instrumentId === ethereum,
  );
  for (const trade of sold) {
    assert.ok(trade.kind === 'contract_trade' && trade.priceTicks > 19_000, 'no price of theirs');
  }
});

test('a shield of small bids holds nothing off: all is sold, with others in between', () => {
  const venue = Floor.ofContract(QUIET_LINEAR, { checks: false });
  venue.open('vic', '3400', { mode: 'isolated', leverage: 100 });
  for (const who of ['sam', 'mm', 'dot']) venue.open(who, '9000000', { mode: 'cross' });
  venue.trade('vic', 'sam', '30000', 10_000);
  refuseNone(venue.order('mm', 'open_long', '29850', 100_000));
  const shield = () => {
    for (let at = 0; at <= MOST; at += 1) venue.order('dot', 'open_long', '29850.5', 1);
  };
  shield();
  let steps = [venue.index('29840')];
  for (let round = 0; venue.engine.hasWork && round < 3; round += 1) {
    shield();
    steps.push(venue.run(CONTINUE));
  }
  steps = [...steps, ...pieces(venue, [])];
  assert.equal(venue.position('vic', 'long').lots, 0);
  assert.ok(steps.length > 4);
});

test('orders of its own in front of the liquidation hold nothing off', () => {
  const venue = Floor.ofContract({ ...QUIET_LINEAR, openOrdersMax: 1_000 }, { checks: false });
  venue.open('vic', '100000', { mode: 'isolated', leverage: 100 });
  for (const who of ['sam', 'mm']) venue.open(who, '9000000', { mode: 'cross' });
  venue.trade('vic', 'sam', '30000', 1_000);
  venue.trade('sam', 'vic', '30000', 600);
  for (let at = 0; at < 2 * MOST; at += 1) {
    refuseNone(venue.order('vic', 'close_short', '29850.5', 1));
  }
  refuseNone(venue.order('mm', 'open_long', '29850', 100_000));
  pieces(venue, venue.index('29840'));
  assert.equal(venue.position('vic', 'long').lots, 0);
});

test('a new price keeps a liquidation that has begun in front', () => {
  const venue = Floor.ofContract({ ...LINEAR, ...QUIET_LINEAR }, { checks: false });
  for (const who of ['vic', 'wil']) venue.open(who, '40000', { mode: 'isolated', leverage: 100 });
  for (const who of ['sam', 'mm', 'dot']) venue.open(who, '9000000', { mode: 'cross' });
  venue.trade('vic', 'sam', '30000', 5_000);
  venue.trade('wil', 'sam', '29990', 5_000);
  for (let at = 0; at < 2 * MOST; at += 1) venue.order('dot', 'open_long', '29850.5', 1);
  refuseNone(venue.order('mm', 'open_long', '29848', 100_000));
  const first = venue.index('29845');
  assert.ok(venue.position('vic', 'long').lots < 5_000, 'the worst has begun');
  const second = venue.index('29842');
  const rest = pieces(venue, second);
  const order = [first, ...rest]
    .flat()
    .flatMap((event) => (event.kind === 'liquidated' ? [event.accountId] : []));
  assert.equal(second.find(({ kind }) => kind === 'liquidated')?.kind, 'liquidated');
  const turns = order.filter((id, turn) => id !== order[turn - 1]);
  assert.deepEqual(turns, [venue.id('vic'), venue.id('wil')], 'one after the other');
  assert.equal(venue.position('vic', 'long').lots, 0);
});
