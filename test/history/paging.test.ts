/** Which rows a page shows, and in which order. Ids are written as places: 1 is the oldest row. */
import assert from 'node:assert/strict';
import { type AccountId, LIMITS } from '#domain';
import type { Fill, HistoryReader } from '#history';
import type { IdPage } from '#history/testing';
import { present } from '#kernel';
import { acceptedId, BTCUSDT, ETHUSDT } from '../support/floor.ts';
import { historyTest } from './contract.ts';
import { CONTRACT, ETHBTC, HistoryFloor } from './floor.ts';
import { naiveBills } from './naive.ts';

interface PageCase {
  readonly name: string;
  readonly after?: number;
  readonly before?: number;
  readonly limit: number;
  readonly shows: readonly number[];
}

const PAGES: readonly PageCase[] = [
  { name: 'no bound: the newest, descending', limit: 3, shows: [6, 5, 4] },
  { name: 'after 4: below it, descending', after: 4, limit: 2, shows: [3, 2] },
  { name: 'after the oldest: nothing', after: 1, limit: 5, shows: [] },
  { name: 'before 2: above it, ascending', before: 2, limit: 3, shows: [3, 4, 5] },
  { name: 'before the newest: nothing', before: 6, limit: 5, shows: [] },
  { name: 'both: strictly between, descending', after: 5, before: 2, limit: 9, shows: [4, 3] },
  { name: 'both, more than fit: the newest', after: 6, before: 1, limit: 2, shows: [5, 4] },
  { name: 'both, the wrong way round: nothing', after: 2, before: 5, limit: 9, shows: [] },
  { name: 'a limit above what there is', limit: 500, shows: [6, 5, 4, 3, 2, 1] },
];

type Page = (page: IdPage) => Promise<number[]>;

/** Runs every case against a list whose six row ids the first full page tells. */
async function checkPages(list: string, page: Page): Promise<void> {
  const ids = (await page({ limit: 500 })).toReversed();
  assert.equal(ids.length, 6, list);
  const id = (place: number | undefined) =>
    place === undefined ? undefined : present(ids[place - 1], 'row');
  for (const { name, after, before, limit, shows } of PAGES) {
    const found = await page({ afterId: id(after), beforeId: id(before), limit });
    assert.deepEqual(
      found.map((one) => ids.indexOf(one) + 1),
      shows,
      `${list}: ${name}`,
    );
  }
}

historyTest('orders page by order id, over one pair or all', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (let place = 0; place < 3; place += 1) {
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', 100, 1)));
    venue.cancel(bob, acceptedId(venue.limit(bob, 'buy', 100, 1)));
    const instrument = ETHUSDT;
    venue.cancel(ann, acceptedId(venue.limit(ann, 'buy', 100, 1, { instrument })), instrument);
  }
  for (let place = 0; place < 3; place += 1)
    venue.cancel(bob, acceptedId(venue.limit(bob, 'buy', 100, 1)));
  const reader = await readerOf(venue);
  await checkPages('all pairs', (page) => orderIds(reader, { accountId: ann, ...page }));
  const one = { accountId: bob, instrumentId: BTCUSDT };
  await checkPages('one pair', (page) => orderIds(reader, { ...one, ...page }));
  const other = { accountId: ann, instrumentId: ETHUSDT, limit: 500 };
  assert.equal((await orderIds(reader, other)).length, 3);
});

async function orderIds(reader: HistoryReader, query: Parameters<HistoryReader['orders']>[0]) {
  return (await reader.orders(query)).map((order) => order.orderId);
}

historyTest('fills page by order id, one order after the other', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const takers = [1, 2, 3, 4, 5, 6].map(() => {
    venue.limit(bob, 'sell', 100, 1);
    return acceptedId(venue.limit(ann, 'buy', 100, 1));
  });
  venue.spotTrade(bob, ann, 'buy', { instrument: ETHUSDT });
  const reader = await readerOf(venue);
  const pair = { accountId: ann, instrumentId: BTCUSDT };
  const ids = async (query: Parameters<HistoryReader['fills']>[0]) =>
    (await reader.fills(query)).map((fill) => fill.orderId);
  await checkPages('a pair', (page) => ids({ ...pair, ...page }));
  // Ids that are no order's, and no fill's, stand where they stand.
  const third = present(takers[2], 'order');
  assert.equal((await ids({ ...pair, afterId: third - 1, limit: 9 })).length, 2);
  assert.equal((await ids({ ...pair, beforeId: third - 1, limit: 9 })).length, 4);
  assert.equal((await ids({ ...pair, afterId: Number.MAX_SAFE_INTEGER, limit: 9 })).length, 6);
  assert.equal((await ids({ ...pair, afterId: -1, limit: 9 })).length, 0);
  assert.equal((await ids({ ...pair, beforeId: -1, limit: 9 })).length, 6);
  // The order of one account and pair says nothing to another.
  const orderId = third;
  assert.deepEqual(await ids({ ...pair, orderId, limit: 9 }), [third]);
  assert.deepEqual(await ids({ ...pair, accountId: bob, orderId, limit: 9 }), []);
  assert.deepEqual(await ids({ ...pair, instrumentId: ETHUSDT, orderId, limit: 9 }), []);
});

historyTest('the fills of one order are on one page, and go on by fill id', async (stage) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const orderId = acceptedId(venue.limit(ann, 'sell', 100, 6));
  for (let place = 0; place < 6; place += 1) venue.limit(bob, 'buy', 100, 1);
  const reader = await stage.readerOf(venue);
  const order = { accountId: ann, instrumentId: BTCUSDT, orderId };
  const ids = async (page: IdPage) =>
    (await reader.fills({ ...order, ...page })).map((fill) => fill.fillId);
  const all = await ids({ limit: 1 });
  assert.equal(all.length, 6);
  assert.deepEqual(await ids({ afterId: all[2], limit: 1 }), all.slice(3));
  assert.deepEqual(await ids({ beforeId: all[2], limit: 1 }), all.slice(0, 2).toReversed());
  assert.deepEqual(await ids({ afterId: all[0], beforeId: all[3], limit: 9 }), all.slice(1, 3));
  // As order ids: nothing of this order lies before or behind itself.
  assert.deepEqual(await reader.fills({ ...order, afterId: orderId, limit: 9 }), []);
  assert.equal((await reader.fills({ ...order, afterId: orderId + 1, limit: 9 })).length, 6);
  assert.equal((await reader.fills({ ...order, beforeId: orderId - 1, limit: 9 })).length, 6);
});

type Walk = 'orderId' | 'fillId';

/** All fills of an account in a pair, page by page, each bounded by the last row before it. */
async function walked(
  reader: HistoryReader,
  account: AccountId,
  by: Walk,
  bound: 'afterId' | 'beforeId',
  limit: number,
): Promise<Fill[]> {
  const found: Fill[] = [];
  for (let pages = 0; pages < 2_000; pages += 1) {
    const last = found.at(-1)?.[by] ?? (bound === 'beforeId' ? 0 : undefined);
    const query = { accountId: account, instrumentId: BTCUSDT, [bound]: last, limit };
    const page = await reader.fills(query);
    if (page.length === 0) return found;
    found.push(...page);
  }
  return assert.fail('the walk does not end');
}

historyTest(
  'a walk by order or by fill ids meets every fill once, whoever made it',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    // A resting order of three fills, and another order in between.
    venue.limit(ann, 'sell', 102, 3);
    venue.limit(bob, 'buy', 102, 1);
    venue.limit(bob, 'sell', 101, 1);
    venue.limit(ann, 'buy', 101, 1);
    venue.limit(bob, 'buy', 102, 1);
    venue.limit(bob, 'buy', 102, 1);
    const reader = await readerOf(venue);
    const all = await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit: 500 });
    assert.equal(all.length, 4);
    for (const by of ['orderId', 'fillId'] as const) {
      for (const limit of [1, 2, 3, 4]) {
        assert.deepEqual(await walked(reader, ann, by, 'afterId', limit), all, `${by} ${limit}`);
        const rising = await walked(reader, ann, by, 'beforeId', limit);
        assert.deepEqual(rising.toReversed(), all, `${by} ${limit}`);
      }
    }
  },
);

historyTest(
  'a walk by order ids meets both sides of a trade with oneself',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const ann = venue.open('ann');
    for (let place = 0; place < 3; place += 1) venue.spotTrade(ann, ann, 'buy');
    const reader = await readerOf(venue);
    const all = await reader.fills({ accountId: ann, instrumentId: BTCUSDT, limit: 500 });
    assert.equal(all.length, 6);
    for (const limit of [1, 2, 5]) {
      assert.deepEqual(await walked(reader, ann, 'orderId', 'afterId', limit), all);
      const rising = await walked(reader, ann, 'orderId', 'beforeId', limit);
      assert.deepEqual(rising.toReversed(), all);
    }
  },
);

historyTest(
  'an order with more fills than a page holds goes on by the id of the last fill',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    const pieces = 2 * LIMITS.pageOverrunMax + 10;
    // Every tenth piece is bought by its seller.
    const orderId = acceptedId(venue.limit(ann, 'sell', 100, pieces));
    for (let piece = 0; piece < pieces; piece += 1) {
      venue.limit(piece % 10 === 0 ? ann : bob, 'buy', 100, 1);
    }
    const reader = await readerOf(venue);
    const pair = { accountId: ann, instrumentId: BTCUSDT };
    for (const bound of ['afterId', 'beforeId'] as const) {
      const of = { ...pair, orderId, limit: 10, [bound]: bound === 'afterId' ? undefined : 0 };
      const found = await reader.fills(of);
      assert.equal(found.length, 10 + LIMITS.pageOverrunMax);
      found.push(...(await reader.fills({ ...of, [bound]: found.at(-1)?.fillId, limit: 10 })));
      assert.equal(found.length, pieces);
      assert.equal(new Set(found.map(({ fillId }) => fillId)).size, pieces);
    }
    // Of all orders: the newest ones and so much of the oldest.
    const newest = await reader.fills({ ...pair, limit: 500 });
    assert.equal(newest.at(-1)?.orderId, orderId);
    assert.equal(newest.length, 500 + LIMITS.pageOverrunMax);
  },
);

historyTest('bills page by bill id, whatever the filter', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  const accountId = ann;
  for (let place = 0; place < 3; place += 1) {
    venue.spotTrade(bob, ann, 'buy');
    venue.transfer(ann, 'spot', CONTRACT);
    venue.spotTrade(bob, ann, 'sell', { instrument: ETHBTC });
    venue.transfer(ann, CONTRACT, 'spot');
  }
  const reader = await readerOf(venue);
  const spot = { accountId, wallet: 'spot' } as const;
  const bills = (filter: Partial<Parameters<HistoryReader['bills']>[0]>): Page => {
    return async (page) => {
      const found = await reader.bills({ ...spot, ...filter, ...page });
      return found.map((bill) => bill.billId);
    };
  };
  await checkPages('buys', bills({ biz: 'buy' }));
  await checkPages('sells', bills({ biz: 'sell' }));
  await checkPages('transfers', bills({ group: 'transfer' }));
  await checkPages('the margin wallet', bills({ wallet: CONTRACT }));
  // BTC is base of one pair and quote of the other: three buys and three sells.
  await checkPages('a coin on both sides', bills({ assetId: 1 as never, group: 'transaction' }));
  const contradiction = bills({ biz: 'buy', group: 'deposit' });
  assert.deepEqual(await contradiction({ limit: 500 }), []);
});

historyTest(
  'bills page through more quote coins than one statement joins',
  async ({ readerOf }) => {
    const venue = new HistoryFloor();
    const quotes = Array.from({ length: 40 }, (_, index) => `Q${index}`);
    const pairs = quotes.map((code) => venue.listQuote(code));
    const [ann, bob] = [venue.open('ann'), venue.open('bob')];
    for (const instrument of pairs.toReversed()) venue.spotTrade(bob, ann, 'buy', { instrument });
    const expected = naiveBills(venue).filter(
      (bill) => bill.accountId === ann && bill.biz === 'buy',
    );
    assert.equal(expected.length, 80);
    const reader = await readerOf(venue);
    const query = { accountId: ann, wallet: 'spot', group: 'transaction' } as const;
    assert.deepEqual(await reader.bills({ ...query, limit: 80 }), expected.toReversed());
    assert.deepEqual(await reader.bills({ ...query, beforeId: 0, limit: 7 }), expected.slice(0, 7));
  },
);

/** On every second one an id that a client chose can be chosen again. */
const DAY_MS = 86_400_000;

historyTest('transfers page by time, open at both ends', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const ann = venue.open('ann');
  const startMs = venue.timeMs;
  for (let day = 1; day <= 6; day += 1) {
    venue.timeMs = startMs + day * DAY_MS;
    venue.transfer(ann, 'spot', CONTRACT, day % 2 === 0 ? 'even' : '');
  }
  venue.timeMs = startMs + 10 * DAY_MS;
  venue.transfer(ann, CONTRACT, 'spot', 'even');
  const reader = await readerOf(venue);
  const days = async (query: object, limit = 9) => {
    const found = await reader.transfers({ accountId: ann, limit, ...query });
    return found.map((row) => (row.timeMs - startMs) / DAY_MS);
  };
  const at = (day: number) => startMs + day * DAY_MS;
  assert.deepEqual(await days({}, 3), [10, 6, 5]);
  assert.deepEqual(await days({ afterTimeMs: at(5) }, 2), [4, 3]);
  assert.deepEqual(await days({ beforeTimeMs: at(4) }, 2), [5, 6]);
  assert.deepEqual(await days({ afterTimeMs: at(5), beforeTimeMs: at(2) }), [4, 3]);
  assert.deepEqual(await days({ fromType: 'contract' }), [10]);
  assert.deepEqual(await days({ fromType: 'spot' }, 2), [6, 5]);
  assert.deepEqual(await days({ assetId: 0, fromType: 'spot' }, 2), [6, 5]);
  assert.deepEqual(await days({ assetId: 1 }), []);
  assert.deepEqual(await days({ clientOid: 'even' }), [10, 6, 4, 2]);
  assert.deepEqual(await days({ clientOid: 'even', fromType: 'spot' }), [6, 4, 2]);
  assert.deepEqual(await days({ clientOid: 'even', assetId: 1 }), []);
  assert.deepEqual(await days({ clientOid: '' }), []);
});

const MILLISECOND = { whole: 'millisecond' } as const;

historyTest('transfers page before an id, wherever a page ends', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const ann = venue.open('ann');
  for (const count of [2, 5, 1]) {
    venue.timeMs += 1;
    for (let moved = 0; moved < count; moved += 1) venue.transfer(ann, 'spot', CONTRACT);
  }
  const reader = await readerOf(venue);
  const all = await reader.transfers({ accountId: ann, limit: 9 });
  assert.equal(all.length, 8);
  for (const limit of [1, 3, 8]) {
    const seen: unknown[] = [];
    for (let before: number | undefined; ; ) {
      const page = await reader.transfers({ accountId: ann, before, limit });
      assert.ok(page.length <= limit);
      if (page.length === 0) break;
      seen.push(...page);
      before = page.at(-1)?.transferId;
    }
    assert.deepEqual(seen, all, `pages of ${limit}`);
  }
  assert.deepEqual(await reader.transfers({ accountId: ann, before: 1, limit: 9 }), []);
});

historyTest('bills of one pair, whatever their coin', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const [ann, bob] = [venue.open('ann'), venue.open('bob')];
  for (const side of ['buy', 'sell', 'buy'] as const) {
    venue.spotTrade(ann, bob, side);
    venue.spotTrade(ann, bob, side, { instrument: ETHUSDT });
  }
  const reader = await readerOf(venue);
  const all = naiveBills(venue)
    .filter(({ accountId, traded }) => accountId === ann && traded?.instrumentId === BTCUSDT)
    .toReversed();
  assert.equal(all.length, 6);
  const query = { accountId: ann, wallet: 'spot', instrumentId: BTCUSDT, limit: 9 } as const;
  assert.deepEqual(await reader.bills(query), all);
  assert.deepEqual(await reader.bills({ ...query, limit: 2 }), all.slice(0, 2));
  for (const coin of new Set(all.map(({ assetId }) => assetId))) {
    const ofCoin = all.filter(({ assetId }) => assetId === coin);
    assert.deepEqual(await reader.bills({ ...query, assetId: coin }), ofCoin);
    const given = ofCoin.filter(({ delta }) => delta < 0n);
    const asked = { ...query, assetId: coin, tradeSide: 'given' } as const;
    assert.deepEqual(await reader.bills(asked), given);
  }
  const buys = all.filter(({ biz }) => biz === 'buy');
  assert.deepEqual(await reader.bills({ ...query, biz: 'buy' }), buys);
  assert.deepEqual(await reader.bills({ ...query, group: 'transfer' }), []);
});

historyTest('transfers of one millisecond stay on one page', async ({ readerOf }) => {
  const venue = new HistoryFloor();
  const ann = venue.open('ann');
  for (const count of [1, 4, 2]) {
    venue.timeMs += 1;
    for (let moved = 0; moved < count; moved += 1) venue.transfer(ann, 'spot', CONTRACT);
  }
  const reader = await readerOf(venue);
  for (const limit of [1, 2, 3, 4, 5]) {
    const seen: number[] = [];
    let afterTimeMs: number | undefined;
    for (;;) {
      const page = await reader.transfers({ ...MILLISECOND, accountId: ann, afterTimeMs, limit });
      if (page.length === 0) break;
      seen.push(...page.map((row) => row.transferId));
      afterTimeMs = page.at(-1)?.timeMs;
    }
    assert.equal(new Set(seen).size, 7, `pages of ${limit}`);
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => other - one),
    );
  }
});
