/**
 * Pages of fills and bills of one millisecond, and of orders with many fills: what a client walks
 * by what its contract gives it is all there is.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS } from '#dialects';
import { LIMITS, lots, ticks } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { CurrentDesk, SYMBOL } from '../support/current-desk.ts';
import type { Trader } from '../support/house.ts';
import { contractOrder, spotOrder } from '../support/orders.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { SwapDesk } from '../support/swap-desk.ts';

interface Row {
  /** Numbers as the text that they are. */
  readonly [name: string]: string;
}

const swap = closedAtEnd(await SwapDesk.open());
const { house } = swap;
const spot = new SpotDesk(house);
const current = new CurrentDesk(house);

const PAIR = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair').instrumentId;
const PRICE = ticks(3_000_000);
/** Lots of a fill. */
const PIECE = 2;
/** Orders that wait for the venue together: an account may have so many. */
const AT_ONCE = 500;

async function piece({ accountId }: Trader, side: 'buy' | 'sell'): Promise<void> {
  const terms = { accountId, instrumentId: PAIR, priceTicks: PRICE, sizeLots: lots(PIECE) };
  await house.run(spotOrder({ ...terms, side }));
}

/** As clients place it; gives its id. */
function whole(who: Trader, side: 'buy' | 'sell', pieces: number): Promise<string> {
  return spot.order(who, side, '30000', String((pieces * PIECE) / 10_000));
}

/** A resting order that is met by one order after the other. */
async function takenSingly(maker: Trader, taker: Trader, count: number): Promise<string> {
  const resting = await whole(maker, 'sell', count);
  for (let taken = 0; taken < count; taken += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - taken);
    await Promise.all(Array.from({ length: some }, () => piece(taker, 'buy')));
  }
  return resting;
}

/** An order that meets so many others at once. */
async function takesMany(taker: Trader, maker: Trader, count: number): Promise<string> {
  for (let made = 0; made < count; made += 1) await piece(maker, 'sell');
  return whole(taker, 'buy', count);
}

let names = 0;

function rich(): Promise<Trader> {
  names += 1;
  return house.trader(`rich${names}`, { USDT: '10000000', BTC: '100' });
}

/** Every page, each bounded by the order of the last row before it. */
async function walkedByOrder(who: Trader, bound: 'after' | 'before', limit: number) {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1)?.orderId ?? (bound === 'before' ? '1' : undefined);
    const asked = { symbol: SYMBOL, [bound]: last, limit };
    const page = await spot.data<Row[]>(who, 'fills', asked);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

test('fills walked by order ids are all there, whatever the orders hold', async () => {
  const [ann, bob] = [await rich(), await rich()];
  await takenSingly(ann, bob, 700);
  await takenSingly(ann, bob, 1);
  await takenSingly(ann, bob, 1);
  for (const limit of [1, 7, 100]) {
    for (const bound of ['after', 'before'] as const) {
      const rows = await walkedByOrder(ann, bound, limit);
      assert.equal(rows.length, 702, `${bound}, ${limit} a page`);
      assert.equal(new Set(rows.map(({ fillId }) => fillId)).size, 702);
    }
  }
});

test('the fills of one order are one page, whatever its limit', async () => {
  const [ann, bob] = [await rich(), await rich()];
  const resting = await takenSingly(ann, bob, 700);
  const rows = await spot.data<Row[]>(ann, 'fills', {
    symbol: SYMBOL,
    orderId: resting,
    limit: 10,
  });
  assert.equal(rows.length, 700);
});

/** Every page, each up to the time of the last row before it. */
async function walkedByTime(
  time: 'time' | 'cTime',
  next: (upToMs: number | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await next(last === undefined ? undefined : Number(last[time]) - 1);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

test('own trades and bills of one millisecond are all there', async () => {
  const [ann, bob] = [await rich(), await rich()];
  await takenSingly(ann, bob, 150);
  const symbol = SYMBOL;
  const { myTrades, bills } = CURRENT_SPOT_ENDPOINTS;
  for (const limit of [1, 20, 100]) {
    const trades = await walkedByTime('time', (endTime) =>
      current.data(ann, myTrades, { symbol, limit, ...(endTime && { endTime }) }),
    );
    assert.equal(trades.length, 150);
    assert.equal(new Set(trades.map(({ id }) => id)).size, 150);
    const changes = await walkedByTime('cTime', (before) =>
      current.data(ann, bills, { limit, before }),
    );
    assert.equal(changes.length, 302, 'two of each trade and two deposits');
  }
});

test('an order that met 240 others shows all of its fills', async () => {
  const [ann, bob] = [await rich(), await rich()];
  const taken = await takesMany(bob, ann, 240);
  const symbol = SYMBOL;
  const ofOrder = { symbol, orderId: taken };
  const trades = await current.data<Row[]>(bob, CURRENT_SPOT_ENDPOINTS.myTrades, ofOrder);
  assert.equal(trades.length, 240);
  const fills = await spot.data<Row[]>(bob, 'fills', ofOrder);
  assert.equal(fills.length, 240);
});

test('an order of a contract that met 240 others shows all of its fills', async () => {
  const [ann, bob] = await swap.pair();
  const { instrumentId } = swap.contract('cmt_btcusdt');
  const priceTicks = ticks(300_000);
  const terms = { instrumentId, priceTicks };
  for (let made = 0; made < 240; made += 1) {
    const sizeLots = lots(1);
    const { accountId } = ann;
    await house.run(contractOrder({ ...terms, accountId, action: 'open_short', sizeLots }));
  }
  const { accountId } = bob;
  await house.run(contractOrder({ ...terms, accountId, action: 'open_long', sizeLots: lots(240) }));
  const { userTrades } = CURRENT_CONTRACT_ENDPOINTS;
  const trades = await current.data<Row[]>(bob, userTrades, { symbol: SYMBOL });
  assert.equal(trades.length, 240);
  const [first] = trades;
  const ofOrder = { orderId: first?.orderId, limit: 10 };
  assert.equal((await current.data<Row[]>(bob, userTrades, ofOrder)).length, 240);
  const ofMaker = await walkedByTime('time', (endTime) =>
    current.data(ann, userTrades, { limit: 100, ...(endTime && { endTime }) }),
  );
  assert.equal(ofMaker.length, 240);
});

test('what lies beyond the longest page follows by the id of its last row', async () => {
  const [ann, bob] = [await rich(), await rich()];
  const pieces = LIMITS.pageOverrunMax + 250;
  const orderId = await takenSingly(ann, bob, pieces);
  const symbol = SYMBOL;
  const { myTrades, bills } = CURRENT_SPOT_ENDPOINTS;
  const limit = 100;
  const ways: readonly (readonly [
    id: string,
    rows: number,
    page: (id?: string) => Promise<Row[]>,
  ])[] = [
    [
      'fillId',
      pieces,
      (after) => spot.data<Row[]>(ann, 'fills', { symbol, orderId, after, limit }),
    ],
    [
      'id',
      pieces,
      (beforeId = '') => current.data(ann, myTrades, { symbol, orderId, beforeId, limit }),
    ],
    ['id', pieces, (beforeId = '') => current.data(ann, myTrades, { symbol, beforeId, limit })],
    ['billId', 2 * pieces + 2, (beforeId) => current.data(ann, bills, { beforeId, limit })],
  ];
  for (const [id, count, page] of ways) {
    const rows = await page();
    assert.equal(rows.length, limit + LIMITS.pageOverrunMax);
    while (rows.length < count) {
      const more = await page(rows.at(-1)?.[id]);
      assert.ok(more.length > 0);
      rows.push(...more);
    }
    assert.equal(new Set(rows.map((row) => row[id])).size, count);
  }
});
