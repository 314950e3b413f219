/** What the owner of an account is told on the spot stream: everything, in order, once. */
import { strict as assert } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { lots, ticks } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { spotOrder } from '../support/orders.ts';
import { SpotDesk } from '../support/spot-desk.ts';
import { loginMessage, type Message, StreamClient, topic } from '../support/streams-client.ts';

const ORDERS = topic('orders', 'default', 'spbl');
const ACCOUNT = topic('account', 'default', 'spbl');
const ORDERS_URL = '/api/spot/v1/trade';

let ann: Trader;
let bob: Trader;

const desk = closedAtEnd(await SpotDesk.open());
const { house } = desk;

beforeEach(async () => {
  [ann, bob] = await desk.pair({ USDT: '100000', BTC: '10' });
});

type Words = Readonly<Record<string, string>>;

/** Logs in and follows orders and balances, both from their snapshots. */
async function follow(who: Trader): Promise<StreamClient> {
  const client = await StreamClient.at(house);
  await client.login(house, who);
  client.subscribe(ORDERS, ACCOUNT);
  await client.push('account');
  return client;
}

/** All rows of a channel told so far, oldest first, and that no number is missing. */
function rowsOf(client: StreamClient, channel: string): Record<string, string>[] {
  const pushes = client.messages.filter(
    ({ action, arg }) => action !== undefined && arg?.channel === channel,
  );
  const start = pushes[0]?.seq ?? 0;
  assert.deepEqual(
    pushes.map(({ seq }) => seq),
    pushes.map((_push, at) => start + at),
    'numbers without a gap',
  );
  return pushes.flatMap(({ data = [] }) => data) as Record<string, string>[];
}

/** What has been released before now has been told once this resolves. */
async function everythingTold(client: StreamClient): Promise<void> {
  const before = client.messages.filter(({ event }) => event === 'pong').length;
  client.send('ping');
  await client.until(
    () => client.messages.filter(({ event }) => event === 'pong').length > before,
    'pong',
  );
}

test('an order that rests, is filled in parts and then completely', async () => {
  const client = await follow(ann);
  const words = { side: 'sell', price: '30000', quantity: '1', clientOrderId: 'first#1' };
  const orderId = await desk.place(ann, words);
  await desk.place(bob, { side: 'buy', price: '30000', quantity: '0.4' });
  await desk.place(bob, { side: 'buy', price: '30000', quantity: '0.6' });
  await everythingTold(client);
  const rows = rowsOf(client, 'orders');
  const told = rows.map((row) => [row.ordId, row.status, row.fillSz, row.accFillSz, row.fillFee]);
  assert.deepEqual(told, [
    [orderId, 'new', '0', '0', '0'],
    [orderId, 'partial-fill', '0.4', '0.4', '-12'],
    [orderId, 'full-fill', '0.6', '1', '-18'],
  ]);
  const fills = await house.signedPost(ann, `${ORDERS_URL}/fills`, { symbol: 'BTCUSDT_SPBL' });
  const [fill] = fills.body.data as Words[];
  assert.deepEqual(rows.at(-1), {
    instId: 'BTCUSDT_SPBL',
    ordId: orderId,
    clOrdId: 'first#1',
    px: '30000.00',
    sz: '1.0000',
    notional: '30000',
    ordType: 'limit',
    force: 'normal',
    side: 'sell',
    fillPx: '30000',
    tradeId: fill?.fillId,
    fillSz: '0.6',
    fillTime: fill?.cTime,
    fillFee: '-18',
    fillFeeCcy: 'USDT',
    execType: 'M',
    accFillSz: '1',
    avgPx: '30000',
    status: 'full-fill',
    orderFee: [{ feeCcy: 'USDT', fee: '-18' }],
    cTime: fill?.cTime,
    uTime: fill?.cTime,
    cancelReason: '',
  });
  await client.close();
});

/** What one command does, as statuses of the taker's own order. */
const ENDINGS: readonly { title: string; words: Words; statuses: readonly string[] }[] = [
  {
    title: 'a limit order that takes all',
    words: { side: 'buy', price: '30000', quantity: '0.5' },
    statuses: ['new', 'full-fill'],
  },
  {
    title: 'a limit order through two levels whose rest rests',
    words: { side: 'buy', price: '30001', quantity: '2' },
    statuses: ['new', 'partial-fill', 'partial-fill'],
  },
  {
    title: 'an immediate-or-cancel order for more than there is',
    words: { side: 'buy', price: '30000', quantity: '2', force: 'ioc' },
    statuses: ['new', 'partial-fill', 'cancelled'],
  },
  {
    title: 'a fill-or-kill order for more than there is',
    words: { side: 'buy', price: '30000', quantity: '2', force: 'fok' },
    statuses: ['new', 'cancelled'],
  },
  {
    title: 'a post-only order that would take',
    words: { side: 'buy', price: '30000', quantity: '2', force: 'post_only' },
    statuses: ['new', 'cancelled'],
  },
  {
    title: 'a market buy for quote coin that cannot all be spent',
    words: { side: 'buy', orderType: 'market', quantity: '16000.5' },
    statuses: ['new', 'partial-fill', 'full-fill'],
  },
];

for (const { title, words, statuses } of ENDINGS) {
  test(`${title}: ${statuses.join(', ')}`, async () => {
    const asks = [
      await desk.place(bob, { side: 'sell', price: '30000', quantity: '1' }),
      await desk.place(bob, { side: 'sell', price: '30001', quantity: '0.5' }),
    ];
    const client = await follow(ann);
    const orderId = await desk.place(ann, words);
    await everythingTold(client);
    assert.deepEqual(
      rowsOf(client, 'orders').map(({ status }) => status),
      statuses,
    );
    await assertBalances(client, ann);
    const order = await desk.info(ann, orderId);
    const last = rowsOf(client, 'orders').at(-1);
    assert.deepEqual(
      [last?.status?.replace('-', '_'), last?.accFillSz, last?.avgPx],
      [order.status, order.fillQuantity, order.fillPrice],
    );
    for (const ask of asks) await cancelIfOpen(bob, ask);
    await cancelIfOpen(ann, orderId);
    await client.close();
  });
}

async function cancelIfOpen(who: Trader, orderId: string): Promise<void> {
  const fields = { symbol: 'BTCUSDT_SPBL', orderId };
  await house.signedPost(who, `${ORDERS_URL}/cancel-order`, fields);
}

/** The balances told last are those of REST. */
async function assertBalances(client: StreamClient, who: Trader): Promise<void> {
  const told = new Map(rowsOf(client, 'account').map((row) => [row.coinName, row]));
  const reply = await house.signedGet(who, '/api/spot/v1/account/assets');
  const assets = reply.body.data as Words[];
  for (const { coinId, coinName, available, frozen, lock } of assets) {
    const expected = { coinId, coinName, available, frozen, lock };
    assert.deepEqual(told.get(coinName), expected, coinName);
  }
  assert.equal(told.size, assets.length);
}

test('deposits, locks, transfers, holds and fills each change a balance as told', async () => {
  const client = await follow(ann);
  const { accountId } = ann;
  const usdt = house.live.listings.assetByCode('USDT');
  assert.ok(usdt !== undefined);
  await house.deposit(accountId, 'ETH', '3');
  await house.deposit(accountId, 'USDT', '7', 'BTC-USDT-PERP');
  await house.run({ kind: 'set_lock', accountId, assetId: usdt.assetId, amount: 500_000_000n });
  const resting = await desk.place(ann, { side: 'buy', price: '29000', quantity: '0.5' });
  await desk.place(bob, { side: 'sell', price: '29000', quantity: '0.2' });
  await everythingTold(client);
  await assertBalances(client, ann);
  await desk.cancel(ann, resting);
  await everythingTold(client);
  await assertBalances(client, ann);
  const told = rowsOf(client, 'account').filter(({ coinName }) => coinName === 'USDT');
  assert.deepEqual(
    told.map(({ available, frozen, lock }) => [available, frozen, lock]),
    [
      ['100000.00000000', '0.00000000', '0.00000000'],
      ['99995.00000000', '0.00000000', '5.00000000'],
      ['85495.00000000', '14500.00000000', '5.00000000'],
      ['85495.00000000', '8700.00000000', '5.00000000'],
      ['94195.00000000', '0.00000000', '5.00000000'],
    ],
  );
  await client.close();
});

test('under load every order is told, with the end that REST shows, and balances', async () => {
  const clients = [await follow(ann), await follow(bob)];
  const work: Promise<string>[] = [];
  for (let at = 0; at < 150; at += 1) {
    const who = at % 2 === 0 ? ann : bob;
    const side = at % 3 === 0 ? 'buy' : 'sell';
    const price = String(30_000 + ((at * 7) % 11) - 5);
    work.push(desk.place(who, { side, price, quantity: `0.00${1 + (at % 9)}` }));
  }
  const ids = await Promise.all(work);
  await Promise.all(
    ids.map((id, at) => (at % 4 === 0 ? cancelIfOpen(at % 2 === 0 ? ann : bob, id) : undefined)),
  );
  for (const [at, client] of clients.entries()) {
    const who = at === 0 ? ann : bob;
    await everythingTold(client);
    await assertBalances(client, who);
    await assertOrders(client, who);
    await client.close();
  }
});

test('who subscribes while orders are on their way misses none and hears none twice', async () => {
  const { instrumentId } = present(house.live.listings.spotBySymbol('BTC-USDT'), 'pair');
  for (let cycle = 0; cycle < 10; cycle += 1) {
    const client = await StreamClient.at(house);
    await client.login(house, ann);
    client.subscribe(ORDERS, ACCOUNT);
    const answers: Promise<unknown>[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      answers.push(
        house.run(
          spotOrder({
            accountId: ann.accountId,
            instrumentId,
            side: 'buy',
            priceTicks: ticks(1_000_000 + turn),
            sizeLots: lots(10),
          }),
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(answers);
    await client.push('account');
    await everythingTold(client);
    await assertBalances(client, ann);
    const told = rowsOf(client, 'orders').map(({ ordId }) => ordId);
    assert.equal(new Set(told).size, told.length, 'no order is told twice');
    assert.equal(told.length, 40 * (cycle + 1));
    await client.close();
  }
});

/** The last row of each order agrees with REST, and its fills are those of REST, in order. */
async function assertOrders(client: StreamClient, who: Trader): Promise<void> {
  const rows = rowsOf(client, 'orders');
  const last = new Map(rows.map((row) => [row.ordId, row]));
  for (const [orderId, row] of last) {
    const order = await desk.info(who, String(orderId));
    const expected = [order.status, order.fillQuantity, order.fillPrice];
    assert.deepEqual([row.status?.replace('-', '_'), row.accFillSz, row.avgPx], expected);
  }
  const fields = { symbol: 'BTCUSDT_SPBL', limit: '500' };
  const reply = await house.signedPost(who, `${ORDERS_URL}/fills`, fields);
  const fills = (reply.body.data as Words[]).map(({ fillId, fees }) => [fillId, fees]);
  const told = rows.filter(({ tradeId }) => tradeId !== '0');
  assert.deepEqual(
    told.map(({ tradeId, fillFee = '' }) => [tradeId, fillFee.replace('-', '')]),
    fills.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );
  assert.ok(fills.length > 10, `${fills.length} fills`);
}

test('one pair can be followed apart from the others, in camel and in snake case', async () => {
  await desk.place(ann, { side: 'buy', price: '20000', quantity: '0.1' });
  await desk.place(ann, { symbol: 'ETHBTC_SPBL', side: 'buy', price: '0.05', quantity: '1' });
  const client = await StreamClient.at(house);
  await client.login(house, ann);
  const ofPair = { instType: 'SPBL', channel: 'orders', instId: 'BTCUSDT_SPBL' };
  const ofCoins = { instType: 'spbl', channel: 'account', instId: 'ethbtc' };
  const { instType: inst_type, channel, instId: inst_id } = ofCoins;
  client.send({ op: 'subscribe', args: [ofPair, { inst_type, channel, inst_id }] });
  await client.push('account');
  const echoes = client.messages.filter(({ event }) => event === 'subscribe');
  assert.deepEqual(
    echoes.map(({ arg }) => arg),
    [ofPair, ofCoins],
  );
  await desk.place(ann, { symbol: 'ETHBTC_SPBL', side: 'buy', price: '0.06', quantity: '1' });
  await desk.place(ann, { side: 'buy', price: '21000', quantity: '0.1' });
  await everythingTold(client);
  const orders = rowsOf(client, 'orders');
  assert.deepEqual(
    orders.map(({ instId, px }) => [instId, px]),
    [
      ['BTCUSDT_SPBL', '20000.00'],
      ['BTCUSDT_SPBL', '21000.00'],
    ],
  );
  const coins = rowsOf(client, 'account').map(({ coinName, frozen }) => [coinName, frozen]);
  // What is held of BTC at first and after the second order of its pair; USDT is not its coin.
  assert.deepEqual(coins, [
    ['BTC', '0.05000000'],
    ['BTC', '0.11000000'],
  ]);
});

test('after a reconnect snapshot and REST give what was missed, nothing twice', async () => {
  const first = await follow(ann);
  const seen = await desk.place(ann, { side: 'sell', price: '31000', quantity: '0.1' });
  await everythingTold(first);
  first.socket.terminate();
  await first.gone;
  const missed = await desk.place(ann, { side: 'sell', price: '31001', quantity: '0.1' });
  await desk.cancel(ann, seen);
  const second = await follow(ann);
  assert.deepEqual(
    rowsOf(second, 'orders').map(({ ordId, status }) => [ordId, status]),
    [[missed, 'new']],
  );
  assert.equal((await desk.info(ann, seen)).status, 'cancelled');
  await assertBalances(second, ann);
  await desk.cancel(ann, missed);
  await everythingTold(second);
  assert.deepEqual(
    rowsOf(second, 'orders').map(({ ordId, status }) => [ordId, status]),
    [
      [missed, 'new'],
      [missed, 'cancelled'],
    ],
  );
  await second.close();
});

test('two connections of one owner hear the same, a stranger nothing', async () => {
  const clients = [await follow(ann), await follow(ann), await follow(bob)];
  await desk.place(ann, { side: 'sell', price: '31000', quantity: '0.1' });
  for (const client of clients) await everythingTold(client);
  const [first, second, stranger] = clients.map((client) => rowsOf(client, 'orders'));
  assert.equal(first?.length, 1);
  assert.deepEqual(second, first);
  assert.deepEqual(stranger, []);
  for (const client of clients) await client.close();
});

const LOGINS: readonly { title: string; changes: object }[] = [
  { title: 'an unknown key', changes: { apiKey: 'nobody' } },
  { title: 'no key', changes: { apiKey: undefined } },
  { title: 'a wrong passphrase', changes: { passphrase: 'wrong' } },
  { title: 'a wrong signature', changes: { sign: 'AAAA' } },
  { title: 'a signature of another time', changes: { timestamp: '1795235650' } },
  { title: 'an expired timestamp', changes: { timestamp: '1795235600' } },
  { title: 'a timestamp in milliseconds', changes: { timestamp: '1795235652453' } },
  { title: 'words for a timestamp', changes: { timestamp: 'now' } },
  { title: 'no fields at all', changes: { apiKey: {}, passphrase: [], timestamp: null, sign: 1 } },
];

for (const { title, changes } of LOGINS) {
  test(`a login with ${title} is refused with 30005 and the connection closed`, async () => {
    const client = await StreamClient.at(house);
    client.send(loginMessage(house, ann, changes));
    const answer = await client.any();
    assert.deepEqual([answer.event, answer.code], ['error', 30005]);
    assert.deepEqual(await client.gone, { code: 1008, reason: 'login failed' });
  });
}

test('a login in milliseconds says that the time is in seconds, an old one does not', async () => {
  const said = async (timestamp: string) => {
    const client = await StreamClient.at(house);
    client.send(loginMessage(house, ann, { timestamp }));
    const { msg } = await client.any();
    await client.gone;
    return String(msg);
  };
  const hint = '1795235652453 looks like milliseconds, it takes seconds';
  assert.match(await said('1795235652453'), new RegExp(`^Login failed: .*: ${hint}$`));
  assert.match(await said('1795235600'), /over 5 s ahead$/);
});

test('a login with a number for the time and api_key for the key is as good', async () => {
  const client = await StreamClient.at(house);
  const message = loginMessage(house, ann) as { args: [Record<string, unknown>] };
  const [{ apiKey, ...words }] = message.args;
  const timestamp = Number(words.timestamp);
  client.send({ op: 'login', args: [{ ...words, timestamp, api_key: apiKey }] });
  assert.deepEqual(await client.any(), { event: 'login', code: 0 });
  await client.close();
});

test('subscriptions sent right behind a login wait for it', async () => {
  const client = await StreamClient.at(house);
  client.send(loginMessage(house, ann));
  client.subscribe(ORDERS);
  const events: (string | undefined)[] = [];
  for (let at = 0; at < 3; at += 1) {
    const { event, action }: Message = await client.any();
    events.push(event ?? action);
  }
  assert.deepEqual(events, ['login', 'subscribe', 'snapshot']);
  await client.close();
});

test('a connection cannot change to another account', async () => {
  const client = await follow(ann);
  client.send(loginMessage(house, ann));
  assert.deepEqual(await client.next(({ event }) => event !== undefined, 'answer'), {
    event: 'login',
    code: 0,
  });
  client.send(loginMessage(house, bob));
  const answer = await client.next(({ event }) => event !== undefined, 'answer');
  assert.deepEqual([answer.event, answer.code], ['error', 30002]);
  await client.close();
});

test('a key that must come from elsewhere, or may not read, cannot log in', async () => {
  const far = await house.addKey(ann.accountId, 'far-key', { ipAllowList: ['10.0.0.1'] });
  const blind = await house.addKey(ann.accountId, 'blind-key', { permissions: ['trade'] });
  for (const who of [far, blind]) {
    const client = await StreamClient.at(house);
    client.send(loginMessage(house, who));
    assert.equal((await client.any()).code, 30005);
    assert.equal((await client.gone).code, 1008);
  }
});

test('revoking the key ends what it opened', async () => {
  const client = await follow(ann);
  await house.run({ kind: 'revoke_key', key: ann.key });
  assert.deepEqual(await client.gone, { code: 1008, reason: 'key revoked' });
});
