/**
 * Random commands from several accounts, and what must hold after every one of them: the books
 * balance, no book is crossed, a refusal changes nothing, and replay gives the same state.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Command,
  decodeEntry,
  type Event,
  encodeCommand,
  type InstrumentId,
  joinCommands,
  type Lots,
  lots,
  NOTHING_FILLED,
  type OrderFilled,
  type OrderId,
  type SelfTradePrevention,
  type Step,
  type Trade,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { prevention } from '../support/arbitraries.ts';
import { amountOf, BTCUSDT, Floor } from '../support/floor.ts';

const NAMES = ['alice', 'bob', 'carol'] as const;

type Action =
  | {
      readonly act: 'limit';
      readonly who: number;
      readonly buy: boolean;
      readonly price: number;
      readonly size: number;
      readonly force: number;
      readonly named: boolean;
    }
  | { readonly act: 'market'; readonly who: number; readonly buy: boolean; readonly size: number }
  | { readonly act: 'market_buy'; readonly who: number; readonly size: number }
  | { readonly act: 'cancel'; readonly who: number; readonly which: number }
  | {
      readonly act: 'move_order';
      readonly which: number;
      readonly price: number;
      readonly size: number;
    }
  | { readonly act: 'cancel_all'; readonly who: number }
  | { readonly act: 'move'; readonly who: number; readonly out: boolean; readonly amount: number }
  | { readonly act: 'deposit' | 'withdraw' | 'lock'; readonly who: number; readonly amount: number }
  | { readonly act: 'give'; readonly who: number; readonly to: number; readonly amount: number }
  | {
      readonly act: 'settings';
      readonly who: number;
      readonly prevention: SelfTradePrevention;
      readonly frozen: boolean;
    }
  | { readonly act: 'status'; readonly halted: boolean };

const who = fc.nat({ max: NAMES.length - 1 });
const rarely = fc.nat({ max: 5 }).map((number) => number === 5);
const amount = fc.integer({ min: 0, max: 3_000 });
const limit = fc.record({
  act: fc.constant('limit' as const),
  who,
  buy: fc.boolean(),
  price: fc.integer({ min: 0, max: 12 }),
  size: fc.integer({ min: 0, max: 9 }),
  force: fc.nat({ max: 3 }),
  named: fc.boolean(),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 18, arbitrary: limit },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('market' as const),
      who,
      buy: fc.boolean(),
      size: fc.integer({ min: 0, max: 50 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('market_buy' as const),
      who,
      size: fc.integer({ min: 0, max: 50 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('cancel' as const), who, which: fc.nat({ max: 40 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('move_order' as const),
      which: fc.nat({ max: 20 }),
      price: fc.integer({ min: 0, max: 12 }),
      size: fc.integer({ min: 0, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel_all' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('move' as const), who, out: fc.boolean(), amount }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('deposit' as const, 'withdraw' as const, 'lock' as const),
      who,
      amount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('give' as const),
      who,
      to: who,
      amount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('settings' as const),
      who,
      prevention,
      frozen: rarely,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('status' as const), halted: rarely }),
  },
);

const FORCES = ['gtc', 'post_only', 'fok', 'ioc'] as const;

class Session {
  readonly venue = Floor.listed({
    takerFeePpm: 1_234,
    makerFeePpm: 77,
    minNotional: 3_000_000n,
  });
  readonly accounts = NAMES.map((name) => this.venue.open(name, { USDT: '4000', BTC: '20' }));
  readonly known: OrderId[] = [];

  act(action: Action): readonly Event[] {
    const events = this.#dispatch(action);
    for (const event of events) if (event.kind === 'order_accepted') this.known.push(event.orderId);
    return events;
  }

  #dispatch(action: Action): readonly Event[] {
    if (action.act === 'move_order') {
      const id = this.known[this.known.length - 1 - action.which];
      const order = id && this.venue.engine.openOrder(id);
      if (!order) return [];
      return this.venue.move(
        order.accountId,
        order.orderId,
        `${100 + action.price}`,
        `0.${action.size}`,
      );
    }
    if (action.act === 'status') {
      const changes = { status: action.halted ? 'halt' : 'online' } as const;
      return this.venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes });
    }
    const accountId = present(this.accounts[action.who], 'account');
    const { assetId } = present(this.venue.engine.listings.assetByCode('USDT'), 'USDT');
    switch (action.act) {
      case 'limit':
        return this.venue.limit(
          accountId,
          action.buy ? 'buy' : 'sell',
          `${100 + action.price}`,
          `0.${action.size}`,
          {
            force: FORCES[action.force] ?? 'gtc',
            clientOrderId: action.named ? `name-${action.price}` : undefined,
          },
        );
      case 'market':
        return this.venue.market(accountId, action.buy ? 'buy' : 'sell', String(action.size));
      case 'market_buy':
        return this.venue.marketBuy(accountId, String(action.size));
      case 'cancel': {
        const id = this.known[this.known.length - 1 - action.which];
        return id === undefined ? [] : this.venue.cancel(accountId, id);
      }
      case 'cancel_all':
        return this.venue.run({ kind: 'cancel_all_spot_orders', accountId });
      case 'move': {
        const [from, to] = action.out
          ? (['spot', 'BTC-USDT-PERP'] as const)
          : (['BTC-USDT-PERP', 'spot'] as const);
        const money = { assetId, amount: amountOf(String(action.amount)) };
        return this.venue.run({ kind: 'transfer', accountId, ...money, from, to });
      }
      case 'give': {
        const toAccountId = present(this.accounts[action.to], 'account');
        const money = { toAccountId, assetId, amount: amountOf(String(action.amount)) };
        return this.venue.run({ kind: 'transfer_between_accounts', accountId, ...money });
      }
      case 'settings': {
        const changes = { selfTradePrevention: action.prevention, frozen: action.frozen };
        return this.venue.run({ kind: 'update_account', accountId, changes });
      }
      case 'lock':
        return this.venue.run({
          kind: 'set_lock',
          accountId,
          assetId,
          amount: amountOf(String(action.amount)),
        });
      default: {
        const money = { assetId, amount: amountOf(String(action.amount)) };
        return this.venue.run({ kind: action.act, accountId, wallet: 'spot', ...money });
      }
    }
  }
}

test('the books balance and no refusal changes anything, after every command', () => {
  let trades = 0;
  let refusals = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 120 }), (actions) => {
      const session = new Session();
      for (const step of actions) {
        const before = session.venue.stateHash();
        const events = session.act(step);
        session.venue.engine.check();
        trades += events.filter(({ kind }) => kind === 'trade').length;
        if (events[0]?.kind !== 'refused') continue;
        refusals += 1;
        assert.equal(session.venue.stateHash(), before);
      }
    }),
    { numRuns: 150 },
  );
  assert.ok(trades > 500, `the runs traded: ${trades}`);
  assert.ok(refusals > 500, `the runs were refused: ${refusals}`);
});

/**
 * Sums up the trades of each order and knows its size; whatever an event says of an order must be
 * that.
 */
class Sums {
  readonly #byOrder = new Map<OrderId, OrderFilled>();
  readonly #sizes = new Map<OrderId, Lots>();
  tradesCount = 0;
  movesCount = 0;

  take(event: Event, command: Command): void {
    if (event.kind === 'order_accepted' && 'sizeLots' in event.terms) {
      this.#sizes.set(event.orderId, event.terms.sizeLots);
    }
    if (event.kind === 'order_moved' && command.kind === 'move_spot_order') {
      this.movesCount += 1;
      this.#sizes.set(event.order.orderId, command.sizeLots);
    }
    if (event.kind === 'order_closed' || event.kind === 'order_moved') {
      const { orderId, filledLots, filledQuote } = event.order;
      assert.deepEqual({ filledLots, filledQuote }, this.#of(orderId), event.kind);
      const size = 'sizeLots' in event.order ? event.order.sizeLots : undefined;
      assert.equal(size, this.#sizes.get(orderId), event.kind);
    }
    if (event.kind !== 'trade') return;
    this.tradesCount += 1;
    assert.deepEqual(event.takerFilled, this.#add(event.takerOrderId, event), 'of the taker');
    assert.deepEqual(event.makerFilled, this.#add(event.makerOrderId, event), 'of the maker');
  }

  #of(orderId: OrderId): OrderFilled {
    return this.#byOrder.get(orderId) ?? NOTHING_FILLED;
  }

  #add(orderId: OrderId, { sizeLots, quoteAmount }: Trade): OrderFilled {
    const before = this.#of(orderId);
    const filledLots = lots(before.filledLots + sizeLots);
    const sum = { filledLots, filledQuote: before.filledQuote + quoteAmount };
    this.#byOrder.set(orderId, sum);
    return sum;
  }
}

test('an order has the size that was asked for and is filled what its trades say', () => {
  let trades = 0;
  let moves = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 120 }), (actions) => {
      const session = new Session();
      const sums = new Sums();
      for (const step of actions) {
        const events = session.act(step);
        const { command } = present(session.venue.commands.at(-1), 'command');
        for (const event of events) sums.take(event, command);
      }
      trades += sums.tradesCount;
      moves += sums.movesCount;
    }),
    { numRuns: 300 },
  );
  assert.ok(trades > 600, `the runs traded: ${trades}`);
  assert.ok(moves > 30, `the runs moved orders: ${moves}`);
});

test('replaying the journal text gives the same steps and the same state', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 120 }), (actions) => {
      const session = new Session();
      const { venue } = session;
      for (const step of actions) session.act(step);
      const text = joinCommands(
        venue.commands.map(({ timeMs, command }) => encodeCommand(timeMs, command)),
      );
      const replayed = Engine.empty();
      const steps: Step[] = decodeEntry(text).map(({ timeMs, command }) =>
        replayed.apply(command, timeMs),
      );
      assert.deepEqual(steps, venue.steps);
      assert.deepEqual([...replayed.dump()], [...venue.engine.dump()]);
    }),
    { numRuns: 60 },
  );
});

test('a state restored from its dump dumps the same and goes on the same', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 80 }),
      fc.array(action, { minLength: 1, maxLength: 40 }),
      (first, second) => {
        const session = new Session();
        for (const step of first) session.act(step);
        const copy = Engine.restore(session.venue.engine.dump());
        assert.deepEqual([...copy.dump()], [...session.venue.engine.dump()]);
        const since = session.venue.commands.length;
        for (const step of second) session.act(step);
        for (const { command, timeMs } of session.venue.commands.slice(since))
          copy.apply(command, timeMs);
        assert.deepEqual([...copy.dump()], [...session.venue.engine.dump()]);
        copy.check();
      },
    ),
    { numRuns: 60 },
  );
});

test('every bill continues where the last one of its balance ended', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 120 }), (actions) => {
      const session = new Session();
      for (const step of actions) session.act(step);
      const balances = new Map<string, bigint>();
      const bill = (key: string, before: bigint, change: bigint) => {
        assert.equal(balances.get(key) ?? 0n, before, key);
        balances.set(key, before + change);
      };
      for (const { events } of session.venue.steps) {
        for (const event of events) followMoney(session, event, bill);
      }
      assert.ok(balances.size > 0);
    }),
    { numRuns: 60 },
  );
});

function followMoney(
  session: Session,
  event: Event,
  bill: (key: string, before: bigint, change: bigint) => void,
): void {
  if (event.kind === 'balance_changed') {
    bill(`${event.accountId} ${event.wallet} ${event.assetId}`, event.balanceBefore, event.delta);
  }
  if (event.kind !== 'trade') return;
  const pair = present(session.venue.engine.listings.spotById(event.instrumentId), 'pair');
  const takerBuys = event.takerSide === 'buy';
  const buyer = takerBuys ? event.takerAccountId : event.makerAccountId;
  const seller = takerBuys ? event.makerAccountId : event.takerAccountId;
  const base = BigInt(event.sizeLots) * pair.baseUnitsPerLot;
  bill(`${buyer} spot ${pair.base.assetId}`, event.buyerBaseBefore, base - event.buyerFee);
  bill(`${buyer} spot ${pair.quote.assetId}`, event.buyerQuoteBefore, -event.quoteAmount);
  bill(`${seller} spot ${pair.base.assetId}`, event.sellerBaseBefore, -base);
  const received = event.quoteAmount - event.sellerFee;
  bill(`${seller} spot ${pair.quote.assetId}`, event.sellerQuoteBefore, received);
}

test('a moved order leaves what cancelling it and placing another would', () => {
  let moved = 0;
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 10, maxLength: 60 }),
      fc.record({
        which: fc.nat({ max: 5 }),
        price: fc.integer({ min: 0, max: 12 }),
        size: fc.integer({ min: 1, max: 9 }),
      }),
      (actions, { which, price, size }) => {
        const session = new Session();
        for (const step of actions) session.act(step);
        const { venue } = session;
        const open = session.accounts.flatMap((id) => [...venue.engine.openOrders(id)]);
        const order = open[which];
        if (order?.type !== 'limit') return;
        const { accountId, orderId, instrumentId, side, force, filledLots } = order;
        const timeMs = venue.engine.timeMs + 1;
        const copies = [0, 1].map(() => Engine.restore(venue.engine.dump()));
        const [one, other] = [present(copies[0], 'copy'), present(copies[1], 'copy')];
        const priceTicks = ticks(10_000 + 100 * price);
        const sizeLots = lots(filledLots + 1_000 * size);
        const terms = { accountId, instrumentId, priceTicks } as const;
        const [first] = one.apply(
          { kind: 'move_spot_order', ...terms, orderId, sizeLots },
          timeMs,
        ).events;
        other.apply({ kind: 'cancel_spot_order', accountId, instrumentId, orderId }, timeMs);
        const placed = { side, force, sizeLots: lots(1_000 * size) };
        const [second] = other.apply(
          { kind: 'place_spot_order', type: 'limit', ...terms, ...placed },
          timeMs,
        ).events;
        // What has been filled counts towards the least value of a move, and not of a new order.
        if (first?.kind === 'refused' || second?.kind === 'refused') {
          if (filledLots === 0) assert.equal(first?.kind, second?.kind);
          return;
        }
        moved += 1;
        one.check();
        assert.deepEqual(purses(one), purses(other));
        assert.deepEqual(levels(one, instrumentId), levels(other, instrumentId));
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(moved > 50, `${moved} were moved`);
});

/** What everybody has, and holds in orders. */
function purses(engine: Engine): string[] {
  return [...engine.accounts()].flatMap((account) =>
    [...account.spotBalances()].map(
      ({ assetId, balance, held }) => `${account.accountId} ${assetId} ${balance} ${held}`,
    ),
  );
}

function levels(engine: Engine, instrumentId: InstrumentId): string[] {
  return (['buy', 'sell'] as const).flatMap((side) =>
    [...engine.bookLevels(instrumentId, side)].map(
      ({ priceTicks, lots: size }) => `${side} ${size} @ ${priceTicks}`,
    ),
  );
}
