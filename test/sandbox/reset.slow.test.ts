/** Going back to a checkpoint, as everybody who talks to the venue sees it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoHere } from '../support/demo-here.ts';
import { type Answer, ask, DEMO, dataOf, field, rowsOf } from '../support/http-trader.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { signature } from '../support/signer.ts';
import { StreamClient } from '../support/streams-client.ts';
import { publicAnswers } from './public-answers.ts';

const HOUR_MS = 3_600_000;
const TICKERS = '/api/spot/v1/market/tickers';
const DEPTH = '/api/spot/v1/market/depth?symbol=BTCUSDT';
const PAGE = 'pageIndex=1&pageSize=100&createDate=90';
const LIMIT = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', quantity: '0.01' };

async function bid(house: DemoHere, price: string): Promise<void> {
  await house.lookAtClock();
  dataOf(await house.trader().post('/trade/orders', { ...LIMIT, side: 'buy', price }));
}

/** A venue that has traded, stands still and has kept this state. */
async function seeded(house: DemoHere): Promise<void> {
  await house.start({ sandbox: true });
  await house.sandbox.pauseClock();
  await house.sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
  await house.trade('30000');
  await house.swapTrade('30000');
  await bid(house, '29000');
  await house.sandbox.stepClock({ ms: 1_000 });
  await house.sandbox.saveCheckpoint({ name: 'seeded' });
}

/** Does what a reset has to take back. */
async function busy(house: DemoHere): Promise<void> {
  await house.sandbox.stepClock({ ms: HOUR_MS });
  for (const price of ['31000', '28500', '31300']) {
    await house.trade(price);
    await house.swapTrade('30100', '3');
    await house.sandbox.stepClock({ ms: HOUR_MS });
  }
  await bid(house, '29100');
  await house.operator.transfer({
    account: 'demo',
    coin: 'USDT',
    amount: '5',
    from: 'spot',
    to: 'BTC-USDT-PERP',
  });
}

/** What the demo account is told of itself. */
async function privateAnswers(house: DemoHere): Promise<unknown[]> {
  await house.lookAtClock();
  const trader = house.trader();
  const symbol = { symbol: 'BTCUSDT' };
  const answers: Answer[] = [
    await trader.get('/account/assets'),
    await trader.post('/account/bills', { limit: '500' }),
    await trader.post('/trade/open-orders', symbol),
    await trader.post('/trade/history', symbol),
    await trader.post('/trade/fills', symbol),
    await trader.get('/account/transferRecords'),
  ];
  const swaps = [
    await trader.swapGet('/account/account?symbol=cmt_btcusdt'),
    await trader.swapGet('/position/singlePosition?symbol=cmt_btcusdt'),
    await trader.swapGet(`/order/history?symbol=cmt_btcusdt&${PAGE}`),
  ];
  return [...answers.map(dataOf), ...swaps.map(dataOf)];
}

/** The answers once more, without what a contract's clock moves. */
function still(answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([path, text]) => [
      path,
      text.replace(/"(funding_?[tT]ime|nextFundingTime|fundingTime)":"?[0-9]+"?/g, ''),
    ]),
  );
}

test('accounts, orders, fills, bills and positions are those of the checkpoint', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  const before = await privateAnswers(house);
  await busy(house);
  assert.notDeepEqual(await privateAnswers(house), before);
  const { time } = await house.sandbox.state();
  assert.equal((await house.sandbox.resetToCheckpoint({ name: 'seeded' })).name, 'seeded');
  assert.deepEqual(await privateAnswers(house), before);
  const state = await house.sandbox.state();
  assert.equal(state.time, time, 'time does not go back');
  assert.deepEqual(
    state.checkpoints.map(({ name }) => name),
    ['seeded'],
  );
  await house.trade('30500');
  await house.audit();
});

type Answers = Readonly<Record<string, string>>;

function assertSame(found: Answers, expected: Answers): void {
  for (const [path, text] of Object.entries(expected)) assert.equal(found[path], text, path);
}

test('public answers are those of a server started anew on the same data', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  // Asked for, so that a cache that outlives the reset would show.
  await publicAnswers(house.url);
  await busy(house);
  await publicAnswers(house.url);
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  const after = await publicAnswers(house.url);
  await house.trade('30200');
  // A start tells the contracts the time, too.
  await house.venue.submit({ kind: 'tick' });
  const traded = await publicAnswers(house.url);
  assert.notEqual(traded[TICKERS], after[TICKERS]);
  await house.stop();
  await house.start({ sandbox: true });
  assertSame(await publicAnswers(house.url), traded);
});

test('a book answers as it did at the checkpoint, and prices with it', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  const before = still(await publicAnswers(house.url));
  await bid(house, '29100');
  assert.notEqual(still(await publicAnswers(house.url))[DEPTH], before[DEPTH]);
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  assertSame(still(await publicAnswers(house.url)), before);
});

test('a pair listed since is gone, and another one takes its number', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  const fees = { takerFee: '0', makerFee: '0' };
  const sizes = { quantityScale: 4, minQuantity: '0.01', maxQuantity: '10' };
  const spec = { base: 'ETH', priceScale: 2, ...sizes, ...fees };
  const coin = { coinId: 900, scale: 8 };
  const quoteOf = async (code: string, price: string): Promise<string> => {
    await house.operator.listAsset({ ...coin, code });
    await house.operator.listSpot({ ...spec, quote: code });
    await house.sandbox.credit({ account: 'demo', coin: code, amount: '1000' });
    await house.lookAtClock();
    const order = { ...LIMIT, symbol: `ETH${code}`, side: 'buy', price, quantity: '1' };
    dataOf(await house.trader().post('/trade/orders', order));
    return `/api/spot/v1/market/depth?symbol=ETH${code}`;
  };
  const first = await quoteOf('AAA', '1.11');
  const bids = async (path: string) => Object(dataOf(await ask(house.url, path))).bids;
  assert.deepEqual(await bids(first), [['1.11', '1']]);
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  assert.equal((await ask(house.url, first)).status, 400);
  const products = rowsOf(await ask(house.url, '/api/spot/v1/public/products'));
  assert.ok(products.every((row) => !field(row, 'symbol').includes('AAA')));
  const second = await quoteOf('BBB', '2.22');
  assert.deepEqual(await bids(second), [['2.22', '1']]);
});

test('keys made since are unknown, keys revoked since work again', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  const made = await house.operator.createKey({ account: 'demo' });
  const fresh = { key: made.key, secret: made.secret, passphrase: made.passphrase };
  await house.operator.revokeKey({ key: 'demo-key' });
  await house.lookAtClock();
  const codeOf = async (credential: typeof DEMO) =>
    (await house.trader(credential).get('/account/assets')).code;
  assert.deepEqual([await codeOf(fresh), await codeOf(DEMO)], ['00000', '40012']);
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  assert.deepEqual([await codeOf(fresh), await codeOf(DEMO)], ['40012', '00000']);
});

test('streams end, and whoever comes back is told all that follows', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  const book = { instType: 'sp', channel: 'books', instId: 'BTCUSDT' };
  const watch = async (): Promise<StreamClient> => {
    const client = await StreamClient.connect(house.url);
    client.subscribe(book);
    await client.push('books');
    return client;
  };
  const first = await watch();
  const swap = await StreamClient.connect(house.url, '/ws/v1');
  await busy(house);
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  assert.deepEqual(await first.gone, { code: 1012, reason: 'reset' });
  assert.deepEqual(await swap.gone, { code: 1012, reason: 'reset' });

  const again = await StreamClient.connect(house.url);
  again.subscribe(book);
  const snapshot = await again.push('books');
  assert.equal(snapshot.action, 'snapshot');
  const [shown] = snapshot.data ?? [];
  assert.deepEqual(Object(shown).bids, [['29000', '0.01']]);
  await bid(house, '29500');
  const update = await again.push('books');
  assert.deepEqual(Object(update.data?.[0]).bids, [['29500', '0.01']]);
  assert.equal(update.seq, (snapshot.seq ?? 0) + 1);
  await again.close();
});

test('a stream of a trader who came since ends with the reset, and nothing else', async (t) => {
  const house = new DemoHere(t);
  await seeded(house);
  await house.operator.createAccount({ name: 'late' });
  const { key, secret, passphrase } = await house.operator.createKey({ account: 'late' });
  await house.sandbox.credit({
    account: 'late',
    coin: 'USDT',
    amount: '1000',
    wallet: 'BTC-USDT-PERP',
  });
  await house.lookAtClock();
  const order = { symbol: 'cmt_btcusdt', client_oid: '', order_type: '0', match_price: '0' };
  const terms = { ...order, price: '30000', size: '3' };
  const late = house.trader({ key, secret, passphrase });
  dataOf(await late.swapPost('/order/placeOrder', { ...terms, type: '2' }));
  dataOf(await house.trader().swapPost('/order/placeOrder', { ...terms, type: '1' }));

  const stream = await StreamClient.connect(house.url, '/ws/v1');
  const seconds = String(house.venueMs() / 1_000);
  const sign = signature(secret, `${seconds}GET/user/verify`);
  stream.send({ op: 'login', args: [key, passphrase, seconds, sign] });
  await stream.next(({ event }) => event === 'login', 'login');
  stream.send({ op: 'subscribe', args: ['swap/position:cmt_btcusdt'] });
  await stream.next(({ action }) => action !== undefined, 'a position');
  // Past a settlement: the contract of the checkpoint tells new prices as it comes back.
  const { time } = await house.sandbox.state();
  await house.sandbox.jumpClock({ time: time + 9 * HOUR_MS });
  await house.sandbox.resetToCheckpoint({ name: 'seeded' });
  assert.deepEqual(await stream.gone, { code: 1012, reason: 'reset' });
  await house.swapTrade('30100');
  await house.audit();
});

test('an operator without the token, and a venue that is no sandbox, take nothing', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const statusOf = async (authorization: string) =>
    (await fetch(`${house.url}/sandbox/v1/state`, { headers: { authorization } })).status;
  assert.equal(await statusOf(`Bearer ${ADMIN_TOKEN}`), 200);
  assert.equal(await statusOf('Bearer wrong'), 401);
  assert.equal(await statusOf(''), 401);
  await house.stop();
  await house.start({ sandbox: false });
  assert.equal(await statusOf(`Bearer ${ADMIN_TOKEN}`), 404);
});

test('what is not there is neither gone to nor taken back', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  await house.sandbox.saveCheckpoint({ name: 'kept' });
  await house.sandbox.addFault({ effect: { kind: 'no_answer' }, probability: '0' });
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const call = async (method: string, path: string): Promise<string> => {
    const answer = await fetch(`${house.url}/sandbox/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    const { msg } = Object(await answer.json());
    return `${answer.status} ${msg}`;
  };
  const gone = /^404 Checkpoint does not exist(: nothing)?$/;
  assert.match(await call('POST', '/checkpoints/nothing/reset'), gone);
  assert.match(await call('DELETE', '/checkpoints/nothing'), gone);
  assert.match(await call('DELETE', `/checkpoints/${'%F0%9F%98%80'.repeat(5)}`), gone);
  for (const id of ['0', '1', '-1', '1.5', '01', '9'.repeat(40), 'all', '%00']) {
    assert.match(
      await call('DELETE', `/faults/${id}`),
      /^404 Fault rule does not exist(: 1)?$/,
      id,
    );
  }
  const { checkpoints, faults } = await house.sandbox.state();
  assert.deepEqual([checkpoints.length, faults.length], [1, 1]);
});
