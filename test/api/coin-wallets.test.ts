/** An account with one wallet for all linear contracts of a coin, as its classic client sees it. */
import { strict as assert } from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SPOT_ENDPOINTS } from '#dialects';
import { OPERATOR_SOURCE, ticks } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { LINEAR } from '../support/contracts.ts';
import type { Trader } from '../support/house.ts';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';
import { LINEAR_SYMBOL, type Row, SwapDesk } from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';

const OTHER = 'cmt_ethusdt';
const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;
const other = { ...LINEAR, symbol: 'ETH-USDT-PERP', baseCode: 'ETH', markClampPpm: 1 } as const;
await house.run({ kind: 'list_contract', spec: { ...other, contractValue: '0.01' } });
await desk.setIndex(30_000, OTHER);

let alice: Trader;
let bob: Trader;
let round = 0;
beforeEach(async () => {
  round += 1;
  alice = await house.trader(`ann${round}`, { USDT: '100' }, {}, 'coin');
  await house.deposit(alice.accountId, 'USDT', '1000', 'margin');
  bob = await house.trader(`ben${round}`, {}, {}, 'coin');
  await house.deposit(bob.accountId, 'USDT', '100000', 'margin');
});

function account(who: Trader, symbol: string): Promise<Row> {
  return desk.data<Row>(who, 'account', { symbol });
}

describe('contract accounts', () => {
  test('each shows the money of the wallet and a position of its own', async () => {
    await desk.trade(alice, bob, 30_000, 10);
    await desk.trade(alice, bob, 30_000, 2, OTHER);
    const [btc, eth] = [await account(alice, LINEAR_SYMBOL), await account(alice, OTHER)];
    // Fees of 0.18 and 0.36; margins of 15 and 30.
    for (const row of [btc, eth]) {
      assert.equal(row.equity, '999.46');
      assert.equal(row.total_avail_balance, '954.46');
      assert.equal(row.margin_mode, 'crossed');
    }
    assert.deepEqual([btc.margin, eth.margin], ['15', '30']);
    await desk.setIndex(29_000, LINEAR_SYMBOL);
    const [lost, same] = [await account(alice, LINEAR_SYMBOL), await account(alice, OTHER)];
    assert.deepEqual([lost.equity, same.equity], ['989.46', '989.46']);
    assert.deepEqual([lost.unrealized_pnl, same.unrealized_pnl], ['-10', '0']);
    await desk.setIndex(30_000, LINEAR_SYMBOL);
  });

  test('the stream shows in every contract what an event in one of them did', async () => {
    const stream = await SwapStream.open(await house.port());
    assert.equal((await stream.login(house, alice)).event, 'login');
    const args = [LINEAR_SYMBOL, OTHER].map((symbol) => `swap/account:${symbol}`);
    stream.send({ op: 'subscribe', args });
    const rowsOf = (symbol: string) =>
      stream.rows('swap/account').filter((row) => row.instrument_id === symbol);
    await stream.until(
      'snapshots',
      () => rowsOf(OTHER).length > 0 && rowsOf(LINEAR_SYMBOL).length > 0,
    );
    await desk.trade(alice, bob, 30_000, 10);
    await house.deposit(alice.accountId, 'USDT', '5', 'margin');
    for (const symbol of [LINEAR_SYMBOL, OTHER]) {
      await stream.until(`money of ${symbol}`, () => rowsOf(symbol).at(-1)?.equity === '1004.82');
      const { instrument_id, ...row } = rowsOf(symbol).at(-1) ?? {};
      assert.deepEqual(row, await account(alice, symbol), String(instrument_id));
    }
    await stream.close();
  });

  test('a mode is that of a contract, and what it sets aside is not there for others', async () => {
    const mode = { symbol: OTHER, holdModel: 2 };
    await desk.data(alice, 'holdModel', { symbol: OTHER, holdModel: 1 });
    await desk.trade(alice, bob, 30_000, 2, OTHER);
    const [btc, eth] = [await account(alice, LINEAR_SYMBOL), await account(alice, OTHER)];
    assert.deepEqual([btc.margin_mode, eth.margin_mode], ['crossed', 'fixed']);
    assert.equal(btc.total_avail_balance, '969.64');
    assert.equal((await desk.refusal(alice, 'holdModel', mode))[0], 400);
  });
});

test('the wallet behind each contract is told, of either kind of account', async () => {
  const own = await house.trader(`own-${round}`, {}, {}, 'contract');
  const told = async (who: Trader) =>
    (await desk.data<Row[]>(who, 'wallets', {})).map((row) => [row.symbol, row.account, row.coin]);
  assert.deepEqual(await told(alice), [
    ['cmt_btcusdt', 'margin', 'USDT'],
    ['cmt_btcusd', 'cmt_btcusd', 'BTC'],
    ['cmt_ethusdt', 'margin', 'USDT'],
  ]);
  assert.deepEqual(await told(own), [
    ['cmt_btcusdt', 'cmt_btcusdt', 'USDT'],
    ['cmt_btcusd', 'cmt_btcusd', 'BTC'],
    ['cmt_ethusdt', 'cmt_ethusdt', 'USDT'],
  ]);
});

describe('transfers', () => {
  const send = (who: Trader, body: object) =>
    house.signedPost(who, SPOT_ENDPOINTS.transfer.path, { coin: 'USDT', ...body });
  const CONTRACT = { toType: 'contract', fromType: 'spot' };

  test('to any contract of the coin come into the wallet, and records name it', async () => {
    const sent = { ...CONTRACT, toSymbol: OTHER, amount: '40' };
    const { status, text } = await send(alice, sent);
    assert.equal(status, 200, text);
    assert.equal((await account(alice, LINEAR_SYMBOL)).equity, '1040');
    const back = { fromType: 'contract', fromSymbol: LINEAR_SYMBOL, toType: 'spot', amount: '40' };
    assert.equal((await send(alice, back)).status, 200);
    assert.equal((await account(alice, OTHER)).equity, '1000');
    const { body } = await house.signedGet(alice, SPOT_ENDPOINTS.transferRecords.path);
    const found = body.data;
    assert.ok(Array.isArray(found));
    assert.deepEqual(
      found.map(({ fromType, fromSymbol, toType, toSymbol }) => [
        fromType,
        fromSymbol,
        toType,
        toSymbol,
      ]),
      [
        ['CONTRACT', LINEAR_SYMBOL, 'EXCHANGE', ''],
        ['EXCHANGE', '', 'CONTRACT', OTHER],
      ],
    );
  });

  test('need no symbol where all contracts of the coin share the wallet', async () => {
    assert.equal((await send(alice, { ...CONTRACT, amount: '40' })).status, 200);
    assert.equal((await account(alice, OTHER)).equity, '1040');
    const back = { fromType: 'mix_usdt', toType: 'spot' };
    assert.equal((await send(alice, { ...back, amount: '40' })).status, 200);
    assert.equal((await account(alice, LINEAR_SYMBOL)).equity, '1000');
    // Of the wallets of two contracts one has to be named, and a wrong amount is a wrong amount.
    const own = await house.trader(`own${round}`, { USDT: '100' }, {}, 'contract');
    const refused = await send(own, { ...CONTRACT, amount: '40' });
    assert.deepEqual([refused.status, refused.body.code], [400, '40017']);
    assert.match(String(refused.body.msg), /toSymbol/);
    assert.equal((await send(alice, { ...CONTRACT, amount: '-1' })).body.code, '40020');
  });

  test('what other contracts need stays, and between contracts nothing moves', async () => {
    await desk.trade(alice, bob, 30_000, 600, LINEAR_SYMBOL);
    // 1000 - 10.8 - 900 are left.
    const out = { fromType: 'contract', fromSymbol: OTHER, toType: 'spot' };
    assert.notEqual((await send(alice, { ...out, amount: '89.3' })).status, 200);
    assert.equal((await send(alice, { ...out, amount: '89.2' })).status, 200);
    const aside = { fromType: 'contract', fromSymbol: OTHER, toType: 'contract' };
    const refused = await send(alice, { ...aside, toSymbol: LINEAR_SYMBOL, amount: '1' });
    assert.notEqual(refused.status, 200);
  });
});

test('a liquidation over both contracts is in both their histories', async () => {
  await desk.trade(alice, bob, 30_000, 300);
  await desk.trade(alice, bob, 30_000, 20, OTHER);
  const { instrumentId } = desk.contract(LINEAR_SYMBOL);
  const priceTicks = ticks(269_000);
  await desk.house.run({ kind: 'report_index', instrumentId, source: OPERATOR_SOURCE, priceTicks });
  const { instrumentId: second } = desk.contract(OTHER);
  const fallen = { kind: 'report_index', source: OPERATOR_SOURCE, priceTicks } as const;
  await desk.house.run({ ...fallen, instrumentId: second });
  for (const symbol of [LINEAR_SYMBOL, OTHER]) {
    assert.equal((await account(alice, symbol)).margin, '0');
    const closed = await desk.data<Row[]>(alice, 'orderHistory', {
      symbol,
      pageSize: 10,
      createDate: 30,
    });
    assert.ok(
      closed.some(({ type }) => type === '9'),
      symbol,
    );
    await desk.setIndex(30_000, symbol);
  }
  const audit = await house.venue.read((state) => state.audit());
  assert.ok(audit.balanced);
});

test('the operator opens such an account, sees its wallet and cannot change its kind', async () => {
  const server = await startHere();
  const operator = new Operator(server.url, ADMIN_TOKEN);
  const opened = await operator.done('createAccount', '/accounts', { name: 'c', wallets: 'coin' });
  assert.equal(opened.data.wallets, 'coin');
  const money = { coin: 'USDT', amount: '12' };
  const paid = await operator.call('POST', '/accounts/c/deposits', { ...money, wallet: 'margin' });
  assert.equal(paid.code, '00000', paid.msg);
  const { data } = await operator.done('account', '/accounts/c');
  assert.ok(Array.isArray(data.balances));
  assert.deepEqual(
    data.balances.map(({ wallet, balance }) => [wallet, balance]),
    [['margin', '12.00000000']],
  );
  const { data: plain } = await operator.done('createAccount', '/accounts', { name: 'p' });
  assert.equal(plain.wallets, 'coin', 'the default');
  const own = { name: 'o', wallets: 'contract' };
  const { data: older } = await operator.done('createAccount', '/accounts', own);
  assert.equal(older.wallets, 'contract');
  const wrong = await operator.call('POST', '/accounts', { name: 'w', wallets: 'both' });
  assert.equal(wrong.code, '40017');
  assert.match(String(wrong.msg), /wallets must be one of contract, coin/);
  const changed = await operator.call('PATCH', '/accounts/c', { wallets: 'contract' });
  assert.equal(changed.code, '40017', changed.msg);
  await server.close();
});
