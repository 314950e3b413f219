/** The demo venue is promised in detail: clients and tutorials rely on these very facts. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '#config';
import { type IndexSource, marginCode } from '#domain';
import { formatTrimmed } from '#kernel';

const demo = loadConfig({}, {});

function sourceName(source: IndexSource): string {
  return source.kind === 'spot' ? source.symbol : source.name;
}

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
    pair.priceBandPpm,
  ]);
  assert.deepEqual(pairs, [
    ['BTC-USDT', 2, 4, 1_000, 1_000, 'online', 100_000],
    ['ETH-USDT', 2, 4, 1_000, 1_000, 'online', 100_000],
    ['ETH-BTC', 5, 3, 1_000, 1_000, 'online', 100_000],
  ]);
  const contracts = demo.contracts.map((contract) => [
    `${contract.symbol} ${contract.kind} ${contract.contractValue} ${contract.baseCode}`,
    `margin ${marginCode(contract)}, tick ${contract.priceScale}/${contract.priceStepTicks}`,
    `${contract.takerFeePpm}/${contract.makerFeePpm} ppm, up to ${contract.leverageMax}x`,
    `index ${contract.indexSources.map(sourceName)}`,
  ]);
  assert.deepEqual(contracts, [
    [
      'BTC-USDT-PERP linear 0.001 BTC',
      'margin USDT, tick 1/5',
      '600/400 ppm, up to 100x',
      'index BTC-USDT,path',
    ],
    [
      'ETH-USDT-PERP linear 0.01 ETH',
      'margin USDT, tick 2/5',
      '600/400 ppm, up to 100x',
      'index ETH-USDT,path',
    ],
    [
      'BTC-USD-PERP inverse 1 BTC',
      'margin BTC, tick 1/5',
      '600/400 ppm, up to 100x',
      'index BTC-USDT,path',
    ],
  ]);
  assert.deepEqual(
    demo.assets.map(({ code, coinId, scale }) => `${code} ${coinId} ${scale}`),
    ['BTC 1 8', 'USDT 2 8', 'ETH 3 8'],
  );
});

test('its contracts start at the price of their pair, with bands and without small caps', () => {
  const prices = demo.contracts.map(({ referencePriceTicks, priceScale }) =>
    formatTrimmed(referencePriceTicks, priceScale),
  );
  assert.deepEqual(prices, ['30000', '2000', '30000']);
  for (const contract of demo.contracts) {
    assert.equal(contract.priceBandPpm, 50_000);
    assert.equal(contract.indexStaleMs, 60_000);
    assert.deepEqual([contract.indexImpact, contract.indexMovePpm], [10_000n * 10n ** 8n, 500]);
    assert.equal(contract.openOrdersMax, 1_000);
    assert.deepEqual(
      contract.tiers.map(({ maintenanceRatePpm, leverageMax }) => [
        maintenanceRatePpm / 10_000,
        leverageMax,
      ]),
      [
        [0.5, 100],
        [1, 50],
        [2, 25],
        [5, 10],
        [10, 5],
      ],
    );
  }
});

const FUNDS = [
  'spot USDT 1000000',
  'spot BTC 100',
  'spot ETH 1000',
  'BTC-USDT-PERP USDT 100000',
  'ETH-USDT-PERP USDT 100000',
  'BTC-USD-PERP BTC 10',
];

for (const name of ['demo', 'maker']) {
  test(`account ${name} has its known key, its funds and no small cap on orders`, () => {
    const account = demo.accounts.find(({ settings }) => settings.name === name);
    assert.ok(account);
    const permissions = ['read', 'trade', 'transfer'];
    const known = { key: `${name}-key`, secret: `${name}-secret`, passphrase: `${name}-pass` };
    assert.deepEqual(account.keys, [{ ...known, permissions, strictReplay: false }]);
    assert.equal(account.settings.openOrdersMax, 2_000);
    assert.equal(account.settings.wallets, 'coin');
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
  const listed = [...demo.spot, ...demo.contracts];
  assert.equal(liquidity?.ladders.length, listed.length, 'it quotes whatever is listed');
  for (const ladder of liquidity.ladders) {
    const market = listed.find(({ symbol }) => symbol === ladder.symbol);
    assert.ok(market && market.referencePriceTicks > 0, `${ladder.symbol} has a reference price`);
    const isContract = demo.contracts.some(({ symbol }) => symbol === ladder.symbol);
    const wallet = isContract ? ladder.symbol : 'spot';
    assert.ok(
      account?.deposits.some((deposit) => deposit.wallet === wallet),
      `funds in ${wallet}`,
    );
  }
});

test('its traders have accounts of their own without a key, and money where they trade', () => {
  const traders = demo.crowd?.traders ?? [];
  assert.deepEqual(
    traders.map(({ style, accountName }) => `${style} ${accountName}`),
    ['noise noise', 'momentum momentum', 'reversion reversion'],
  );
  for (const { accountName, markets } of traders) {
    const account = demo.accounts.find(({ settings }) => settings.name === accountName);
    assert.deepEqual(account?.keys, []);
    for (const { symbol } of markets) {
      const wallet = symbol.endsWith('-PERP') ? symbol : 'spot';
      const isFunded = account?.deposits.some((deposit) => deposit.wallet === wallet);
      assert.ok(isFunded, `${accountName} in ${symbol}`);
    }
  }
  assert.deepEqual(
    demo.paths?.coins.map(({ coin, kind }) => `${coin} ${kind}`),
    ['BTC random', 'ETH random'],
  );
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
