/** How the operator's calls name markets and wallets: by their symbols, and by nothing older. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { Operator, SHORT_CONTRACT } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';

const server = closedAtEnd(await startHere());
const operator = new Operator(server.url, ADMIN_TOKEN);

const SPELLINGS = ['BTC-USDT-PERP', 'btc-usdt-perp', 'btcusdt-perp'];
const UNKNOWN = ['cmt_btcusdt', 'CMT_BTCUSDT', 'BTCUSDT', 'BTCUSDT_SPBL', 'BTC-USDT'];

test('a contract goes by its symbol, in any case and with or without a dash', async () => {
  for (const name of SPELLINGS) {
    const { data } = await operator.done('contract', `/contracts/${name}`);
    assert.equal(data.symbol, 'BTC-USDT-PERP');
    const money = { wallet: name, coin: 'USDT', amount: '1' };
    const paid = await operator.done('deposit', '/accounts/maker/deposits', money);
    assert.equal(paid.data.wallet, 'margin', 'the wallet that the contract stands on');
  }
  for (const name of UNKNOWN) {
    assert.equal((await operator.call('GET', `/contracts/${name}`)).code, '40102', name);
    const money = { wallet: name, coin: 'USDT', amount: '1' };
    const { code } = await operator.call('POST', '/accounts/maker/deposits', money);
    assert.equal(code, '40102', name);
    assert.equal((await operator.call('GET', `/liquidations?symbol=${name}`)).code, '40102', name);
  }
});

test('so does a pair', async () => {
  for (const name of ['ETH-USDT', 'eth-usdt', 'ethusdt']) {
    const { data } = await operator.done('updateSpot', `/spot/${name}`, {});
    assert.equal(data.symbol, 'ETH-USDT');
  }
  for (const name of ['ETHUSDT_SPBL', 'cmt_ethusdt', 'ETH-USDT-PERP']) {
    const { code, msg } = await operator.call('PATCH', `/spot/${name}`, {});
    assert.deepEqual([code, msg], ['50004', `Pair is unknown: '${name}'`]);
  }
});

test('a new contract and the pairs behind its index are named in full', async () => {
  const index = { sources: [{ spot: 'solusdt' }, { spot: 'SOL-USDT' }] };
  const sol = { ...SHORT_CONTRACT, symbol: 'solusdt-perp', base: 'SOL' };
  const twice = await operator.call('POST', '/contracts', { ...sol, index });
  assert.equal(twice.code, '40017', twice.msg);
  const known = { sources: [{ spot: 'btcusdt' }, { feed: 'elsewhere' }] };
  const other = { ...SHORT_CONTRACT, symbol: 'btceur-perp', quote: 'EUR', kind: 'inverse' };
  const { data } = await operator.done('listContract', '/contracts', { ...other, index: known });
  assert.equal(data.symbol, 'BTC-EUR-PERP');
  assert.deepEqual(Object(data.index).sources, [
    { spot: 'BTC-USDT', weight: 1 },
    { feed: 'elsewhere', weight: 1 },
  ]);
  const old = await operator.call('POST', '/contracts', { ...SHORT_CONTRACT, symbol: 'cmt_old' });
  assert.equal(old.code, '60608', old.msg);
});

test('a refusal names the market by its symbol, too', async () => {
  const { code, msg } = await operator.call('POST', '/accounts/maker/transfers', {
    ...{ coin: 'BTC', amount: '1', from: 'spot', to: 'BTC-USDT-PERP' },
  });
  assert.notEqual(code, '00000');
  assert.doesNotMatch(msg, /cmt_|SPBL/);
});
