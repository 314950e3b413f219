/**
 * One command meets a bounded number of resting orders, in pairs and in contracts alike; what is
 * left of an order goes on in later ones, as if it had been one.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Event, type Force, LIMITS, type SelfTradePrevention } from '#domain';
import { acceptedId, Floor } from '../support/floor.ts';

const MOST = LIMITS.orderMatchesMax;

/** How an incoming order ended, and how many it traded with. */
interface End {
  readonly reason: string;
  readonly filled: number;
  readonly trades: number;
}

function endOf(events: readonly Event[]): End {
  const [first] = events;
  assert.ok(first?.kind === 'order_accepted' || first?.kind === 'contract_order_accepted');
  const trades = events.filter(({ kind }) => kind === 'trade' || kind === 'contract_trade').length;
  for (const event of events) {
    if (event.kind !== 'order_closed' && event.kind !== 'contract_order_closed') continue;
    const { order, reason } = event;
    if (order.orderId === first.orderId) return { reason, filled: order.filledLots, trades };
  }
  return { reason: 'rests', filled: 0, trades };
}

interface Sweep {
  /** Sells of one lot, this many by others and then, at the same price, by the taker itself. */
  readonly others: number;
  readonly own: number;
  /** Lots that the order asks for; at the market it spends what they cost. */
  readonly size: number;
  readonly force?: Force;
  readonly atMarket?: boolean;
  readonly prevention?: SelfTradePrevention;
}

/** The same sweep of a pair's book and of a contract's. */
const FLOORS: Readonly<Record<string, (sweep: Sweep) => End>> = {
  spot: ({ others, own, size, force, atMarket, prevention }) => {
    const venue = Floor.listed();
    const ann = venue.open('ann', { USDT: '1000000', BTC: '100' });
    const bob = venue.open('bob', { BTC: '100' });
    const changes = { openOrdersMax: 10_000, selfTradePrevention: prevention ?? 'cancel_maker' };
    for (const accountId of [ann, bob]) venue.run({ kind: 'update_account', accountId, changes });
    for (let at = 0; at < others; at += 1) acceptedId(venue.limit(bob, 'sell', '30000', '0.0001'));
    for (let at = 0; at < own; at += 1) acceptedId(venue.limit(ann, 'sell', '30000', '0.0001'));
    const quantity = (size / 10_000).toFixed(4);
    if (atMarket === true) return endOf(venue.market(ann, 'buy', String(size * 3)));
    const end = endOf(
      venue.limit(ann, 'buy', '30000', quantity, force === undefined ? {} : { force }),
    );
    venue.engine.check();
    return end;
  },
  contract: ({ others, own, size, force, atMarket, prevention }) => {
    const venue = Floor.ofContract(undefined, { checks: false });
    venue.open('ann', '1000000', { selfTradePrevention: prevention ?? 'cancel_maker' });
    venue.open('bob', '1000000');
    for (let at = 0; at < others; at += 1) venue.order('bob', 'open_short', '30000', 1);
    for (let at = 0; at < own; at += 1) venue.order('ann', 'open_short', '30000', 1);
    const price = atMarket === true ? 'market' : '30000';
    const end = endOf(
      venue.order('ann', 'open_long', price, size, force === undefined ? {} : { force }),
    );
    venue.engine.check();
    return end;
  },
};

const CASES: readonly (Sweep & { readonly end: End })[] = [
  { others: MOST, own: 0, size: MOST, end: { reason: 'filled', filled: MOST, trades: MOST } },
  {
    others: MOST + 1,
    own: 0,
    size: MOST + 1,
    end: { reason: 'filled', filled: MOST + 1, trades: MOST + 1 },
  },
  {
    others: 4 * MOST,
    own: 0,
    size: 3 * MOST + 3,
    force: 'ioc',
    end: { reason: 'filled', filled: 3 * MOST + 3, trades: 3 * MOST + 3 },
  },
  {
    others: 2 * MOST,
    own: 0,
    size: 3 * MOST,
    force: 'ioc',
    end: { reason: 'remainder_not_filled', filled: 2 * MOST, trades: 2 * MOST },
  },
  // Nothing more is there to take: what is left rests like that of any other order.
  {
    others: 2 * MOST,
    own: 0,
    size: 3 * MOST,
    end: { reason: 'rests', filled: 0, trades: 2 * MOST },
  },
  {
    others: MOST + 1,
    own: 0,
    size: MOST + 1,
    atMarket: true,
    end: { reason: 'filled', filled: MOST + 1, trades: MOST + 1 },
  },
  {
    others: MOST,
    own: 0,
    size: MOST,
    force: 'fok',
    end: { reason: 'filled', filled: MOST, trades: MOST },
  },
  {
    others: MOST + 1,
    own: 0,
    size: MOST + 1,
    force: 'fok',
    end: { reason: 'fok_not_fillable', filled: 0, trades: 0 },
  },
  {
    others: MOST + 1,
    own: 0,
    size: MOST + 1,
    force: 'post_only',
    end: { reason: 'post_only_would_take', filled: 0, trades: 0 },
  },
  // Orders of one's own that are cancelled in the way are no fills, and stop nothing.
  { others: 1, own: 2 * MOST + 5, size: 10, end: { reason: 'rests', filled: 0, trades: 1 } },
  {
    others: 1,
    own: 2 * MOST + 5,
    size: 10,
    prevention: 'cancel_both',
    end: { reason: 'self_trade', filled: 1, trades: 1 },
  },
  {
    others: 10,
    own: MOST,
    size: MOST + 10,
    prevention: 'none',
    force: 'fok',
    end: { reason: 'fok_not_fillable', filled: 0, trades: 0 },
  },
  {
    others: 10,
    own: MOST - 10,
    size: MOST,
    prevention: 'none',
    force: 'fok',
    end: { reason: 'filled', filled: MOST, trades: MOST },
  },
];

for (const [name, floor] of Object.entries(FLOORS)) {
  describe(`a sweep in a ${name} book`, () => {
    for (const { end, ...sweep } of CASES) {
      test(`${JSON.stringify(sweep)}: ${end.reason}`, () => {
        assert.deepEqual(floor(sweep), end);
      });
    }
  });
}
