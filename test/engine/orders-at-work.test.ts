/**
 * Orders that meet more than one command may: they go on with the commands of other markets in
 * between, and what concerns their market or account waits. The end is that of one command.
 */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Command, type Event, LIMITS } from '#domain';
import { Engine } from '#engine';
import { LINEAR } from '../support/contracts.ts';
import { acceptedId, BTCUSDT, ETHUSDT, Floor, refuseNone } from '../support/floor.ts';

const CONTINUE: Command = { kind: 'continue_work' };
const MANY = 1_000;
/** Events of a step: those of what it goes on with, and those of the order itself. */
const EVENTS_MOST = 2 * LIMITS.commandEventsMax;

function hashOf(engine: Engine): string {
  const hash = createHash('sha256');
  for (const row of engine.dump()) hash.update(row).update('\n');
  return hash.digest('hex');
}

/** A pair with so many asks of one lot at 30000, by bob. */
function pairFloor(asksCount = MANY): Floor {
  const venue = Floor.listed({}, { checks: false, finishesOrders: false });
  const money = { USDT: '10000000', BTC: '1000', ETH: '1000' };
  for (const name of ['ann', 'bob', 'cid']) venue.open(name, money, { openOrdersMax: 20_000 });
  for (let at = 0; at < asksCount; at += 1) {
    acceptedId(venue.limit(venue.id('bob'), 'sell', '30000', '0.0001'));
  }
  return venue;
}

/** The same in a contract. */
function contractFloor(asksCount = MANY): Floor {
  const spec = { ...LINEAR, openOrdersMax: 20_000 };
  const venue = Floor.ofContract(spec, { checks: false, finishesOrders: false });
  for (const name of ['ann', 'bob', 'cid']) venue.open(name, '1000000');
  for (let at = 0; at < asksCount; at += 1) {
    refuseNone(venue.order('bob', 'open_short', '30000', 1));
  }
  return venue;
}

/** Goes on until the order is done; after each step a copy must do the same as the engine. */
function finish(venue: Floor): (readonly Event[])[] {
  const steps: (readonly Event[])[] = [];
  while (venue.engine.hasOrdersAtWork) {
    venue.engine.check();
    const copy = Engine.restore(venue.engine.dump());
    assert.equal(hashOf(copy), hashOf(venue.engine), 'a snapshot holds the order');
    copy.check();
    const events = venue.run(CONTINUE);
    assert.deepEqual(copy.apply(CONTINUE, venue.timeMs).events, events);
    assert.equal(hashOf(copy), hashOf(venue.engine));
    steps.push(events);
  }
  venue.engine.check();
  return steps;
}

function tradesIn(events: readonly Event[]): number {
  return events.filter(({ kind }) => kind === 'trade' || kind === 'contract_trade').length;
}

describe('an order at work', () => {
  test('in a pair goes on in bounded steps, is open meanwhile and rests behind them', () => {
    const venue = pairFloor();
    const ann = venue.id('ann');
    const first = venue.limit(ann, 'buy', '30000', '0.11');
    const orderId = acceptedId(first);
    assert.ok(tradesIn(first) <= LIMITS.orderMatchesMax && first.length <= EVENTS_MOST);
    assert.ok(venue.engine.isAtWork(orderId));
    const open = venue.engine.openOrder(orderId);
    assert.equal(open?.filledLots, tradesIn(first));
    assert.equal([...venue.engine.openOrders(ann)].length, 1);
    const steps = finish(venue);
    for (const events of steps) assert.ok(events.length <= EVENTS_MOST, `${events.length} events`);
    assert.ok(steps.length >= MANY / LIMITS.orderMatchesMax - 1);
    assert.equal(tradesIn([first, ...steps].flat()), MANY);
    const [best] = venue.engine.bookLevels(BTCUSDT, 'buy');
    assert.deepEqual([best?.priceTicks, best?.lots], [3_000_000, 100]);
  });

  const orders: Record<string, (venue: Floor) => readonly Event[]> = {
    'sells a size at the market': (venue) => {
      for (let at = 0; at < MANY; at += 1) venue.limit(venue.id('bob'), 'buy', '29000', '0.0001');
      return venue.market(venue.id('ann'), 'sell', '0.09');
    },
    'spends a budget at the market': (venue) => venue.market(venue.id('ann'), 'buy', '2701'),
    'moves to where much rests': (venue) => {
      const ann = venue.id('ann');
      const orderId = acceptedId(venue.limit(ann, 'buy', '20000', '0.09'));
      return venue.run({
        kind: 'move_spot_order',
        accountId: ann,
        instrumentId: BTCUSDT,
        orderId,
        priceTicks: 3_000_000 as never,
        sizeLots: 900 as never,
      });
    },
  };
  for (const [what, place] of Object.entries(orders)) {
    test(`in a pair ${what}`, () => {
      const venue = pairFloor();
      const first = place(venue);
      assert.ok(venue.engine.hasOrdersAtWork);
      const all = [first, ...finish(venue)].flat();
      assert.equal(tradesIn(all), 900);
      const ends = all.filter((event) => event.kind === 'order_closed');
      assert.equal(ends.at(-1)?.reason, 'filled');
    });
  }

  test('in a contract is margined match by match and armed once it is done', () => {
    const venue = contractFloor();
    const first = venue.order('ann', 'open_long', '30000', 1_100, { takeProfit: '33000' });
    assert.ok(venue.engine.hasOrdersAtWork);
    const steps = finish(venue);
    const all = [first, ...steps].flat();
    assert.equal(tradesIn(all), MANY);
    assert.equal(venue.position('ann', 'long').lots, MANY);
    const armed = all.filter(({ kind }) => kind === 'trigger_order_accepted');
    assert.equal(armed.length, 1, 'its take-profit is armed once, for all of it');
    assert.equal(all.at(-1)?.kind === 'order_rested' || armed.length === 1, true);
    assert.equal(venue.account('ann').openOrdersCount, 1, 'what is left rests');
  });

  test('closes a position of many at the market', () => {
    const venue = contractFloor();
    venue.trade('ann', 'cid', '29990', 900);
    for (let at = 0; at < MANY; at += 1) venue.order('bob', 'open_long', '29900', 1);
    const { instrumentId } = venue.contract;
    const accountId = venue.id('ann');
    const first = venue.run({ kind: 'close_position', accountId, instrumentId, side: 'long' });
    assert.ok(venue.engine.hasOrdersAtWork);
    assert.equal(tradesIn([first, ...finish(venue)].flat()), 900);
    assert.equal(venue.position('ann', 'long').lots, 0);
  });

  test('reverses a position of many: what opens follows what closes', () => {
    const venue = contractFloor();
    venue.trade('ann', 'cid', '29990', 900);
    for (let at = 0; at < 2 * MANY; at += 1) venue.order('bob', 'open_long', '29900', 1);
    const { instrumentId } = venue.contract;
    const closes = { kind: 'close_position', accountId: venue.id('ann'), instrumentId } as const;
    const first = venue.run({ ...closes, side: 'long', reverses: true });
    assert.ok(venue.engine.hasOrdersAtWork);
    assert.equal(tradesIn([...first, ...finish(venue).flat()]), 1_800);
    assert.equal(venue.position('ann', 'long').lots, 0);
    assert.equal(venue.position('ann', 'short').lots, 900);
  });

  test('opens nothing where a halt ends the close of a reversal', () => {
    const venue = contractFloor();
    venue.trade('ann', 'cid', '29990', 900);
    for (let at = 0; at < MANY; at += 1) venue.order('bob', 'open_long', '29900', 1);
    const { instrumentId } = venue.contract;
    const closes = { kind: 'close_position', accountId: venue.id('ann'), instrumentId } as const;
    const first = venue.run({ ...closes, side: 'long', reverses: true });
    venue.run({ kind: 'update_contract', instrumentId, changes: { status: 'halt' } });
    finish(venue);
    assert.equal(venue.position('ann', 'long').lots, 900 - tradesIn(first));
    assert.equal(venue.position('ann', 'short').lots, 0);
  });

  test('trades with 10,000 at most', () => {
    const venue = pairFloor(LIMITS.orderTradesMax + 50);
    const steps = [venue.limit(venue.id('ann'), 'buy', '30000', '2', { force: 'ioc' })];
    while (venue.engine.hasOrdersAtWork) steps.push(venue.run(CONTINUE));
    const end = steps.flat().findLast((event) => event.kind === 'order_closed');
    assert.equal(end?.reason, 'match_limit');
    assert.equal(end?.order.filledLots, tradesIn(steps.flat()));
    const over = tradesIn(steps.flat()) - LIMITS.orderTradesMax;
    assert.ok(over >= 0 && over < LIMITS.orderMatchesMax, `${over}`);
    venue.engine.check();
  });
});

describe('while an order is at work', () => {
  const { instrumentId } = { instrumentId: BTCUSDT };
  const rows: readonly [string, boolean, (venue: Floor) => Command][] = [
    ['an order in its market', true, (venue) => place(venue, 'cid', BTCUSDT)],
    ['an order of its account elsewhere', true, (venue) => place(venue, 'ann', ETHUSDT)],
    ['an order of others elsewhere', false, (venue) => place(venue, 'cid', ETHUSDT)],
    [
      'a deposit to its account',
      true,
      (venue) => {
        const facts = { accountId: venue.id('ann'), assetId: 0 as never, amount: 1n } as const;
        return { kind: 'deposit', wallet: 'spot', ...facts };
      },
    ],
    [
      'clearing the orders of anybody',
      true,
      (venue) => ({ kind: 'cancel_all_spot_orders', accountId: venue.id('cid') }),
    ],
    ['a tick', false, () => ({ kind: 'tick' })],
    [
      'a halt',
      false,
      () => ({ kind: 'update_spot', instrumentId, changes: { status: 'halt' } }) as const,
    ],
  ];
  for (const [what, waits, commandOf] of rows) {
    test(`${what} ${waits ? 'waits' : 'does not wait'}`, () => {
      const venue = pairFloor(300);
      venue.limit(venue.id('ann'), 'buy', '30000', '0.03');
      const command = commandOf(venue);
      assert.equal(venue.engine.holdsBack(command), waits);
      const outcome = venue.engine.attempt(command, venue.timeMs + 1);
      assert.equal('reject' in outcome ? outcome.reject : 'done', waits ? 'venue_busy' : 'done');
      if (!waits) return;
      finish(venue);
      assert.equal(venue.engine.holdsBack(command), false);
    });
  }

  function place(venue: Floor, name: string, on: typeof BTCUSDT): Command {
    return {
      kind: 'place_spot_order',
      accountId: venue.id(name),
      instrumentId: on,
      type: 'limit',
      side: 'buy',
      force: 'gtc',
      priceTicks: 100_000 as never,
      sizeLots: 10 as never,
    };
  }

  test('a halt of its market ends it, and gives back what it held', () => {
    const venue = pairFloor();
    const ann = venue.id('ann');
    const first = venue.limit(ann, 'buy', '30000', '0.1');
    const changes = { status: 'halt' } as const;
    const events = venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes });
    const end = events.find((event) => event.kind === 'order_closed');
    assert.equal(end?.reason, 'market_halted');
    assert.equal(end?.order.filledLots, tradesIn(first));
    assert.equal(venue.engine.hasOrdersAtWork, false);
    const usdt = venue.engine.account(ann)?.balance('spot', 0 as never);
    assert.equal(usdt?.held, 0n);
    venue.engine.check();
  });

  for (const mode of ['isolated', 'cross'] as const) {
    test(`the liquidation of its owner ends it (${mode})`, () => {
      const venue = contractFloor();
      venue.open('vic', '700', { mode, leverage: 50 });
      const first = venue.order('vic', 'open_long', '30000', MANY);
      const orderId = acceptedId(first);
      assert.ok(venue.engine.isAtWork(orderId));
      const steps = [venue.index('26000')];
      assert.equal(venue.engine.hasOrdersAtWork, false, 'nothing more opens into a liquidation');
      while (venue.engine.hasWork) steps.push(venue.run(CONTINUE));
      const end = steps
        .flat()
        .find((event) => event.kind === 'contract_order_closed' && event.order.orderId === orderId);
      assert.ok(end?.kind === 'contract_order_closed' && end.reason === 'liquidation');
      assert.equal(end.order.filledLots, tradesIn(first));
      assert.equal(end.restingLots, 0);
      venue.engine.check();
    });
  }

  test('triggers that it meets fire once it is done, and their orders may go on, too', () => {
    const venue = contractFloor();
    venue.order('bob', 'open_short', '30010', 1);
    for (let at = 0; at < 600; at += 1) venue.order('bob', 'open_short', '30020', 1);
    refuseNone(venue.trigger('cid', 'open_long', '30010', 'market', 500));
    const first = venue.order('ann', 'open_long', '30010', MANY + 1);
    const all = [first, ...finish(venue)].flat();
    const tradersInOrder = all.flatMap((event) =>
      event.kind === 'contract_trade' ? [event.taker.accountId] : [],
    );
    assert.equal(tradersInOrder.length, MANY + 1 + 500);
    assert.equal(tradersInOrder.lastIndexOf(venue.id('ann')), MANY);
    assert.equal(venue.position('cid', 'long').lots, 500);
  });
});
