/** The simulated market of a configuration: recordings, paths and traders, and what is refused. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadConfig, readRecording } from '#config';
import { complaints, load } from '../support/config-file.ts';
import { scratchDirectory } from '../support/scratch.ts';

const COIN = 10 ** 8;

function csv(context: TestContext, text: string, name = 'prices.csv'): string {
  const file = join(scratchDirectory(context), name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

const CANDLES = [
  'ts_ms,open,high,low,close,volume',
  '60000,100,120,90,110,1',
  '120000,110,115,80,85,1',
  '600000,85,85.5,84,85.25,1',
  '',
].join('\n');

test('a candle becomes open, far extreme, near extreme and close, gzipped or not', (context) => {
  for (const name of ['plain.csv', 'small.csv.gz']) {
    const { timesMs, prices, validMs } = readRecording(csv(context, CANDLES, name));
    assert.equal(validMs, 60_000);
    assert.deepEqual(
      timesMs.slice(0, 8),
      [60, 75, 90, 105, 120, 135, 150, 165].map((second) => second * 1_000),
    );
    assert.deepEqual(
      prices.map((price) => price / COIN),
      [100, 90, 120, 110, 110, 115, 80, 85, 85, 84, 85.5, 85.25],
    );
  }
});

test('trades are points, and spot candles are found beside others', (context) => {
  const trades = 'ts_ms,ts_us,price,size,side\n1000,1,8297.5,3,buy\n1000,2,8298.5,1,sell\n';
  const { timesMs, prices, validMs } = readRecording(csv(context, trades));
  assert.deepEqual(
    [timesMs, prices, validMs],
    [[1_000, 1_000], [829_750_000_000, 829_850_000_000], 60_000],
  );
  const names = ['open', 'high', 'low', 'close'];
  const header = ['perp_', 'spot_'].flatMap((prefix) => names.map((name) => prefix + name)).join();
  const both = readRecording(csv(context, `ts_ms,${header}\n0,9,9,9,9,1,3,1,2\n`));
  assert.deepEqual(
    both.prices.map((price) => price / COIN),
    [1, 1, 3, 2],
  );
});

test('recorded trades are read whole, as they are', () => {
  const file = resolve(import.meta.dirname, '../support/market/trades.csv');
  const { timesMs, prices, validMs } = readRecording(file);
  assert.deepEqual([timesMs.length, prices.length, validMs], [600, 600, 60_000]);
  assert.deepEqual([timesMs[0], timesMs.at(-1)], [1_723_161_255_342, 1_723_161_288_194]);
  assert.deepEqual([prices[0], prices.at(-1)], [6_183_763_000_000, 6_184_000_000_000]);
  assert.deepEqual([Math.min(...prices), Math.max(...prices)], [61_824 * COIN, 6_185_537_000_000]);
});

const WRONG_FILES = [
  ['', 1, 'needs columns ts_ms and price, or ts_ms, open, high, low and close'],
  ['ts_ms,price\n', 2, 'has no row'],
  ['ts_ms,price\n1,5\n2,abc\n', 3, 'abc is no price'],
  ['ts_ms,price\n1,0\n', 2, '0 is no price'],
  ['ts_ms,price\n1,5\n2\n', 3, ' is no price'],
  ['ts_ms,price\n2,5\n1,5\n', 3, 'ts_ms must be milliseconds, in order'],
  ['ts_ms,price\nnow,5\n', 2, 'ts_ms must be milliseconds, in order'],
  ['ts_ms,price\n1700000000,5\n', 2, 'ts_ms must be milliseconds: 1700000000 looks like seconds'],
] as const;

for (const [text, line, told] of WRONG_FILES) {
  test(`refused recording: ${JSON.stringify(text)}`, (context) => {
    const file = csv(context, text);
    const message = `${file}:${line}: ${told}`;
    assert.throws(() => readRecording(file), { name: 'ConfigFault', message });
  });
}

test('--path and --speed take the place of what the file says of a coin', (context) => {
  const file = csv(context, CANDLES);
  const { paths } = loadConfig({ path: [`btc=${file}`], speed: '60' }, {});
  assert.deepEqual(
    paths?.coins.map(({ coin, kind }) => `${coin} ${kind}`),
    ['BTC recorded', 'ETH random'],
  );
  const [btc] = paths?.coins ?? [];
  assert.equal(btc?.kind === 'recorded' && btc.speed, 60);
});

const WRONG_FLAGS = [
  [{ path: ['btc'] }, '--path takes COIN=FILE, not btc'],
  [{ path: ['btc=/nowhere.csv'] }, /cannot read recorded prices: \/nowhere.csv/],
  [{ path: ['btc=x'], speed: '0' }, '--speed takes a number above 0 and up to 100000, not 0'],
  [{ path: ['btc=x'], speed: 'fast' }, '--speed takes a number above 0 and up to 100000, not fast'],
  [{ speed: '60' }, '--speed is that of recorded prices: say --path too'],
  [{ path: ['btc=x'], participants: false }, /leave out --no-participants/],
] as const;

for (const [flags, message] of WRONG_FLAGS) {
  test(`refused flags: ${JSON.stringify(flags)}`, () => {
    assert.throws(() => loadConfig(flags, {}), { name: 'ConfigFault', message });
  });
}

const WRONG_TEXTS = [
  {
    name: 'a path without its price or file, and a coin twice',
    text:
      'paths:\n  coins:\n    - { coin: BTC, kind: random }\n    - { coin: ETH, kind: recorded }\n' +
      '    - { coin: BTC, kind: constant, price: "0" }\n',
    told: [
      '3: paths.coins[0]: missing price',
      '4: paths.coins[1]: missing file',
      '5: paths.coins[2].coin: is there twice',
      '5: paths.coins[2].price: must be above zero',
    ],
  },
  {
    name: 'a trader without account and market, and one without limit',
    text:
      'participants:\n  traders:\n    - style: noise\n      account: nobody\n      markets:\n' +
      '        - { symbol: XY, quantity: "1", limit: "0", perMinute: 6 }\n',
    told: [
      '4: participants.traders[0].account: is not among the accounts',
      '6: participants.traders[0].markets[0].symbol: is neither a listed pair nor a contract',
      '6: participants.traders[0].markets[0].limit: must be above zero',
    ],
  },
];

for (const { name, text, told } of WRONG_TEXTS) {
  test(`refused with its place: ${name}`, (context) => {
    assert.deepEqual(complaints(context, text), told);
  });
}

test('a venue without such sections has nobody in it', (context) => {
  const { liquidity, crowd, paths } = load(context, '');
  assert.deepEqual([liquidity, crowd, paths], [null, null, null]);
});
