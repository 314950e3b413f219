/** Contract orders over HTTP, from the first to the last answer, with the shapes clients read. */
import { strict as assert } from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { START_MS, type Trader } from '../support/house.ts';
import {
  CLOSE_LONG,
  INVERSE_SYMBOL,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
  SwapDesk,
  SYMBOL,
  UNKNOWN_ID,
} from '../support/swap-desk.ts';

let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;

async function newTraders(): Promise<void> {
  [alice, bob] = await desk.pair();
}

interface Batch {
  readonly result: boolean;
  readonly order_info: readonly Row[];
}

describe('placing', () => {
  beforeEach(newTraders);

  test('the answer is bare and echoes the id that the client chose', async () => {
    const { status, body } = await desk.call(alice, 'placeOrder', {
      ...OPEN_LONG,
      client_oid: 'bitget#1-2_3',
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['client_oid', 'order_id']);
    assert.partialDeepStrictEqual(body, { client_oid: 'bitget#1-2_3' });
  });

  test('an id that the client did not choose is made up, and the order has it', async () => {
    const made = new Set<unknown>();
    for (const client_oid of [undefined, null, '']) {
      const placed = await desk.data(alice, 'placeOrder', { ...OPEN_LONG, client_oid });
      assert.match(String(placed.client_oid), /^[!-~]{1,40}$/);
      const order = await desk.detail(alice, String(placed.order_id));
      assert.equal(order.client_oid, placed.client_oid);
      made.add(placed.client_oid);
    }
    assert.equal(made.size, 3);
  });

  test('an open order as its owner sees it', async () => {
    const fields = { ...OPEN_LONG, price: '29550', size: '1', client_oid: 'drv#1' };
    const orderId = await desk.place(alice, fields);
    const row = {
      symbol: 'cmt_btcusdt',
      size: '1',
      client_oid: 'drv#1',
      createTime: String(START_MS),
      filled_qty: '0',
      fee: '0',
      order_id: orderId,
      price: '29550.0',
      price_avg: '0',
      status: '0',
      type: '1',
      order_type: '0',
      totalProfits: '0',
      cancel_reason: '',
    };
    assert.deepEqual(await desk.data(alice, 'openOrders', SYMBOL), [row]);
    assert.deepEqual(await desk.detail(alice, orderId), { ...row, timestamp: String(START_MS) });
  });

  test('each type takes its side of the book and changes its position', async () => {
    await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    const placed = [
      ['1', '29000'],
      ['2', '31000'],
      ['3', '31000'],
      ['4', '29000'],
    ] as const;
    for (const [type, price] of placed) {
      const who = type === '4' ? alice : bob;
      const orderId = await desk.place(who, { ...SYMBOL, type, price, size: '1' });
      assert.partialDeepStrictEqual(await desk.detail(who, orderId), { type, status: '0' });
    }
  });

  test('an order fills in parts, then wholly, at an average finer than a tick', async () => {
    const first = await desk.place(alice, { ...OPEN_SHORT, price: '30000', size: '1' });
    await desk.place(alice, { ...OPEN_SHORT, price: '30000.5', size: '2' });
    const taker = await desk.place(bob, { ...OPEN_LONG, price: '30001', size: '5' });
    assert.equal((await desk.detail(alice, first)).status, '2');
    assert.partialDeepStrictEqual(await desk.detail(bob, taker), {
      status: '1',
      filled_qty: '3',
      price_avg: '30000.333333333',
      fee: '-0.0540006',
    });
    await desk.place(alice, { ...OPEN_SHORT, price: '30001', size: '2' });
    assert.partialDeepStrictEqual(await desk.detail(bob, taker), {
      status: '2',
      filled_qty: '5',
      price_avg: '30000.60',
    });
  });

  test('the average of an inverse order is that of its value: the harmonic mean', async () => {
    const inverse = { symbol: INVERSE_SYMBOL, size: '100' };
    await desk.place(alice, { ...OPEN_SHORT, ...inverse, price: '29500' });
    await desk.place(alice, { ...OPEN_SHORT, ...inverse, price: '30500' });
    const order = { ...OPEN_LONG, ...inverse, price: '30500', size: '300' };
    const taker = await desk.place(bob, order);
    // 200 / (100 / 29500 + 100 / 30500); by contracts it would be 30000.
    const average = { filled_qty: '200', price_avg: '29991.666666667' };
    const open = await desk.detail(bob, taker, INVERSE_SYMBOL);
    assert.partialDeepStrictEqual(open, { ...average, status: '1' });
    await desk.data(bob, 'cancelOrder', { symbol: INVERSE_SYMBOL, orderId: taker });
    const closed = await desk.detail(bob, taker, INVERSE_SYMBOL);
    assert.partialDeepStrictEqual(closed, { ...average, status: '-1' });
  });

  test('a fill as taker and maker see it: the fee is below zero', async () => {
    const sell = await desk.place(alice, OPEN_SHORT);
    const buy = await desk.place(bob, { ...OPEN_LONG, price: '30010', size: '10' });
    const [bought] = await desk.data<Row[]>(bob, 'fills', { ...SYMBOL, orderId: buy });
    const [sold] = await desk.data<Row[]>(alice, 'fills', { ...SYMBOL, orderId: sell });
    const tradeId = bought?.trade_id ?? '';
    assert.deepEqual(bought, {
      symbol: 'cmt_btcusdt',
      trade_id: tradeId,
      order_id: buy,
      price: '30000.0',
      order_qty: '10',
      fee: '-0.18000000',
      timestamp: String(START_MS),
      exec_type: 'T',
      side: '1',
      delegateType: '1',
    });
    assert.partialDeepStrictEqual(sold, {
      trade_id: tradeId,
      order_id: sell,
      fee: '-0.12000000',
      exec_type: 'M',
      side: '2',
      delegateType: '2',
    });
  });

  test('every fill of an order is listed with its own quantity, newest first', async () => {
    await desk.place(alice, { ...OPEN_SHORT, size: '1' });
    await desk.place(alice, { ...OPEN_SHORT, price: '30005', size: '2' });
    const orderId = await desk.place(bob, { ...OPEN_LONG, price: '30010', size: '5' });
    const rows = await desk.data<Row[]>(bob, 'fills', { ...SYMBOL, orderId });
    assert.deepEqual(
      rows.map(({ price, order_qty }) => [price, order_qty]),
      [
        ['30005.0', '2'],
        ['30000.0', '1'],
      ],
    );
  });

  test('an order of more fills than a page of history has all of them listed', async () => {
    const fillsCount = LIMITS.pageRowsMax + 1;
    const orderId = await desk.place(alice, { ...OPEN_SHORT, size: fillsCount });
    const sell = await desk.detail(alice, orderId);
    const one = { ...OPEN_LONG, price: sell.price, size: 1 };
    for (let left = fillsCount; left > 0; left -= 20) {
      const orderDataList = new Array(Math.min(left, 20)).fill(one);
      await desk.data(bob, 'placeBatch', { ...SYMBOL, orderDataList });
    }
    assert.equal((await desk.detail(alice, orderId)).status, '2');
    const rows = await desk.data<Row[]>(alice, 'fills', { ...SYMBOL, orderId });
    const ids = rows.map(({ trade_id }) => String(trade_id));
    assert.equal(new Set(ids).size, fillsCount);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  test('a close realises its profit and is told apart in its fill', async () => {
    await desk.place(alice, OPEN_SHORT);
    await desk.place(bob, { ...OPEN_LONG, price: '30000' });
    await desk.place(alice, { ...OPEN_LONG, price: '30500', size: '10' });
    const orderId = await desk.place(bob, { ...CLOSE_LONG, price: '30500', size: '4' });
    assert.partialDeepStrictEqual(await desk.detail(bob, orderId), {
      type: '3',
      status: '2',
      filled_qty: '4',
      totalProfits: '2',
      fee: '-0.0732',
    });
    const [fill] = await desk.data<Row[]>(bob, 'fills', { ...SYMBOL, orderId });
    assert.partialDeepStrictEqual(fill, { side: '3', delegateType: '3' });
  });

  test('an inverse contract pays in its coin', async () => {
    const symbol = { symbol: INVERSE_SYMBOL };
    await desk.place(alice, { ...OPEN_SHORT, ...symbol, size: '30000' });
    await desk.place(bob, { ...OPEN_LONG, ...symbol, price: '30000', size: '30000' });
    await desk.place(alice, { ...OPEN_LONG, ...symbol, price: '30500', size: '30000' });
    const orderId = await desk.place(bob, {
      ...CLOSE_LONG,
      ...symbol,
      price: '30500',
      size: '30000',
    });
    assert.partialDeepStrictEqual(await desk.detail(bob, orderId, INVERSE_SYMBOL), {
      symbol: 'cmt_btcusd',
      price_avg: '30500.00',
      totalProfits: '0.01639344',
      fee: '-0.00059017',
    });
  });

  test('a market order has no price and takes what there is', async () => {
    await desk.place(alice, { ...OPEN_SHORT, size: '3' });
    const market = { ...OPEN_LONG, match_price: 1, size: 5, type: 1 };
    for (const [at, price] of [null, '', undefined, '9009.5'].entries()) {
      const order_type = at % 2 === 0 ? 0 : '3';
      const orderId = await desk.place(bob, { ...market, order_type, price });
      assert.partialDeepStrictEqual(await desk.detail(bob, orderId), {
        price: null,
        size: '5',
        filled_qty: '3',
        price_avg: '30000.00',
        status: '-1',
        order_type: '0',
      });
      await desk.place(alice, { ...OPEN_SHORT, size: '3' });
    }
  });

  const ENDS: readonly [why: string, fields: object, filled: string][] = [
    ['post only that would take', { order_type: '1', size: '1' }, '0'],
    ['fill or kill that does not fit', { order_type: '2', size: '11' }, '0'],
    ['immediate or cancel, the rest of it', { order_type: '3', size: '11' }, '10'],
  ];
  test('a market order that is filled whole or not at all', async () => {
    await desk.place(alice, { ...OPEN_SHORT, size: '3' });
    const market = { ...OPEN_LONG, match_price: 1, type: 1, order_type: 2, price: null };
    for (const [size, filled_qty, status] of [
      ['4', '0', '-1'],
      ['3', '3', '2'],
    ]) {
      const orderId = await desk.place(bob, { ...market, size });
      const order = await desk.detail(bob, orderId);
      assert.partialDeepStrictEqual(order, { status, filled_qty, order_type: '2' });
    }
  });

  for (const [why, fields, filled_qty] of ENDS) {
    test(`${why} is accepted and cancelled`, async () => {
      await desk.place(alice, OPEN_SHORT);
      const orderId = await desk.place(bob, { ...OPEN_LONG, price: '30000', ...fields });
      const { order_type = '' } = fields as Row;
      const order = await desk.detail(bob, orderId);
      assert.partialDeepStrictEqual(order, { status: '-1', filled_qty, order_type });
      const listed = await desk.ids(bob, 'orderHistory', { ...SYMBOL, createDate: 0 });
      assert.deepEqual(listed, [orderId]);
    });
  }

  test('numbers and text, null, empty and absent are the same', async () => {
    const sent: readonly object[] = [
      { ...OPEN_LONG, price: 29000, size: 10, type: 1, order_type: 0, match_price: 0 },
      { symbol: 'CMT_BTCUSDT', type: '1', price: '29000.00', size: '10.0', trace_no: '' },
      { ...OPEN_LONG, order_type: null, match_price: '', presetTakeProfitPrice: null },
      { ...OPEN_LONG, presetStopLossPrice: '', client_oid: null, foo: { bar: [1] } },
    ];
    for (const fields of sent) {
      const orderId = await desk.place(alice, fields);
      assert.partialDeepStrictEqual(await desk.detail(alice, orderId), {
        symbol: 'cmt_btcusdt',
        price: '29000.0',
        size: '10',
        type: '1',
        order_type: '0',
      });
    }
  });
});

const ITEM = { type: '1', price: '29000', size: '1', order_type: '0', match_price: '0' };
const ITEMS = [
  { ...ITEM, client_oid: 'one' },
  { ...ITEM, client_oid: 'two', size: '0' },
  { ...ITEM, client_oid: '', type: 2, price: 31_000.5 },
  { ...ITEM, client_oid: 'one' },
  { ...ITEM, client_oid: 'a b' },
  'nonsense',
  { ...ITEM, client_oid: 'seven', price: '45000.5' },
];
const ITEM_CODES = [null, '40108', null, '40500', '40305', '40017', '40748'];

test('a close is judged at the price at which it fills, not at its limit', async () => {
  await newTraders();
  await desk.data(alice, 'holdModel', { ...SYMBOL, holdModel: 1 });
  await desk.data(alice, 'leverage', { ...SYMBOL, leverage: 10 });
  await desk.place(bob, OPEN_SHORT);
  await desk.place(alice, { ...OPEN_LONG, price: '30000' });
  await desk.place(bob, { ...OPEN_LONG, price: '29990', size: '4' });
  const close = { ...CLOSE_LONG, price: '27000', size: '4' };
  const first = await desk.place(alice, { ...close, order_type: '3' });
  const filled = { status: '2', filled_qty: '4', price_avg: '29990.00', price: '27000.0' };
  assert.partialDeepStrictEqual(await desk.detail(alice, first), filled);
  for (const order_type of ['0', '1', '3']) {
    const beyond = { ...close, order_type };
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', beyond), [400, '40718']);
  }
  await desk.place(bob, { ...OPEN_LONG, price: '29980', size: '4' });
  const half = { ...close, size: '5' };
  assert.deepEqual(await desk.refusal(alice, 'placeOrder', half), [400, '40718']);
  const second = await desk.place(alice, close);
  assert.partialDeepStrictEqual(await desk.detail(alice, second), { status: '2', filled_qty: '4' });
});

describe('batch', () => {
  beforeEach(newTraders);

  const FORMS: readonly [what: string, fields: object][] = [
    ['orderDataList as a list', { orderDataList: ITEMS }],
    ['orderDataList as text', { orderDataList: JSON.stringify(ITEMS) }],
    ['order_data as text', { order_data: JSON.stringify(ITEMS) }],
    ['order_data as a list', { order_data: ITEMS }],
    ['order_data beside an empty orderDataList', { orderDataList: null, order_data: ITEMS }],
  ];
  for (const [what, fields] of FORMS) {
    test(`${what}: one row per order, in request order`, async () => {
      const batch = await desk.data<Batch>(alice, 'placeBatch', { ...SYMBOL, ...fields });
      assert.equal(batch.result, true);
      const rows = batch.order_info;
      assert.deepEqual(
        rows.map((row) => row.error_code),
        ITEM_CODES,
      );
      assert.deepEqual(
        rows.map((row) => row.result),
        ITEM_CODES.map((code) => code === null),
      );
      assert.deepEqual(rows[0], {
        result: true,
        client_oid: 'one',
        order_id: rows[0]?.order_id,
        error_code: null,
        error_message: null,
      });
      assert.deepEqual(rows[1], {
        result: false,
        client_oid: 'two',
        order_id: '',
        error_code: '40108',
        error_message: "Quantity is invalid: '0' is not above zero",
      });
      assert.equal(rows[4]?.client_oid, 'a b', 'as the client sent it');
      assert.equal(rows[5]?.client_oid, '');
      const open = await desk.ids(alice, 'openOrders', SYMBOL);
      assert.deepEqual(open, [rows[2]?.order_id, rows[0]?.order_id]);
    });
  }

  test('a batch of 20 is taken, one of 21 is not', async () => {
    const orderDataList = new Array(20).fill(ITEM);
    const full = await desk.data<Batch>(alice, 'placeBatch', { ...SYMBOL, orderDataList });
    assert.equal(full.order_info.filter(({ result }) => result).length, 20);
    for (const form of [[...orderDataList, ITEM], JSON.stringify([...orderDataList, ITEM])]) {
      const over = { ...SYMBOL, orderDataList: form };
      assert.deepEqual(await desk.refusal(alice, 'placeBatch', over), [400, '40306']);
    }
    assert.equal((await desk.ids(alice, 'openOrders', SYMBOL)).length, 20);
  });

  test('what is no list of orders is refused', async () => {
    for (const bad of [undefined, null, '', [], '[]', '{}', {}, 'x', '[1', 5, true]) {
      for (const name of ['orderDataList', 'order_data']) {
        const fields = { ...SYMBOL, [name]: bad };
        assert.deepEqual(await desk.refusal(alice, 'placeBatch', fields), [400, '40017']);
      }
    }
    const elsewhere = { symbol: 'cmt_dogeusdt', orderDataList: [ITEM] };
    assert.deepEqual(await desk.refusal(alice, 'placeBatch', elsewhere), [400, '40102']);
    const nowhere = { orderDataList: [ITEM] };
    assert.deepEqual(await desk.refusal(alice, 'placeBatch', nowhere), [400, '40017']);
  });

  test('long numbers in the text keep their digits', async () => {
    const order_data = '[{"type":1,"price":29000.500000000000001,"size":1}]';
    const { order_info } = await desk.data<Batch>(alice, 'placeBatch', { ...SYMBOL, order_data });
    assert.equal(order_info[0]?.error_code, '40706');
  });
});

describe('callers and outages', () => {
  beforeEach(newTraders);

  test('a key that may only read cannot trade', async () => {
    const reader = await house.addKey(alice.accountId, 'reader', { permissions: ['read'] });
    const who = { ...alice, ...reader };
    assert.deepEqual(await desk.data(who, 'openOrders', SYMBOL), []);
    const orderId = await desk.place(alice, OPEN_LONG);
    const calls = [
      ['placeOrder', OPEN_LONG],
      ['placeBatch', { ...SYMBOL, orderDataList: [ITEM] }],
      ['cancelOrder', { ...SYMBOL, orderId }],
      ['cancelBatch', { ...SYMBOL, ids: [orderId] }],
    ] as const;
    for (const [name, fields] of calls) {
      assert.deepEqual(await desk.refusal(who, name, fields), [400, '40014']);
    }
  });

  test('a frozen account reads, and its calls that change something are errors', async () => {
    const orderId = await desk.place(alice, OPEN_LONG);
    const { accountId } = alice;
    await house.run({ kind: 'update_account', accountId, changes: { frozen: true } });
    assert.equal((await desk.detail(alice, orderId)).status, '0');
    assert.deepEqual(await desk.refusal(alice, 'placeOrder', OPEN_LONG), [400, '40013']);
    const cancel = { ...SYMBOL, orderId };
    assert.deepEqual(await desk.refusal(alice, 'cancelOrder', cancel), [400, '40013']);
  });

  test('a venue that takes nothing in answers 503, for batches too', async (t) => {
    const there = await SwapDesk.open();
    t.after(() => there.house.close());
    const carol = await there.trader('carol');
    const orderId = await there.place(carol, OPEN_LONG);
    await there.house.venue.close();
    const calls = [
      ['placeOrder', OPEN_LONG],
      ['placeBatch', { ...SYMBOL, orderDataList: [ITEM, ITEM] }],
      ['cancelOrder', { ...SYMBOL, orderId }],
      ['cancelBatch', { ...SYMBOL, ids: [orderId, UNKNOWN_ID] }],
    ] as const;
    for (const [name, fields] of calls) {
      assert.deepEqual(await there.refusal(carol, name, fields), [503, '40200']);
    }
  });
});
