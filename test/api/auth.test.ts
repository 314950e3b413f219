/** Who may call: what is signed, in which order checks run, and from where. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { House, type Reply, type Request, START_MS } from '../support/house.ts';
import { type Credentials, signature } from '../support/signer.ts';
import { type Documented, ROWS } from './swap-documented.ts';

const ASSETS = '/api/spot/v1/account/assets';
const OPEN_ORDERS = '/api/spot/v1/trade/open-orders';
const ORDERS = '/api/spot/v1/trade/orders';
const TRANSFER = '/api/spot/v1/wallet/transfer';
const BODY = '{"symbol":"BTCUSDT_SPBL"}';

const house = closedAtEnd(await House.open({ trustedProxies: ['10.9.9.9'] }));
const alice = await house.trader('alice', { USDT: '1000' });

async function codeOf(request: Request): Promise<string> {
  const { status, body } = await house.call(request);
  assert.equal(status, body.code === '00000' ? 200 : 400);
  return String(body.code);
}

function get(headers: Record<string, string>, url = ASSETS): Request {
  return { url, headers };
}

/** Signed headers over this timestamp text. */
function at(timestamp: string): Record<string, string> {
  return {
    ...house.sign(alice, 'GET', ASSETS, ''),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-SIGN': signature(alice.secret, `${timestamp}GET${ASSETS}`),
  };
}

test('a signed read, a signed body and a signed query are let in', async () => {
  assert.equal(await codeOf(get(house.sign(alice, 'GET', ASSETS, ''))), '00000');
  const url = `${ASSETS}?coin=USDT`;
  assert.equal(await codeOf(get(house.sign(alice, 'GET', url, ''), url)), '00000');
  const headers = house.sign(alice, 'POST', OPEN_ORDERS, BODY);
  assert.equal(await codeOf({ method: 'POST', url: OPEN_ORDERS, headers, body: BODY }), '00000');
});

test('the signature covers the bytes of body and query as they came', async () => {
  const spaced = '{ "symbol": "BTCUSDT_SPBL",\n  "x": "\u00e9" }';
  const headers = house.sign(alice, 'POST', OPEN_ORDERS, spaced);
  const request = { method: 'POST', url: OPEN_ORDERS, headers } as const;
  assert.equal(await codeOf({ ...request, body: spaced }), '00000');
  assert.equal(await codeOf({ ...request, body: spaced.replace('é', 'e') }), '40012');
  assert.equal(await codeOf({ ...request, body: JSON.stringify(JSON.parse(spaced)) }), '40012');

  const raw = `${ASSETS}?b=%7e&coin=USDT&a=1`;
  assert.equal(await codeOf(get(house.sign(alice, 'GET', raw, ''), raw)), '00000');
  assert.equal(
    await codeOf(get(house.sign(alice, 'GET', raw.replace('%7e', '~'), ''), raw)),
    '40012',
  );
  assert.equal(await codeOf(get(house.sign(alice, 'GET', ASSETS, ''), raw)), '40012');
});

test('an empty query may be signed with its question mark or without', async () => {
  const rows = [
    [`${ASSETS}?`, `${ASSETS}?`, '00000'],
    [ASSETS, `${ASSETS}?`, '00000'],
    [`${ASSETS}?`, ASSETS, '40012'],
  ] as const;
  for (const [signed, sent, code] of rows) {
    const headers = house.sign(alice, 'GET', signed, '');
    assert.equal(await house.codeOverSocket({ url: sent, headers }), code, `${signed} as ${sent}`);
  }
});

test('an empty list as body is signed as it is, as some clients send it for no body', async () => {
  const url = '/api/spot/v1/account/bills';
  const headers = house.sign(alice, 'POST', url, '[]');
  assert.equal(await codeOf({ method: 'POST', url, headers, body: '[]' }), '00000');
  const none = house.sign(alice, 'POST', url, '');
  assert.equal(await codeOf({ method: 'POST', url, headers: none }), '00000');
});

test('spaces around a header are not part of it, and its name has any case', async () => {
  const signed = house.sign(alice, 'GET', ASSETS, '');
  const padded = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), ` ${value} `]);
  assert.equal(await codeOf(get(Object.fromEntries(padded))), '00000');
});

test('checks run in the order clients expect: each repair shows the next code', async () => {
  const right = house.sign(alice, 'GET', ASSETS, '');
  const now = String(START_MS);
  const repairs: readonly (readonly [code: string, headers: Record<string, string>])[] = [
    ['40001', {}],
    ['40002', { 'ACCESS-KEY': 'nobody' }],
    ['40003', { 'ACCESS-SIGN': 'bad' }],
    ['40011', { 'ACCESS-TIMESTAMP': 'noon' }],
    ['40005', { 'ACCESS-PASSPHRASE': 'bad' }],
    ['40008', { 'ACCESS-TIMESTAMP': '1' }],
    ['40012', { 'ACCESS-TIMESTAMP': now }],
    ['40012', { 'ACCESS-KEY': alice.key }],
    ['40012', { 'ACCESS-PASSPHRASE': alice.passphrase }],
    ['00000', right],
  ];
  const headers: Record<string, string> = {};
  for (const [code, repair] of repairs) {
    Object.assign(headers, repair);
    assert.equal(await codeOf(get(headers)), code);
  }
});

const STAMPS: readonly [text: (nowMs: number) => string, code: string][] = [
  [(now) => String(now - 30_000), '00000'],
  [(now) => String(now + 5_000), '00000'],
  [(now) => String(now - 30_001), '40008'],
  [(now) => String(now + 5_001), '40008'],
  [(now) => String(Math.floor(now / 1_000)), '40008'],
  [(now) => `${now}.5`, '00000'],
  [(now) => `${now / 1_000}`, '40008'],
  [(now) => `-${now}`, '40005'],
  [() => 'abc', '40005'],
  [() => '1.79e12', '40005'],
  [() => '0x1a', '40005'],
  [() => 'Infinity', '40005'],
  [() => '9'.repeat(30), '40005'],
];

for (const [text, code] of STAMPS) {
  test(`the timestamp ${text(START_MS)} is answered ${code}`, async () => {
    assert.equal(await codeOf(get(at(text(house.clock.nowMs())))), code);
  });
}

const WRONG_SIGNATURES: readonly [why: string, spoil: (right: string) => string][] = [
  ['one bit off', (right) => (right.startsWith('A') ? 'B' : 'A') + right.slice(1)],
  ['cut short', (right) => right.slice(0, -1)],
  ['with more after it', (right) => `${right}=`],
  ['in hex', (right) => Buffer.from(right, 'base64').toString('hex')],
  ['without base64', () => '!!!'],
];

for (const [why, spoil] of WRONG_SIGNATURES) {
  test(`a signature ${why} is wrong`, async () => {
    const headers = house.sign(alice, 'GET', ASSETS, '');
    const spoilt = { ...headers, 'ACCESS-SIGN': spoil(headers['ACCESS-SIGN'] ?? '') };
    assert.equal(await codeOf(get(spoilt)), '40012');
  });
}

test('another method, timestamp or secret signs another text', async () => {
  assert.equal(await codeOf(get(house.sign(alice, 'POST', ASSETS, ''))), '40012');
  const late = {
    ...house.sign(alice, 'GET', ASSETS, ''),
    'ACCESS-TIMESTAMP': String(START_MS + 1),
  };
  assert.equal(await codeOf(get(late)), '40012');
  const stolen = { ...alice, secret: 'guess' };
  assert.equal(await codeOf(get(house.sign(stolen, 'GET', ASSETS, ''))), '40012');
});

test('a key does what its permissions say and no more', async () => {
  const keys = {
    read: await house.addKey(alice.accountId, 'reader-key', { permissions: ['read'] }),
    trade: await house.addKey(alice.accountId, 'trader-key', { permissions: ['trade'] }),
    transfer: await house.addKey(alice.accountId, 'mover-key', { permissions: ['transfer'] }),
  };
  const calls = [
    ['read', OPEN_ORDERS],
    ['trade', ORDERS],
    ['transfer', TRANSFER],
  ] as const;
  for (const [has, key] of Object.entries(keys)) {
    for (const [needs, url] of calls) {
      const { body } = await house.signedPost(key, url, {});
      // What is let in lacks its parameters, or needs none.
      const let_in = body.code === '40017' || body.code === '00000';
      assert.equal(let_in, has === needs, `${has} key on ${url}: ${body.code} ${body.msg}`);
      if (!let_in) assert.equal(body.code, '40014');
    }
  }
});

test('a key with a list is used from its addresses only, whatever form they come in', async () => {
  const ipAllowList = ['192.0.2.7', '10.1.0.0/16', '2001:db8::/32'];
  const key = await house.addKey(alice.accountId, 'office-key', { ipAllowList });
  const rows = [
    ['192.0.2.7', '00000'],
    ['::ffff:192.0.2.7', '00000'],
    ['10.1.255.1', '00000'],
    ['2001:db8::1', '00000'],
    ['192.0.2.8', '40018'],
    ['10.2.0.1', '40018'],
    ['::ffff:10.2.0.1', '40018'],
    ['2001:db9::1', '40018'],
  ] as const;
  for (const [address, code] of rows) {
    const headers = house.sign(key, 'GET', ASSETS, '');
    assert.equal(await codeOf({ url: ASSETS, headers, address }), code, address);
  }
});

test('only a trusted proxy may say where a call came from', async () => {
  const key = await house.addKey(alice.accountId, 'home-key', { ipAllowList: ['192.0.2.7'] });
  const forwarded = { 'X-Forwarded-For': '192.0.2.7' };
  const headers = { ...house.sign(key, 'GET', ASSETS, ''), ...forwarded };
  assert.equal(await codeOf({ url: ASSETS, headers, address: '10.9.9.9' }), '00000');
  assert.equal(await codeOf({ url: ASSETS, headers, address: '198.51.100.1' }), '40018');
});

test('a frozen account reads and does not write, a revoked key does neither', async () => {
  const frozen = await house.trader('frozen', { USDT: '1000' });
  const { accountId } = frozen;
  await house.run({ kind: 'update_account', accountId, changes: { frozen: true } });
  assert.equal((await house.signedGet(frozen, ASSETS)).body.code, '00000');
  assert.equal((await house.signedPost(frozen, ORDERS, {})).body.code, '40013');
  assert.equal((await house.signedPost(frozen, TRANSFER, {})).body.code, '40013');
  await house.run({ kind: 'update_account', accountId, changes: { frozen: false } });
  assert.equal((await house.signedPost(frozen, ORDERS, {})).body.code, '40017');
  await house.run({ kind: 'revoke_key', key: frozen.key });
  assert.equal((await house.signedGet(frozen, ASSETS)).body.code, '40012');
});

test('a public call needs no headers and does not look at wrong ones', async () => {
  const headers = { 'ACCESS-KEY': '', 'ACCESS-SIGN': 'x', 'ACCESS-TIMESTAMP': 'y' };
  assert.equal(await codeOf({ url: '/api/spot/v1/public/time', headers }), '00000');
});

const SIGNED_SWAP = ROWS.map(([, row]) => row).filter(({ access }) => access === 'signed');
/** Whatever a call is refused for before anybody looks at what it asks. */
const DOOR_CODE = /^(4000[1-58]|4001[1-48])$/;

function callContract(who: Credentials, { method, path }: Documented): Promise<Reply> {
  return method === 'GET' ? house.signedGet(who, path) : house.signedPost(who, path, {});
}

/** The code that keeps a call out; undefined when it is let in, whatever then comes of it. */
async function doorCode(reply: Promise<Reply>): Promise<string | undefined> {
  const { code } = (await reply).body;
  return code !== undefined && DOOR_CODE.test(code) ? code : undefined;
}

test('contracts: a signature is needed for orders, accounts and positions only', async () => {
  assert.equal(SIGNED_SWAP.length, 21);
  const headers = { 'ACCESS-KEY': 'nobody', 'ACCESS-SIGN': 'x' };
  for (const [name, { method, path, access }] of ROWS) {
    const isPublic = access === 'public';
    const none = house.call({ method, url: path });
    assert.equal(await doorCode(none), isPublic ? undefined : '40001', name);
    const half = house.call({ method, url: path, headers });
    assert.equal(await doorCode(half), isPublic ? undefined : '40003', name);
  }
  const thief = { ...alice, secret: 'guess' };
  for (const row of SIGNED_SWAP) {
    assert.equal(await doorCode(callContract(thief, row)), '40012', row.path);
  }
});

test('contracts: reading needs the permission to read, changing the one to trade', async () => {
  for (const permission of ['read', 'trade', 'transfer'] as const) {
    const permissions = [permission];
    const key = await house.addKey(alice.accountId, `${permission}-only`, { permissions });
    for (const row of SIGNED_SWAP) {
      const needed = row.method === 'GET' ? 'read' : 'trade';
      const code = needed === permission ? undefined : '40014';
      assert.equal(await doorCode(callContract(key, row)), code, `${permission} ${row.path}`);
    }
  }
});

test('contracts: a frozen account reads and changes nothing', async () => {
  const frozen = await house.trader('frozen-contracts');
  const { accountId } = frozen;
  await house.run({ kind: 'update_account', accountId, changes: { frozen: true } });
  for (const row of SIGNED_SWAP) {
    const code = row.method === 'GET' ? undefined : '40013';
    assert.equal(await doorCode(callContract(frozen, row)), code, row.path);
  }
});
