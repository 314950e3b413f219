/** A refusal of a word names the words that are taken; one of a timestamp names its unit. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, START_MS } from '../support/house.ts';
import { signature } from '../support/signer.ts';

const ORDERS = '/api/spot/v1/trade/orders';
const SPOT = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', price: '100', quantity: '1' };
const PLACE = '/api/swap/v3/order/placeOrder';
const SWAP = { symbol: 'cmt_btcusdt', type: '1', size: '1', order_type: '0', match_price: '0' };
const MODE = '/api/swap/v3/account/adjustMargin';
const CANDLES = '/api/spot/v1/market/candles?symbol=BTCUSDT';
const BARS = '/api/swap/v3/market/candles?symbol=cmt_btcusdt';

const house = closedAtEnd(await House.open());
const alice = await house.trader('alice');

type Case = readonly [what: string, ask: () => Promise<Reply>, said: RegExp];

const post = (url: string, body: object) => () => house.signedPost(alice, url, body);
const get = (url: string) => () => house.get(url);

const CASES: readonly Case[] = [
  ['side', post(ORDERS, { ...SPOT, side: 'up' }), /: side 'up', takes buy, sell$/],
  ['orderType', post(ORDERS, { ...SPOT, orderType: 'stop' }), /'stop', takes limit, market$/],
  ['force', post(ORDERS, { ...SPOT, force: 'day' }), /'day', takes normal, gtc, .*fok, ioc/],
  [
    'type',
    post(PLACE, { ...SWAP, type: '9' }),
    /type '9', takes 1 \(open_long\), 2 \(open_short\)/,
  ],
  [
    'order_type',
    post(PLACE, { ...SWAP, order_type: '7' }),
    /'7', takes 0 \(gtc\), 1 \(post_only\)/,
  ],
  ['match_price', post(PLACE, { ...SWAP, match_price: 'x' }), /takes 0 \(limit\), 1 \(market\)$/],
  ['positionType', post(MODE, { symbol: 'cmt_btcusdt', positionType: '5' }), /takes 0 \(long\), 1/],
  ['period', get(`${CANDLES}&period=7min`), /period '7min', takes 1min, .*1h, .*1d/],
  ['granularity', get(`${BARS}&granularity=61`), /granularity '61', takes 60, .*3600/],
];

for (const [what, ask, said] of CASES) {
  test(`${what}: the words it takes`, async () => {
    const { body } = await ask();
    assert.equal(body.code, '40017');
    assert.match(String(body.msg), said);
  });
}

test('a timestamp in seconds is told that it takes milliseconds, an old one is not', async () => {
  const url = '/api/spot/v1/account/assets';
  const msgAt = async (timestamp: string) => {
    const headers = {
      ...house.sign(alice, 'GET', url, ''),
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-SIGN': signature(alice.secret, `${timestamp}GET${url}`),
    };
    return String((await house.call({ url, headers })).body.msg);
  };
  const seconds = String(Math.floor(START_MS / 1_000));
  assert.ok(
    (await msgAt(seconds)).endsWith(`${seconds} looks like seconds, it takes milliseconds`),
  );
  assert.ok((await msgAt(String(START_MS - 60_000))).endsWith('over 5 s ahead'));
});
