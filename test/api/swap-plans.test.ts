/** Plan orders, take-profits and stop-losses over HTTP, with the shapes clients read. */
import { strict as assert } from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { formatId } from '#dialects';
import { LIMITS, REJECTS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  INVERSE_SYMBOL,
  LINEAR_SYMBOL,
  NO_IDS,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
  SwapDesk,
  SYMBOL,
} from '../support/swap-desk.ts';

const BUY = { ...OPEN_LONG, price: '30000' };
/** Opens a long once the price has risen to 30500. */
const PLAN = {
  ...SYMBOL,
  size: '3',
  type: '1',
  holdSide: '1',
  match_type: '1',
  trigger_price: '30500',
};
const LIMIT_PLAN = { ...PLAN, match_type: '0', execute_price: '30600' };

let alice: Trader;
let bob: Trader;

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;

/** Two new traders, nothing in the book or waiting, and a last price of 30000. */
async function newTraders(): Promise<void> {
  [alice, bob] = await desk.pair();
  await trade('30000');
}

/** Bob buys from a newcomer, who sells as many as bob asks for. */
async function trade(price: string, size = '1', symbol = LINEAR_SYMBOL): Promise<void> {
  const seller = await desk.trader('seller');
  await desk.place(seller, { ...OPEN_SHORT, symbol, price, size });
  const orderId = await desk.place(bob, { ...BUY, symbol, price, size });
  assert.equal((await desk.detail(bob, orderId, symbol)).status, '2');
}

async function placePlan(who: Trader, fields: object): Promise<string> {
  return String((await desk.data(who, 'placePlan', fields)).order_id);
}

function current(who: Trader, fields: object = {}): Promise<Row[]> {
  return desk.data<Row[]>(who, 'openPlans', { ...SYMBOL, ...fields });
}

function past(who: Trader, fields: object = {}): Promise<Row[]> {
  return desk.data<Row[]>(who, 'planHistory', { ...SYMBOL, ...fields });
}

describe('one plan order', () => {
  beforeEach(newTraders);

  test('waits as its owner sees it, then is cancelled', async () => {
    const placed = await desk.data(alice, 'placePlan', { ...LIMIT_PLAN, client_oid: 'plan#1' });
    assert.deepEqual(Object.keys(placed), ['client_oid', 'order_id']);
    assert.equal(placed.client_oid, 'plan#1');
    const nowText = String(house.clock.nowMs());
    const row = {
      symbol: 'cmt_btcusdt',
      nextPage: false,
      execute_count: '0',
      delegate_count: '3',
      create_time: nowText,
      update_time: nowText,
      direction: '1',
      direction_desc: 'open long',
      trigger_price: '30500.0',
      execute_price: '30600.0',
      order_id: placed.order_id,
      execute_order_id: '',
      client_oid: 'plan#1',
      order_type: '0',
      status: '1',
      status_desc: 'not executed',
      trigger_type: 'last',
      create_trade_price: '30000.0',
    };
    assert.deepEqual(await current(alice), [row]);
    assert.deepEqual(await past(alice), []);
    house.clock.advance(1_000);
    const cancel = { ...SYMBOL, orderId: placed.order_id };
    assert.deepEqual(await desk.data(alice, 'cancelPlan', cancel), {
      order_id: placed.order_id,
      client_oid: 'plan#1',
      result: true,
      err_code: null,
      err_msg: null,
    });
    assert.deepEqual(await current(alice), []);
    const update_time = String(house.clock.nowMs());
    const end = { update_time, status: '4', status_desc: 'cancelled by user' };
    assert.deepEqual(await past(alice), [{ ...row, ...end }]);
  });

  test('fires when the price gets there and names the order that it placed', async () => {
    const orderId = await placePlan(alice, LIMIT_PLAN);
    await trade('30499.5');
    assert.equal((await current(alice)).length, 1);
    await desk.place(bob, { ...OPEN_SHORT, price: '30600', size: '2' });
    await trade('30500');
    assert.deepEqual(await current(alice), []);
    const [plan] = await past(alice);
    assert.partialDeepStrictEqual(plan, {
      order_id: orderId,
      status: '2',
      status_desc: 'entrusted',
      execute_count: '2',
      delegate_count: '3',
    });
    const order = await desk.detail(alice, String(plan?.execute_order_id));
    assert.partialDeepStrictEqual(order, {
      type: '1',
      price: '30600.0',
      size: '3',
      filled_qty: '2',
      status: '1',
    });
  });

  test('counts what its order fills later, while that is open and once it is closed', async () => {
    await placePlan(alice, { ...LIMIT_PLAN, execute_price: '30100' });
    await trade('30500');
    for (const execute_count of ['0', '1', '2', '3']) {
      assert.partialDeepStrictEqual(await past(alice), [{ status: '2', execute_count }]);
      await desk.place(bob, { ...OPEN_SHORT, price: '30100', size: '1' });
    }
  });

  test('a market one takes what there is', async () => {
    await placePlan(alice, { ...PLAN, execute_price: '30600' });
    const [waiting] = await current(alice);
    assert.partialDeepStrictEqual(waiting, { order_type: '1', execute_price: '0' });
    await desk.place(bob, { ...OPEN_SHORT, price: '30700', size: '3' });
    await trade('30500');
    const [plan] = await past(alice);
    assert.partialDeepStrictEqual(plan, { status: '2', execute_count: '3', order_type: '1' });
    const order = await desk.detail(alice, String(plan?.execute_order_id));
    assert.partialDeepStrictEqual(order, { price: null, price_avg: '30700.00', status: '2' });
  });

  test('fires on a fall when its trigger is below the last price', async () => {
    const plan = { ...PLAN, holdSide: '2', trigger_price: '29500' };
    await placePlan(alice, { ...plan, match_type: '0', execute_price: '29500' });
    await trade('29500');
    assert.partialDeepStrictEqual(await past(alice), [{ status: '2', direction: '2' }]);
  });

  test('that cannot be carried out fails with the reason', async () => {
    await placePlan(alice, PLAN);
    await trade('30500');
    assert.partialDeepStrictEqual(await past(alice), [
      {
        status: '3',
        status_desc: 'execution failed: Nothing on the other side of the book to trade with',
        execute_count: '0',
        execute_order_id: '',
      },
    ]);
  });

  test('closes no more than is held, and takes back closes in its way', async () => {
    await desk.place(bob, OPEN_SHORT);
    await desk.place(alice, BUY);
    const close = { ...PLAN, type: '2', match_type: '0', execute_price: '30500' };
    const resting = await desk.place(alice, { ...BUY, type: '3', price: '31000' });
    await placePlan(alice, { ...close, size: '11' });
    await trade('30500');
    const [plan] = await past(alice);
    assert.partialDeepStrictEqual(plan, { status: '2', direction: '3' });
    assert.equal(plan?.direction_desc, 'close long');
    const order = await desk.detail(alice, String(plan?.execute_order_id));
    assert.partialDeepStrictEqual(order, { type: '3', size: '10' });
    const takenBack = await desk.detail(alice, resting);
    assert.partialDeepStrictEqual(takenBack, { cancel_reason: 'closing_trigger_fired' });
  });

  test('outlives its position, and fails when its trigger is met without one', async () => {
    await desk.place(bob, OPEN_SHORT);
    await desk.place(alice, BUY);
    await placePlan(alice, { ...PLAN, type: '2', match_type: '0', execute_price: '30500' });
    await desk.place(bob, BUY);
    await desk.place(alice, { ...OPEN_SHORT, type: '3' });
    assert.equal((await current(alice)).length, 1);
    await trade('30500');
    const [failed] = await past(alice);
    assert.partialDeepStrictEqual(failed, { status: '3', direction: '3', execute_order_id: '' });
    assert.match(String(failed?.status_desc), /^execution failed: /);
  });

  test('its id is made up when the client gives none', async () => {
    for (const client_oid of [undefined, null, '']) {
      const { client_oid: made } = await desk.data(alice, 'placePlan', { ...PLAN, client_oid });
      assert.match(String(made), /^[!-~]{1,40}$/);
      assert.equal((await current(alice))[0]?.client_oid, made);
    }
  });

  const DIRECTIONS: readonly [why: string, fields: object, direction: string][] = [
    ['holdSide long', { holdSide: '1' }, '1'],
    ['holdSide short, as a number', { holdSide: 2 }, '2'],
    ['side alone, as older clients send it', { holdSide: undefined, side: 2 }, '2'],
    ['both, which agree', { holdSide: '2', side: '2' }, '2'],
    ['an empty holdSide beside a side', { holdSide: '', side: '1' }, '1'],
    ['close long', { type: '2', holdSide: '1' }, '3'],
    ['close short, all numbers', { type: 2, holdSide: 2, size: 3, trigger_price: 30500 }, '4'],
    ['match_price in place of match_type', { match_type: undefined, match_price: 1 }, '1'],
  ];
  for (const [why, fields, direction] of DIRECTIONS) {
    test(`direction: ${why}`, async () => {
      await desk.place(bob, OPEN_SHORT);
      await desk.place(alice, BUY);
      await desk.place(bob, BUY);
      await desk.place(alice, OPEN_SHORT);
      await placePlan(alice, { ...PLAN, ...fields });
      assert.partialDeepStrictEqual(await current(alice), [{ direction, order_type: '1' }]);
    });
  }

  test('a client_oid of a plan is taken while it waits and for 24 hours after', async () => {
    const named = { ...PLAN, client_oid: 'same' };
    const orderId = await placePlan(alice, named);
    assert.deepEqual(await desk.refusal(alice, 'placePlan', named), [400, '40500']);
    await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
    house.clock.advance(LIMITS.usedIdsHoldMs - 1);
    assert.deepEqual(await desk.refusal(alice, 'placePlan', named), [400, '40500']);
    house.clock.advance(1);
    await placePlan(alice, named);
  });

  test('more waiting plans than the contract allows are refused', async () => {
    await desk.change({ triggerOrdersMax: 1 });
    await placePlan(alice, PLAN);
    assert.deepEqual(await desk.refusal(alice, 'placePlan', PLAN), [400, '40750']);
    await desk.change({ triggerOrdersMax: 100 });
  });
});

describe('refusals that leave nothing behind', () => {
  before(newTraders);

  const REFUSALS: readonly [why: string, changes: object, code: string][] = [
    ['no symbol', { symbol: '' }, '40017'],
    ['an unknown contract', { symbol: 'cmt_dogeusdt' }, '40102'],
    ['no type', { type: '' }, '40017'],
    ['a type of orders', { type: '3' }, '40017'],
    ['neither holdSide nor side', { holdSide: null }, '40017'],
    ['a holdSide that is none', { holdSide: '3' }, '40017'],
    ['a side that is none', { side: 'long' }, '40017'],
    ['a holdSide and a side that differ', { side: '2' }, '40407'],
    ['a match_type that is none', { match_type: '2' }, '40017'],
    ['no trigger_price', { trigger_price: '' }, '40017'],
    ['a trigger of zero', { trigger_price: '0' }, '40706'],
    ['a word for a trigger', { trigger_price: 'high' }, '40706'],
    ['a trigger between two steps', { trigger_price: '30500.1' }, '40706'],
    ['a limit without execute_price', { match_type: '0' }, '40017'],
    ['an execute_price of zero', { match_type: '0', execute_price: '0' }, '40706'],
    ['an execute_price between two steps', { match_type: 0, execute_price: 1.3 }, '40706'],
    ['no size', { size: null }, '40017'],
    ['a size of zero', { size: '0' }, '40108'],
    ['half a contract', { size: '0.5' }, '40108'],
    ['more than the largest size', { size: '1000001' }, '43007'],
    ['a client_oid that is too long', { client_oid: 'x'.repeat(41) }, '40305'],
    ['closing what is not held', { type: '2' }, '40717'],
  ];
  for (const [why, changes, code] of REFUSALS) {
    test(`${why} is refused with ${code}`, async () => {
      const refusal = await desk.refusal(alice, 'placePlan', { ...PLAN, ...changes });
      assert.deepEqual(refusal, [400, code]);
      assert.deepEqual(await current(alice), []);
      assert.deepEqual(await past(alice), []);
    });
  }
});

describe('cancelling', () => {
  beforeEach(newTraders);

  test('a plan that has ended is said to be finished', async () => {
    const orderId = await placePlan(alice, PLAN);
    await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
    assert.deepEqual(await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId }), {
      order_id: orderId,
      client_oid: orderId,
      result: false,
      err_code: '40400',
      err_msg: REJECTS.order_state_wrong.meaning,
    });
  });

  test('an id of nobody, of another, of another contract or of an order is unknown', async () => {
    const foreign = await placePlan(bob, PLAN);
    const elsewhere = await placePlan(alice, { ...PLAN, symbol: INVERSE_SYMBOL });
    const gone = await placePlan(alice, { ...PLAN, symbol: INVERSE_SYMBOL });
    await desk.data(alice, 'cancelPlan', { symbol: INVERSE_SYMBOL, orderId: gone });
    const order = await desk.place(alice, { ...BUY, price: '29000' });
    for (const orderId of [...NO_IDS, foreign, elsewhere, gone, order]) {
      const answer = await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
      assert.deepEqual(answer, {
        order_id: String(orderId),
        client_oid: null,
        result: false,
        err_code: '40109',
        err_msg: 'Order does not exist',
      });
    }
    assert.equal((await current(bob)).length, 1);
    assert.equal((await desk.detail(alice, order)).status, '0');
  });

  test('without an id or a contract it is refused', async () => {
    const orderId = await placePlan(alice, PLAN);
    for (const [fields, code] of [
      [SYMBOL, '40017'],
      [{ orderId }, '40017'],
      [{ orderId, symbol: 'cmt_dogeusdt' }, '40102'],
    ] as const) {
      assert.deepEqual(await desk.refusal(alice, 'cancelPlan', fields), [400, code]);
    }
    assert.equal((await current(alice)).length, 1);
  });
});

describe('take-profit and stop-loss', () => {
  beforeEach(newTraders);

  /** Alice opens a long of 10 at 30000 that is to close at 30500 or 29500. */
  async function openProtected(): Promise<void> {
    await desk.place(bob, OPEN_SHORT);
    await desk.place(alice, {
      ...BUY,
      presetTakeProfitPrice: '30500',
      presetStopLossPrice: 29500,
    });
  }

  test('wait beside the plans once their order has filled', async () => {
    await openProtected();
    const rows = await current(alice);
    assert.deepEqual(
      rows.map(({ direction, direction_desc, trigger_price, delegate_count, order_type }) => [
        direction,
        direction_desc,
        trigger_price,
        delegate_count,
        order_type,
      ]),
      [
        ['3', 'close long (stop loss)', '29500.0', '10', '1'],
        ['3', 'close long (take profit)', '30500.0', '10', '1'],
      ],
    );
  });

  test('one closes the position, the other is cancelled', async () => {
    await openProtected();
    await desk.place(bob, { ...BUY, price: '30400' });
    await trade('30500');
    assert.deepEqual(await current(alice), []);
    const rows = await past(alice);
    assert.deepEqual(
      rows.map(({ direction_desc, status }) => [direction_desc, status]),
      [
        ['close long (stop loss)', '4'],
        ['close long (take profit)', '2'],
      ],
    );
    assert.equal(rows[0]?.status_desc, 'cancelled: other preset fired');
    const order = await desk.detail(alice, String(rows[1]?.execute_order_id));
    assert.partialDeepStrictEqual(order, { type: '3', status: '2', filled_qty: '10' });
  });

  test('can be cancelled like a plan', async () => {
    await openProtected();
    const [stopLoss] = await current(alice);
    const orderId = stopLoss?.order_id;
    const answer = await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
    assert.equal(answer.result, true);
    assert.partialDeepStrictEqual(await current(alice), [
      { direction_desc: 'close long (take profit)' },
    ]);
  });
});

describe('lists', () => {
  const ACTIONS = [
    { type: '1', holdSide: '1' },
    { type: '1', holdSide: '2' },
    { type: '2', holdSide: '1' },
    { type: '2', holdSide: '2' },
  ];

  /** One plan per direction, one second apart; cancelled in the other order when asked to. */
  async function placeEach(): Promise<string[]> {
    await desk.place(bob, OPEN_SHORT);
    await desk.place(alice, BUY);
    await desk.place(bob, BUY);
    await desk.place(alice, OPEN_SHORT);
    const ids: string[] = [];
    for (const direction of ACTIONS) {
      house.clock.advance(1_000);
      ids.push(await placePlan(alice, { ...PLAN, ...direction }));
    }
    await placePlan(bob, PLAN);
    await placePlan(alice, { ...PLAN, symbol: INVERSE_SYMBOL });
    return ids;
  }

  async function cancelAll(ids: readonly string[]): Promise<void> {
    for (const orderId of ids.toReversed()) {
      await desk.data(alice, 'cancelPlan', { ...SYMBOL, orderId });
    }
  }

  beforeEach(newTraders);

  for (const name of ['openPlans', 'planHistory'] as const) {
    test(`${name}: newest first, by page, by direction and by time`, async () => {
      const ids = await placeEach();
      if (name === 'planHistory') await cancelAll(ids);
      const times = ids.map((_, at) => house.clock.nowMs() - (ids.length - 1 - at) * 1_000);
      const list = async (fields: object) => {
        const rows = await desk.data<Row[]>(alice, name, { ...SYMBOL, ...fields });
        return rows.map((row) => [ids.indexOf(String(row.order_id)), row.nextPage]);
      };
      const all = [3, 2, 1, 0].map((at) => [at, false]);
      const [first, second, third, last] = times;
      const cases: readonly [fields: object, rows: unknown][] = [
        [{}, all],
        [{ side: '', delegateType: '', pageIndex: '', pageSize: '' }, all],
        [{ startTime: '', endTime: '' }, all],
        [{ pageSize: 3 }, [3, 2, 1].map((at) => [at, true])],
        [{ pageSize: '3', pageIndex: '2' }, [[0, false]]],
        [{ pageSize: '4', pageIndex: '1' }, all],
        [{ pageSize: '4', pageIndex: '2' }, []],
        [{ pageSize: '5000' }, all],
        [{ pageIndex: '200', pageSize: '100' }, []],
        [{ delegateType: '1' }, [[0, false]]],
        [{ delegateType: 2 }, [[1, false]]],
        [{ delegateType: '3' }, [[2, false]]],
        [{ delegateType: '4' }, [[3, false]]],
        [{ side: '3' }, [[2, false]]],
        [{ side: '1', delegateType: '4' }, [[3, false]]],
        [{ startTime: second }, [3, 2, 1].map((at) => [at, false])],
        [{ endTime: second }, [1, 0].map((at) => [at, false])],
        [{ startTime: second, endTime: third }, [2, 1].map((at) => [at, false])],
        [{ startTime: last, endTime: last }, [[3, false]]],
        [{ endTime: (first ?? 0) - 1 }, []],
        [{ startTime: second, pageSize: 1, pageIndex: 2 }, [[2, true]]],
      ];
      for (const [fields, rows] of cases) {
        assert.deepEqual(await list(fields), rows, JSON.stringify(fields));
      }
    });
  }
});

describe('callers and outages', () => {
  beforeEach(newTraders);

  test('a key that may only read cannot place or cancel plans', async () => {
    const reader = await house.addKey(alice.accountId, 'plan-reader', { permissions: ['read'] });
    const who = { ...alice, ...reader };
    const orderId = await placePlan(alice, PLAN);
    assert.equal((await current(who)).length, 1);
    assert.deepEqual(await desk.refusal(who, 'placePlan', PLAN), [400, '40014']);
    assert.deepEqual(await desk.refusal(who, 'cancelPlan', { ...SYMBOL, orderId }), [400, '40014']);
  });

  test('a venue that takes nothing in answers 503', async (t) => {
    const there = await SwapDesk.open();
    t.after(() => there.house.close());
    const carol = await there.trader('carol');
    await there.house.venue.close();
    assert.deepEqual(await there.refusal(carol, 'placePlan', PLAN), [503, '40200']);
    const cancel = { ...SYMBOL, orderId: formatId(1) };
    assert.deepEqual(await there.refusal(carol, 'cancelPlan', cancel), [503, '40200']);
  });
});
