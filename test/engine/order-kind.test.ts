/** What orders of a pair have in common is shared, and none of their times are lost by it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { assetId, type Force, type Side, ticks } from '#domain';
import { Engine } from '#engine';
import { createBook, OrderKinds, SpotBalances } from '#engine/testing';
import { present } from '#kernel';
import { acceptedId, Floor } from '../support/floor.ts';
import { twoTraders } from './spot-words.ts';

const DAY_MS = 86_400_000;

test('orders of one side and force share a kind for twelve days, however asked for', () => {
  const market = {
    instrument: present(Floor.listed().engine.listings.spotBySymbol('BTC-USDT'), 'pair'),
    book: createBook(),
    baseBalances: new SpotBalances(assetId(0)),
    quoteBalances: new SpotBalances(assetId(1)),
    lastTicks: ticks(0),
  };
  const kinds = new OrderKinds();
  const startMs = 2 ** 30 * 1_600;
  const of = (days: number, side: Side = 'buy', force: Force = 'gtc') =>
    kinds.of(market, side, force, startMs + days * DAY_MS);
  assert.equal(of(0), of(12));
  assert.notEqual(of(0), of(0, 'sell'));
  assert.notEqual(of(0), of(0, 'buy', 'post_only'));
  assert.notEqual(of(0), of(13));
  // A snapshot names orders of all times, and the clock of a sandbox goes back.
  const { sinceMs } = of(0);
  assert.equal(of(1), kinds.of(market, 'buy', 'gtc', sinceMs));
  for (const days of [0, 12, 13, 400, -1]) {
    const afterMs = startMs + days * DAY_MS - of(days).sinceMs;
    assert.ok(afterMs >= 0 && afterMs < 2 ** 30, `${days} days`);
  }
});

test('an order keeps its times while others come, fill and move it months later', () => {
  const { venue, alice, bob } = twoTraders();
  const { engine } = venue;
  const ids = ['20000', '20001', '20002'].map((price) => {
    venue.wait(20 * DAY_MS);
    return acceptedId(venue.limit(alice, 'buy', price, '0.5'));
  });
  const times = () =>
    ids.map((id) => {
      const { createdTimeMs, updatedTimeMs } = present(engine.openOrder(id), 'open order');
      return [createdTimeMs, updatedTimeMs];
    });
  const placed = times().map(([createdTimeMs = 0]) => createdTimeMs);
  const [first = 0, second = 0, third = 0] = placed;
  assert.ok(second - first > 20 * DAY_MS && third - second > 20 * DAY_MS);
  assert.deepEqual(times(), [
    [first, first],
    [second, second],
    [third, third],
  ]);
  venue.wait(90 * DAY_MS);
  venue.limit(bob, 'sell', '20002', '0.1');
  const filledMs = venue.timeMs;
  venue.move(alice, present(ids[0], 'order'), '20000', '0.3');
  const movedMs = venue.timeMs;
  const wanted = [
    [first, movedMs],
    [second, second],
    [third, filledMs],
  ];
  assert.deepEqual(times(), wanted);
  const again = Engine.restore(engine.dump());
  assert.deepEqual([...again.dump()], [...engine.dump()]);
  for (const [at, id] of ids.entries()) {
    const { createdTimeMs, updatedTimeMs } = present(again.openOrder(id), 'open order');
    assert.deepEqual([createdTimeMs, updatedTimeMs], wanted[at]);
  }
});

test('an order that was moved stands behind the others, also once it is restored', () => {
  const { venue, alice, bob } = twoTraders();
  const first = acceptedId(venue.limit(alice, 'buy', '20000', '0.5'));
  const second = acceptedId(venue.limit(alice, 'buy', '20000', '0.5'));
  venue.move(alice, first, '19999', '0.5');
  venue.move(alice, first, '20000', '0.5');
  const rows = [...venue.engine.dump()];
  const again = Engine.restore(rows);
  assert.deepEqual([...again.dump()], rows);
  venue.limit(bob, 'sell', '20000', '0.2');
  const { command, timeMs } = present(venue.commands.at(-1), 'command');
  again.apply(command, timeMs);
  for (const engine of [venue.engine, again]) {
    assert.equal(engine.openOrder(first)?.filledLots, 0);
    assert.equal(engine.openOrder(second)?.filledLots, 2_000);
  }
  assert.deepEqual([...again.dump()], [...venue.engine.dump()]);
});
