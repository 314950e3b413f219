/** Moving resting contract orders, as tables: places in the queue, freezes, matches, refusals. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AccountId, type InstrumentId, lots, ticks } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { contractOrder } from '../support/orders.ts';
import { ScenarioFloor } from './swap-floor.ts';
import { scenario as randomScenario } from './swap-random.ts';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

/** Ann and bob bid 5 each at 29000, ann first: V 145, margin 14.5, fee 0.087. */
const BIDS = `
  ann joins 10x with 100
  bob joins 10x with 100
  tom joins cross with 1000
  ann open_long 5 @ 29000 id=a
  bob open_long 5 @ 29000 id=b
`;

describe('a contract order that is moved', () => {
  scenario('keeps its place when only its size falls')`
    ${BIDS}
    ann has frozen 14.587
    ann moves a to 3 @ 29000
      -> moves 5 @ 29000 to 3 @ 29000, keeps its place
    ann has frozen 8.7522
    tom close_long 1 @ 29000
      -> refused close_exceeds_position
    tom open_short 4 @ 29000
      -> 3 @ 29000 with ann; 1 @ 29000 with bob
  `;

  scenario('goes behind the others when its size grows')`
    ${BIDS}
    ann moves a to 6 @ 29000
      -> moves 5 @ 29000 to 6 @ 29000; rests 6 @ 29000
    ann has frozen 17.5044
    tom open_short 6 @ 29000
      -> 5 @ 29000 with bob; 1 @ 29000 with ann
  `;

  scenario('goes behind the others of its new price')`
    ${BIDS}
    bob moves b to 5 @ 28900
    ann moves a to 5 @ 28900
      -> moves 5 @ 29000 to 5 @ 28900; rests 5 @ 28900
    ann has frozen 14.5367
    venue has bids 10 @ 28900
    tom open_short 6 @ 28900
      -> 5 @ 28900 with bob; 1 @ 28900 with ann
  `;

  scenario('matches like a new order where it crosses, at the price that rests')`
    ${BIDS}
    tom open_short 3 @ 29500
    ann moves a to 5 @ 29600
      -> moves 5 @ 29000 to 5 @ 29600; 3 @ 29500 with tom; rests 2 @ 29600
    ann has long 3 @ 29500, long.margin 8.85, orders 1
    venue has bids 2 @ 29600 + 5 @ 29000
  `;

  scenario('counts what has been filled towards its size')`
    ${BIDS}
    tom open_short 2 @ 29000
    ann moves a to 2 @ 29000
      -> refused quantity_invalid
    ann moves a to 3 @ 29000
      -> moves 3 @ 29000 to 1 @ 29000, keeps its place
    tom open_short 1 @ 29000
      -> 1 @ 29000 with ann
    ann has orders 0, long 3 @ 29000, frozen 0
  `;

  scenario('is cancelled when it is post-only and would take')`
    ${BIDS}
    tom open_short 3 @ 29500
    ann open_long 1 @ 28000 post_only id=p
    ann moves p to 1 @ 29500
      -> moves 1 @ 28000 to 1 @ 29500; post_only_would_take 0/1
    ann has orders 1, frozen 14.587
  `;

  scenario('may close more or less of its position, but no more than is held')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann and tom trade 10 @ 30000
    ann close_long 6 @ 31000 id=c
    ann close_long 2 @ 31500
    ann has long.free 2
    ann moves c to 9 @ 31000
      -> refused close_exceeds_position
    ann moves c to 8 @ 31200
      -> moves 6 @ 31000 to 8 @ 31200; rests 8 @ 31200
    ann has long.free 0
    ann moves c to 1 @ 31200
      -> moves 8 @ 31200 to 1 @ 31200, keeps its place
    ann has long.free 7
  `;

  scenario('is judged like a new order, and a refused move changes nothing')`
    ${BIDS}
    ann moves a to 50 @ 29000
      -> refused margin_insufficient
    ann moves a to 5 @ 29000.3
      -> refused price_invalid
    ann moves a to 5 @ 40000
      -> refused opens_into_liquidation
    ann moves a to 0 @ 29000
      -> refused quantity_invalid
    ann has frozen 14.587, orders 1
    venue has bids 10 @ 29000
    tom open_short 1 @ 29000
      -> 1 @ 29000 with ann
  `;

  test('is not in another contract, nor another’s', () => {
    const venue = playOn(QUIET_LINEAR)`${BIDS}`;
    const { engine, contract } = venue;
    const order = engine.openContractOrderByClientId(venue.id('ann'), 'a');
    assert.ok(order?.type === 'limit');
    const { orderId, priceTicks, sizeLots, instrumentId } = order;
    assert.equal(instrumentId, contract.instrumentId);
    const kind = 'move_contract_order';
    const facts = { kind, instrumentId, orderId, priceTicks, sizeLots } as const;
    const [first] = venue.run({ ...facts, accountId: venue.id('bob') });
    assert.equal(first?.kind === 'refused' ? first.reject : '', 'order_unknown');
  });

  test('keeps the presets it brought when fewer are allowed by now', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      ann open_long 5 @ 29000 tp=33000 sl=28000 id=a
    `;
    const { instrumentId } = venue.contract;
    venue.run({ kind: 'update_contract', instrumentId, changes: { tpSlMax: 1 } });
    play(venue)`
      ann moves a to 5 @ 28900
        -> moves 5 @ 29000 to 5 @ 28900; rests 5 @ 28900
      ann moves a to 5 @ 27900
        -> refused stop_loss_above_order
    `;
  });

  test('has its place in a snapshot', () => {
    const venue = playOn(QUIET_LINEAR)`
      ${BIDS}
      ann moves a to 6 @ 29000
      bob moves b to 6 @ 28000
      bob open_long 1 @ 29000
    `;
    const copy = Engine.restore(venue.engine.dump());
    assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
    play(venue)`
      tom open_short 7 @ 29000
        -> 6 @ 29000 with ann; 1 @ 29000 with bob
    `;
    const { command, timeMs } = venue.commands.at(-1) ?? assert.fail('command');
    assert.deepEqual(copy.apply(command, timeMs), venue.steps.at(-1));
  });
});

test('a moved order leaves what cancelling it and placing another would', () => {
  const drawn = randomScenario(1, 40, 80);
  const asked = fc.record({
    which: fc.nat({ max: 5 }),
    shift: fc.integer({ min: -20_000, max: 20_000 }),
    size: fc.integer({ min: 1, max: 60 }),
  });
  let movedCount = 0;
  fc.assert(
    fc.property(drawn, asked, ({ starts, moves }, { which, shift, size }) => {
      const { engine, traders, contracts } = new ScenarioFloor('linear', starts).play(moves);
      const { instrumentId, priceStepTicks: step } = present(contracts[0], 'contract');
      const open = traders.flatMap((id) => [...engine.openContractOrders(id, instrumentId)]);
      const order = open[which];
      if ((order?.type !== 'limit' || order.takeProfitTicks) ?? order.stopLossTicks) return;
      const moved = Math.round((order.priceTicks * (1 + shift / 1e6)) / step) * step;
      const { accountId, orderId, action, force, filledLots } = order;
      const priceTicks = ticks(Math.max(step, moved));
      const sizeLots = lots(filledLots + size);
      if (priceTicks === order.priceTicks) return;
      const timeMs = engine.timeMs + 1;
      const one = Engine.restore(engine.dump());
      const other = Engine.restore(engine.dump());
      const ids = { accountId, instrumentId } as const;
      const move = { kind: 'move_contract_order', ...ids, orderId, priceTicks, sizeLots } as const;
      const [first] = one.apply(move, timeMs).events;
      other.apply({ kind: 'cancel_contract_order', ...ids, orderId }, timeMs);
      const placed = contractOrder({ ...ids, action, force, priceTicks, sizeLots: lots(size) });
      const [second] = other.apply(placed, timeMs).events;
      if (first?.kind === 'refused' || second?.kind === 'refused') {
        if (filledLots === 0) assert.equal(first?.kind, second?.kind, JSON.stringify(first, text));
        return;
      }
      movedCount += 1;
      one.check();
      for (const id of traders) {
        assert.deepEqual(standing(one, id, instrumentId), standing(other, id, instrumentId));
      }
      for (const side of ['buy', 'sell'] as const) {
        assert.deepEqual(
          [...one.bookLevels(instrumentId, side)].map(({ lots: open, priceTicks: at }) => [
            open,
            at,
          ]),
          [...other.bookLevels(instrumentId, side)].map(({ lots: open, priceTicks: at }) => [
            open,
            at,
          ]),
        );
      }
    }),
    { numRuns: 150, seed: 20_261_122 },
  );
  assert.ok(movedCount > 15, `${movedCount} were moved`);
});

/** What an account has, holds and has frozen: nothing that names orders or trades. */
function standing(engine: Engine, accountId: AccountId, instrumentId: InstrumentId) {
  const view = engine.marginAccount(accountId, instrumentId);
  if (view === undefined) return undefined;
  const { balance, available, margin, marginFrozen, long, short, openOrdersCount } = view;
  const held = [long, short].map(({ lots: size, open, availableLots }) => [
    size,
    open,
    availableLots,
  ]);
  return { balance, available, margin, marginFrozen, held, openOrdersCount };
}

function text(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
