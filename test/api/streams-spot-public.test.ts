/** What anybody is told on the spot stream: words, channels and the shape of every push. */
import { strict as assert } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { StreamClient, topic } from '../support/streams-client.ts';

let client: StreamClient;

const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;
const ann = await house.trader('ann', { USDT: '1000000', BTC: '100' });
const bob = await house.trader('bob', { USDT: '1000000', BTC: '100' });

beforeEach(async (context) => {
  client = await StreamClient.at(house);
  if ('after' in context) context.after(() => client.close());
});

/** Ann sells and bob buys the same, so that nothing rests. */
async function trade(price: string, quantity: string): Promise<void> {
  await desk.order(ann, 'sell', price, quantity);
  await desk.order(bob, 'buy', price, quantity);
}

test('ping as text and as JSON gets pong as text', async () => {
  client.send('ping');
  assert.deepEqual(await client.any(), { event: 'pong' });
  client.send({ op: 'ping' });
  assert.deepEqual(await client.any(), { event: 'pong' });
});

test('a subscription is confirmed in the words it came in, and pushes repeat them', async () => {
  const words = [topic('books5', 'BTCUSDT', 'SP'), topic('books5', 'btcusdt_spbl', 'spbl')];
  client.subscribe(...words);
  for (const arg of words) {
    assert.deepEqual(await client.any(), { event: 'subscribe', arg });
    const push = await client.any();
    assert.deepEqual([push.action, push.arg], ['snapshot', arg]);
  }
});

const REFUSED: readonly (readonly [words: object | string, code: number])[] = [
  ['hello', 30002],
  ['{"op":"subscribe"', 30002],
  ['[1]', 30002],
  [{ op: 'subscribe' }, 30002],
  [{ op: 'subscribe', args: [] }, 30002],
  [{ op: 'subscribe', args: ['books'] }, 30002],
  [{ op: 'subscribe', args: [topic('books', 'X'.repeat(65))] }, 30002],
  [{ op: 'login' }, 30002],
  [{ op: 'shout', args: [] }, 30003],
  [{}, 30003],
  [{ op: 'subscribe', args: [topic('books', 'NOPEUSDT')] }, 30001],
  [{ op: 'subscribe', args: [topic('books50')] }, 30001],
  [{ op: 'subscribe', args: [topic('candle7m')] }, 30001],
  [{ op: 'subscribe', args: [topic('toString')] }, 30001],
  [{ op: 'subscribe', args: [topic('books', 'BTCUSDT', 'MC')] }, 30001],
  [{ op: 'subscribe', args: [topic('orders', 'default', 'spbl')] }, 30004],
  [{ op: 'subscribe', args: [topic('account', 'default', 'SPBL')] }, 30004],
];

for (const [words, code] of REFUSED) {
  const title = JSON.stringify(words).slice(0, 90);
  test(`${title} is refused with ${code} and nothing ends`, async () => {
    client.send(words);
    const answer = await client.any();
    assert.deepEqual([answer.event, answer.code], ['error', code]);
    assert.ok((answer.msg ?? '').length > 0);
    client.send('ping');
    assert.deepEqual(await client.any(), { event: 'pong' });
  });
}

test('one wrong argument does not spoil its neighbours', async () => {
  client.subscribe(topic('books50'), topic('ticker'));
  assert.equal((await client.any()).event, 'subscribe');
  assert.equal((await client.any()).action, 'snapshot');
  // All faults of a message are one answer.
  assert.equal((await client.any()).code, 30001);
});

test('trades: the last ones at first, then each as it happens', async () => {
  await trade('30000', '0.01');
  client.subscribe(topic('trade'));
  const first = await client.push('trade');
  assert.deepEqual([first.action, first.data?.[0]], ['snapshot', tradeRow('30000', '0.01')]);
  await trade('30001.5', '0.02');
  await trade('30002', '0.03');
  const rows: unknown[] = [];
  while (rows.length < 2) {
    const { action, data = [], seq } = await client.push('trade');
    assert.equal(action, 'update');
    rows.unshift(...data);
    assert.ok(seq !== undefined && seq > (first.seq ?? 0));
  }
  assert.deepEqual(rows, [tradeRow('30002', '0.03'), tradeRow('30001.5', '0.02')]);
});

function tradeRow(price: string, size: string): string[] {
  return [String(house.clock.nowMs()), price, size, 'buy'];
}

test('the ticker is told whole, whenever it changes', async () => {
  client.subscribe(topic('ticker'));
  await client.push('ticker');
  await trade('30100', '0.01');
  const fits = ({ data }: StreamClient['messages'][number]) =>
    (data?.[0] as { last?: string } | undefined)?.last === '30100';
  const push = await client.next(fits, 'the new last price');
  assert.equal(push.action, 'snapshot');
  const rest = await house.get('/api/spot/v1/market/ticker?symbol=BTCUSDT_SPBL');
  const { high24h, low24h, baseVol, quoteVol, openUtc0 } = rest.body.data as Record<string, string>;
  assert.deepEqual(push.data, [
    {
      instId: 'BTCUSDT',
      last: '30100',
      open24h: '30000',
      openUtc: openUtc0,
      high24h,
      low24h,
      bestBid: '0',
      bestAsk: '0',
      bidSz: '0',
      askSz: '0',
      baseVolume: baseVol,
      quoteVolume: quoteVol,
      labeId: 0,
      ts: house.clock.nowMs(),
    },
  ]);
});

const PERIODS = [
  ['candle1m', '1min'],
  ['candle3m', '3min'],
  ['candle5m', '5min'],
  ['candle15m', '15min'],
  ['candle30m', '30min'],
  ['candle1H', '1h'],
  ['candle2H', '2h'],
  ['candle4H', '4h'],
  ['candle6H', '6h'],
  ['candle12H', '12h'],
  ['candle1D', '1day'],
  ['candle3D', '3day'],
  ['candle1W', '1week'],
  ['candle1M', '1M'],
  ['candle1h', '1h'],
  ['candle1Dutc', '1day'],
] as const;

for (const [channel, period] of PERIODS) {
  test(`${channel} shows the ${period} candles of REST`, async () => {
    await trade('30050', '0.01');
    client.subscribe(topic(channel));
    assert.deepEqual((await client.push(channel)).data?.at(-1), await restCandle(period));
  });
}

async function restCandle(period: string): Promise<string[]> {
  const url = '/api/spot/v1/market/candles?symbol=BTCUSDT_SPBL&limit=1';
  const { body } = await house.get(`${url}&period=${period}`);
  const [row] = body.data as Record<string, string>[];
  const { ts = '', open = '', high = '', low = '', close = '', baseVol = '' } = row ?? {};
  return [ts, open, high, low, close, baseVol];
}

test('a candle grows with trades, and a quiet minute begins with the tick', async () => {
  client.subscribe(topic('candle1m'));
  await client.push('candle1m');
  await trade('31000', '0.5');
  const grown = await client.push('candle1m');
  assert.deepEqual([grown.action, grown.data], ['update', [await restCandle('1min')]]);
  house.clock.set(house.clock.nowMs() + 60_000);
  await house.run({ kind: 'tick' });
  const quiet = await client.push('candle1m');
  const row = await restCandle('1min');
  assert.deepEqual(quiet.data, [row]);
  assert.deepEqual(row.slice(1), ['31000', '31000', '31000', '31000', '0']);
});

test('after unsubscribing nothing more is told, and the feed starts anew later', async () => {
  client.subscribe(topic('trade'));
  await client.push('trade');
  client.send({ op: 'unsubscribe', args: [topic('trade')] });
  const answer = await client.next(({ event }) => event === 'unsubscribe', 'the confirmation');
  assert.deepEqual(answer, { event: 'unsubscribe', arg: topic('trade') });
  await trade('30070', '0.01');
  client.send('ping');
  assert.deepEqual(await client.any(), { event: 'pong' });
  client.subscribe(topic('trade'));
  const push = await client.push('trade');
  assert.deepEqual([push.action, push.data?.[0]], ['snapshot', tradeRow('30070', '0.01')]);
});

test('the numbers of a topic follow each other', async () => {
  client.subscribe(topic('books', 'ETHBTC'), topic('books'));
  const first = await client.next(({ arg }) => arg?.instId === 'BTCUSDT', 'the book');
  assert.equal(first.event, 'subscribe');
  let { seq = 0 } = await client.push('books');
  for (const price of ['20000', '20001', '20002']) {
    await desk.order(ann, 'buy', price, '0.1');
    const push = await client.push('books');
    assert.deepEqual([push.action, push.arg?.instId, push.seq], ['update', 'BTCUSDT', seq + 1]);
    const [row] = push.data as { bids: unknown }[];
    assert.deepEqual(row?.bids, [[price, '0.1']]);
    seq += 1;
  }
});
