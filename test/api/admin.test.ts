/** The operator's interface over the whole server: every action, its effect, and its refusals. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { ADMIN_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { type AdminAnswer, type Json, Operator } from '../support/operator.ts';
import { spotOrder } from '../support/orders.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';
import { signedHeaders } from '../support/signer.ts';

const server = closedAtEnd(await startHere({ rateLimits: true }));
const operator = new Operator(server.url, ADMIN_TOKEN);

const call: Operator['call'] = (...request) => operator.call(...request);
const done: Operator['done'] = (...request) => operator.done(...request);

async function balanceOf(account: string, wallet: string, coin: string): Promise<Json> {
  const { data } = await done('account', `/accounts/${account}`);
  const { balances } = data;
  assert.ok(Array.isArray(balances));
  return balances.find((row: Json) => row.wallet === wallet && row.coin === coin) ?? {};
}

let names = 0;
async function newAccount(): Promise<string> {
  names += 1;
  const { data } = await done('createAccount', '/accounts', { name: `desk-${names}` });
  return String(data.accountId);
}

test('every example of the table has the shape it promises', () => {
  for (const [name, { request, response, example }] of Object.entries(ADMIN_ENDPOINTS)) {
    assert.deepEqual(Value.Errors(request, example.request), [], name);
    assert.deepEqual(Value.Errors(response, example.data), [], name);
  }
});

test('without the right token nothing is told and nothing happens', async () => {
  const tokens = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    ADMIN_TOKEN,
    `Basic ${ADMIN_TOKEN}`,
    'Bearer a b',
  ];
  for (const token of tokens) {
    const answer = await call('POST', '/accounts', { name: 'intruder' }, token);
    assert.equal(answer.status, 401, token);
    assert.equal(answer.code, '60121');
  }
  assert.equal((await call('GET', '/accounts/intruder')).code, '60601');
});

test('after ten wrong tokens a guesser hears to wait, and the right one is taken', async () => {
  const guess = () => call('GET', '/audit', undefined, 'Bearer guess');
  const wrong = await Promise.all(Array.from({ length: 30 }, guess));
  const heard = wrong.filter(({ code }) => code === '60121').length;
  assert.ok(heard <= 10, `${heard} guesses were answered`);
  assert.equal(wrong.filter(({ status }) => status === 429).length, 30 - heard);
  assert.equal((await call('GET', '/audit')).status, 200);
});

test('an account is opened, found by id and by name, changed and frozen', async () => {
  const fee = { takerFee: '0.0005', makerFee: '0' };
  const made = await done('createAccount', '/accounts', { name: 'alice', ...fee });
  const id = String(made.data.accountId);
  assert.deepEqual(
    [made.data.takerFee, made.data.makerFee, made.data.openOrdersMax],
    ['0.0005', '0', 1_000],
  );
  assert.deepEqual((await done('account', `/accounts/${id}`)).data.name, 'alice');
  const changes = { frozen: true, takerFee: null, openOrdersMax: 5 };
  const changed = await done('updateAccount', '/accounts/alice', changes);
  assert.equal(changed.data.frozen, true);
  assert.equal(changed.data.takerFee, null);
  assert.equal(changed.data.makerFee, '0', 'what is not named stays');
  assert.equal(changed.data.openOrdersMax, 5);
});

test('accounts come page by page, each exactly once', async () => {
  await Promise.all(Array.from({ length: 5 }, newAccount));
  const seen: unknown[] = [];
  let after = '0';
  for (;;) {
    const { rows } = await done('accounts', `/accounts?limit=2&after=${after}`);
    if (rows.length === 0) break;
    assert.ok(rows.length <= 2);
    seen.push(...rows.map((row) => row.accountId));
    after = String(rows.at(-1)?.accountId);
  }
  assert.deepEqual(
    seen,
    seen.map((_, at) => String(at + 1)),
  );
  assert.ok(seen.length >= 8);
});

test('money comes in, is locked, moves between wallets and goes out', async () => {
  const id = await newAccount();
  const paid = await done('deposit', `/accounts/${id}/deposits`, { coin: 'USDT', amount: '100.5' });
  assert.equal(paid.data.amount, '100.50000000');
  assert.equal(paid.data.balance, '100.50000000');
  await done('lock', `/accounts/${id}/locks`, { coin: 'usdt', amount: 40 });
  const route = { from: 'spot', to: 'BTC-USDT-PERP', clientOid: 'move-1' };
  await done('transfer', `/accounts/${id}/transfers`, { coin: 'USDT', amount: '10', ...route });
  await done('withdraw', `/accounts/${id}/withdrawals`, { coin: 'USDT', amount: '50.5' });
  assert.deepEqual(await balanceOf(id, 'spot', 'USDT'), {
    wallet: 'spot',
    coin: 'USDT',
    balance: '40.00000000',
    available: '0.00000000',
    frozen: '0.00000000',
    lock: '40.00000000',
  });
  assert.equal((await balanceOf(id, 'margin', 'USDT')).balance, '10.00000000');
});

interface MoneyCase {
  readonly action: string;
  readonly body: Json;
  readonly code: string;
}

const WRONG_MONEY: readonly MoneyCase[] = [
  { action: 'deposits', body: { coin: 'USDT', amount: '0.123456789' }, code: '40020' },
  { action: 'deposits', body: { coin: 'USDT', amount: '0' }, code: '40020' },
  { action: 'deposits', body: { coin: 'USDT', amount: '-1' }, code: '40020' },
  { action: 'deposits', body: { coin: 'USDT', amount: '1e3' }, code: '40020' },
  { action: 'deposits', body: { coin: 'USDT', amount: '9'.repeat(70) }, code: '40020' },
  { action: 'deposits', body: { coin: 'USDT' }, code: '40017' },
  { action: 'deposits', body: { amount: '1' }, code: '40017' },
  { action: 'deposits', body: { coin: 'NONE', amount: '1' }, code: '40034' },
  { action: 'deposits', body: { coin: 'USDT', amount: '1', walet: 'spot' }, code: '40017' },
  { action: 'deposits', body: { coin: 'USDT', amount: { big: '1' } }, code: '40017' },
  { action: 'deposits', body: { coin: 'USDT', amount: '1', wallet: 'NONE-PERP' }, code: '40102' },
  {
    action: 'deposits',
    body: { coin: 'BTC', amount: '1', wallet: 'BTC-USDT-PERP' },
    code: '40020',
  },
  { action: 'withdrawals', body: { coin: 'USDT', amount: '10.00000001' }, code: '50020' },
  { action: 'locks', body: { coin: 'USDT', amount: '11' }, code: '50020' },
  { action: 'transfers', body: { coin: 'USDT', amount: '1', from: 'spot' }, code: '40017' },
  {
    action: 'transfers',
    body: { coin: 'USDT', amount: '1', from: 'spot', to: 'spot' },
    code: '40020',
  },
];

test('money that cannot be moved is refused with its reason and stays', async () => {
  const id = await newAccount();
  await done('deposit', `/accounts/${id}/deposits`, { coin: 'USDT', amount: '10' });
  for (const { action, body, code } of WRONG_MONEY) {
    const answer = await call('POST', `/accounts/${id}/${action}`, body);
    assert.equal(answer.code, code, `${action} ${JSON.stringify(body)}: ${answer.msg}`);
    assert.equal(answer.status, 400);
  }
  assert.equal((await balanceOf(id, 'spot', 'USDT')).available, '10.00000000');
});

test('an amount keeps every digit, quoted or not', async () => {
  const id = await newAccount();
  const body = '{"coin":"USDT","amount":12345678901.12345678}';
  await call('POST', `/accounts/${id}/deposits`, body);
  assert.equal((await balanceOf(id, 'spot', 'USDT')).balance, '12345678901.12345678');
});

test('a key is shown whole once, listed without secrets, and revoked for good', async () => {
  const id = await newAccount();
  const wanted = { label: 'grid', permissions: ['trade', 'read'], ipAllowList: ['10.0.0.0/8'] };
  const { data } = await done('createKey', `/accounts/${id}/keys`, wanted);
  assert.match(String(data.key), /^[0-9a-f]{32}$/);
  assert.match(String(data.secret), /^[\w-]{43}$/);
  assert.match(String(data.passphrase), /^[\w-]{16}$/);
  const { rows } = await done('keys', `/accounts/${id}/keys`);
  assert.equal(rows.length, 1);
  assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), [
    'accountId',
    'cTime',
    'expiresTime',
    'ipAllowList',
    'key',
    'kind',
    'label',
    'madeBy',
    'permissions',
    'publicKey',
    'strictReplay',
  ]);
  assert.deepEqual(rows[0]?.permissions, ['read', 'trade']);
  await done('revokeKey', `/keys/${data.key}`);
  assert.deepEqual((await done('keys', `/accounts/${id}/keys`)).rows, []);
  const again = await call('DELETE', `/keys/${data.key}`);
  assert.equal(again.code, '60606');
  assert.equal(again.status, 404);
});

/** The code of a signed call to the private spot interface. */
async function signedCall(key: Json, method: 'GET' | 'POST', path: string): Promise<string> {
  const target = `/api/spot/v1/${path}`;
  const text = (name: string): string => String(key[name]);
  const who = { key: text('key'), secret: text('secret'), passphrase: text('passphrase') };
  const headers = signedHeaders(who, { method, target });
  const answer = await fetch(server.url + target, { method, headers });
  return ((await answer.json()) as AdminAnswer).code;
}

test('a new key signs at once, a frozen account only reads, a revoked key is unknown', async () => {
  const id = await newAccount();
  const { data: key } = await done('createKey', `/accounts/${id}/keys`, {
    permissions: ['read', 'trade'],
  });
  assert.equal(await signedCall(key, 'GET', 'account/assets'), '00000');
  assert.equal(
    await signedCall({ ...key, passphrase: 'wrong-one' }, 'GET', 'account/assets'),
    '40012',
  );
  assert.equal(await signedCall({ ...key, secret: 'wrong' }, 'GET', 'account/assets'), '40012');
  assert.equal(await signedCall(key, 'POST', 'wallet/transfer'), '40014');
  await done('updateAccount', `/accounts/${id}`, { frozen: true });
  assert.equal(await signedCall(key, 'GET', 'account/assets'), '00000');
  assert.equal(await signedCall(key, 'POST', 'trade/orders'), '40013');
  await done('revokeKey', `/keys/${key.key}`);
  assert.equal(await signedCall(key, 'GET', 'account/assets'), '40012');
});

const WRONG_KEYS: readonly Json[] = [
  { permissions: ['read', 'withdraw'] },
  { permissions: ['read', 'read'] },
  { permissions: 'read' },
  { permissions: [] },
  { ipAllowList: ['10.0.0.0/33'] },
  { ipAllowList: ['example.org'] },
  { ipAllowList: ['::1/129'] },
  { ipAllowList: [7, {}] },
  { ipAllowList: Array.from({ length: 31 }, () => '10.0.0.1') },
  { passphrase: 'short' },
  { passphrase: 'with a space in it' },
  { secret: 'my own' },
  { label: 'x'.repeat(65) },
  { expiresDays: 0 },
  { expiresDays: 3_651 },
  { expiresDays: 1.5 },
  { expiresDays: 'tomorrow' },
  { publicKey: 'no key' },
  { publicKey: Buffer.alloc(32).toString('base64') },
];

test('a key nobody could use safely is not made', async () => {
  const id = await newAccount();
  for (const body of WRONG_KEYS) {
    const answer = await call('POST', `/accounts/${id}/keys`, body);
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.deepEqual((await done('keys', `/accounts/${id}/keys`)).rows, []);
});

test('coins and pairs are listed at run time', async () => {
  const coin = { code: 'SOL', coinId: 40, scale: 9, chains: [{ chain: 'SOL', withdrawFee: 0.01 }] };
  const made = await done('listAsset', '/assets', coin);
  assert.deepEqual(made.data.chains, [
    {
      chain: 'SOL',
      needTag: false,
      withdrawable: true,
      rechargeable: true,
      withdrawFee: '0.01',
      depositConfirm: 1,
      withdrawConfirm: 1,
      minDepositAmount: '0',
      minWithdrawAmount: '0',
      browserUrl: '',
    },
  ]);
  const terms = { minQuantity: '0.01', maxQuantity: '5000', takerFee: 0.001, makerFee: '0.0005' };
  const scales = { base: 'SOL', quote: 'USDT', priceScale: 3, quantityScale: 2 };
  const pair = await done('listSpot', '/spot', { ...scales, ...terms, referencePrice: '150.5' });
  assert.equal(pair.data.symbol, 'SOL-USDT');
  assert.equal(pair.data.makerFee, '0.0005');
  assert.equal(pair.data.referencePrice, '150.5');
  const { data } = await done('instruments', '/instruments');
  const text = JSON.stringify(data);
  for (const name of ['"SOL"', 'SOL-USDT']) assert.ok(text.includes(name), name);
});

test('the networks of a coin change at run time, and the public list with them', async () => {
  const fee = { chain: 'ARB', withdrawFee: '0.5', minWithdrawAmount: '2', withdrawable: false };
  await done('listAsset', '/assets', { code: 'ARB', coinId: 41, scale: 6 });
  const changed = await done('changeAsset', '/assets/arb', { chains: [fee], transferable: false });
  assert.equal(changed.data.transferable, false);
  const answer = await fetch(`${server.url}/api/spot/v1/public/currencies`);
  const shown = await answer.text();
  assert.match(shown, /"coinName":"ARB","transfer":"false","chains":\[\{"chain":"ARB"/);
  assert.match(shown, /"withdrawFee":"0.5"/);
  for (const [body, code] of [
    [{ chains: [{ chain: 'ARB', withdrawFee: '0.1234567' }] }, '40017'],
    [{ chains: [{ chain: 'ARB' }, { chain: 'arb' }] }, '40017'],
    [{ scale: 9 }, '40017'],
  ] as const) {
    assert.equal((await call('PATCH', '/assets/ARB', body)).code, code, JSON.stringify(body));
  }
  assert.equal((await call('PATCH', '/assets/NONE', { transferable: true })).code, '40034');
});

interface ListingCase {
  readonly path: string;
  readonly body: Json;
  readonly code: string;
}

const XRP = { code: 'XRP', coinId: 50, scale: 6 };
const ETHBTC = {
  base: 'BTC',
  quote: 'ETH',
  priceScale: 2,
  quantityScale: 2,
  minQuantity: '1',
  maxQuantity: '2',
  takerFee: '0',
  makerFee: '0',
};

const WRONG_LISTINGS: readonly ListingCase[] = [
  { path: '/assets', body: { ...XRP, code: 'BTC' }, code: '60607' },
  { path: '/assets', body: { ...XRP, coinId: 1 }, code: '60607' },
  { path: '/assets', body: { ...XRP, code: 'x' }, code: '60608' },
  { path: '/assets', body: { ...XRP, scale: 19 }, code: '40017' },
  { path: '/assets', body: { ...XRP, scale: 1e15 }, code: '40017' },
  { path: '/assets', body: { ...XRP, chains: [{ chain: 'XRP', colour: 1 }] }, code: '40017' },
  { path: '/assets', body: { ...XRP, chains: ['XRP'] }, code: '40017' },
  { path: '/spot', body: { ...ETHBTC, priceScale: 7 }, code: '60608' },
  { path: '/spot', body: { ...ETHBTC, quote: 'BTC' }, code: '60608' },
  { path: '/spot', body: { ...ETHBTC, minQuantity: '3' }, code: '60608' },
  { path: '/spot', body: { ...ETHBTC, minQuantity: '0' }, code: '60608' },
  { path: '/spot', body: { ...ETHBTC, takerFee: '1' }, code: '60608' },
  { path: '/spot', body: { ...ETHBTC, takerFee: '0.0000001' }, code: '40017' },
  { path: '/spot', body: { ...ETHBTC, base: 'ETH', quote: 'BTC' }, code: '60607' },
  { path: '/spot', body: { ...ETHBTC, quote: 'EUR' }, code: '40034' },
];

test('a listing that makes no sense is refused and lists nothing', async () => {
  const before = await done('instruments', '/instruments');
  for (const { path, body, code } of WRONG_LISTINGS) {
    const answer = await call('POST', path, body);
    assert.equal(answer.code, code, `${path} ${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.deepEqual((await done('instruments', '/instruments')).data, before.data);
});

test('terms of a pair change one by one', async () => {
  const fee = await done('updateSpot', '/spot/ethusdt', { takerFee: '0.0002' });
  assert.equal(fee.data.takerFee, '0.0002');
  assert.equal(fee.data.makerFee, '0.001');
  const bounds = { minQuantity: '0.5', minNotional: '10', referencePrice: '1999.99' };
  const changed = await done('updateSpot', '/spot/ETH-USDT', bounds);
  assert.deepEqual(
    [changed.data.minQuantity, changed.data.minNotional, changed.data.referencePrice],
    ['0.5', '10', '1999.99'],
  );
  const fine = await call('PATCH', '/spot/ethusdt', { referencePrice: '1999.999' });
  assert.equal(fine.code, '40017');
  assert.equal((await call('PATCH', '/spot/ethusdt', { status: 'closed' })).code, '40017');
  assert.equal((await call('PATCH', '/spot/dogeusdt', {})).code, '50004');
});

async function restingOrder(account: string): Promise<string> {
  const ids = await server.venue.read((state) => ({
    account: state.accountByName(account),
    pair: state.listings.spotBySymbol('BTC-USDT'),
  }));
  assert.ok(ids.account && ids.pair);
  const events = await server.venue.submit(
    spotOrder({
      accountId: ids.account.accountId,
      instrumentId: ids.pair.instrumentId,
      side: 'buy',
      priceTicks: ids.pair.referencePriceTicks,
      sizeLots: ids.pair.minLots,
    }),
  );
  return events[0]?.kind === 'refused' ? events[0].reject : 'accepted';
}

test('a halted pair keeps its orders and takes no new ones until it is resumed', async () => {
  assert.equal(await restingOrder('demo'), 'accepted');
  assert.equal((await done('halt', '/spot/btcusdt/halt')).data.status, 'halt');
  assert.equal(await restingOrder('demo'), 'market_halted');
  assert.equal((await done('account', '/accounts/demo')).data.openOrders, 1);
  assert.equal((await done('resume', '/spot/btcusdt/resume')).data.status, 'online');
  assert.equal(await restingOrder('demo'), 'accepted');
});

test('every order of an account is cancelled at once', async () => {
  await restingOrder('maker');
  await restingOrder('maker');
  const { data } = await done('cancelOrders', '/accounts/maker/cancel-orders');
  assert.equal(data.cancelled, 2);
  assert.equal((await done('account', '/accounts/maker')).data.openOrders, 0);
  assert.equal((await balanceOf('maker', 'spot', 'USDT')).frozen, '0.00000000');
  const strange = await call('POST', '/accounts/maker/cancel-orders', { symbol: 'BTCUSDT' });
  assert.equal(strange.code, '40017', 'a wish that is not known is not ignored');
});

test('accounts that are not there, or named twice, are told so', async () => {
  for (const path of ['/accounts/nobody', '/accounts/999999', '/accounts/0', '/accounts/%00']) {
    const answer = await call('GET', path);
    assert.equal(answer.code, '60601', path);
    assert.equal(answer.status, 404);
  }
  const twice = await call('POST', '/accounts', { name: 'demo' });
  assert.equal(twice.code, '60602');
  assert.equal((await call('POST', '/accounts', { name: 'no spaces' })).code, '60609');
  assert.equal((await call('POST', '/accounts', {})).code, '40017');
  assert.equal((await call('POST', '/accounts', 'not json')).code, '40007');
  assert.equal((await call('PUT', '/accounts')).code, '405');
});

test('after all of this the money still adds up', async () => {
  const { data } = await done('audit', '/audit');
  assert.equal(data.balanced, true);
  const { coins } = data;
  assert.ok(Array.isArray(coins) && coins.length >= 3);
  for (const coin of coins) assert.match(coin.imbalance, /^0\.0+$/);
});
