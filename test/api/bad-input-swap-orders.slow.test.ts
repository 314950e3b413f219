/**
 * Nonsense in contract calls where the table of endpoints does not reach: items of a batch, lists
 * as text, orders of other kinds, parameters under other names, and orders of somebody else.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '#api';
import { SPOT_ENDPOINTS, SWAP_ENDPOINTS } from '#dialects';
import { LIMITS } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { ContractSite } from './bad-input-contracts.ts';
import { type Answer, assertRefusal, promisedData, Site } from './bad-input-site.ts';
import {
  BAD_JSON,
  BAD_WORDS,
  isLenient,
  isRightCode,
  type JsonText,
  NOT_GIVEN,
} from './bad-input-values.ts';

const SYMBOL = { symbol: 'cmt_btcusdt' };
const ORDER = { type: '1', order_type: '0', match_price: '0', price: '20000', size: '1' };
const PLAN = { ...SYMBOL, size: '1', type: '1', holdSide: '1', trigger_price: '20000' };
const UNKNOWN_ID = '1000000000999999';

const {
  placeOrder,
  placeBatch,
  placePlan,
  cancelOrder,
  cancelBatch,
  cancelPlan,
  orderDetail,
  fills,
  leverage,
  autoMargin,
  candles,
} = SWAP_ENDPOINTS;

const site = closedAtEnd(await Site.open());
const contracts = new ContractSite(site);

function post(endpoint: Endpoint, body: string, what = endpoint.path): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const call = { method: 'POST', target: endpoint.path, body, headers };
  return site.attack(endpoint.permission, call, what);
}

function get(endpoint: Endpoint, query: Readonly<Record<string, string>>): Promise<Answer> {
  const target = `${endpoint.path}?${new URLSearchParams(query)}`;
  return site.attack(endpoint.permission, { method: 'GET', target }, target);
}

async function done(endpoint: Endpoint, fields: object, what = endpoint.path) {
  return Object(promisedData(endpoint, await post(endpoint, JSON.stringify(fields)), what));
}

/** The fields of an object as JSON text, with one of them replaced by any text. */
function withValue(fields: object, parameter: string, value: JsonText): string {
  const texts = Object.entries(fields).map(([name, field]) => [name, JSON.stringify(field)]);
  const all = { ...Object.fromEntries(texts), [parameter]: value };
  return `{${Object.entries(all).map(([name, text]) => `"${name}":${text}`)}}`;
}

/** Puts every nonsense in place of a parameter; what is taken must be in the list given. */
async function attackWith(
  endpoint: Endpoint,
  fields: object,
  parameter: string,
  codes: RegExp,
  taken: readonly JsonText[] = [],
): Promise<void> {
  for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
    const what = `${endpoint.path} with ${parameter}=${value.slice(0, 60)}`;
    const answer = await post(endpoint, withValue(fields, parameter, value), what);
    assert.equal(answer.status === 200, taken.includes(value), `${what}: ${answer.text}`);
    if (answer.status !== 200) assert.match(assertRefusal(answer, what), codes, what);
  }
}

const ITEM_FIELDS = [...Object.keys(ORDER), 'client_oid', 'presetTakeProfitPrice'] as const;
const NEEDED_IN_ITEM = ['type', 'price', 'size'];

describe('an item of a batch', () => {
  for (const parameter of ITEM_FIELDS) {
    test(`takes no nonsense as ${parameter}, and spoils nothing but itself`, async () => {
      for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
        const what = `item with ${parameter}=${value.slice(0, 60)}`;
        const before = await site.fingerprint();
        const item = withValue(ORDER, parameter, value);
        const body = withValue(SYMBOL, 'orderDataList', `[${item}]`);
        const batch = Object(promisedData(placeBatch, await post(placeBatch, body), what));
        const [row] = batch.order_info;
        if (row.result) {
          const mayPass = NOT_GIVEN.includes(value) && !NEEDED_IN_ITEM.includes(parameter);
          assert.ok(mayPass || isLenient('swap.placeOrder', parameter, value), what);
          continue;
        }
        assert.equal(row.order_id, '', what);
        assert.ok(
          isRightCode('swap.placeOrder', parameter, row.error_code),
          `${what}: ${row.error_code}`,
        );
        assert.match(row.error_message, /^[ -~]{1,300}$/, what);
        assert.equal(await site.fingerprint(), before, what);
      }
    });
  }

  for (const form of ['list', 'text'] as const) {
    const good = { ...ORDER, client_oid: `good-${form}` };
    const mixed = [{ ...ORDER, size: '-1', client_oid: 'bad' }, good, null, 7, [good], 'x', {}];
    test(`that is fine is placed among items that are not, in a ${form}`, async () => {
      await contracts.clear();
      const orders = form === 'list' ? mixed : JSON.stringify(mixed);
      const { order_info } = await done(placeBatch, { ...SYMBOL, orderDataList: orders });
      assert.deepEqual(
        order_info.map((row: { error_code: string | null }) => row.error_code),
        ['40108', null, '40017', '40017', '40017', '40017', '40017'],
      );
      assert.deepEqual(
        order_info.map((row: { client_oid: string }) => row.client_oid),
        ['bad', good.client_oid, '', '', '', '', ''],
      );
    });
  }
});

const NO_LISTS = ['[', ']', '[]', '{}', '[1', "['x']", '[NaN]', 'null', '[{]', '\u0000', '[]]'];

test('text that is no list of orders is refused, however deep it goes', async () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);
  for (const text of [...NO_LISTS, ...BAD_WORDS]) {
    for (const name of ['orderDataList', 'order_data']) {
      const body = JSON.stringify({ ...SYMBOL, [name]: text });
      const answer = await post(placeBatch, body);
      assert.equal(assertRefusal(answer, `${name} ${text.slice(0, 40)}`), '40017');
    }
  }
  // Deeper than anybody reads: one item that is no order, or no list at all.
  const answer = await post(placeBatch, JSON.stringify({ ...SYMBOL, order_data: deep }));
  if (answer.status !== 200) assert.equal(assertRefusal(answer, 'deep'), '40017');
});

const LISTS = [
  [placeBatch, 'orderDataList', ORDER, LIMITS.contractBatchMax, '40306'],
  [cancelBatch, 'ids', UNKNOWN_ID, LIMITS.contractCancelBatchMax, '40912'],
] as const;

for (const [endpoint, field, item, most, code] of LISTS) {
  test(`${field} of more than ${most}, and of fifteen thousand, are refused whole`, async () => {
    const over = JSON.stringify({ ...SYMBOL, [field]: new Array(most + 1).fill(item) });
    assert.equal(assertRefusal(await post(endpoint, over), field), code);
    const many = `{"symbol":"cmt_btcusdt","${field}":[${new Array(15_000).fill('1')}]}`;
    assert.equal(assertRefusal(await post(endpoint, many), field), code);
    const huge = JSON.stringify({ ...SYMBOL, [field]: new Array(15_000).fill(item) });
    assert.equal((await post(endpoint, huge)).status, 413);
  });
}

describe('orders of other kinds', () => {
  const MARKET = { ...SYMBOL, type: '1', match_price: '1', size: '1' };
  const BAD_SIZE = /^(40017|40108|43007)$/;

  test('a close takes no nonsense as size or price, and not more than is held', async () => {
    await contracts.clear();
    await contracts.hold();
    const close = { ...SYMBOL, ...ORDER, type: '3', price: '31000' };
    await attackWith(placeOrder, close, 'size', /^(40017|40108|43007|40717)$/);
    await attackWith(placeOrder, close, 'price', /^(40017|40706|4071[789]|4074[89])$/);
    const other = { ...close, type: '4' };
    const answer = await post(placeOrder, JSON.stringify(other));
    assert.equal(assertRefusal(answer, 'nothing short'), '40717');
  });

  test('a market order takes no nonsense as size, order_type or preset', async () => {
    await contracts.clear();
    await contracts.offer();
    await attackWith(placeOrder, MARKET, 'size', BAD_SIZE, ['1e3']);
    await contracts.offer();
    const zeros = ['0', '-0', '"0"', ...NOT_GIVEN];
    await attackWith(placeOrder, MARKET, 'order_type', /^40017$/, zeros);
    await contracts.offer();
    const presets = /^(40017|40706|40735)$/;
    await attackWith(placeOrder, MARKET, 'presetTakeProfitPrice', presets, NOT_GIVEN);
  });

  test('a market order does not read the price', async () => {
    await contracts.offer();
    for (const value of ['"nonsense"', '-1', '[]', 'null', '{}']) {
      promisedData(placeOrder, await post(placeOrder, withValue(MARKET, 'price', value)), value);
    }
  });

  test('a market plan does not read execute_price, a limit plan does', async () => {
    for (const value of ['"nonsense"', '-1', '[]', 'null', '{}']) {
      const market = { ...PLAN, match_type: '1' };
      const body = withValue(market, 'execute_price', value);
      promisedData(placePlan, await post(placePlan, body), value);
      const limit = withValue({ ...PLAN, match_type: '0' }, 'execute_price', value);
      assert.match(assertRefusal(await post(placePlan, limit), value), /^(40017|40706)$/);
    }
    await contracts.clear();
  });
});

describe('parameters under other names', () => {
  test('the side of a plan, of leverage and of automatic margin', async () => {
    await contracts.clear();
    await contracts.hold();
    const { holdSide: _, ...plan } = PLAN;
    await attackWith(placePlan, { ...plan, match_type: '1' }, 'side', /^40017$/);
    const change = { ...SYMBOL, leverage: 10 };
    await attackWith(leverage, change, 'side', /^40017$/, NOT_GIVEN);
    await attackWith(autoMargin, { ...SYMBOL, append_type: 0 }, 'side', /^40017$/);
  });

  test('the kind of a plan as match_price', async () => {
    const zeros = ['0', '-0', '"0"', ...NOT_GIVEN];
    const plan = { ...PLAN, execute_price: '20000' };
    await attackWith(placePlan, plan, 'match_price', /^40017$/, zeros);
    await contracts.clear();
  });

  for (const name of ['clientOid', 'clientOrderId']) {
    test(`the id of an order as ${name}`, async () => {
      const order = { ...SYMBOL, ...ORDER };
      for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
        await contracts.clear();
        const answer = await post(placeOrder, withValue(order, name, value), value.slice(0, 60));
        if (answer.status !== 200) {
          // Some of the nonsense is an id that was used before: 1 is "1".
          assert.match(assertRefusal(answer, value), /^(40017|40305|40500)$/);
          assert.equal(NOT_GIVEN.includes(value), false);
          continue;
        }
        const mayPass = isLenient('swap.placeOrder', 'client_oid', value);
        assert.ok(mayPass || NOT_GIVEN.includes(value), `${value}: ${answer.text}`);
      }
    });
  }

  test('the window of candles as UTC text', async () => {
    for (const name of ['start', 'end']) {
      for (const word of BAD_WORDS) {
        const answer = await get(candles, { ...SYMBOL, [name]: word });
        assert.equal(assertRefusal(answer, `${name}=${word.slice(0, 40)}`), '40017');
      }
    }
  });
});

describe('what belongs to somebody else', () => {
  test('an order of another account is neither shown nor cancelled', async () => {
    const orderId = await contracts.orderOf('maker');
    const before = await site.fingerprint();
    const cancelled = await done(cancelOrder, { ...SYMBOL, orderId });
    assert.partialDeepStrictEqual(cancelled, { result: false, err_code: '40109' });
    const batch = await done(cancelBatch, { ...SYMBOL, ids: [orderId, orderId] });
    assert.deepEqual(batch.order_ids, []);
    assert.equal(await site.fingerprint(), before);
    const detail = await get(orderDetail, { ...SYMBOL, orderId });
    assert.equal(assertRefusal(detail, 'foreign'), '40109');
    const found = await get(fills, { ...SYMBOL, orderId });
    assert.deepEqual(promisedData(fills, found, 'foreign'), []);
  });

  test('a plan order of another account is not cancelled', async () => {
    const orderId = await contracts.planOf('maker');
    const before = await site.fingerprint();
    const cancelled = await done(cancelPlan, { ...SYMBOL, orderId });
    assert.partialDeepStrictEqual(cancelled, { result: false, err_code: '40109' });
    assert.equal(await site.fingerprint(), before);
  });

  test('an order of a pair is no contract order, and the other way round', async () => {
    const orderId = await site.restingOrder();
    const reference = { symbol: 'BTCUSDT_SPBL', orderId: await contracts.restingOrder() };
    const before = await site.fingerprint();
    assert.equal((await done(cancelOrder, { ...SYMBOL, orderId })).result, false);
    const answer = await post(SPOT_ENDPOINTS.cancelOrder, JSON.stringify(reference));
    assert.equal(assertRefusal(answer, 'contract order'), '40109');
    const pair = await post(cancelOrder, JSON.stringify({ symbol: 'BTCUSDT_SPBL', orderId }));
    assert.equal(assertRefusal(pair, 'pair'), '40102');
    const contract = await post(SPOT_ENDPOINTS.openOrders, JSON.stringify(SYMBOL));
    assert.equal(assertRefusal(contract, 'contract'), '50004');
    assert.equal(await site.fingerprint(), before);
  });

  test('an id of a pending order or plan is refused to the next one', async () => {
    const named = { ...SYMBOL, ...ORDER, client_oid: 'twice' };
    await done(placeOrder, named);
    for (const [endpoint, fields] of [
      [placeOrder, named],
      [placePlan, { ...PLAN, match_type: '1', client_oid: 'twice' }],
    ] as const) {
      const answer = await post(endpoint, JSON.stringify(fields));
      assert.equal(assertRefusal(answer, endpoint.path), '40500');
    }
    await contracts.clear();
  });
});
