/**
 * Nonsense where the table of endpoints does not reach: items of a batch, orders of other kinds,
 * orders of somebody else, ids used twice, parts of a path, and calls that nobody signed.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '#api';
import { ADMIN_ENDPOINTS, houseReject, SPOT_ENDPOINTS, SWAP_ENDPOINTS } from '#dialects';
import { REJECTS, type RejectKind } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { assertRefusal, Site, sign, successData } from './bad-input-site.ts';
import { BAD_JSON, BAD_WORDS, isLenient, type JsonText, NOT_GIVEN } from './bad-input-values.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const PAIR = 'BTCUSDT_SPBL';
const CODES = new Set((Object.keys(REJECTS) as RejectKind[]).map((kind) => houseReject(kind).code));

const site = closedAtEnd(await Site.open());

function post(endpoint: Endpoint, body: string, what = endpoint.path) {
  const call = { method: 'POST', target: endpoint.path, body, headers: JSON_HEADERS };
  return site.attack(endpoint.permission, call, what);
}

/** The fields of an object as JSON text, with one of them replaced by any text. */
function withValue(fields: object, parameter: string, value: JsonText): string {
  const texts = Object.entries(fields).map(([name, field]) => [name, JSON.stringify(field)]);
  const all = { ...Object.fromEntries(texts), [parameter]: value };
  return `{${Object.entries(all).map(([name, text]) => `"${name}":${text}`)}}`;
}

const ORDER = { side: 'buy', orderType: 'limit', force: 'gtc', price: '1', quantity: '0.5' };
const ITEM_FIELDS = Object.keys({ ...ORDER, clientOrderId: '' });

describe('an item of a batch', () => {
  for (const parameter of ITEM_FIELDS) {
    test(`takes no nonsense as ${parameter}, and spoils nothing but itself`, async () => {
      for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
        const item = withValue(ORDER, parameter, value);
        const what = `item with ${parameter}=${value.slice(0, 60)}`;
        const before = await site.fingerprint();
        const body = `{"symbol":"${PAIR}","orderList":[${item}]}`;
        const data = Object(successData(await post(SPOT_ENDPOINTS.placeBatch, body), what));
        const [failure] = data.failure;
        const isOptional = ['force', 'clientOrderId'].includes(parameter);
        const mayPass = NOT_GIVEN.includes(value) && isOptional;
        if (mayPass || isLenient('placeOrder', parameter, value)) continue;
        assert.deepEqual(data.resultList, [], what);
        assert.ok(CODES.has(failure.errorCode), what);
        assert.equal(failure.orderId, '', what);
        assert.match(failure.errorMsg, /^[ -~]{1,300}$/, what);
        assert.equal(await site.fingerprint(), before, what);
      }
    });
  }

  test('that is fine is placed among items that are not', async () => {
    const good = { ...ORDER, clientOrderId: 'good' };
    const bad = { ...ORDER, quantity: '-1', clientOrderId: 'bad' };
    const body = JSON.stringify({ symbol: PAIR, orderList: [bad, good, null, 7, [good]] });
    const data = Object(successData(await post(SPOT_ENDPOINTS.placeBatch, body), 'mixed batch'));
    assert.deepEqual(
      data.resultList.map((row: { clientOrderId: string }) => row.clientOrderId),
      ['good'],
    );
    assert.deepEqual(
      data.failure.map((row: { errorCode: string }) => row.errorCode),
      ['40108', '40017', '40017', '40017'],
    );
  });
});

const LISTS = [
  [SPOT_ENDPOINTS.placeBatch, 'orderList', ORDER],
  [SPOT_ENDPOINTS.cancelBatch, 'orderIds', '1000000000000001'],
] as const;

for (const [endpoint, field, item] of LISTS) {
  test(`a ${field} of 51 is refused whole`, async () => {
    const body = JSON.stringify({ symbol: PAIR, [field]: new Array(51).fill(item) });
    assert.equal(assertRefusal(await post(endpoint, body), field), '40912');
  });

  test(`a ${field} of fifteen thousand is refused by its size or its count`, async () => {
    const body = `{"symbol":"${PAIR}","${field}":[${new Array(15_000).fill('1')}]}`;
    assert.equal(assertRefusal(await post(endpoint, body), field), '40912');
    const huge = JSON.stringify({ symbol: PAIR, [field]: new Array(15_000).fill(item) });
    assert.equal((await post(endpoint, huge)).status, 413);
  });
}

const OTHER_KINDS = [
  ['a market buy', { side: 'buy', orderType: 'market', quantity: '1000' }],
  ['a market sell', { side: 'sell', orderType: 'market', quantity: '1' }],
] as const;

for (const [what, order] of OTHER_KINDS) {
  test(`${what} takes no nonsense as quantity, and does not read price and force`, async () => {
    for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
      const body = withValue({ symbol: PAIR, ...order }, 'quantity', value);
      const answer = await post(SPOT_ENDPOINTS.placeOrder, body, `${what} ${value.slice(0, 60)}`);
      const isAmount = ['1e3', '1e-7'].includes(value);
      assert.ok(answer.status === 400 || isAmount, `${what} of ${value} was taken`);
    }
    for (const parameter of ['price', 'force']) {
      const body = withValue({ symbol: PAIR, ...order }, parameter, '"nonsense"');
      successData(await post(SPOT_ENDPOINTS.placeOrder, body), `${what} with any ${parameter}`);
    }
  });
}

for (const endpoint of [SPOT_ENDPOINTS.cancelOrder, SPOT_ENDPOINTS.orderInfo]) {
  test(`${endpoint.path} by an id of the client takes no nonsense`, async () => {
    await site.restingOrder();
    for (const value of [...BAD_JSON, ...NOT_GIVEN]) {
      // Another pair, because some of the nonsense is a fine id and was used above.
      const body = withValue({ symbol: 'ETHUSDT_SPBL' }, 'clientOrderId', value);
      const answer = await post(endpoint, body, value.slice(0, 60));
      assert.match(assertRefusal(answer, value), /^(40017|40109|40305|40913)$/);
    }
    successData(
      await post(endpoint, `{"symbol":"${PAIR}","clientOrderId":"${site.mine}"}`),
      'mine',
    );
  });

  test(`${endpoint.path} does not know an order of somebody else`, async () => {
    const id = await site.orderOf('maker');
    const answer = await post(endpoint, JSON.stringify({ symbol: PAIR, orderId: id }));
    assert.equal(assertRefusal(answer, 'foreign'), '40109');
    const fills = await post(SPOT_ENDPOINTS.fills, JSON.stringify({ symbol: PAIR, orderId: id }));
    assert.deepEqual(successData(fills, 'foreign'), []);
    const batch = JSON.stringify({ symbol: PAIR, orderIds: [id, id] });
    const before = await site.fingerprint();
    assert.deepEqual(successData(await post(SPOT_ENDPOINTS.cancelBatch, batch), 'foreign'), []);
    assert.equal(await site.fingerprint(), before);
  });
}

test('an id that an open order of the same account has is refused', async () => {
  await site.restingOrder();
  const body = JSON.stringify({ symbol: PAIR, ...ORDER, clientOrderId: site.mine });
  assert.equal(assertRefusal(await post(SPOT_ENDPOINTS.placeOrder, body), 'twice'), '43118');
});

const ALL: readonly Endpoint[] = [
  ...Object.values(SPOT_ENDPOINTS),
  ...Object.values(SWAP_ENDPOINTS),
  ...Object.values(ADMIN_ENDPOINTS),
];

for (const endpoint of ALL.filter(({ permission }) => permission !== 'none')) {
  const { method, path, permission, example } = endpoint;
  test(`${method} ${path} does nothing for callers without the right credentials`, async () => {
    const body = method === 'GET' ? undefined : JSON.stringify(example.request);
    const call = { method, target: path.replace(/:[a-z]+/, 'liquidity'), body };
    const isOperator = permission === 'operator';
    const others = [
      {},
      { authorization: 'Bearer guess' },
      { authorization: 'Basic dG9rZW4=' },
      { ...sign(call), 'ACCESS-SIGN': 'guess' },
      { ...sign(call), 'ACCESS-PASSPHRASE': 'guess' },
      sign({ ...call, target: `${call.target}?` }),
      sign({ ...call, method: 'PUT' }),
      sign({ ...call, body: `${body} ` }),
    ];
    const before = await site.fingerprint();
    for (const headers of others) {
      const answer = await site.send({ ...call, headers: { ...JSON_HEADERS, ...headers } });
      const code = assertRefusal(answer, JSON.stringify(headers));
      assert.match(code, isOperator ? /^60121$/ : /^(40001|40012)$/);
    }
    assert.equal(await site.fingerprint(), before);
  });
}

for (const endpoint of ALL.filter(({ path }) => path.includes(':'))) {
  const { method, path, permission } = endpoint;
  test(`${method} ${path} takes no nonsense in its path`, async () => {
    for (const word of [...BAD_WORDS, 'nobody', '%zz', '%ff', '%2e%2e', '..%2f..', '%e0%80']) {
      const part = word.startsWith('%') ? word : encodeURIComponent(word);
      const target = path.replace(/:[a-z]+/, part);
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
      const answer = await site.attack(permission, { method, target, body }, target);
      assert.match(
        assertRefusal(answer, target),
        /^(60601|60606|50004|40102|40404|40017|40034|60825)$/,
        target,
      );
    }
  });
}
