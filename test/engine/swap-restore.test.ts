/** A state read back from its dump is the state: what a dump must carry, and in which order. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, assetId, type Command, instrumentId } from '#domain';
import { Engine } from '#engine';
import {
  CONTRACT_ORDER_FIELDS,
  MARKET_FIELDS,
  type MarginAccount,
  POSITION_FIELDS,
  restore,
  type State,
  TRIGGER_FIELDS,
} from '#engine/testing';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';

const LATER = 'LATER-USDT-PERP';

/** Runs commands on an engine restored from a dump taken now, and on the venue itself. */
function goOn(venue: Floor, commands: readonly Command[]): Engine {
  const copy = Engine.restore(venue.engine.dump());
  for (const command of commands) {
    venue.run(command);
    const { timeMs } = present(venue.commands.at(-1), 'command');
    assert.deepEqual(copy.apply(command, timeMs), venue.steps.at(-1));
  }
  return copy;
}

test('the wallets of an account have one order, whichever was looked at first', () => {
  const venue = Floor.ofContract();
  venue.run({ kind: 'list_contract', spec: { ...LINEAR, symbol: LATER } });
  const later = present(venue.engine.listings.contract(LATER), LATER);
  const ann = { accountId: venue.open('ann', '0'), assetId: later.margin.assetId };
  // Refused, and so no part of the state; but it has looked for the money.
  const { accountId } = ann;
  const { instrumentId } = later;
  const change = { kind: 'set_leverage', accountId, instrumentId, side: 'both' } as const;
  assert.equal(venue.run({ ...change, leverage: 1_000 })[0]?.kind, 'refused');
  const deposit = { kind: 'deposit', ...ann, amount: 5n } as const;
  const copy = goOn(venue, [
    { ...deposit, wallet: LINEAR.symbol },
    { ...deposit, wallet: LATER },
  ]);
  assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
});

/** Of each class of the state: what a dump tells, and what restoring works out again from it. */
const FIELDS: readonly {
  readonly what: string;
  readonly of: (state: State) => object;
  readonly dumped: readonly string[];
  readonly derived: readonly string[];
}[] = [
  {
    what: 'market',
    of: ({ swaps }) => present(swaps.get(instrumentId(0)), 'contract'),
    dumped: [...MARKET_FIELDS, 'contract', 'reports', 'accounts'],
    // Noted while one liquidation runs: changes.
    derived: ['book', 'holding', 'liquidationIndex', 'waiting', 'band', 'fund', 'noted'],
  },
  {
    what: 'insurance fund',
    of: ({ ledger }) => ledger.totals(assetId(0)).fund,
    dumped: ['held', 'spans'],
    derived: [],
  },
  {
    what: 'margin account',
    of: (state) => marginOf(state),
    dumped: [
      'accountId',
      'account',
      'market',
      'balance',
      'mode',
      'leverages',
      'isSeparated',
      'long',
      'short',
      'realizedPnl',
      'updatedTimeMs',
    ],
    derived: [
      'longUnit',
      'shortUnit',
      'crossUnit',
      'wallet',
      'isWalletShared',
      'isHolder',
      'isMisplaced',
      'openOrdersCount',
      'newestOrder',
      'oldestOrder',
      'triggersCount',
      'tpSlCount',
      'promisedTpSlCount',
      'newestTrigger',
      'oldestTrigger',
    ],
  },
  {
    what: 'position',
    of: (state) => marginOf(state).long,
    dumped: ['side', ...POSITION_FIELDS],
    // The open value is kept as units and a rest.
    derived: ['frozenLots', 'pendingLots', 'units', 'rest'],
  },
  {
    what: 'balance',
    of: (state) => marginOf(state).balance,
    dumped: ['assetId', 'balance', 'locked', 'updatedTimeMs'],
    // The dump says what is held, and what is free follows from it.
    derived: ['free', 'reserve'],
  },
  {
    what: 'order',
    of: ({ contractOrders }) => {
      const { filled, ...order } = present([...contractOrders.values()][0], 'order');
      return { ...order, ...filled };
    },
    dumped: ['margin', ...CONTRACT_ORDER_FIELDS],
    // Only owners' limit orders rest; they lock the leverage; spendsFund is of orders under way.
    derived: [
      ...['cause', 'type', 'side', 'leverage', 'openLots', 'spendsFund'],
      'frozen',
      // Of the last fill, for its event.
      'positionId',
      ...['level', 'before', 'after', 'older', 'newer'],
      // Their plan orders say whose presets they are.
      ...['takeProfit', 'stopLoss'],
      // Of the last fill, for its event.
      ...['walletBalance', 'insured'],
    ],
  },
  {
    what: 'plan order',
    of: ({ triggers }) => present([...triggers.values()][0], 'plan'),
    dumped: ['margin', 'partner', 'parent', ...TRIGGER_FIELDS],
    // Where it waits, or is due, follows from its trigger and from the rows of work.
    derived: ['level', 'before', 'after', 'older', 'newer'],
  },
];

function marginOf({ swaps }: State): MarginAccount {
  const market = present(swaps.get(instrumentId(0)), 'contract');
  return present(market.accounts.get(accountId(1)), 'account of ann');
}

/** What of an object is state: its fields and, of a row, whatever can be written into its words. */
function stateNames(of: object): string[] {
  const names = new Set(Object.keys(of));
  for (const name of ['amounts', 'numbers', 'start']) names.delete(name);
  let kind: object | null = Object.getPrototypeOf(of);
  while (kind !== null && kind !== Object.prototype) {
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(kind))) {
      if (set !== undefined) names.add(name);
    }
    kind = Object.getPrototypeOf(kind);
  }
  return [...names].toSorted();
}

test('every field of contract state is dumped, or worked out again', () => {
  const venue = Floor.ofContract();
  venue.open('ann', '1000');
  refuseNone(venue.order('ann', 'open_long', '28000', 1));
  refuseNone(venue.trigger('ann', 'open_long', '31000', 'market', 1));
  const state = restore(venue.engine.dump());
  for (const { what, of, dumped, derived } of FIELDS) {
    assert.deepEqual(stateNames(of(state)), [...dumped, ...derived].toSorted(), what);
  }
});
