/** Public market data over HTTP: exact shapes, lenient parameters, and no stale answer. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import Value from 'typebox/value';
import type { Endpoint } from '#api';
import { SPOT_ENDPOINTS, type SpotEndpointName, SWAP_ENDPOINTS } from '#dialects';
import { lots, ticks } from '#domain';
import { formatTrimmed, present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { House, START_MS, type Trader } from '../support/house.ts';
import { BTCUSDT_PRODUCT } from '../support/listings.ts';

const MINUTE_MS = 60_000;
const FIRST_MINUTE_MS = START_MS - (START_MS % MINUTE_MS);

/** Two trades a minute apart, then the best bid 29990 and the best ask 30010. */
const house = closedAtEnd(await House.open());
const alice = await house.trader('alice', { USDT: '100000', BTC: '10', ETH: '100' });
const bob = await house.trader('bob', { USDT: '100000', BTC: '10' });
await order(alice, 'sell', '30000', '0.02');
await order(bob, 'buy', '30000', '0.02');
house.clock.advance(2 * MINUTE_MS);
await order(bob, 'buy', '30300', '0.01');
await order(alice, 'sell', '30300', '0.01');
for (const price of ['30010', '30020.5', '30999']) await order(alice, 'sell', price, '0.25');
for (const price of ['29990', '29980.5', '29001']) await order(bob, 'buy', price, '0.5');

async function order(
  who: Trader,
  side: string,
  price: string,
  quantity: string,
  symbol = 'BTCUSDT',
) {
  const fields = { symbol, side, orderType: 'limit', price, quantity };
  const reply = await house.signedPost(who, SPOT_ENDPOINTS.placeOrder.path, fields);
  assert.equal(reply.status, 200, reply.text);
}

async function data<T>(name: SpotEndpointName, query = ''): Promise<T> {
  const { path, response } = SPOT_ENDPOINTS[name];
  const { status, body, text } = await house.get(path + query);
  assert.equal(status, 200, text);
  assert.deepEqual([...Value.Errors(response, body.data)], []);
  return body.data as T;
}

async function codeOf(name: SpotEndpointName, query: string): Promise<unknown> {
  const { status, body } = await house.get(SPOT_ENDPOINTS[name].path + query);
  assert.equal(status, body.code === '00000' ? 200 : 400);
  return body.code;
}

type Row = Readonly<Record<string, string>>;

test('the time is a JSON number', async () => {
  assert.equal(await data('time'), house.clock.nowMs());
});

test('coins with both spellings of what their chains allow', async () => {
  const coins = await data<{ coinName: string; transfer: string; chains: Row[] }[]>('currencies');
  assert.deepEqual(
    coins.map((coin) => [coin.coinName, coin.transfer, coin.chains.length]),
    [
      ['USDT', 'true', 1],
      ['BTC', 'true', 0],
      ['ETH', 'false', 0],
    ],
  );
  const { withdrawAble, withdrawable, rechargeAble, rechargeable } = coins[0]?.chains[0] ?? {};
  assert.deepEqual(
    [withdrawAble, withdrawable, rechargeAble, rechargeable],
    new Array(4).fill('true'),
  );
});

test('pairs, all of them or one in an array', async () => {
  const all = await data<Row[]>('products');
  assert.deepEqual(
    all.map((pair) => [pair.symbol, pair.status]),
    [
      ['BTCUSDT_SPBL', 'online'],
      ['ETHUSDT_SPBL', 'halt'],
      ['ETHBTC_SPBL', 'online'],
    ],
  );
  for (const symbol of ['BTCUSDT', 'btcusdt', 'BTCUSDT_SPBL', 'btcusdt_spbl']) {
    assert.deepEqual(await data('product', `?symbol=${symbol}`), [BTCUSDT_PRODUCT]);
  }
});

test('a ticker: the last day in trimmed decimals', async () => {
  assert.deepEqual(await data('ticker', '?symbol=BTCUSDT_SPBL'), {
    symbol: 'BTCUSDT',
    high24h: '30300',
    low24h: '30000',
    close: '30300',
    quoteVol: '903',
    baseVol: '0.03',
    usdtVol: '903',
    ts: String(house.clock.nowMs()),
    buyOne: '29990',
    sellOne: '30010',
    bidSz: '0.5',
    askSz: '0.25',
    openUtc0: '30000',
    changeUtc: '0.01',
    change: '0.01',
  });
});

test('tickers of every pair; one that never traded is all zeros', async () => {
  const all = await data<Row[]>('tickers');
  assert.deepEqual(
    all.map((ticker) => ticker.symbol),
    ['BTCUSDT', 'ETHUSDT', 'ETHBTC'],
  );
  assert.deepEqual([all[1]?.close, all[1]?.change, all[1]?.buyOne], ['0', '0', '0']);
});

test('recent trades, newest first, and a limit that is really a time', async () => {
  const trades = await data<Row[]>('trades', '?symbol=BTCUSDT_SPBL&limit=1795235652453');
  assert.deepEqual(
    trades.map((trade) => [trade.side, trade.fillPrice, trade.fillQuantity, trade.fillTime]),
    [
      ['sell', '30300', '0.01', String(START_MS + 2 * MINUTE_MS)],
      ['buy', '30000', '0.02', String(START_MS)],
    ],
  );
  assert.equal(trades[0]?.symbol, 'BTCUSDT_SPBL');
  assert.equal((await data<Row[]>('trades', '?symbol=BTCUSDT_SPBL&limit=1')).length, 1);
  assert.deepEqual(await data('trades', '?symbol=ETHBTC'), []);
});

test('depth: asks up, bids down, an empty side is an empty list', async () => {
  assert.deepEqual(await data('depth', '?symbol=BTCUSDT&limit=2'), {
    asks: [
      ['30010', '0.25'],
      ['30020.5', '0.25'],
    ],
    bids: [
      ['29990', '0.5'],
      ['29980.5', '0.5'],
    ],
    timestamp: String(house.clock.nowMs()),
  });
  assert.partialDeepStrictEqual(await data('depth', '?symbol=ETHBTC'), { asks: [], bids: [] });
});

test('depth merged to wider steps rounds away from the middle', async () => {
  const step4 = await data<{ asks: string[][]; bids: string[][] }>(
    'depth',
    '?symbol=BTCUSDT&type=step4',
  );
  assert.deepEqual(step4.asks, [
    ['30100', '0.5'],
    ['31000', '0.25'],
  ]);
  assert.deepEqual(step4.bids, [
    ['29900', '1'],
    ['29000', '0.5'],
  ]);
});

test('an order is in the book and in the ticker as soon as it is answered', async () => {
  const asks = async () =>
    (await data<{ asks: string[][] }>('depth', '?symbol=ETHBTC&limit=5')).asks;
  assert.deepEqual(await asks(), []);
  await order(alice, 'sell', '0.05', '1', 'ETHBTC');
  assert.deepEqual(await asks(), [['0.05', '1']]);
  await order(alice, 'sell', '0.05', '2', 'ETHBTC');
  assert.deepEqual(await asks(), [['0.05', '3']]);
  assert.equal((await data<Row>('ticker', '?symbol=ETHBTC')).sellOne, '0.05');
});

test('candles: oldest first, the empty minute between filled in', async () => {
  const candles = await data<Row[]>('candles', '?symbol=BTCUSDT_SPBL&period=1min&limit=100');
  assert.deepEqual(
    candles.map(({ ts, open, high, low, close, baseVol }) => [ts, open, high, low, close, baseVol]),
    [
      [String(FIRST_MINUTE_MS), '30000', '30000', '30000', '30000', '0.02'],
      [String(FIRST_MINUTE_MS + MINUTE_MS), '30000', '30000', '30000', '30000', '0'],
      [String(FIRST_MINUTE_MS + 2 * MINUTE_MS), '30300', '30300', '30300', '30300', '0.01'],
    ],
  );
  assert.deepEqual([candles[0]?.quoteVol, candles[0]?.usdtVol], ['600', '600']);
});

test('a candle window takes milliseconds, seconds or empty text, both ends included', async () => {
  const times = async (query: string) =>
    (await data<Row[]>('candles', `?symbol=BTCUSDT&period=1min${query}`)).map(
      (candle) => (Number(candle.ts) - FIRST_MINUTE_MS) / MINUTE_MS,
    );
  const at = (minute: number) => FIRST_MINUTE_MS + minute * MINUTE_MS;
  assert.deepEqual(await times('&after=&before=&limit='), [0, 1, 2]);
  assert.deepEqual(await times(`&after=${at(1)}`), [1, 2]);
  assert.deepEqual(await times(`&after=${at(0)}&limit=2`), [0, 1]);
  assert.deepEqual(await times(`&before=${at(1)}`), [0, 1]);
  assert.deepEqual(await times(`&after=${at(1)}&before=${at(1)}`), [1]);
  assert.deepEqual(await times(`&after=${at(1) / 1_000}&before=${at(2) / 1_000}`), [1, 2]);
  assert.deepEqual(await times(`&after=${at(5)}`), []);
  assert.deepEqual(await times('&limit=1'), [2]);
  assert.deepEqual(await times('&limit=99999&after=0'), [0, 1, 2]);
});

const PERIODS = [
  '1min 60',
  '3min 180',
  '5min 300',
  '15min 900',
  '30min 1800',
  '1h 3600',
  '2h 7200',
  '4h 14400',
  '6h 6Hutc 21600',
  '12h 12Hutc 43200',
  '1d 1day 1Dutc 86400',
  '3d 3day 3Dutc 259200',
  '7d 7day 1w 1week 1Wutc 604800',
  '1M 1Mutc',
];

for (const spellings of PERIODS) {
  test(`every spelling of a period is the same period: ${spellings}`, async () => {
    const answers = new Set<string>();
    for (const period of spellings.split(' ')) {
      answers.add(JSON.stringify(await data('candles', `?symbol=BTCUSDT&period=${period}`)));
    }
    assert.equal(answers.size, 1);
    assert.notEqual([...answers][0], '[]');
  });
}

const REFUSED: readonly [name: SpotEndpointName, query: string, code: string][] = [
  ['product', '', '40017'],
  ['product', '?symbol=NOPE', '50004'],
  ['ticker', '', '40017'],
  ['ticker', '?symbol=', '40017'],
  ['ticker', '?symbol=NOPE_SPBL', '50004'],
  ['trades', '?symbol=BTCUSDT&limit=0', '40017'],
  ['trades', '?symbol=BTCUSDT&limit=-5', '40017'],
  ['trades', '?symbol=BTCUSDT&limit=many', '40017'],
  ['depth', '?limit=5', '40017'],
  ['depth', '?symbol=BTCUSDT&type=step6', '40017'],
  ['depth', '?symbol=BTCUSDT&limit=1.5', '40017'],
  ['candles', '?symbol=BTCUSDT', '40017'],
  ['candles', '?symbol=BTCUSDT&period=', '40017'],
  ['candles', '?symbol=BTCUSDT&period=2min', '40017'],
  ['candles', '?symbol=BTCUSDT&period=1m', '40017'],
  ['candles', '?symbol=BTCUSDT&period=61', '40017'],
  ['candles', '?symbol=BTCUSDT&period=1min&after=yesterday', '40017'],
  ['candles', '?symbol=BTCUSDT&period=1min&before=-1', '40017'],
  ['candles', '?symbol=NOPE&period=1min', '50004'],
];

for (const [name, query, code] of REFUSED) {
  test(`${name}${query} is refused with ${code}`, async () => {
    assert.equal(await codeOf(name, query), code);
  });
}

const DESCRIBED: readonly Endpoint[] = [SPOT_ENDPOINTS, SWAP_ENDPOINTS].flatMap((table) =>
  Object.values<Endpoint>(table),
);

test('the documentation is served from here and asks nobody else', async () => {
  const document = await Promise.resolve(house.app.inject('/openapi.json'));
  assert.equal(document.statusCode, 200);
  const { paths, components } = JSON.parse(document.payload);
  for (const { method, path } of DESCRIBED) {
    const responses = paths[path]?.[method.toLowerCase()]?.responses;
    assert.deepEqual(Object.keys(responses ?? {}), ['200', '4XX', '5XX'], path);
    const { $ref } = responses['4XX'].content['application/json'].schema;
    assert.equal($ref, '#/components/schemas/Refusal');
  }
  assert.deepEqual(Object.keys(components.schemas), ['OwnError', 'Refusal', 'Error']);
  assert.equal(components.schemas.Refusal.properties.code.type, 'string');
  const page = await Promise.resolve(house.app.inject('/docs/'));
  assert.equal(page.statusCode, 200);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /https?:/);
  assert.doesNotMatch(page.payload, /(src|href)="(https?:)?\/\//);
  for (const [, path = ''] of page.payload.matchAll(/ src="([^"]+)"/g)) {
    const script = await Promise.resolve(house.app.inject(path));
    assert.match(String(script.headers['content-type']), /javascript/, path);
  }
});

test('candles older than memory holds come from the history, without a seam', async (t) => {
  const old = await House.open();
  t.after(() => old.close());
  const maker = await old.trader('maker', { USDT: '1000000', BTC: '100' });
  const { accountId } = maker;
  const startMs = old.clock.nowMs() - (old.clock.nowMs() % MINUTE_MS);
  const minutes = 1_700;
  await old.run({ kind: 'update_account', accountId, changes: { selfTradePrevention: 'none' } });
  const pair = old.live.listings.spotBySymbol('BTC-USDT');
  assert.ok(pair !== undefined);
  const shape = { kind: 'place_spot_order', accountId, instrumentId: pair.instrumentId } as const;
  const rest = { type: 'limit', force: 'gtc', clientOrderId: undefined } as const;
  for (let minute = 0; minute < minutes; minute += 1) {
    const priceTicks = ticks(3_000_000 + minute);
    const size = { priceTicks, sizeLots: lots(10) };
    const sides = ['sell', 'buy'] as const;
    await Promise.all(sides.map((side) => old.venue.submit({ ...shape, ...rest, ...size, side })));
    old.clock.advance(MINUTE_MS);
  }
  for (const [from, limit] of [
    [0, 3],
    [200, 1_000],
    [250, 5],
  ] as const) {
    const after = startMs + from * MINUTE_MS;
    const { path } = SPOT_ENDPOINTS.candles;
    const query = `?symbol=BTCUSDT&period=1min&after=${after}&limit=${limit}`;
    const rows = (await old.get(path + query)).body.data as Row[];
    assert.deepEqual(
      rows.map((row) => [Number(row.ts), row.close, row.baseVol]),
      Array.from({ length: limit }, (_, at) => [
        after + at * MINUTE_MS,
        formatTrimmed(3_000_000 + from + at, 2),
        '0.001',
      ]),
    );
  }
});

test('a book is served up to 500 levels deep, 150 unless asked for', async () => {
  const deep = await House.open();
  const maker = await deep.trader('maker', { BTC: '100' });
  const pair = present(deep.live.listings.spotBySymbol('BTC-USDT'), 'pair');
  const { accountId } = maker;
  const shape = { kind: 'place_spot_order', accountId, instrumentId: pair.instrumentId } as const;
  const rest = { type: 'limit', force: 'gtc', clientOrderId: undefined } as const;
  const asks = Array.from({ length: 510 }, (_, at) => ticks(3_000_000 + at));
  const placing = asks.map((priceTicks) =>
    deep.venue.submit({ ...shape, ...rest, side: 'sell', priceTicks, sizeLots: lots(10) }),
  );
  await Promise.all(placing);
  for (const [query, levels] of [
    ['', 150],
    ['&limit=201', 201],
    ['&limit=500', 500],
    ['&limit=9999', 500],
  ] as const) {
    const { body } = await deep.get(`${SPOT_ENDPOINTS.depth.path}?symbol=BTCUSDT${query}`);
    const { asks: shown } = body.data as { asks: [string, string][] };
    assert.equal(shown.length, levels, query);
    assert.equal(shown.at(-1)?.[0], formatTrimmed(3_000_000 + levels - 1, 2));
  }
  await deep.close();
});

test('a closed candle keeps what its volume was worth in USDT', async () => {
  const market = await House.open();
  const maker = await market.trader('maker', { USDT: '1000000', BTC: '100', ETH: '100' });
  const taker = await market.trader('taker', { USDT: '1000000', BTC: '100', ETH: '100' });
  const trade = async (symbol: string, price: string, quantity: string) => {
    for (const [who, side] of [
      [maker, 'sell'],
      [taker, 'buy'],
    ] as const) {
      const fields = { symbol, side, orderType: 'limit', price, quantity };
      const reply = await market.signedPost(who, SPOT_ENDPOINTS.placeOrder.path, fields);
      assert.equal(reply.status, 200, reply.text);
    }
  };
  const volumes = async () => {
    const { body } = await market.get(
      `${SPOT_ENDPOINTS.candles.path}?symbol=ETHBTC&period=1min&limit=10`,
    );
    return (body.data as Row[]).map(({ usdtVol }) => usdtVol);
  };
  await trade('ETHBTC', '0.05', '2');
  assert.deepEqual(await volumes(), ['0'], 'there is no price of BTC yet');
  await trade('BTCUSDT', '20000', '0.1');
  assert.deepEqual(await volumes(), ['2000'], 'the current one follows the price');
  await trade('BTCUSDT', '30000', '0.1');
  assert.deepEqual(await volumes(), ['3000']);
  market.clock.advance(MINUTE_MS);
  await trade('BTCUSDT', '50000', '0.1');
  await trade('ETHBTC', '0.05', '4');
  assert.deepEqual(await volumes(), ['3000', '10000']);
  market.clock.advance(2 * MINUTE_MS);
  await trade('BTCUSDT', '10000', '0.1');
  assert.deepEqual(await volumes(), ['3000', '10000', '0', '0']);
  await market.close();
});
