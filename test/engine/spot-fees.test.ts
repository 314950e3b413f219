/**
 * An order of a pair pays as if it filled in one piece: the exact fees of its fills are added up
 * and rounded up once, in whatever pieces and roles it fills, whatever happens to it in between.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AccountId, Event, OrderId, Side, Trade } from '#domain';
import { Engine } from '#engine';
import { opposite } from '#engine/testing';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, Floor } from '../support/floor.ts';

const PPM = 1_000_000n;

function ceil(exactPpm: bigint): bigint {
  return (exactPpm + PPM - 1n) / PPM;
}

function tradesIn(events: readonly Event[]): Trade[] {
  return events.filter((event) => event.kind === 'trade');
}

/** What an order receives in a fill, and what of it is the fee. */
function pieceOf(trade: Trade, orderId: OrderId) {
  const isTaker = trade.takerOrderId === orderId;
  const isBuyer = isTaker === (trade.takerSide === 'buy');
  const received = isBuyer ? BigInt(trade.sizeLots) * 10_000n : trade.quoteAmount;
  return { isTaker, received, fee: isBuyer ? trade.buyerFee : trade.sellerFee };
}

function feesOf(venue: Floor): bigint[] {
  return venue.engine.audit().lines.map(({ fees }) => fees);
}

function traders(venue: Floor): readonly [AccountId, AccountId] {
  const money = { USDT: '1000000', BTC: '1000' };
  return [venue.open('ann', money), venue.open('bob', money)];
}

describe('250 pieces of a lot and one piece of 250 lots', () => {
  for (const side of ['buy', 'sell'] as const) {
    test(`cost the same when the pieces ${side}`, () => {
      const venue = Floor.listed({ takerFeePpm: 700, makerFeePpm: 300 });
      const one = Floor.listed({ takerFeePpm: 700, makerFeePpm: 300 });
      for (const [floor, pieces] of [
        [venue, 250],
        [one, 1],
      ] as const) {
        const [ann, bob] = traders(floor);
        floor.limit(ann, opposite(side), '0.33', 250);
        for (let at = 0; at < pieces; at += 1) floor.limit(bob, side, '0.33', 250 / pieces);
      }
      // The resting order pays once. Each of the others is an order of its own, and pays for one.
      const resting = (floor: Floor) => {
        const all = floor.steps.flatMap(({ events }) => tradesIn(events));
        return all.reduce((sum, trade) => sum + pieceOf(trade, trade.makerOrderId).fee, 0n);
      };
      assert.equal(resting(venue), resting(one));
      assert.equal(resting(one), ceil(300n * (side === 'buy' ? 825_000n : 2_500_000n)));
    });

    test(`cost a ${side} that meets 250 orders what it costs one that meets one`, () => {
      const fees = [250, 1].map((pieces) => {
        const floor = Floor.listed({ takerFeePpm: 700, makerFeePpm: 0 });
        const [ann, bob] = traders(floor);
        for (let at = 0; at < pieces; at += 1) {
          floor.limit(ann, opposite(side), '0.33', 250 / pieces);
        }
        floor.limit(bob, side, '0.33', 250);
        return feesOf(floor);
      });
      assert.deepEqual(fees[0], fees[1]);
    });
  }
});

interface Piece {
  readonly size: number;
  /** Whether the order is moved before it, and so may take. */
  readonly isMoved: boolean;
  readonly isRestarted: boolean;
  /** The operator changes the pair's fees before it. */
  readonly fees: readonly [takerPpm: number, makerPpm: number];
}

const piece: fc.Arbitrary<Piece> = fc.record({
  size: fc.integer({ min: 1, max: 40 }),
  isMoved: fc.boolean(),
  isRestarted: fc.boolean(),
  fees: fc.constantFrom([1_000, 1_000], [700, 0], [0, 333], [999_999, 1], [1, 999_999]),
});

test('the fees of an order are its exact sum rounded up once, piece by piece', () => {
  const roles = { taker: 0, maker: 0 };
  let free = 0;
  fc.assert(
    fc.property(
      fc.constantFrom<Side>('buy', 'sell'),
      fc.integer({ min: 1, max: 3_000 }),
      fc.array(piece, { minLength: 1, maxLength: 30 }),
      (side, price, pieces) => {
        let venue = Floor.listed({}, { checks: false });
        const [ann, bob] = traders(venue);
        const total = pieces.reduce((sum, { size }) => sum + size, 0);
        const orderId = acceptedId(venue.limit(ann, side, price, total));
        let [exact, charged] = [0n, 0n];
        for (const { size, isMoved, isRestarted, fees } of pieces) {
          if (isRestarted) {
            const { timeMs } = venue;
            venue = new Floor(Engine.restore(venue.engine.dump()), { startMs: timeMs });
          }
          const [takerFeePpm, makerFeePpm] = fees;
          const changes = { takerFeePpm, makerFeePpm };
          venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes });
          const events = isMoved
            ? [...takenBy(venue, ann, bob, orderId, size)]
            : venue.limit(bob, opposite(side), price, size);
          for (const trade of tradesIn(events)) {
            const { isTaker, received, fee } = pieceOf(trade, orderId);
            roles[isTaker ? 'taker' : 'maker'] += 1;
            exact += received * BigInt(isTaker ? takerFeePpm : makerFeePpm);
            assert.ok(fee >= 0n && fee <= received);
            if (fee === 0n) free += 1;
            charged += fee;
            assert.equal(charged, ceil(exact), 'what is charged so far');
          }
        }
        venue.engine.check();
      },
    ),
    { numRuns: 150 },
  );
  assert.ok(roles.taker > 100 && roles.maker > 100 && free > 100, JSON.stringify({ roles, free }));
});

/** The order moves away, somebody rests at its price, and it comes back and takes that. */
function* takenBy(
  venue: Floor,
  owner: AccountId,
  other: AccountId,
  orderId: OrderId,
  size: number,
): Generator<Event> {
  const order = present(venue.engine.openOrder(orderId), 'open order');
  assert.ok(order.type === 'limit');
  const { side, priceTicks, sizeLots } = order;
  const away = side === 'buy' ? Math.max(1, priceTicks - 1) : priceTicks + 1;
  if (away === priceTicks) return;
  yield* venue.move(owner, orderId, away, sizeLots);
  yield* venue.limit(other, opposite(side), priceTicks, size);
  yield* venue.move(owner, orderId, priceTicks, sizeLots);
}

test('an order that nothing has happened to holds no figure for its fees', () => {
  const venue = Floor.listed();
  const [ann, bob] = traders(venue);
  const quiet = acceptedId(venue.limit(ann, 'sell', '0.33', 3));
  const row = () =>
    present(
      [...venue.engine.dump()].find((one) => one.includes(`"order",${quiet},`)),
      'row',
    );
  const before = row();
  venue.limit(bob, 'buy', '0.34', 1);
  assert.notEqual(row(), before);
  assert.equal(JSON.parse(before).length + 3, JSON.parse(row()).length, 'place, time and fee');
});
