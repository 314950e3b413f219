/**
 * Every contract endpoint held against its documentation: paths, parameters, and each field of the
 * answers, in a venue where every field has something to tell. What the product's own tables
 * promise is checked beside it.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
  SWAP_LEDGER,
  SWAP_MOVES,
  SWAP_RISK,
  SWAP_TRIGGER_MOVES,
  SWAP_WALLETS,
} from '#dialects';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Reply, Trader } from '../support/house.ts';
import { INVERSE_SYMBOL, UNKNOWN_ID } from '../support/swap-desk.ts';
import { BOTH, endpointOf, ORDER, SwapCalls, SYMBOL, TABLE } from './swap-calls.ts';
import { ROWS } from './swap-documented.ts';

const calls = closedAtEnd(await SwapCalls.open());

test('the venue has the documented endpoints and no others, with their methods and rates', () => {
  const documented = ROWS.map(([, { method, path, access, rate }]) => {
    return `${method} ${path} ${access} ${rate.limit} in ${rate.seconds} s`;
  });
  const tables = [SWAP_MOVES, SWAP_LEDGER, SWAP_WALLETS, SWAP_RISK, SWAP_TRIGGER_MOVES];
  const ours = tables.flatMap((table) => Object.values<{ readonly path: string }>(table));
  const extensions = new Set<string>(ours.map(({ path }) => path));
  const ofContract = [...TABLE.values()].filter(({ path }) => !extensions.has(path));
  const served = ofContract.map(({ method, path, permission, rate }) => {
    const { limit, windowMs } = present(rate, path);
    const access = permission === 'none' ? 'public' : 'signed';
    return `${method} ${path} ${access} ${limit} in ${windowMs / 1_000} s`;
  });
  assert.equal(documented.length, 35);
  assert.deepEqual(served.toSorted(), documented.toSorted());
});

test('reading needs the permission to read, changing the one to trade', () => {
  for (const { method, path, permission } of TABLE.values()) {
    if (permission === 'none') continue;
    assert.equal(permission, method === 'GET' ? 'read' : 'trade', path);
  }
});

/** The same call with JSON numbers; ids stay text, as they are too long for a number. */
function inNumbers(value: unknown): unknown {
  if (typeof value === 'string') return /^[0-9.]{1,13}$/.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(inNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inNumbers(one)]));
}

for (const [name, { method, path, parameters, aliases = {} }] of ROWS) {
  describe(`${method} ${path}`, () => {
    test('has the documented parameters, and known aliases of them', async () => {
      const own = Object.keys(endpointOf(path).request.properties);
      const documented = Object.keys(parameters);
      assert.deepEqual(own.toSorted(), [...documented, ...Object.keys(aliases)].toSorted());
      assert.deepEqual(Object.keys(await calls.full(name)).toSorted(), documented.toSorted());
    });

    test('answers as documented, whether numbers come as text or not', async () => {
      await calls.conforming(name, calls.callerOf(name), await calls.full(name));
      const numbers = Object(inNumbers(await calls.full(name)));
      await calls.conforming(name, calls.callerOf(name), numbers);
    });

    for (const [parameter, rule] of Object.entries(parameters)) {
      const reason = typeof rule === 'object' ? rule.doneWithout : rule;
      test(`without ${parameter} (${reason})`, async () => {
        for (const nothing of [undefined, '']) {
          const fields = { ...(await calls.full(name)), [parameter]: nothing };
          if (rule !== 'needed') {
            await calls.conforming(name, calls.callerOf(name), fields);
            continue;
          }
          const code = name === 'adjustMargin' && parameter === 'amount' ? '40203' : '40017';
          assert.deepEqual(await calls.outcome(name, fields), [400, code], String(nothing));
        }
      });
    }
  });
}

type Row = Readonly<Record<string, unknown>>;

/** Fails unless the rows are of this contract, the newest first, and in one of these states. */
function assertList(rows: readonly Row[], symbol: string, ...statuses: readonly string[]): void {
  const ids = rows.map(({ order_id }) => String(order_id));
  assert.deepEqual(ids, ids.toSorted().toReversed());
  for (const row of rows) {
    assert.equal(row.symbol, symbol);
    assert.ok(statuses.includes(String(row.status)), String(row.status));
  }
}

/** Everything that one account can read about a contract. */
async function readAll(who: Trader, symbol: string): Promise<void> {
  for (const name of ['accounts', 'allPosition'] as const) await calls.conforming(name, who);
  for (const name of ['account', 'settings', 'singlePosition'] as const) {
    await calls.conforming(name, who, { symbol });
  }
  for (const pageSize of ['1', '100']) {
    const page = { symbol, pageIndex: '', pageSize };
    assertList(await calls.conforming('currentPlan', who, page), symbol, '1');
    assertList(await calls.conforming('historyPlan', who, page), symbol, '2', '3', '4');
  }
  const past = { symbol, pageIndex: '1', pageSize: '100', createDate: '90' };
  const closed = await calls.conforming<Row[]>('history', who, past);
  assertList(closed, symbol, '2', '-1');
  const open = await calls.conforming<Row[]>('current', who, { symbol });
  assertList(open, symbol, '0', '1');
  for (const { order_id } of [...closed, ...open]) {
    await calls.conforming('detail', who, { symbol, orderId: order_id });
    await calls.conforming('fills', who, { symbol, orderId: order_id });
  }
}

describe('answers in every state', () => {
  test('what each account reads of its orders, plans, money and positions', async () => {
    assert.ok(calls.stage.people.length >= 10);
    for (const who of calls.stage.people) {
      for (const symbol of BOTH) await readAll(who, symbol);
    }
  });

  test('what anybody reads of either contract', async () => {
    const { owner } = calls.stage;
    for (const symbol of BOTH) {
      for (const [name, { access, parameters }] of ROWS) {
        if (access !== 'public' || !('symbol' in parameters)) continue;
        const body = await calls.conforming(name, owner, { ...(await calls.full(name)), symbol });
        const first = Object(Array.isArray(body) ? body[0] : body);
        assert.equal(first.symbol ?? symbol, symbol, name);
      }
    }
  });

  test('the best prices, the newest trades and the oldest candles come first', async () => {
    const { owner } = calls.stage;
    const column = (rows: readonly Row[], name: number | string) =>
      rows.map((row) => Number(row[name]));
    const book = await calls.conforming<{ asks: Row[]; bids: Row[] }>('depth', owner, SYMBOL);
    const trades = await calls.conforming<Row[]>('trades', owner, SYMBOL);
    const candles = await calls.conforming<Row[]>('candles', owner, SYMBOL);
    for (const [rising, rows] of [
      [true, column(book.asks, 0)],
      [false, column(book.bids, 0)],
      [false, column(trades, 'trade_id')],
      [true, column(candles, 0)],
    ] as const) {
      const sorted = rows.toSorted((one, other) => one - other);
      assert.deepEqual(rows, rising ? sorted : sorted.toReversed());
      assert.ok(new Set(rows).size > 1);
    }
  });

  test('a cancel that fails, alone, in a batch, and of a plan order', async () => {
    const { owner } = calls.stage;
    const reference = { ...SYMBOL, orderId: UNKNOWN_ID };
    await calls.conforming('cancel_order', owner, reference);
    await calls.conforming('cancel_plan', owner, reference);
    const ids = [await calls.newOrder(), UNKNOWN_ID];
    await calls.conforming('cancel_batch_orders', owner, { ...SYMBOL, ids });
    const inverse = { symbol: INVERSE_SYMBOL };
    await calls.conforming('cancel_order', owner, { ...inverse, orderId: UNKNOWN_ID });
    await calls.conforming('cancel_batch_orders', owner, { ...inverse, ids: [UNKNOWN_ID] });
  });

  test('a cancel of an order or plan order that is over names it as its owner did', async () => {
    const { owner } = calls.stage;
    const orderId = await calls.newOrder({ client_oid: 'over#1' });
    await calls.conforming('cancel_order', owner, { ...SYMBOL, orderId });
    const again = await calls.conforming<Row>('cancel_order', owner, { ...SYMBOL, orderId });
    assert.deepEqual([again.result, again.client_oid], [false, 'over#1']);
    const planId = await calls.newPlan({ client_oid: 'over#2' });
    await calls.conforming('cancel_plan', owner, { ...SYMBOL, orderId: planId });
    const plan = await calls.conforming<Row>('cancel_plan', owner, { ...SYMBOL, orderId: planId });
    assert.deepEqual([plan.result, plan.client_oid], [false, 'over#2']);
  });

  test('a batch of which a part is refused', async () => {
    const orderDataList = [ORDER, { ...ORDER, size: '0' }];
    await calls.conforming('batchOrders', calls.stage.owner, { ...SYMBOL, orderDataList });
  });

  test('settings as they are changed in both modes and both contracts', async () => {
    const who = await calls.stage.trader('changer');
    const inverse = { symbol: INVERSE_SYMBOL };
    for (const symbol of BOTH) {
      await calls.conforming('changeHoldModel', who, { symbol, holdModel: 2 });
      await calls.conforming('leverage', who, { symbol, leverage: 7 });
    }
    await calls.conforming('leverage', calls.holder, { ...inverse, leverage: 3, holdSide: 2 });
    const manual = { ...SYMBOL, holdSide: 1, append_type: 0 };
    await calls.conforming('modifyAutoAppendMargin', calls.holder, manual);
  });

  test('every word of the documentation was answered, and every number but zero', () => {
    assert.deepEqual(calls.seen.missing(), []);
  });
});

const REFUSAL_FIELDS = ['code', 'msg', 'message', 'requestTime', 'data'];

/** Fails unless this is the body that every refusal of both areas has. */
function assertRefusal(reply: Reply, status: number, code: string, what: string): void {
  assert.deepEqual([reply.status, reply.body.code], [status, code], what);
  assert.match(String(reply.headers['content-type']), /^application\/json/, what);
  const { msg, message, requestTime, data } = Object(reply.body);
  assert.deepEqual(Object.keys(reply.body), REFUSAL_FIELDS, what);
  assert.match(msg, /^[ -~]{5,}$/, what);
  assert.deepEqual([message, data], [msg, null], what);
  assert.equal(requestTime, calls.stage.desk.house.clock.nowMs(), what);
}

describe('refusals, of pairs and of contracts alike', () => {
  const both = [...Object.values(SPOT_ENDPOINTS), ...Object.values(SWAP_ENDPOINTS)];
  for (const { method, path, permission } of both) {
    test(`${method} ${path}`, async () => {
      const { house } = calls.stage.desk;
      const other = method === 'GET' ? 'POST' : 'DELETE';
      assertRefusal(await house.call({ method: other, url: path }), 405, '405', other);
      assertRefusal(await house.get(`${path}/more`), 404, '40404', 'deeper');
      if (permission === 'none') return;
      assertRefusal(await house.call({ method, url: path }), 400, '40001', 'not signed');
    });
  }

  for (const [name, { parameters }] of ROWS) {
    if (!('symbol' in parameters)) continue;
    test(`${name} of a contract that is not there`, async () => {
      const fields = { ...(await calls.full(name)), symbol: 'cmt_dogeusdt' };
      const reply = await calls.ask(name, calls.callerOf(name), fields);
      assertRefusal(reply, 400, '40102', name);
    });
  }

  test('paths of older clients that the venue does not have', async () => {
    const { house } = calls.stage.desk;
    const paths = ['account/ledger', 'account/ledgerMargin', 'position/holds'];
    for (const path of [...paths, 'trace/closeTrackOrder']) {
      const reply = await house.signedPost(calls.holder, `/api/swap/v3/${path}`, SYMBOL);
      assertRefusal(reply, 404, '40404', path);
    }
  });
});
