/** An account's money over HTTP: balances, bills and transfers between its wallets. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import { SPOT_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, START_MS, type Trader } from '../support/house.ts';

const { assets, bills, transferRecords, transfer, placeOrder } = SPOT_ENDPOINTS;
const NOW = String(START_MS);
const TO_CONTRACT = {
  coin: 'USDT',
  amount: '250.5',
  fromType: 'EXCHANGE',
  toType: 'CONTRACT',
  toSymbol: 'cmt_btcusdt',
};

const house = closedAtEnd(await House.open());

type Row = Readonly<Record<string, string>>;

function rows(endpoint: (typeof SPOT_ENDPOINTS)[keyof typeof SPOT_ENDPOINTS], reply: Reply): Row[] {
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual([...Value.Errors(endpoint.response, reply.body.data)], []);
  return reply.body.data as Row[];
}

async function assetsOf(who: Trader, query = ''): Promise<Row[]> {
  return rows(assets, await house.signedGet(who, `${assets.path}${query}`));
}

async function billsOf(who: Trader, fields: object = {}): Promise<Row[]> {
  return rows(bills, await house.signedPost(who, bills.path, fields));
}

async function transfersOf(who: Trader, query = ''): Promise<Row[]> {
  return rows(transferRecords, await house.signedGet(who, `${transferRecords.path}${query}`));
}

function send(who: Trader, fields: object): Promise<Reply> {
  return house.signedPost(who, transfer.path, fields);
}

test('balances split into available, frozen by orders and locked by the operator', async () => {
  const owner = await house.trader('split', { USDT: '1000', ETH: '0.0123456789' });
  const order = {
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '294',
    quantity: '0.1',
  };
  assert.equal((await house.signedPost(owner, placeOrder.path, order)).status, 200);
  const usdt = house.live.listings.assetByCode('USDT');
  assert.ok(usdt !== undefined);
  const { assetId } = usdt;
  await house.run({ kind: 'set_lock', accountId: owner.accountId, assetId, amount: 7_00000000n });
  assert.deepEqual(await assetsOf(owner), [
    {
      coinId: '2',
      coinName: 'USDT',
      available: '963.60000000',
      frozen: '29.40000000',
      lock: '7.00000000',
      uTime: NOW,
    },
    {
      coinId: '3',
      coinName: 'ETH',
      available: '0.0123456789',
      frozen: '0.00000000',
      lock: '0.00000000',
      uTime: NOW,
    },
  ]);
});

test('balances of one coin, by its code in any case', async () => {
  const owner = await house.trader('onecoin', { USDT: '5', BTC: '1' });
  for (const query of ['?coin=BTC', '?coin=btc']) {
    assert.deepEqual(
      (await assetsOf(owner, query)).map((row) => row.coinName),
      ['BTC'],
    );
  }
  assert.equal((await assetsOf(owner, '?coin=')).length, 2);
  assert.deepEqual(await assetsOf(owner, '?coin=ETH'), []);
  const reply = await house.signedGet(owner, `${assets.path}?coin=DOGE`);
  assert.deepEqual([reply.status, reply.body.code], [400, '40034']);
});

test('bills show the change, what was there before, and the fee', async () => {
  const buyer = await house.trader('buyer', { USDT: '1000' });
  const seller = await house.trader('seller', { BTC: '1' });
  const order = { symbol: 'BTCUSDT', orderType: 'limit', price: '30000', quantity: '0.001' };
  await house.signedPost(seller, placeOrder.path, { ...order, side: 'sell' });
  await house.signedPost(buyer, placeOrder.path, { ...order, side: 'buy' });
  const [spent, received, deposit] = await billsOf(buyer);
  assert.deepEqual(spent, {
    cTime: NOW,
    coinId: '2',
    coinName: 'USDT',
    groupType: 'transaction',
    bizType: 'buy',
    quantity: '-30.00000000',
    balance: '1000.00000000',
    fees: '0.00000000',
    billId: spent?.billId,
  });
  assert.partialDeepStrictEqual(received, {
    coinName: 'BTC',
    bizType: 'buy',
    quantity: '0.00100000',
    balance: '0.00000000',
    fees: '0.00000100',
  });
  assert.partialDeepStrictEqual(deposit, { groupType: 'deposit', bizType: 'deposit' });
  const [, sold] = await billsOf(seller, { bizType: 'sell' });
  assert.partialDeepStrictEqual(sold, { bizType: 'sell', quantity: '-0.00100000', coinId: '1' });
});

test('bills are filtered by coin, group and business, and paged by id', async () => {
  const owner = await house.trader('filters', { USDT: '100', BTC: '1', ETH: '1' });
  assert.equal((await send(owner, TO_CONTRACT)).body.code, '50020');
  assert.equal((await send(owner, { ...TO_CONTRACT, amount: 60 })).body.code, '00000');
  const found = async (fields: object) =>
    (await billsOf(owner, fields)).map((row) => `${row.bizType} ${row.coinName}`);
  const all = ['transfer-out USDT', 'deposit ETH', 'deposit BTC', 'deposit USDT'];
  assert.deepEqual(await found({}), all);
  assert.deepEqual(await found({ coinId: '2' }), ['transfer-out USDT', 'deposit USDT']);
  assert.deepEqual(await found({ coinId: 2, groupType: 'transfer' }), ['transfer-out USDT']);
  assert.deepEqual(await found({ groupType: 'DEPOSIT' }), all.slice(1));
  assert.deepEqual(await found({ bizType: 'transfer-out' }), ['transfer-out USDT']);
  assert.deepEqual(await found({ bizType: 'withdrawal' }), []);
  assert.deepEqual(await found({ groupType: 'other' }), []);
  for (const bizType of ['Rebate rewards', 'airdrop rewards', 'deduction of handling fee']) {
    assert.deepEqual(await found({ bizType }), []);
  }
  const [, second, third] = await billsOf(owner);
  assert.deepEqual(await found({ after: second?.billId, limit: 1 }), ['deposit BTC']);
  assert.deepEqual(await found({ before: third?.billId }), ['deposit ETH', 'transfer-out USDT']);
});

const BAD_BILLS: readonly [fields: object, code: string][] = [
  [{ coinId: 99 }, '40034'],
  [{ coinId: 'USDT' }, '40017'],
  [{ groupType: 'gift' }, '40017'],
  [{ bizType: 'gift' }, '40017'],
  [{ after: 'x' }, '40017'],
  [{ limit: -1 }, '40017'],
];

for (const [fields, code] of BAD_BILLS) {
  test(`bills with ${JSON.stringify(fields)} are refused with ${code}`, async () => {
    const owner = await house.trader(`bad${BAD_BILLS.findIndex(([row]) => row === fields)}`);
    const reply = await house.signedPost(owner, bills.path, fields);
    assert.deepEqual([reply.status, reply.body.code], [400, code]);
  });
}

test('a transfer moves money at once and is on record', async () => {
  const owner = await house.trader('mover', { USDT: '1000' }, {}, 'contract');
  const reply = await send(owner, { ...TO_CONTRACT, clientOid: 'move#1' });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual([...Value.Errors(transfer.response, reply.body.data)], []);
  assert.partialDeepStrictEqual(reply.body.data, { clientOid: 'move#1' });
  assert.equal((await assetsOf(owner))[0]?.available, '749.50000000');
  const back = { ...TO_CONTRACT, fromType: 'contract', toType: 'exchange', amount: '0.5' };
  const home = await send(owner, { ...back, fromSymbol: 'CMT_BTCUSDT', toSymbol: '' });
  assert.equal(home.status, 200, home.text);
  assert.deepEqual(await transfersOf(owner, '?clientOid=move%231'), [
    {
      coinName: 'USDT',
      status: 'SUCCESS',
      toType: 'CONTRACT',
      toSymbol: 'cmt_btcusdt',
      fromType: 'EXCHANGE',
      fromSymbol: '',
      amount: '250.5',
      tradeTime: NOW,
    },
  ]);
  const amounts = async (query: string) =>
    (await transfersOf(owner, query)).map((row) => row.amount);
  assert.deepEqual(await amounts(''), ['0.5', '250.5']);
  assert.deepEqual(await amounts('?fromType=contract'), ['0.5']);
  assert.deepEqual(await amounts('?fromType=OTC_SGD'), []);
  assert.deepEqual(await amounts('?coinId=1'), []);
});

test('transfers page by time: after means earlier, before means later', async () => {
  const owner = await house.trader('pager', { USDT: '1000' });
  const startMs = house.clock.nowMs();
  for (const amount of ['1', '2', '3']) {
    house.clock.advance(1_000);
    assert.equal((await send(owner, { ...TO_CONTRACT, amount })).status, 200);
  }
  const amounts = async (query: string) =>
    (await transfersOf(owner, query)).map((row) => row.amount);
  assert.deepEqual(await amounts('?limit=2'), ['3', '2']);
  assert.deepEqual(await amounts(`?after=${startMs + 3_000}`), ['2', '1']);
  assert.deepEqual(await amounts(`?before=${startMs + 1_000}`), ['2', '3']);
  assert.deepEqual(await amounts(`?after=${startMs + 3_000}&before=${startMs + 1_000}`), ['2']);
  assert.equal((await house.signedGet(owner, `${transferRecords.path}?after=x`)).status, 400);
});

const BAD_TRANSFERS: readonly [why: string, changes: object, code: string][] = [
  ['an unknown coin', { coin: 'DOGE' }, '40034'],
  ['no coin', { coin: '' }, '40017'],
  ['no amount', { amount: null }, '40017'],
  ['nothing', { amount: '0' }, '40020'],
  ['less than nothing', { amount: '-1' }, '40020'],
  ['too many decimals', { amount: '1.123456789' }, '40020'],
  ['more than there is', { amount: '1001' }, '50020'],
  ['an unknown account type', { toType: 'SAVINGS' }, '40017'],
  ['an unknown contract', { toSymbol: 'cmt_dogeusdt' }, '40102'],
  ['no contract name', { toSymbol: 'BTC-USDT' }, '40102'],
  ['a contract in another coin', { toSymbol: 'cmt_btcusd' }, '40020'],
  ['the same wallet', { toType: 'EXCHANGE' }, '40020'],
  ['a bad id', { clientOid: 'a b' }, '40305'],
];

test('a wallet with an endless name is refused without a word in the journal', async () => {
  const owner = await house.trader('wordy', { USDT: '1000' });
  const seq = house.venue.appliedSeq;
  for (const side of ['from', 'to']) {
    const endless = { [`${side}Type`]: 'CONTRACT', [`${side}Symbol`]: `cmt_${'x'.repeat(30_000)}` };
    const reply = await send(owner, { ...TO_CONTRACT, ...endless });
    assert.deepEqual([reply.status, reply.body.code], [400, '40102']);
    assert.ok(reply.text.length < 500, 'what was sent is not repeated at length');
  }
  assert.equal(house.venue.appliedSeq, seq);
});

test('transfers that cannot be are refused and move nothing', async () => {
  const owner = await house.trader('refused', { USDT: '1000' });
  for (const [why, changes, code] of BAD_TRANSFERS) {
    const reply = await send(owner, { ...TO_CONTRACT, ...changes });
    assert.deepEqual([reply.status, reply.body.code], [400, code], `${why}: ${reply.text}`);
  }
  assert.equal((await assetsOf(owner))[0]?.available, '1000.00000000');
  assert.deepEqual(await transfersOf(owner), []);
});
