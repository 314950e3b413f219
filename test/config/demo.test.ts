/** The demo venue is promised in detail: clients and tutorials rely on these very facts. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config.ts';

const demo = loadConfig({}, {});

test('it serves this machine only, on port 8787, with data under ./data', () => {
  assert.equal(demo.host, '127.0.0.1');
  assert.equal(demo.port, 8787);
  assert.match(demo.dataDirectory, /\/data$/);
  assert.equal(demo.rateLimits, true);
  assert.equal(demo.participants, true);
});

test('it lists three pairs and three contracts', () => {
  const pairs = demo.spot.map((pair) => [
    pair.symbol,
    pair.priceScale,
    pair.quantityScale,
    pair.takerFeePpm,
    pair.makerFeePpm,
    pair.status,
  ]);
  assert.deepEqual(pairs, [
    ['BTCUSDT_SPBL', 2, 4, 1_000, 1_000, 'online'],
    ['ETHUSDT_SPBL', 2, 4, 1_000, 1_000, 'online'],
    ['ETHBTC_SPBL', 5, 3, 1_000, 1_000, 'online'],
  ]);
  assert.deepEqual(
    demo.contracts.map(({ symbol, marginCode }) => `${symbol} ${marginCode}`),
    ['cmt_btcusdt USDT', 'cmt_ethusdt USDT', 'cmt_btcusd BTC'],
  );
  assert.deepEqual(
    demo.assets.map(({ code, coinId, scale }) => `${code} ${coinId} ${scale}`),
    ['BTC 1 8', 'USDT 2 8', 'ETH 3 8'],
  );
});

const FUNDS = [
  'spot USDT 1000000',
  'spot BTC 100',
  'spot ETH 1000',
  'cmt_btcusdt USDT 100000',
  'cmt_ethusdt USDT 100000',
  'cmt_btcusd BTC 10',
];

for (const name of ['demo', 'maker']) {
  test(`account ${name} has its known key, its funds and no small cap on orders`, () => {
    const account = demo.accounts.find(({ settings }) => settings.name === name);
    assert.ok(account);
    const permissions = ['read', 'trade', 'transfer'];
    const known = { key: `${name}-key`, secret: `${name}-secret`, passphrase: `${name}-pass` };
    assert.deepEqual(account.keys, [{ ...known, permissions }]);
    assert.ok(account.settings.openOrdersMax >= 100_000);
    const funds = account.deposits.map(
      ({ wallet, coin, amount }) => `${wallet} ${coin} ${amount / 100_000_000n}`,
    );
    assert.deepEqual(funds, FUNDS);
  });
}

test('the market maker trades from an account that nobody has a key to', () => {
  const { liquidity } = demo;
  assert.equal(liquidity?.accountName, 'liquidity');
  const account = demo.accounts.find(({ settings }) => settings.name === 'liquidity');
  assert.deepEqual(account?.keys, []);
  for (const ladder of liquidity?.ladders ?? []) {
    const pair = demo.spot.find(({ symbol }) => symbol === ladder.symbol);
    assert.ok(pair && pair.referencePriceTicks > 0, `${ladder.symbol} has a reference price`);
  }
});

test('known keys on an address others can reach are refused unless asked for', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org']) {
    assert.throws(() => loadConfig({ host }, {}), { name: 'ConfigFault', message: /demo-key/ });
    assert.equal(loadConfig({ host, allowDemoOnNetwork: true }, {}).host, host);
  }
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) {
    assert.equal(loadConfig({ host }, {}).host, host);
  }
});
