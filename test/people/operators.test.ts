/** Operators with roles: who may call what, what is written of it, and money that takes two. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { ADMIN_ENDPOINTS, dutyOf, PEOPLE_OPERATOR_ENDPOINTS, SANDBOX_ENDPOINTS } from '#dialects';
import { OPERATOR_ROLES, type OperatorRole, rolesOf } from '#people';
import { operatorIn, withFactor } from '../support/operator-hands.ts';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { ADMIN_TOKEN } from '../support/program.ts';

const venue = await PeopleVenue.open(
  { after },
  { sections: 'operators:\n  twoPersonAbove: { USDT: "1000.5" }\n  approvalHours: 2\n' },
);

const ENDPOINTS = [ADMIN_ENDPOINTS, PEOPLE_OPERATOR_ENDPOINTS, SANDBOX_ENDPOINTS].flatMap(
  (endpoints) => Object.values(endpoints),
);

const owner = await operatorIn(venue, 'owner');
const operatorOne = await operatorIn(venue, 'operator');
const by: Readonly<Record<OperatorRole, Browser>> = {
  owner: owner.browser,
  operator: operatorOne.browser,
  support: (await operatorIn(venue, 'support')).browser,
  auditor: (await operatorIn(venue, 'auditor')).browser,
};
const [ALICE, BOB] = await Promise.all(['alice', 'bob'].map(opened));

async function opened(name: string): Promise<string> {
  const { data } = await venue.operator.done('createAccount', '/accounts', { name });
  return String(data.accountId);
}

/** What the log holds, newest first. */
async function log(query = ''): Promise<readonly Row[]> {
  const { rows } = await venue.operator.call('GET', `/actions?${query}`);
  return rows;
}

/** The newest of the log. */
async function newest(query = ''): Promise<Row> {
  const [action] = await log(`limit=1&${query}`);
  assert.ok(action);
  return action;
}

test('every endpoint that changes something says what it is for', () => {
  for (const { method, path, duty } of ENDPOINTS) {
    if (method !== 'GET') assert.notEqual(duty, undefined, `${method} ${path}`);
    assert.notEqual(duty === 'read' && method !== 'GET', true, `${method} ${path} changes`);
  }
});

for (const role of OPERATOR_ROLES) {
  test(`an operator who is ${role} calls what the role may, and nothing else`, async () => {
    for (const endpoint of ENDPOINTS) {
      const { method, path } = endpoint;
      if (path.startsWith('/sandbox/')) continue;
      const isAllowed = rolesOf(dutyOf(endpoint)).includes(role);
      // An unknown field is refused before anything is done.
      const body = method === 'GET' ? undefined : { nothingLikeThis: true };
      const target = path.replace(/:\w+/g, 'nobody') + (method === 'GET' ? '?limit=1' : '');
      const said = await by[role].call(method, target, body);
      assert.equal(said.code === '60823', !isAllowed, `${method} ${path}: ${said.msg}`);
    }
  });
}

test('somebody without a role, or without a second factor, is told so', async () => {
  const plain = await venue.person('plain@example.com');
  await plain.refused('60821', 'GET', '/admin/v1/accounts');
  const { personId } = plain;
  await by.owner.done('POST', '/admin/v1/operators', { personId, role: 'owner' });
  await plain.refused('60822', 'GET', '/admin/v1/accounts');
  await withFactor(venue, plain);
  await plain.done('GET', '/admin/v1/accounts');
});

test('a call that changes something needs the CSRF token, and a page of this venue', async () => {
  const { operator } = by;
  const body = { coin: 'USDT', amount: '1' };
  const path = '/admin/v1/accounts/alice/deposits';
  const without = await operator.call('POST', path, body, { 'x-csrf-token': '' });
  assert.equal(without.code, '60805');
  const foreign = await operator.call('POST', path, body, { origin: 'https://evil.example' });
  assert.notEqual(foreign.code, '00000');
  await operator.done('POST', path, body);
});

test('a role that is taken, or changed, holds at once', async () => {
  const { browser } = await operatorIn(venue, 'operator', 'leaving@example.com');
  const { personId } = browser;
  await browser.done('GET', '/admin/v1/operator');
  await by.owner.done('POST', '/admin/v1/operators', { personId, role: 'auditor' });
  await browser.refused('60823', 'POST', '/admin/v1/accounts', { name: 'nope' });
  await by.owner.done('DELETE', `/admin/v1/operators/${personId}`);
  await browser.refused('60821', 'GET', '/admin/v1/operator');
  await by.owner.done('POST', '/admin/v1/operators', { personId, role: 'operator' });
  await browser.done('GET', '/admin/v1/operator');
  await by.owner.done('PATCH', `/admin/v1/people/${personId}`, { suspended: true, reason: 'left' });
  await browser.refused('60801', 'GET', '/admin/v1/operator');
});

test('a role that another process has taken ends with the next call', async () => {
  const { browser } = await operatorIn(venue, 'operator', 'elsewhere@example.com');
  await browser.done('GET', '/admin/v1/operator');
  const db = new Sqlite(`${venue.server.directory}/people.sqlite`);
  db.prepare('delete from operators where person_id = ?').run(browser.personId);
  db.close();
  await browser.refused('60821', 'POST', '/admin/v1/accounts', { name: 'late' });
});

test('nobody changes the own role, and support lets no operator in again', async () => {
  const { support } = by;
  const own = { personId: by.owner.personId, role: 'auditor' };
  await by.owner.refused('60823', 'POST', '/admin/v1/operators', own);
  await by.owner.refused('60823', 'DELETE', `/admin/v1/operators/${own.personId}`);
  const path = `/admin/v1/people/${by.operator.personId}`;
  await support.refused('60823', 'POST', `${path}/password-reset`, {});
  await support.refused('60823', 'DELETE', `${path}/second-factor`, { reason: 'x' });
  await support.refused('60823', 'DELETE', `${path}/sessions`, {});
  await support.refused('60823', 'PATCH', path, { suspended: true, reason: 'x' });
  const plain = await venue.person('helped@example.com');
  await support.done('POST', `/admin/v1/people/${plain.personId}/password-reset`, {});
  const links = await support.done('GET', '/admin/v1/people-links');
  assert.ok(links.rows.some(({ email }) => email === 'helped@example.com'));
  await by.owner.done('POST', `${path}/password-reset`, {});
});

test('an action is written with who, when, where, why, what and how it ended', async () => {
  const body = { coin: 'USDT', amount: '250' };
  const path = '/admin/v1/accounts/alice/deposits';
  const said = await by.operator.call('POST', path, body, {
    'x-outcry-reason': encodeURIComponent('Ticket 4711 — 充值'),
  });
  assert.equal(said.code, '00000', said.msg);
  const action = await newest();
  assert.equal(action.outcome, 'done');
  assert.equal(action.operator, 'operator@example.com');
  assert.equal(action.operatorId, by.operator.personId);
  assert.equal(action.role, 'operator');
  assert.equal(action.kind, 'POST /admin/v1/accounts/:account/deposits');
  assert.equal(action.path, path);
  assert.equal(action.accountId, ALICE);
  assert.match(String(action.address), /127\.0\.0\.1$/);
  assert.notEqual(action.requestId, '');
  assert.equal(action.reason, 'Ticket 4711 — 充值');
  assert.deepEqual(JSON.parse(String(action.asked)), body);
  assert.equal(action.time, String(venue.clock.nowMs()));
  await venue.operator.call('POST', '/accounts/alice/withdrawals', { coin: 'USDT', amount: '700' });
  const refused = await newest();
  assert.equal(refused.outcome, 'refused');
  assert.equal(refused.operator, 'admin token');
  assert.match(String(refused.answer), /^balance_insufficient|insufficient/);
});

test('what is only looked at is not written, what a role may not do is', async () => {
  const before = await newest();
  await by.auditor.done('GET', '/admin/v1/accounts/alice');
  assert.equal((await newest()).actionId, before.actionId);
  await by.auditor.refused('60823', 'POST', '/admin/v1/accounts', { name: 'mine' });
  const action = await newest();
  assert.equal(action.outcome, 'refused');
  assert.equal(action.operator, 'auditor@example.com');
  assert.match(String(action.answer), /^role_insufficient/);
});

test('no secret is written', async () => {
  const passphrase = 'shown-to-nobody-1';
  await venue.operator.done('createKey', '/accounts/bob/keys', { label: 'bot', passphrase });
  const action = await newest();
  assert.equal(action.outcome, 'done');
  assert.deepEqual(JSON.parse(String(action.asked)), { label: 'bot', passphrase: '(secret)' });
});

test('a field that gives the reason is taken by every change', async () => {
  const body = { coin: 'USDT', amount: '1', reason: 'bonus' };
  const said = await venue.operator.call('POST', '/accounts/bob/deposits', body);
  assert.equal(said.code, '00000', said.msg);
  assert.equal((await newest()).reason, 'bonus');
});

test('the log is searched and read page by page', async () => {
  const all = await log('limit=500');
  const page = await log('limit=2');
  assert.deepEqual(page, all.slice(0, 2));
  const [, last] = page;
  assert.deepEqual(await log(`limit=2&before=${last?.actionId}`), all.slice(2, 4));
  for (const [query, fits] of [
    ['who=auditor', (one: Row) => one.operator === 'auditor@example.com'],
    [`who=${by.operator.personId}`, (one: Row) => one.operatorId === by.operator.personId],
    ['kind=/deposits', (one: Row) => String(one.kind).endsWith('/deposits')],
    [`account=${BOB}`, (one: Row) => one.accountId === BOB],
    ['text=TICKET%204711', (one: Row) => String(one.reason).includes('4711')],
    ['text=100%25', () => false],
    [`from=${venue.clock.nowMs() + 1}`, () => false],
  ] as const) {
    const found = await log(`limit=500&${query}`);
    assert.deepEqual(found, all.filter(fits), query);
  }
});

test('a change to the log shows', async () => {
  const verify = () => venue.operator.call('GET', '/actions/verify').then(({ data }) => data);
  const sound = await verify();
  assert.equal(sound.intact, true);
  assert.equal(sound.brokenAt, null);
  const db = new Sqlite(`${venue.server.directory}/people.sqlite`);
  const kept = db.prepare('select reason from operator_log where entry_id = 3').pluck().get();
  const change = db.prepare('update operator_log set reason = ? where entry_id = 3');
  change.run('somebody else');
  assert.deepEqual(await verify().then(({ intact, brokenAt }) => [intact, brokenAt]), [false, 3]);
  change.run(kept);
  db.close();
  assert.equal((await verify()).intact, true);
});

test('money up to the limit moves at once, above it when another operator approved', async () => {
  const { operator, auditor } = by;
  const path = '/admin/v1/accounts/bob/deposits';
  await operator.done('POST', path, { coin: 'USDT', amount: '700' });
  const held = await operator.call('POST', path, { coin: 'USDT', amount: '1000.50000001' });
  assert.equal(held.code, '60824');
  assert.equal(held.status, 409);
  const { rows } = await auditor.done('GET', '/admin/v1/approvals?state=pending');
  const [pending] = rows;
  const { approvalId } = pending ?? {};
  assert.ok(held.msg.includes(String(approvalId)));
  assert.equal(pending?.amount, '1000.50000001');
  assert.equal(pending?.accountId, BOB);
  const one = `/admin/v1/approvals/${approvalId}`;
  await auditor.refused('60823', 'POST', `${one}/approve`, {});
  await operator.refused('60827', 'POST', `${one}/approve`, {});
  const both = await Promise.all([
    by.owner.call('POST', `${one}/approve`, {}),
    venue.operator.call('POST', `/approvals/${approvalId}/approve`, {}),
  ]);
  assert.deepEqual(both.map(({ code }) => code).sort(), ['00000', '60826']);
  const { rows: done } = await auditor.done('GET', '/admin/v1/approvals?state=done');
  assert.equal(done[0]?.approvalId, approvalId);
  assert.match(String(done[0]?.outcome), /^[0-9]+$/);
  const { data } = await auditor.done('GET', '/admin/v1/accounts/bob');
  const balances = data.balances;
  assert.ok(Array.isArray(balances));
  assert.equal(balances[0].balance, '1701.50000001');
});

test('what waits for another operator is asked for and carried out once under its id', async () => {
  const { operator, owner: second } = by;
  const path = '/admin/v1/insurance';
  const body = { coin: 'USDT', amount: '1000.6', clientOid: 'ticket-1' };
  const fund = async () => {
    const { rows } = await operator.done('GET', path);
    return rows.find(({ coin }) => coin === 'USDT')?.fund;
  };
  const before = Number(await fund());
  const held = await operator.call('POST', path, body);
  const again = await operator.call('POST', path, body);
  assert.deepEqual([held.code, again.code, again.msg], ['60824', '60824', held.msg]);
  await operator.refused('60620', 'POST', path, { ...body, amount: '1000.7' });
  const { rows } = await operator.done('GET', '/admin/v1/approvals?state=pending');
  const waiting = rows.filter(({ clientOid }) => clientOid === 'ticket-1');
  assert.equal(waiting.length, 1);
  await second.done('POST', `/admin/v1/approvals/${waiting[0]?.approvalId}/approve`, {});
  assert.equal(Number(await fund()), before + 1000.6);
  const { data } = await operator.done('POST', path, body);
  assert.equal(data.amount, '1000.60000000', 'the first result, once it is there');
  await operator.refused('60620', 'POST', path, { ...body, amount: '1' });
  assert.equal(Number(await fund()), before + 1000.6);
});

test('the one who asked takes it back, and nobody approves it after its time', async () => {
  const { operator } = by;
  const ask = async () => {
    const body = { coin: 'USDT', amount: '5000' };
    await operator.refused('60824', 'POST', '/admin/v1/insurance', body);
    const { rows } = await operator.done('GET', '/admin/v1/approvals?state=pending&limit=1');
    return `/admin/v1/approvals/${rows[0]?.approvalId}`;
  };
  const back = await ask();
  await operator.done('POST', `${back}/refuse`, { reason: 'typing error' });
  await by.owner.refused('60826', 'POST', `${back}/approve`, {});
  const late = await ask();
  await venue.advance(2 * 3_600_000);
  await by.owner.signIn('owner@example.com', undefined, await owner.nextCode());
  await by.owner.refused('60826', 'POST', `${late}/approve`, {});
  const { rows } = await by.owner.done('GET', '/admin/v1/approvals?state=pending');
  assert.equal(rows[0]?.state, 'expired');
});

test('small movements of a day add up, of an operator and of an account', async () => {
  const [carol, dave] = await Promise.all(['carol', 'dave'].map(opened));
  const deposit = (to: string | undefined, amount: string) =>
    venue.operator.call('POST', `/accounts/${to}/deposits`, { coin: 'USDT', amount });
  const byOwner = (to: string | undefined, amount: string) =>
    by.owner.call('POST', `/admin/v1/accounts/${to}/deposits`, { coin: 'USDT', amount });
  assert.equal((await deposit(carol, '600')).code, '00000');
  assert.equal((await deposit(dave, '400.51')).code, '60824', 'of the operator');
  const gone = { coin: 'USDT', amount: '300' };
  const refused = await venue.operator.call('POST', `/accounts/${dave}/withdrawals`, gone);
  assert.equal(refused.code, '50020', 'what did not happen does not count');
  assert.equal((await byOwner(carol, '400.51')).code, '60824', 'of the account');
  assert.equal((await byOwner(dave, '400.51')).code, '00000');
  const csv = 'account,balances\nerin,USDT=401\n';
  const asked = { reference: 'by-the-day', csv };
  const { data } = await venue.operator.call('POST', '/account-imports', asked);
  assert.match(JSON.stringify(data.faults), /more than one operator/, 'nor by a file');
  assert.equal((await deposit(carol, '399.5')).code, '00000', 'with 1 from before, the limit');
  assert.equal((await deposit(carol, '0.01')).code, '60824');
  await venue.advance(24 * 3_600_000);
  assert.equal((await deposit(carol, '1000')).code, '00000', 'a day later');
});

test('a call sent again does not count again towards what one operator moves alone', async () => {
  await venue.advance(24 * 3_600_000);
  const frank = await opened('frank');
  const path = `/accounts/${frank}/deposits`;
  const body = { coin: 'USDT', amount: '600', clientOid: 'ticket-2' };
  const calls = [1, 2, 3].map(() => venue.operator.call('POST', path, body));
  for (const { code, data } of await Promise.all(calls)) {
    assert.equal(code, '00000');
    assert.equal(data.balance, '600.00000000');
  }
  const rest = { coin: 'USDT', amount: '400.5' };
  assert.equal((await venue.operator.call('POST', path, rest)).code, '00000');
  const larger = { ...body, amount: '400', clientOid: 'ticket-3' };
  assert.equal((await venue.operator.call('POST', path, larger)).code, '60824');
  assert.equal((await venue.operator.call('POST', path, body)).code, '00000', 'it was before');
});

test('an owner lowers a limit alone, and raises it with another owner', async () => {
  const set = (asked: Row) => venue.operator.call('POST', '/operator-limits', asked);
  const inForce = async (coin: string) => {
    const { rows } = await venue.operator.call('GET', '/operator-limits');
    return rows.find((one) => one.coin === coin)?.amount;
  };
  assert.equal(await inForce('USDT'), '1000.5');
  assert.equal((await set({ coin: 'USDT', amount: '50' })).code, '00000');
  assert.equal(await inForce('USDT'), '50');
  const body = { coin: 'BTC', amount: '2' };
  assert.equal((await venue.operator.call('POST', '/accounts/bob/deposits', body)).code, '00000');
  assert.equal((await set({ coin: 'BTC', amount: '1' })).code, '00000', 'a first one, too');
  assert.equal((await venue.operator.call('POST', '/accounts/bob/deposits', body)).code, '60824');
  const raised = await set({ coin: 'USDT', amount: '2000' });
  assert.equal(raised.code, '60824');
  assert.equal((await set({ coin: 'USDT' })).code, '60824', 'none is more than any');
  assert.equal(await inForce('USDT'), '50');
  const one = `/approvals/${raised.msg.split(': ')[1]}/approve`;
  assert.equal((await venue.operator.call('POST', one)).code, '60827');
  await by.operator.signIn('operator@example.com', undefined, await operatorOne.nextCode());
  await by.operator.refused('60823', 'POST', `/admin/v1${one}`, {});
  await by.owner.signIn('owner@example.com', undefined, await owner.nextCode());
  await by.owner.done('POST', `/admin/v1${one}`, {});
  assert.equal(await inForce('USDT'), '2000');
});

test('what is found is a file, too, as the server writes it, and nobody else gets it', async () => {
  const path = `${venue.url}/admin/v1/actions.csv?text=csv-of-actions`;
  await venue.operator.call('POST', '/accounts', { name: 'csv-of-actions' });
  await venue.operator.call('POST', '/accounts', { name: 'csv-of-actions', colour: '=1+1' });
  const answer = await fetch(path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(answer.headers.get('content-disposition') ?? '', /actions\.csv/);
  const [header = '', ...lines] = (await answer.text()).split('\r\n');
  assert.match(header, /^actionId,time,operator,/);
  assert.deepEqual(
    lines.map((line) => /(done|refused)/.exec(line)?.[1]),
    ['refused', 'done', undefined],
    'newest first, with one line end behind the last',
  );
  assert.equal((await fetch(path)).status, 401);
});
