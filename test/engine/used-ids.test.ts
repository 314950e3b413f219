/** A client's id stays taken for a day after what it named was over, however it was over. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type AccountId,
  accountId,
  type Command,
  type Event,
  instrumentId,
  LIMITS,
  lots,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { type IdScope, UsedIds, UsedIdsTable } from '#engine/testing';
import { LINEAR } from '../support/contracts.ts';
import { acceptedId, Floor } from '../support/floor.ts';
import { contractOrder, triggerOrder } from '../support/orders.ts';

const DAY_MS = LIMITS.usedIdsHoldMs;
const CONTRACT = instrumentId(2);
const ID = 'grid#7';

/** A venue with money everywhere and something to trade with in both books. */
function open(): { readonly venue: Floor; readonly ann: AccountId; readonly tom: AccountId } {
  const venue = Floor.listed();
  const ann = venue.open('ann', { USDT: '100000', BTC: '10' });
  const tom = venue.open('tom', { USDT: '100000', BTC: '10' });
  const usdt = { assetId: present(venue, 'USDT'), amount: 10n ** 12n, wallet } as const;
  for (const accountId of [ann, tom]) venue.run({ kind: 'deposit', accountId, ...usdt });
  venue.limit(tom, 'sell', '100', '5');
  index(venue);
  venue.run(limitOrder(tom, 'open_short', 30_000));
  return { venue, ann, tom };
}

const wallet = LINEAR.symbol;

function present(venue: Floor, code: string) {
  const asset = venue.engine.listings.assetByCode(code);
  assert.ok(asset !== undefined);
  return asset.assetId;
}

/** A contract is traded while its index is fresh. */
function index(venue: Floor): void {
  const source = 'operator';
  const priceTicks = ticks(300_000);
  const report = { kind: 'report_index', instrumentId: CONTRACT, source, priceTicks } as const;
  assert.notEqual(venue.run(report)[0]?.kind, 'refused');
}

function limitOrder(
  accountId: AccountId,
  action: 'open_long' | 'open_short',
  price: number,
  clientOrderId?: string,
): Command {
  return contractOrder({
    accountId,
    instrumentId: CONTRACT,
    action,
    priceTicks: ticks(price * 10),
    sizeLots: lots(1),
    clientOrderId,
  });
}

function plan(accountId: AccountId, clientOrderId?: string): Command {
  return triggerOrder({
    accountId,
    instrumentId: CONTRACT,
    action: 'open_long',
    sizeLots: lots(1),
    triggerTicks: ticks(310_000),
    clientOrderId,
  });
}

function rejectOf([first]: readonly Event[]): string {
  return first?.kind === 'refused' ? first.reject : '';
}

function orderIdOf([first]: readonly Event[]) {
  if (first?.kind === 'contract_order_accepted') return first.orderId;
  if (first?.kind === 'trigger_order_accepted') return first.trigger.orderId;
  throw new Error(`no order: ${rejectOf(first === undefined ? [] : [first])}`);
}

interface Way {
  readonly what: string;
  readonly reject: string;
  /** Uses the id to its end. */
  readonly use: (venue: Floor, ann: AccountId) => void;
  readonly again: (venue: Floor, ann: AccountId) => readonly Event[];
}

const spot = (venue: Floor, ann: AccountId, price = '90', force: 'gtc' | 'ioc' = 'gtc') =>
  venue.limit(ann, 'buy', price, '1', { clientOrderId: ID, force });
const swap = (venue: Floor, ann: AccountId, price = 29_000) =>
  venue.run(limitOrder(ann, 'open_long', price, ID));
const transfer = (venue: Floor, accountId: AccountId) => {
  const route = { from: 'spot', to: wallet, amount: 1n, clientOid: ID } as const;
  return venue.run({ kind: 'transfer', accountId, assetId: present(venue, 'USDT'), ...route });
};

const SPOT = { reject: 'client_order_id_in_use', again: spot } as const;
const SWAP = { reject: 'contract_client_id_in_use', again: swap } as const;

const WAYS: readonly Way[] = [
  { what: 'a pair’s order that was filled', ...SPOT, use: (venue, ann) => spot(venue, ann, '100') },
  {
    what: 'a pair’s order that never rested',
    ...SPOT,
    use: (venue, ann) => spot(venue, ann, '90', 'ioc'),
  },
  {
    what: 'a pair’s order that was cancelled',
    ...SPOT,
    use: (venue, ann) => venue.cancel(ann, acceptedId(spot(venue, ann))),
  },
  {
    what: 'a contract order that was filled',
    ...SWAP,
    use: (venue, ann) => swap(venue, ann, 30_000),
  },
  {
    what: 'a contract order that was cancelled',
    ...SWAP,
    use: (venue, ann) => {
      const orderId = orderIdOf(swap(venue, ann));
      const order = { accountId: ann, instrumentId: CONTRACT, orderId };
      assert.equal(rejectOf(venue.run({ kind: 'cancel_contract_order', ...order })), '');
    },
  },
  {
    what: 'a plan order that was cancelled',
    ...SWAP,
    again: (venue, ann) => venue.run(plan(ann, ID)),
    use: (venue, ann) => {
      const orderId = orderIdOf(venue.run(plan(ann, ID)));
      const order = { accountId: ann, instrumentId: CONTRACT, orderId };
      assert.equal(rejectOf(venue.run({ kind: 'cancel_trigger_order', ...order })), '');
    },
  },
  { what: 'a transfer', reject: SPOT.reject, use: transfer, again: transfer },
];

for (const { what, reject, use, again } of WAYS) {
  test(`the id of ${what} is taken for 24 hours, also after a restart`, () => {
    const { venue, ann } = open();
    use(venue, ann);
    assert.equal(rejectOf(again(venue, ann)), reject);
    const copy = new Floor(Engine.restore(venue.engine.dump()));
    assert.deepEqual([...copy.engine.dump()], [...venue.engine.dump()]);
    for (const at of [copy, venue]) {
      if (at === copy) at.wait(1_000);
      at.wait(DAY_MS - 60_000);
      index(at);
      assert.equal(rejectOf(again(at, ann)), reject, 'a minute before the day is over');
      at.wait(61_000);
      index(at);
      assert.equal(rejectOf(again(at, ann)), '', 'a second after it');
    }
  });
}

test('an id is taken for its owner only, in its market only', () => {
  const { venue, ann, tom } = open();
  spot(venue, ann, '100');
  assert.equal(rejectOf(spot(venue, ann)), 'client_order_id_in_use');
  assert.equal(rejectOf(spot(venue, tom)), '');
  assert.equal(rejectOf(swap(venue, ann)), '');
  assert.equal(rejectOf(transfer(venue, ann)), '');
});

test('a refused order leaves its id free', () => {
  const { venue } = open();
  const poor = venue.open('poor');
  assert.equal(rejectOf(spot(venue, poor)), 'balance_insufficient');
  venue.deposit(poor, 'USDT', '1000');
  assert.equal(rejectOf(spot(venue, poor)), '');
});

test('what has no id of its owner keeps none', () => {
  const { venue, ann } = open();
  const order = { accountId: ann, instrumentId: CONTRACT };
  for (let round = 0; round < 3; round += 1) {
    const orderId = orderIdOf(venue.run(limitOrder(ann, 'open_long', 29_000)));
    venue.run({ kind: 'cancel_contract_order', ...order, orderId });
    const triggerId = orderIdOf(venue.run(plan(ann)));
    venue.run({ kind: 'cancel_trigger_order', ...order, orderId: triggerId });
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', '90', '1')));
  }
  const rows = [...venue.engine.dump()].filter((row) => row.startsWith('["used'));
  assert.deepEqual(rows, []);
});

/** What one use of the table is: who, which id, and how long after the one before. */
const USE = fc.record({
  who: fc.integer({ min: 1, max: 4 }),
  id: fc.integer({ min: 0, max: 30 }).map((number) => `id-${number}`),
  waitMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 999 }),
    fc.integer({ min: DAY_MS / 8, max: DAY_MS / 2 }),
    fc.constant(DAY_MS),
  ),
});

type Bounds = { readonly perScope: number; readonly total: number };

/** One bound at a time: an account at its own bound when the whole turns keeps less than half. */
const BOUNDS: readonly (readonly [what: string, bounds: Bounds, waitMaxMs: number])[] = [
  ['of an account', { perScope: 8, total: 10_000 }, 999],
  ['of the venue', { perScope: 10_000, total: 20 }, DAY_MS],
];

describe('whatever comes', () => {
  for (const [what, bounds, waitMaxMs] of BOUNDS) {
    test(`the newest ids ${what} are taken for a day, old ones free, the table bounded`, () => {
      fc.assert(
        fc.property(fc.array(USE, { maxLength: 80 }), (uses) => {
          const table = new UsedIdsTable(bounds);
          const holders = new Map<number, UsedIds>();
          const kept: { who: number; id: string; timeMs: number }[] = [];
          let timeMs = DAY_MS * 100;
          for (const { who, id, waitMs } of uses) {
            timeMs += Math.min(waitMs, waitMaxMs);
            const ids = holders.get(who) ?? new UsedIds(accountId(who), 'spot');
            holders.set(who, ids);
            table.keep(ids, id, timeMs);
            kept.push({ who, id, timeMs });
            checkTaken(bounds, holders, kept, timeMs);
            let count = 0;
            for (const [, , list] of table.entries()) count += list.size;
            assert.ok(count <= bounds.total, `${count} ids are kept`);
            assert.deepEqual(rowsOf(copyOf(bounds, table)), rowsOf(table));
          }
        }),
      );
    });
  }
});

type Kept = { readonly who: number; readonly id: string; readonly timeMs: number };

function checkTaken(
  bounds: Bounds,
  holders: Map<number, UsedIds>,
  kept: readonly Kept[],
  nowMs: number,
): void {
  for (const [who, ids] of holders) {
    const own = kept.filter((use) => use.who === who);
    for (const id of new Set(own.map((use) => use.id))) {
      const last = own.findLast((use) => use.id === id);
      assert.ok(last !== undefined);
      const isTaken = ids.isTaken(id, nowMs);
      if (nowMs >= last.timeMs + DAY_MS) assert.ok(!isTaken, `${id} is free again`);
      const isAmongOwn = own.slice(-bounds.perScope / 2).includes(last);
      const isAmongAll = kept.slice(-bounds.total / 2).includes(last);
      if (nowMs < last.timeMs + DAY_MS && isAmongOwn && isAmongAll) {
        assert.ok(isTaken, `${id} of ${who} is taken`);
      }
    }
  }
}

function rowsOf(table: UsedIdsTable): unknown {
  const rows = [...table.entries()].map(([generation, { accountId, scope }, ids]) => {
    return [generation, accountId, scope, ids.entries()];
  });
  return [table.startMs, table.keptCount, rows];
}

/** What restoring a dump does. */
function copyOf(bounds: Bounds, table: UsedIdsTable): UsedIdsTable {
  const copy = new UsedIdsTable(bounds);
  copy.startMs = table.startMs;
  copy.keptCount = table.keptCount;
  const holders = new Map<string, UsedIds>();
  for (const [generation, { accountId, scope }, ids] of table.entries()) {
    const holder = holderOf(holders, accountId, scope);
    for (const [mark, freeMs] of ids.entries()) copy.add(generation, holder, mark, freeMs);
  }
  return copy;
}

function holderOf(holders: Map<string, UsedIds>, who: AccountId, scope: IdScope): UsedIds {
  const name = `${who} ${scope}`;
  const holder = holders.get(name) ?? new UsedIds(who, scope);
  holders.set(name, holder);
  return holder;
}
