/** What older clients call and say: other paths, other names of contracts and account types. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import { LEGACY_ENDPOINTS } from '#dialects';
import type { Wallet } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Trader } from '../support/house.ts';
import { LIMIT, SpotDesk } from '../support/spot-desk.ts';

const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;
const ann = await house.trader('ann', { USDT: '100000', BTC: '10' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '10' });

async function data<T>(who: Trader, name: keyof typeof LEGACY_ENDPOINTS, fields = {}): Promise<T> {
  const { method, path, response } = LEGACY_ENDPOINTS[name];
  const query = String(new URLSearchParams(fields));
  const reply =
    method === 'GET'
      ? await house.signedGet(who, query === '' ? path : `${path}?${query}`)
      : await house.signedPost(who, path, fields);
  assert.equal(reply.status, 200, reply.text);
  const found = name === 'swapOrders' ? reply.body : reply.body.data;
  assert.deepEqual([...Value.Errors(response, found)], [], name);
  return found as T;
}

test('market/fills-history has the public trades', async () => {
  await desk.place(ann, { side: 'sell', price: '30000', quantity: '0.1' });
  await desk.place(bob, { side: 'buy', price: '30000', quantity: '0.1' });
  const query = '?symbol=BTCUSDT_SPBL';
  const { body } = await house.get(LEGACY_ENDPOINTS.fillsHistory.path + query);
  assert.deepEqual(body.data, (await house.get(`/api/spot/v1/market/fills${query}`)).body.data);
  assert.equal((body.data as unknown[]).length, 1);
});

test('account/assets-lite leaves out what there is nothing of', async () => {
  await house.deposit(bob.accountId, 'ETH', '1');
  const { assetId } = present(house.live.listings.assetByCode('ETH'), 'ETH');
  const gone = { kind: 'withdraw', wallet: 'spot', assetId, amount: 10n ** 10n } as const;
  await house.run({ ...gone, accountId: bob.accountId });
  const coins = await data<{ coinName: string }[]>(bob, 'assetsLite');
  assert.deepEqual(coins.map(({ coinName }) => coinName).sort(), ['BTC', 'USDT']);
  const one = await data<{ coinName: string }[]>(bob, 'assetsLite', { coin: 'BTC' });
  assert.equal(one.length, 1);
});

test('account/accounts of the first interface has the account of the key', async () => {
  const account = { id: String(ann.accountId), type: 'spot', state: 'working' };
  assert.deepEqual(await data(ann, 'accounts'), [account]);
});

test('cancel-batch-orders-v2 tells of each order, whichever id names it', async () => {
  const first = await desk.place(ann, { side: 'buy', price: '20000', quantity: '0.1' });
  const named = { side: 'buy', price: '20000', quantity: '0.1', clientOrderId: 'mine' };
  const second = await desk.place(ann, named);
  const unknown = '1000000000099999';
  const fields = { symbol: 'BTCUSDT', orderIds: [first, unknown], clientOids: ['mine', 'no'] };
  const answer = await data<{ resultList: object[]; failure: Record<string, string>[] }>(
    ann,
    'cancelBatchV2',
    fields,
  );
  assert.deepEqual(answer.resultList, [
    { orderId: first, clientOrderId: first },
    { orderId: second, clientOrderId: 'mine' },
  ]);
  const told = answer.failure.map(({ orderId, clientOrderId, errorCode }) => [
    orderId,
    clientOrderId,
    errorCode,
  ]);
  assert.deepEqual(told, [
    [unknown, '', '40109'],
    ['', 'no', '40109'],
  ]);
});

/** Transfers by the older call, and what is in a wallet; balances are in the smallest unit. */
function mover(who: Trader) {
  const path = LEGACY_ENDPOINTS.transferV2.path;
  const move = async (fields: object) => {
    const reply = await house.signedPost(who, path, { amount: '5', ...fields });
    return reply.status === 200 ? 'moved' : String(reply.body.code);
  };
  const balance = (wallet: Wallet, coin: string) => {
    const { assetId } = house.live.listings.assetByCode(coin) ?? {};
    return house.venue.read((state) =>
      assetId === undefined ? 0n : state.account(who.accountId)?.balance(wallet, assetId)?.balance,
    );
  };
  return { move, balance };
}

for (const [wallets, wallet] of [
  ['contract', 'BTC-USDT-PERP'],
  ['coin', 'margin'],
] as const) {
  const title = 'wallet/transfer-v2 and mix accounts need no symbol where one contract is meant';
  test(`${title}: a wallet per ${wallets}`, async () => {
    const money = { USDT: '1000', BTC: '10' };
    const { move, balance } = mover(await house.trader(`of-${wallets}`, money, {}, wallets));
    const spot = { fromType: 'spot', coin: 'USDT' };
    assert.equal(await move({ ...spot, toType: 'mix_usdt' }), 'moved');
    assert.equal(await move({ ...spot, toType: 'USDT_MIX', toSymbol: 'BTCUSDT' }), 'moved');
    assert.equal(await move({ ...spot, toType: 'CONTRACT' }), 'moved');
    assert.equal(await balance(wallet, 'USDT'), 1_500_000_000n);
    assert.equal(await move({ ...spot, coin: 'BTC', toType: 'mix_usd' }), 'moved');
    assert.equal(await balance('BTC-USD-PERP', 'BTC'), 500_000_000n);
    const back = { fromType: 'mix_usdt', toType: 'spot', coin: 'USDT' };
    assert.equal(await move(back), 'moved');
    assert.equal(await move({ ...spot, toType: 'mix_usd' }), '40017', 'no such contract in USDT');
    assert.equal(await move({ ...spot, toType: 'mix_eur' }), '40017');
  });
}

test('order/orders lists the orders of a contract by status', async () => {
  await house.deposit(ann.accountId, 'USDT', '100', 'BTC-USDT-PERP');
  const order = { symbol: 'btcusdt', size: '1', match_price: '0', order_type: '0' };
  const swap = '/api/swap/v3/order';
  const ids: string[] = [];
  for (const price of ['20000', '20001']) {
    const fields = { ...order, type: '1', price };
    const reply = await house.signedPost(ann, `${swap}/placeOrder`, fields);
    assert.equal(reply.status, 200, reply.text);
    ids.push(String(Reflect.get(reply.body, 'order_id')));
  }
  const cancel = { symbol: 'BTCUSDT', orderId: ids[0] };
  const gone = await house.signedPost(ann, `${swap}/cancel_order`, cancel);
  assert.equal(Reflect.get(gone.body, 'result'), true);
  const listed = async (fields: object) =>
    (
      await data<{ order_id: string }[]>(ann, 'swapOrders', { symbol: 'cmt_btcusdt', ...fields })
    ).map(({ order_id }) => order_id);
  assert.deepEqual(await listed({}), [ids[1]]);
  assert.deepEqual(await listed({ status: '3', limit: '1' }), [ids[1]]);
  assert.deepEqual(await listed({ status: '1' }), []);
  assert.deepEqual(await listed({ status: '-1' }), [ids[0]]);
});

test('btcusd and btcusdt name their contracts in any case', async () => {
  for (const [symbol, name] of [
    ['btcusdt', 'cmt_btcusdt'],
    ['BTCUSD', 'cmt_btcusd'],
    ['cmt_BTCUSD', 'cmt_btcusd'],
  ]) {
    const { body } = await house.get(`/api/swap/v3/market/ticker?symbol=${symbol}`);
    assert.equal(Reflect.get(body, 'symbol'), name);
  }
  const { body } = await house.get('/api/swap/v3/market/ticker?symbol=dogeusd');
  assert.equal(body.code, '40102');
});

test('what clients disagree on is answered as the configuration says', async () => {
  const compatibility = { fillFees: 'negative', planLists: 'page', openCount: 'scalar' } as const;
  const other = await House.open({ compatibility });
  const maker = await other.trader('maker', { BTC: '1' });
  const taker = await other.trader('taker', { USDT: '10000' });
  for (const [who, side] of [
    [maker, 'sell'],
    [taker, 'buy'],
  ] as const) {
    const fields = { ...LIMIT, side, price: '30000', quantity: '0.1' };
    await other.signedPost(who, '/api/spot/v1/trade/orders', fields);
  }
  const symbol = 'BTCUSDT_SPBL';
  const { body } = await other.signedPost(taker, '/api/spot/v1/trade/fills', { symbol });
  assert.deepEqual(
    (body.data as { fees: string }[]).map(({ fees }) => fees),
    ['-0.0001'],
  );
  const swap = '/api/swap/v3';
  const plans = '?symbol=cmt_btcusdt&side=1&delegateType=1&pageIndex=1&pageSize=20';
  for (const name of ['currentPlan', 'historyPlan']) {
    const page = await other.signedGet(taker, `${swap}/order/${name}${plans}`);
    assert.deepEqual(page.body, { nextPage: false, list: [] });
  }
  const asked = '?symbol=cmt_btcusdt&amount=1000&openPrice=30000&leverage=20';
  assert.equal((await other.get(`${swap}/market/open_count${asked}`)).text, '"658"');
  await other.close();
});
