/**
 * A wave of liquidations that is more than a command should do: it goes on in the next ones, in the
 * order that the price has set, and what others do in between is judged as ever.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AccountId, type Command, type Event, LIMITS, lots, ticks } from '#domain';
import { Engine } from '#engine';
import { Floor, refuseNone, rejectOf } from '../support/floor.ts';
import { QUIET_LINEAR } from './swap-table.ts';

/** No time passes, so that what is done sooner or later looks the same. */
const OPTIONS = { checks: false, stepMs: 0 };
const CONTINUE: Command = { kind: 'continue_work' };
/** What one liquidation may add to a piece that is nearly full. */
const EVENTS_MOST = LIMITS.commandEventsMax + 20;
/** Fewer than a price only finds, and more than a command deals with. */
const SOME = 200;
const MANY = LIMITS.commandEventsMax + 50;

/**
 * So many are long a contract each from 30000 with a leverage of 100, and as many short it. The
 * longs have added a little margin, each another amount: `long0` stands worst at any price.
 */
function crowd(count: number): Floor {
  const venue = Floor.ofContract({ ...QUIET_LINEAR, priceBandPpm: 900_000 }, OPTIONS);
  for (let at = 0; at < count; at += 1) {
    venue.open(`long${at}`, '100', { leverage: 100 });
    venue.open(`short${at}`, '100', { leverage: 2 });
    venue.trade(`long${at}`, `short${at}`, '30000', 1);
    venue.adjustMargin(`long${at}`, 'long', (0.0001 * (at + 1)).toFixed(4));
  }
  return venue;
}

const WHALES = ['isolated', 'cross', 'wallet per coin'] as const;

/** One is long two contracts of each of so many others, with a leverage of 100. */
function whale(count: number, kind: (typeof WHALES)[number]): Floor {
  const venue = Floor.ofContract({ ...QUIET_LINEAR, priceBandPpm: 900_000 }, OPTIONS);
  const mode = kind === 'isolated' ? kind : 'cross';
  const wallets = kind === 'wallet per coin' ? 'coin' : 'contract';
  venue.open('whale', String(count), { leverage: 100, mode, wallets });
  for (let at = 0; at < count; at += 1) {
    venue.open(`short${at}`, '100', { leverage: 2 });
    venue.trade('whale', `short${at}`, '30000', 2);
  }
  return venue;
}

function fall(venue: Floor): readonly Event[] {
  return venue.index('29000');
}

function liquidatedIn(events: readonly Event[]): AccountId[] {
  return events.flatMap((event) => (event.kind === 'liquidated' ? [event.accountId] : []));
}

function longs(venue: Floor, count: number, from = 0): AccountId[] {
  return Array.from({ length: count - from }, (_, at) => venue.id(`long${from + at}`));
}

function rest(venue: Floor): (readonly Event[])[] {
  const pieces: (readonly Event[])[] = [];
  while (venue.engine.hasWork) pieces.push(venue.run(CONTINUE));
  return pieces;
}

function heldLots(venue: Floor): number | undefined {
  return venue.engine.contractPrices(venue.contract.instrumentId)?.openInterestLots;
}

describe('a wave in pieces', () => {
  for (const count of [SOME, MANY]) {
    test(`liquidates ${count}, the worst first, over several commands`, () => {
      const venue = crowd(count);
      const pieces = [fall(venue), ...rest(venue)];
      assert.deepEqual(pieces.flatMap(liquidatedIn), longs(venue, count));
      assert.ok(pieces.length >= 3, `${pieces.length} pieces`);
      for (const events of pieces) assert.ok(events.length <= EVENTS_MOST, `${events.length}`);
      assert.equal(heldLots(venue), 0);
      venue.engine.check();
    });
  }

  test('a replay of its commands gives the same steps', () => {
    const venue = crowd(SOME);
    fall(venue);
    rest(venue);
    const engine = Engine.empty();
    const { commands, steps } = venue;
    assert.deepEqual(
      commands.map(({ command, timeMs }) => engine.apply(command, timeMs)),
      steps,
    );
  });
});

describe('one position that is deleveraged against many', () => {
  for (const kind of WHALES) {
    test(`goes on over several commands (${kind})`, () => {
      const venue = whale(MANY, kind);
      const pieces = [fall(venue), ...rest(venue)];
      assert.ok(pieces.length >= 3, `${pieces.length} pieces`);
      for (const events of pieces) assert.ok(events.length <= EVENTS_MOST, `${events.length}`);
      assert.equal(heldLots(venue), 0);
      venue.engine.check();
      const sized = (events: readonly Event[]): number =>
        events.reduce((sum, one) => sum + (one.kind === 'liquidated' ? one.sizeLots : 0), 0);
      assert.equal(sized(pieces.flat()), 2 * MANY);
    });
  }

  test('its owner may cancel and add money in between, and nothing else', () => {
    const venue = whale(SOME, 'isolated');
    venue.open('bob', '1000000', { leverage: 2 });
    fall(venue);
    const { lots: left } = venue.position('whale', 'long');
    assert.ok(left > 0 && left < 2 * SOME, `${left} contracts left`);
    refuseNone(venue.order('bob', 'open_long', '29900', left));
    const close = venue.order('whale', 'close_long', '29900', left);
    assert.equal(rejectOf(close), 'in_liquidation');
    refuseNone(venue.adjustMargin('whale', 'long', '1'));
    rest(venue);
    assert.equal(venue.position('whale', 'long').lots, 0);
    venue.engine.check();
  });
});

/** What the owner of a long that is being liquidated asks for, as commands of the contract. */
const ASKED = [
  ['refused', 'opens', { kind: 'place_contract_order', action: 'open_long', ...at('29000') }],
  ['refused', 'closes', { kind: 'place_contract_order', action: 'close_long', ...at('29900') }],
  ['refused', 'closes it all', { kind: 'close_position', side: 'long' }],
  [
    'refused',
    'protects it',
    { kind: 'place_tp_sl', side: 'long', purpose: 'stop_loss', triggerTicks: ticks(280_000) },
  ],
  ['refused', 'changes the leverage', { kind: 'set_leverage', side: 'long', leverage: 50 }],
  ['refused', 'changes the mode', { kind: 'set_margin_mode', mode: 'cross' }],
  ['refused', 'has margin added', { kind: 'set_auto_margin', side: 'long', automatic: true }],
  ['refused', 'takes margin out', { kind: 'adjust_margin', side: 'long', delta: -1n }],
  ['refused', 'withdraws', { kind: 'withdraw', amount: 1n }],
  ['taken', 'adds margin', { kind: 'adjust_margin', side: 'long', delta: 1n }],
  ['taken', 'deposits', { kind: 'deposit', amount: 1n }],
  ['taken', 'cancels', { kind: 'cancel_all_contract_orders' }],
] as const;

function at(price: string) {
  const priceTicks = ticks(Number(price) * 10);
  return { type: 'limit', force: 'gtc', priceTicks, sizeLots: lots(1) } as const;
}

for (const [outcome, what, asked] of ASKED) {
  test(`while a liquidation goes on its owner ${what}: ${outcome}`, () => {
    const venue = whale(SOME, 'isolated');
    fall(venue);
    assert.ok(venue.engine.hasWork && venue.position('whale', 'long').lots > 0);
    const { instrumentId, symbol, margin } = venue.contract;
    const target = { accountId: venue.id('whale'), instrumentId };
    const money = { wallet: symbol, assetId: margin.assetId };
    const facts = {
      ...target,
      ...money,
      clientOrderId: undefined,
      sizeLots: lots(1),
      type: 'market',
    };
    const events = venue.run({ ...facts, ...asked } as Command);
    assert.equal(rejectOf(events), outcome === 'refused' ? 'in_liquidation' : undefined);
  });
}

describe('between the pieces', () => {
  test('whoever is due may close and not open, and is left alone when he is safe', () => {
    const venue = crowd(SOME);
    venue.open('bob', '100000', { mode: 'cross' });
    fall(venue);
    const [saved, closed, opening] = [SOME - 1, SOME - 2, SOME - 3].map((at) => `long${at}`);
    assert.ok(saved !== undefined && closed !== undefined && opening !== undefined);
    assert.equal(rejectOf(venue.order(opening, 'open_long', '29000', 1)), 'opens_into_liquidation');
    refuseNone(venue.adjustMargin(saved, 'long', '50'));
    refuseNone(venue.order('bob', 'open_long', '29900', 1));
    refuseNone(venue.order(closed, 'close_long', '29900', 1));
    assert.equal(venue.position(closed, 'long').lots, 0);
    const dealt = rest(venue).flatMap(liquidatedIn);
    assert.equal(dealt.includes(venue.id(saved)), false);
    assert.equal(dealt.includes(venue.id(closed)), false);
    assert.equal(dealt.at(-1), venue.id(opening));
    venue.engine.check();
  });

  test('the other side of an isolated account is a unit of its own, and may be opened', () => {
    const venue = crowd(SOME);
    venue.open('bob', '100000', { mode: 'cross' });
    fall(venue);
    const due = `long${SOME - 1}`;
    refuseNone(venue.order('bob', 'open_long', '29000', 1));
    refuseNone(venue.order(due, 'open_short', '29000', 1));
    assert.equal(venue.position(due, 'short').lots, 1);
    assert.equal(rejectOf(venue.order(due, 'open_long', '29000', 1)), 'opens_into_liquidation');
    const dealt = rest(venue).flatMap(liquidatedIn);
    assert.equal(dealt.at(-1), venue.id(due), 'its long has its turn all the same');
    assert.equal(venue.position(due, 'short').lots, 1);
    venue.engine.check();
  });

  test('neither side of a crossed account may be opened', () => {
    const venue = whale(SOME, 'cross');
    venue.open('bob', '100000', { mode: 'cross' });
    fall(venue);
    assert.ok(venue.position('whale', 'long').lots > 0, 'not all of it is closed yet');
    for (const action of ['open_long', 'open_short'] as const) {
      refuseNone(
        venue.order('bob', action === 'open_long' ? 'open_short' : 'open_long', '29000', 1),
      );
      const refused = rejectOf(venue.order('whale', action, '29000', 1));
      assert.equal(refused, 'in_liquidation', action);
    }
  });

  test('a price that takes the reason away ends the wave', () => {
    const venue = crowd(SOME);
    const before = liquidatedIn(fall(venue)).length;
    assert.ok(before > 0 && before < SOME);
    assert.deepEqual(liquidatedIn(venue.index('30000')), []);
    assert.equal(venue.engine.hasWork, false);
    assert.equal(heldLots(venue), SOME - before);
    venue.engine.check();
  });

  test('a further fall begins anew, with those who are due already', () => {
    const venue = crowd(SOME);
    const first = liquidatedIn(fall(venue));
    const second = liquidatedIn(venue.index('28900'));
    assert.ok(second.length > 0);
    const all = [...first, ...second, ...rest(venue).flatMap(liquidatedIn)];
    assert.deepEqual(all, longs(venue, SOME));
    venue.engine.check();
  });

  test('a suspension ends it, and the next price after that goes on', () => {
    const venue = crowd(SOME);
    const first = liquidatedIn(fall(venue));
    const { instrumentId } = venue.contract;
    venue.run({
      kind: 'suspend_instrument',
      instrumentId,
      reason: { command: 'tick', failuresCount: 1, message: 'planted' },
    });
    assert.deepEqual(rest(venue).flatMap(liquidatedIn), []);
    venue.run({ kind: 'update_contract', instrumentId, changes: { status: 'online' } });
    assert.equal(venue.engine.hasWork, false);
    const pieces = [venue.tick(), ...rest(venue)];
    assert.deepEqual([...first, ...pieces.flatMap(liquidatedIn)], longs(venue, SOME));
  });

  test('whoever opens a position meanwhile is deleveraged last', () => {
    const venue = crowd(SOME);
    fall(venue);
    venue.open('ann', '1000000', { leverage: 2 });
    venue.open('bob', '1000000', { leverage: 2 });
    venue.trade('bob', 'ann', '29800', 5);
    rest(venue);
    assert.equal(venue.position('ann', 'short').lots, 5);
    assert.equal(heldLots(venue), 5);
  });
});

test('a snapshot taken in the middle goes on to the same state', () => {
  const venue = crowd(SOME);
  for (const name of ['ann', 'bob', 'carl']) venue.open(name, '1000000', { leverage: 2 });
  fall(venue);
  // Ann has no place in the ranking, and one who has leaves it: she is the last.
  venue.order('ann', 'open_short', '29800', 1);
  refuseNone(venue.order(`short${SOME - 2}`, 'close_short', '29800', 1));
  const rows = [...venue.engine.dump()];
  const copy = new Floor(Engine.restore(rows), OPTIONS);
  assert.deepEqual([...copy.engine.dump()], rows);
  const both = (act: (floor: Floor) => void): void => {
    copy.timeMs = venue.timeMs;
    for (const floor of [venue, copy]) act(floor);
    assert.deepEqual(copy.steps.at(-1), venue.steps.at(-1));
    assert.deepEqual([...copy.engine.dump()], [...venue.engine.dump()]);
  };
  both((floor) => floor.adjustMargin(`short${SOME - 1}`, 'short', '20'));
  both((floor) => floor.trade('bob', 'carl', '29800', 7));
  let pieces = 0;
  for (; venue.engine.hasWork; pieces += 1) both((floor) => floor.run(CONTINUE));
  assert.ok(pieces >= 2);
  assert.equal(copy.position('ann', 'short').lots, 0);
  copy.engine.check();
});
