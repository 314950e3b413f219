/** Contract orders cancelled and read over HTTP: what is whose, in which order, page by page. */
import { strict as assert } from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { REJECTS } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  INVERSE_SYMBOL,
  NO_IDS,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
  SwapDesk,
  SYMBOL,
  UNKNOWN_ID,
} from '../support/swap-desk.ts';

const MS_PER_DAY = 86_400_000;

let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;

async function newTraders(): Promise<void> {
  [alice, bob] = await desk.pair();
}

/** An open and a closed order of alice in another contract. */
async function elsewhere(): Promise<string[]> {
  const open = { ...OPEN_LONG, symbol: INVERSE_SYMBOL };
  return [await desk.place(alice, open), await desk.place(alice, { ...open, order_type: '3' })];
}

interface Cancelled {
  readonly symbol: string;
  readonly result: boolean;
  readonly order_ids: readonly string[];
  readonly fail_infos: readonly Row[];
}

describe('cancelling', () => {
  beforeEach(newTraders);

  test('a cancel answers with both ids, a second one with the reason', async () => {
    const orderId = await desk.place(alice, { ...OPEN_LONG, client_oid: 'once' });
    const done = { symbol: 'cmt_btcusdt', order_id: orderId, client_oid: 'once', result: true };
    const cancelled = await desk.data(alice, 'cancelOrder', { ...SYMBOL, orderId });
    assert.deepEqual(cancelled, { ...done, err_code: null, err_msg: null });
    assert.equal((await desk.detail(alice, orderId)).status, '-1');
    const again = await desk.data(alice, 'cancelOrder', { ...SYMBOL, orderId });
    assert.deepEqual(again, {
      ...done,
      result: false,
      err_code: '40400',
      err_msg: REJECTS.order_state_wrong.meaning,
    });
  });

  test('a filled order is finished too', async () => {
    const orderId = await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    const answer = await desk.data(alice, 'cancelOrder', { ...SYMBOL, orderId });
    assert.partialDeepStrictEqual(answer, { result: false, err_code: '40400' });
  });

  test('an id of nobody, of another or of another contract is unknown', async () => {
    const foreign = await desk.place(bob, OPEN_LONG);
    for (const orderId of [...NO_IDS, foreign, ...(await elsewhere())]) {
      const answer = await desk.data(alice, 'cancelOrder', { ...SYMBOL, orderId });
      assert.deepEqual(answer, {
        symbol: 'cmt_btcusdt',
        order_id: String(orderId),
        client_oid: null,
        result: false,
        err_code: '40109',
        err_msg: 'Order does not exist',
      });
    }
    assert.equal((await desk.detail(bob, foreign)).status, '0');
  });

  test('a cancel without an id or a contract is refused', async () => {
    const orderId = await desk.place(alice, OPEN_LONG);
    for (const [fields, code] of [
      [SYMBOL, '40017'],
      [{ ...SYMBOL, orderId: '' }, '40017'],
      [{ ...SYMBOL, orderId: [orderId] }, '40017'],
      [{ orderId }, '40017'],
      [{ orderId, symbol: 'cmt_dogeusdt' }, '40102'],
    ] as const) {
      assert.deepEqual(await desk.refusal(alice, 'cancelOrder', fields), [400, code]);
    }
    assert.equal((await desk.detail(alice, orderId)).status, '0');
  });

  test('a batch cancel tells what it cancelled and why not the rest', async () => {
    const first = await desk.place(alice, OPEN_LONG);
    const second = await desk.place(alice, OPEN_LONG);
    const foreign = await desk.place(bob, OPEN_LONG);
    const ids = [second, UNKNOWN_ID, 'abc', foreign, first, first];
    const unknown = { err_code: '40109', err_msg: 'Order does not exist' };
    assert.deepEqual(await desk.data<Cancelled>(alice, 'cancelBatch', { ...SYMBOL, ids }), {
      symbol: 'cmt_btcusdt',
      result: true,
      order_ids: [second, first],
      fail_infos: [
        { order_id: UNKNOWN_ID, ...unknown },
        { order_id: 'abc', ...unknown },
        { order_id: foreign, ...unknown },
        { order_id: first, err_code: '40400', err_msg: REJECTS.order_state_wrong.meaning },
      ],
    });
    const nothing = await desk.data<Cancelled>(alice, 'cancelBatch', { ...SYMBOL, ids: [first] });
    assert.equal(nothing.result, true);
    assert.deepEqual(nothing.order_ids, []);
  });

  test('50 ids are taken, 51 are not, and nothing that is no list of ids', async () => {
    const orderId = await desk.place(alice, OPEN_LONG);
    const many = [...new Array(49).fill(UNKNOWN_ID), orderId];
    const done = await desk.data<Cancelled>(alice, 'cancelBatch', { ...SYMBOL, ids: many });
    assert.deepEqual(done.order_ids, [orderId]);
    assert.equal(done.fail_infos.length, 49);
    const over = { ...SYMBOL, ids: [...many, UNKNOWN_ID] };
    assert.deepEqual(await desk.refusal(alice, 'cancelBatch', over), [400, '40912']);
    for (const ids of [undefined, null, [], 'x', [{}], orderId]) {
      assert.deepEqual(await desk.refusal(alice, 'cancelBatch', { ...SYMBOL, ids }), [
        400,
        '40017',
      ]);
    }
    const elsewhere = { symbol: 'cmt_dogeusdt', ids: [orderId] };
    assert.deepEqual(await desk.refusal(alice, 'cancelBatch', elsewhere), [400, '40102']);
  });
});

describe('reading', () => {
  beforeEach(newTraders);

  test('detail of an id of nobody, of another or of another contract is an error', async () => {
    const foreign = await desk.place(bob, OPEN_LONG);
    for (const orderId of [...NO_IDS, foreign, ...(await elsewhere())]) {
      const fields = { ...SYMBOL, orderId };
      assert.deepEqual(await desk.refusal(alice, 'orderDetail', fields), [400, '40109']);
      assert.deepEqual(await desk.data(alice, 'fills', fields), []);
    }
    for (const name of ['orderDetail', 'fills'] as const) {
      assert.deepEqual(await desk.refusal(alice, name, SYMBOL), [400, '40017']);
      const unlisted = { symbol: 'cmt_dogeusdt', orderId: foreign };
      assert.deepEqual(await desk.refusal(alice, name, unlisted), [400, '40102']);
    }
  });

  test('fills of another’s order are not shown', async () => {
    const foreign = await desk.place(bob, OPEN_SHORT);
    const own = await desk.place(alice, { ...OPEN_LONG, price: '30000' });
    assert.equal((await desk.data<Row[]>(alice, 'fills', { ...SYMBOL, orderId: own })).length, 1);
    assert.deepEqual(await desk.data(alice, 'fills', { ...SYMBOL, orderId: foreign }), []);
  });

  test('current: open orders of one contract, newest first, never those of others', async () => {
    const first = await desk.place(alice, OPEN_LONG);
    const other = await desk.place(alice, { ...OPEN_LONG, symbol: INVERSE_SYMBOL });
    const last = await desk.place(alice, OPEN_LONG);
    await desk.place(bob, OPEN_LONG);
    assert.deepEqual(await desk.ids(alice, 'openOrders', SYMBOL), [last, first]);
    const inverse = { symbol: 'CMT_BTCUSD' };
    assert.deepEqual(await desk.ids(alice, 'openOrders', inverse), [other]);
    assert.deepEqual(await desk.refusal(alice, 'openOrders', {}), [400, '40017']);
    assert.deepEqual(await desk.refusal(alice, 'openOrders', { symbol: 'x' }), [400, '40102']);
  });

  test('history: closed orders page by page, newest first', async () => {
    const ids: unknown[] = [];
    for (let at = 0; at < 5; at += 1) ids.push(await desk.place(alice, OPEN_LONG));
    await desk.data(alice, 'cancelBatch', { ...SYMBOL, ids });
    await desk.place(alice, OPEN_LONG);
    await desk.place(alice, { ...OPEN_LONG, symbol: INVERSE_SYMBOL });
    const page = async (fields: object) =>
      (await desk.ids(alice, 'orderHistory', { ...SYMBOL, createDate: '0', ...fields })).map((id) =>
        ids.indexOf(id),
      );
    assert.deepEqual(await page({}), [4, 3, 2, 1, 0], 'open orders are not in it');
    assert.deepEqual(await page({ pageIndex: '', pageSize: '' }), [4, 3, 2, 1, 0]);
    assert.deepEqual(await page({ pageSize: 2 }), [4, 3]);
    assert.deepEqual(await page({ pageIndex: 2, pageSize: '2' }), [2, 1]);
    assert.deepEqual(await page({ pageIndex: '3', pageSize: '2' }), [0]);
    assert.deepEqual(await page({ pageIndex: '4', pageSize: '2' }), []);
    // Only plan orders have a last page; the others end at 20,000 rows, whatever the page size.
    assert.deepEqual(await page({ pageIndex: '200', pageSize: '100' }), []);
    assert.deepEqual(await page({ pageIndex: '1000', pageSize: '20' }), []);
    assert.deepEqual(await page({ pageIndex: '20000', pageSize: '1' }), []);
    // Beyond them a page is empty as well, as long as there is nothing it would leave out.
    assert.deepEqual(await page({ pageIndex: '1001', pageSize: '20' }), []);
    assert.deepEqual(await page({ pageIndex: '201', pageSize: '100' }), []);
    assert.deepEqual(await page({ pageIndex: '9'.repeat(40) }), []);
    assert.deepEqual(await page({ pageSize: '9999' }), [4, 3, 2, 1, 0]);
  });

  test('history: 20 rows unless told otherwise, 100 at the most', async () => {
    for (let round = 0; round < 6; round += 1) {
      const orderDataList = new Array(20).fill({ ...OPEN_LONG, order_type: '3' });
      await desk.data(alice, 'placeBatch', { ...SYMBOL, orderDataList });
    }
    const rows = async (fields: object) =>
      (await desk.ids(alice, 'orderHistory', { ...SYMBOL, createDate: 90, ...fields })).length;
    assert.equal(await rows({}), 20);
    assert.equal(await rows({ pageSize: '101' }), 100);
    assert.equal(await rows({ pageIndex: '2', pageSize: '5000' }), 20);
  });

  test('history reaches back to 00:00 UTC of the day that createDate names', async () => {
    const midnightMs = Math.ceil(house.clock.nowMs() / MS_PER_DAY) * MS_PER_DAY;
    const placedAt = async (timeMs: number) => {
      house.clock.set(timeMs);
      return desk.place(alice, { ...OPEN_LONG, order_type: '3' });
    };
    const evening = await placedAt(midnightMs - 1);
    const midnight = await placedAt(midnightMs);
    house.clock.set(midnightMs + MS_PER_DAY - 1);
    const since = (createDate: number) =>
      desk.ids(alice, 'orderHistory', { ...SYMBOL, createDate });
    assert.deepEqual(await since(0), [midnight]);
    assert.deepEqual(await since(1), [midnight, evening]);
    house.clock.set(midnightMs + 90 * MS_PER_DAY);
    assert.deepEqual(await since(89), []);
    assert.deepEqual(await since(90), [midnight]);
  });
});

test('what liquidation did to a position is told apart in its order and its fill', async (t) => {
  // On a venue of its own: a moving index liquidates whoever holds something.
  const there = await SwapDesk.open('contract');
  t.after(() => there.house.close());
  const carol = await there.trader('carol');
  const dave = await there.trader('dave');
  await there.place(carol, OPEN_SHORT);
  await there.place(dave, { ...OPEN_LONG, price: '30000' });
  const bid = await there.place(carol, { ...OPEN_LONG, price: '28550', size: '4' });
  await there.setIndex(28_600);
  await there.setIndex(30_000);
  const last = async (who: Trader) => {
    const [order] = await there.data<Row[]>(who, 'orderHistory', { ...SYMBOL, createDate: '0' });
    const { order_id: orderId, type, status, filled_qty } = present(order, 'closed order');
    const fills = await there.data<Row[]>(who, 'fills', { ...SYMBOL, orderId });
    const delegates = fills.map((fill) => [fill.side, fill.delegateType, fill.order_qty]);
    return { type, status, filled_qty, delegates };
  };
  assert.equal((await there.detail(carol, bid)).filled_qty, '4');
  assert.deepEqual(await last(dave), {
    type: '9',
    status: '2',
    filled_qty: '10',
    delegates: [
      ['11', '11', '6'],
      ['13', '13', '4'],
    ],
  });
  assert.deepEqual(await last(carol), {
    type: '8',
    status: '2',
    filled_qty: '6',
    delegates: [['12', '12', '6']],
  });
});

describe('netting leaves its owner two orders and two fills', () => {
  /** type, filled, average price, profit; then delegateType, price, fee and role of each fill. */
  const KINDS = {
    // Both at the mark price; the gain, which is booked first, is the taker's.
    crossed: [
      ['8', '4', '27000.00', '4', '12 27000.0 0.00000000 T'],
      ['7', '4', '27000.00', '-12', '11 27000.0 0.00000000 M'],
    ],
    // Both at the bankruptcy price; the book has taken nothing.
    fixed: [
      ['8', '4', '27016.50', '3.934', '12 27016.5 0.00000000 M'],
      ['9', '4', '27016.50', '-11.934', '11 27016.5 0.00000000 T'],
    ],
  };
  /** Her long cannot be held at 27000; crossed, it can without the half that is hedged. */
  const TERMS = {
    crossed: { money: '27.4472', leverage: 100, size: '10', holdModel: 2 },
    fixed: { money: '100', leverage: 10, size: '4', holdModel: 1 },
  };
  for (const mode of ['crossed', 'fixed'] as const) {
    test(mode, async (t) => {
      const there = await SwapDesk.open('contract');
      t.after(() => there.house.close());
      const { money, leverage, size, holdModel } = TERMS[mode];
      const ann = await there.trader('ann', { cmt_btcusdt: money });
      const tom = await there.trader('tom');
      await there.data(ann, 'holdModel', { ...SYMBOL, holdModel });
      await there.data(ann, 'leverage', { ...SYMBOL, leverage });
      await there.place(tom, { ...OPEN_SHORT, price: '30000', size });
      await there.place(ann, { ...OPEN_LONG, price: '30000', size });
      await there.setIndex(28_000);
      await there.place(tom, { ...OPEN_LONG, price: '28000', size: '4' });
      await there.place(ann, { ...OPEN_SHORT, price: '28000', size: '4' });
      await there.setIndex(27_000);
      assert.deepEqual(await nettedOf(there, ann), KINDS[mode]);
    });
  }
});

/** The orders that the venue placed for a trader, newest first, each with its fills. */
async function nettedOf(there: SwapDesk, who: Trader): Promise<unknown[]> {
  const closed = await there.data<Row[]>(who, 'orderHistory', { ...SYMBOL, createDate: '0' });
  const forced = closed.filter(({ type }) => Number(type) > 4);
  return Promise.all(
    forced.map(async ({ order_id: orderId, type, status, filled_qty, ...order }) => {
      assert.equal(status, '2');
      const fills = await there.data<Row[]>(who, 'fills', { ...SYMBOL, orderId });
      const shown = fills.map((fill) => {
        assert.equal(fill.order_qty, filled_qty);
        return `${fill.delegateType} ${fill.price} ${fill.fee} ${fill.exec_type}`;
      });
      return [type, filled_qty, order.price_avg, order.totalProfits, ...shown];
    }),
  );
}

describe('pages of history that are refused', () => {
  before(newTraders);

  const BAD_PAGES: readonly [changes: object, code: string][] = [
    [{ createDate: '' }, '40017'],
    [{ createDate: '-1' }, '40017'],
    [{ createDate: '1.5' }, '40017'],
    [{ createDate: 'today' }, '40017'],
    [{ createDate: '91' }, '40705'],
    [{ pageIndex: '0' }, '40017'],
    [{ pageIndex: '-1' }, '40017'],
    [{ pageIndex: 'x' }, '40017'],
    [{ pageSize: '0' }, '40017'],
    [{ pageSize: '2.5' }, '40017'],
    [{ symbol: '' }, '40017'],
    [{ symbol: 'cmt_dogeusdt' }, '40102'],
  ];
  for (const [changes, code] of BAD_PAGES) {
    const shown = JSON.stringify(changes).slice(0, 60);
    test(`history with ${shown} is refused with ${code}`, async () => {
      const fields = { ...SYMBOL, pageIndex: '1', pageSize: '20', createDate: '90', ...changes };
      assert.deepEqual(await desk.refusal(alice, 'orderHistory', fields), [400, code]);
    });
  }
});
