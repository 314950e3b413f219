/** Random venues: what the history tells adds up, and equals plain recomputation from the steps. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AccountId, PERIODS, type Side, tradeId, type Wallet } from '#domain';
import type { Bill, Fill, History, HistoryReader } from '#history';
import { present } from '#kernel';
import { side } from '../support/arbitraries.ts';
import { VENUE_ID } from '../support/history-files.ts';
import { historyTest } from './contract.ts';
import { BTC, CONTRACT, ETH, HistoryFloor, PAIRS, USDT } from './floor.ts';
import { naiveBills, naiveCandles } from './naive.ts';

const MINUTE_MS = 60_000;

type Act =
  | { kind: 'order'; who: number; side: Side; pair: number; price: number; size: number }
  | { kind: 'market_buy'; who: number; budget: number }
  | { kind: 'move'; who: number; out: boolean }
  | { kind: 'wait'; waitMs: number }
  | { kind: 'prepare' }
  | { kind: 'project' }
  | { kind: 'reopen' };

const who = fc.integer({ min: 0, max: 2 });
const ORDER = fc.record({
  kind: fc.constant('order' as const),
  who,
  side: side,
  pair: fc.integer({ min: 0, max: PAIRS.length - 1 }),
  price: fc.integer({ min: 95, max: 105 }),
  size: fc.integer({ min: 1, max: 50 }),
});
const MARKET_BUY = fc.record({
  kind: fc.constant('market_buy' as const),
  who,
  budget: fc.integer({ min: 1_000_000, max: 5_000_000 }),
});
const MOVE = fc.record({ kind: fc.constant('move' as const), who, out: fc.boolean() });
const WAIT = fc.record({
  kind: fc.constant('wait' as const),
  waitMs: fc.constantFrom(1, 700, MINUTE_MS, 3_600_000, 86_400_000, 3_000_000_000),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: ORDER },
  { weight: 1, arbitrary: MARKET_BUY },
  { weight: 2, arbitrary: MOVE },
  { weight: 3, arbitrary: WAIT },
  { weight: 2, arbitrary: fc.constant<Act>({ kind: 'prepare' }) },
  { weight: 2, arbitrary: fc.constant<Act>({ kind: 'project' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'reopen' }) },
);

interface Played {
  readonly venue: HistoryFloor;
  readonly accounts: readonly AccountId[];
  readonly reader: HistoryReader;
}

/** Plays the acts on an engine, projecting in whatever batches and restarts they ask for. */
async function play(history: History, acts: readonly Act[]): Promise<Played> {
  const venue = new HistoryFloor();
  const accounts = ['ann', 'bob', 'cay'].map((name) => venue.open(name));
  let writer = await history.openWriter(VENUE_ID);
  for (const one of acts) {
    // What was projected before is passed over.
    if (one.kind === 'project') await writer.project(venue.steps);
    else if (one.kind === 'prepare') await writer.prepare(venue.steps);
    else if (one.kind === 'wait') venue.timeMs += one.waitMs;
    else if (one.kind === 'reopen') {
      await writer.close();
      writer = await history.openWriter(VENUE_ID);
    } else perform(venue, present(accounts[one.who], 'account'), one);
  }
  await writer.project(venue.since(writer.projectedSeq));
  await writer.close();
  return { venue, accounts, reader: await history.openReader() };
}

function perform(
  venue: HistoryFloor,
  account: AccountId,
  one: Extract<Act, { who: number }>,
): void {
  if (one.kind === 'order') {
    const instrument = present(PAIRS[one.pair], 'pair');
    venue.limit(account, one.side, one.price, one.size, { instrument });
  } else if (one.kind === 'market_buy') {
    venue.market(account, 'buy', BigInt(one.budget));
  } else {
    const [from, to]: Wallet[] = one.out ? ['spot', CONTRACT] : [CONTRACT, 'spot'];
    venue.run({
      kind: 'transfer',
      accountId: account,
      assetId: USDT,
      amount: 1_000n,
      from: present(from, 'wallet'),
      to: present(to, 'wallet'),
      clientOid: undefined,
    });
  }
}

async function withPlayed(
  history: History,
  acts: readonly Act[],
  check: (played: Played) => Promise<void>,
): Promise<void> {
  const played = await play(history, acts);
  try {
    await check(played);
  } finally {
    await played.reader.close();
  }
}

const acts = fc.array(act, { minLength: 20, maxLength: 120 });
const limit = 500;

historyTest(
  'bills equal the events they came from and add up to the balance',
  async ({ newHistory, runs }) => {
    const run = fc.asyncProperty(acts, (some) =>
      withPlayed(newHistory(), some, async ({ venue, accounts, reader }) => {
        const all = naiveBills(venue);
        for (const accountId of accounts) {
          for (const wallet of ['spot', CONTRACT] as const) {
            const bills = await reader.bills({ accountId, wallet, beforeId: 0, limit });
            const expected = all.filter(
              (bill) => bill.accountId === accountId && bill.wallet === wallet,
            );
            assert.deepEqual(bills, expected.slice(0, limit));
            if (expected.length <= limit) addsUp(venue, accountId, wallet, bills);
          }
        }
      }),
    );
    await fc.assert(run, { numRuns: runs(20) });
  },
);

/** Each bill begins where the one before it of the same coin ended; the last is the balance. */
function addsUp(
  venue: HistoryFloor,
  account: AccountId,
  wallet: Wallet,
  bills: readonly Bill[],
): void {
  for (const asset of [USDT, BTC, ETH]) {
    let balance = 0n;
    for (const bill of bills.filter(({ assetId }) => assetId === asset)) {
      assert.equal(bill.balanceBefore, balance, `bill ${bill.billId}`);
      balance += bill.delta - bill.fee;
    }
    assert.equal(balance, venue.inWallet(account, wallet, asset));
  }
}

historyTest(
  'every filter of bills, paged in any size, is that part of all bills',
  async ({ newHistory, runs }) => {
    const filter = fc.record({
      assetId: fc.constantFrom(undefined, USDT, BTC, ETH),
      group: fc.constantFrom(undefined, 'deposit', 'transfer', 'transaction'),
      biz: fc.constantFrom(undefined, 'buy', 'sell', 'transfer_in', 'deposit'),
    });
    const run = fc.asyncProperty(
      acts,
      fc.array(fc.tuple(filter, fc.integer({ min: 1, max: 9 })), { minLength: 4, maxLength: 4 }),
      (some, queries) =>
        withPlayed(newHistory(), some, async ({ venue, accounts: [account], reader }) => {
          const accountId = present(account, 'account');
          for (const [asked, size] of queries) {
            const expected = naiveBills(venue).filter(
              (bill) =>
                bill.accountId === accountId &&
                bill.wallet === 'spot' &&
                (asked.assetId ?? bill.assetId) === bill.assetId &&
                (asked.group ?? bill.group) === bill.group &&
                (asked.biz ?? bill.biz) === bill.biz,
            );
            const query = { accountId, wallet: 'spot', ...asked, limit: size } as const;
            const down = await paged((afterId) => reader.bills({ ...query, afterId }));
            assert.deepEqual(down, expected.toReversed());
            const up = await paged((beforeId = 0) => reader.bills({ ...query, beforeId }));
            assert.deepEqual(up, expected);
            const whole = 'millisecond';
            const byTime = await walked<Bill>((last) =>
              reader.bills({ ...query, whole, toMs: last && last.timeMs - 1 }),
            );
            assert.deepEqual(byTime, expected.toReversed());
          }
        }),
    );
    await fc.assert(run, { numRuns: runs(20) });
  },
);

/** All pages, one after the other, each asked for from where the last one ended. */
async function walked<Row>(next: (last: Row | undefined) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await next(all.at(-1));
    if (page.length === 0) return all;
    all.push(...page);
  }
}

function paged(next: (from: number | undefined) => Promise<Bill[]>): Promise<Bill[]> {
  return walked((last) => next(last?.billId));
}

const shown = (fill: Fill): string => `${fill.fillId} ${fill.role} ${fill.orderId}`;

historyTest(
  'fills, paged in any size, show both sides of every trade once',
  async ({ newHistory, runs }) => {
    const run = fc.asyncProperty(acts, fc.integer({ min: 1, max: 5 }), (some, size) =>
      withPlayed(newHistory(), some, async ({ venue, accounts, reader }) => {
        const seen: string[] = [];
        for (const accountId of accounts) {
          for (const instrumentId of PAIRS) {
            const query = { accountId, instrumentId, limit: size };
            const down = await walked<Fill>((last) =>
              reader.fills({ ...query, afterId: last?.orderId }),
            );
            const up = await walked<Fill>((last) =>
              reader.fills({ ...query, beforeId: last?.orderId ?? 0 }),
            );
            assert.deepEqual(up, down.toReversed());
            const byId = await walked<Fill>((last) =>
              reader.newestFills({ ...query, before: last?.fillId }),
            );
            const byTime = await walked<Fill>((last) =>
              reader.newestFills({ ...query, whole: 'millisecond', toMs: last && last.timeMs - 1 }),
            );
            assert.deepEqual(byTime, byId);
            assert.deepEqual(byId.map(shown).toSorted(), down.map(shown).toSorted());
            seen.push(...down.map(shown));
          }
        }
        const expected = venue.steps
          .flatMap(({ events }) => events)
          .flatMap((event) => {
            if (event.kind !== 'trade') return [];
            const id = tradeId(event.tradeId);
            return [`${id} taker ${event.takerOrderId}`, `${id} maker ${event.makerOrderId}`];
          });
        assert.deepEqual(seen.toSorted(), expected.toSorted());
      }),
    );
    await fc.assert(run, { numRuns: runs(20) });
  },
);

historyTest(
  'candles of every period equal plain recomputation, however they were batched',
  async ({ newHistory, runs }) => {
    const run = fc.asyncProperty(acts, (some) =>
      withPlayed(newHistory(), some, async ({ venue, reader }) => {
        for (const instrumentId of PAIRS) {
          for (const { period } of PERIODS) {
            const window = { instrumentId, period, fromMs: 0, toMs: venue.timeMs };
            const candles = await reader.candles({ ...window, limit: 1_000, keep: 'oldest' });
            assert.deepEqual(candles, naiveCandles(venue, instrumentId, period));
          }
        }
      }),
    );
    await fc.assert(run, { numRuns: runs(20) });
  },
);
