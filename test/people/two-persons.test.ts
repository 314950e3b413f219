/**
 * The ways by which one operator would move more than the rule of two allows: each of them by the
 * same limit, summed with all others, and none for one's own gain.
 */
import { strict as assert } from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { operatorIn } from '../support/operator-hands.ts';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually } from '../support/until.ts';

const OK = '00000';
const WAITS = '60824';
const OWN = '60827';
const SECTIONS = `
operators:
  twoPersonAbove: { USDT: "10000" }
payments:
  coins:
    - { coin: USDT, addressPattern: "T[a-z0-9]{3,40}" }
`;
const DAY_MS = 86_400_000;

const tidyUps: (() => void | Promise<void>)[] = [];
const venue = await PeopleVenue.open({ after: (one) => tidyUps.push(one) }, { sections: SECTIONS });
after(async () => {
  for (const tidyUp of tidyUps.reverse()) await tidyUp();
});

const hands = await operatorIn(venue, 'operator', 'mallory@example.com');
const others = await operatorIn(venue, 'operator', 'olga@example.com');
const mallory = hands.browser;
const olga = others.browser;
/** The second person that Mallory has an address for. */
const shadow = await venue.person('shadow@example.com');
const victim = await venue.person('victim@example.com');
const usdt = (amount: string) => ({ coin: 'USDT', amount });
let names = 0;

async function called(
  browser: Browser,
  method: string,
  path: string,
  body: Row = {},
): Promise<{ readonly code: string; readonly data: Row }> {
  // What is asked for later has a higher id.
  await venue.advance(1);
  return browser.call(method, `/admin/v1${path}`, method === 'GET' ? undefined : body);
}

async function code(browser: Browser, method: string, path: string, body?: Row): Promise<string> {
  return (await called(browser, method, path, body)).code;
}

/** Nobody's: of the admin token, which alone has no limit to share here. */
async function account(amount = '0'): Promise<string> {
  names += 1;
  const name = `pit-${names}`;
  const made = await venue.operator.call('POST', '/accounts', { name });
  const { accountId } = made.data;
  if (amount !== '0') await pays(String(accountId), amount);
  return String(accountId);
}

/** Both operators, so that nobody's sum is in the way. */
async function pays(accountId: string, amount: string): Promise<void> {
  const asked = await called(olga, 'POST', `/accounts/${accountId}/deposits`, usdt(amount));
  if (asked.code === OK) return;
  assert.equal(asked.code, WAITS);
  const { rows } = await venue.operator.call('GET', '/approvals?state=pending&limit=1');
  const done = await venue.operator.call('POST', `/approvals/${rows[0]?.approvalId}/approve`, {});
  assert.equal(done.code, OK, done.msg);
}

async function announced(person: Browser, amount: string): Promise<string> {
  names += 1;
  const path = `/people/v1/accounts/${person.accountId}/deposits`;
  const asked = { ...usdt(amount), reference: `tx-${names}` };
  return String((await person.done('POST', path, asked)).data.paymentId);
}

async function newest(): Promise<Row> {
  const { rows } = await venue.operator.call('GET', '/approvals?limit=1');
  return rows[0] ?? {};
}

describe('more than one operator may move alone', () => {
  beforeEach(async () => {
    await venue.advance(DAY_MS + 1);
    for (const [{ browser, nextCode }, email] of [
      [hands, 'mallory@example.com'],
      [others, 'olga@example.com'],
    ] as const) {
      await browser.signIn(email, undefined, await nextCode());
    }
    await shadow.signIn('shadow@example.com');
    await victim.signIn('victim@example.com');
  });

  test('a request of an own second person takes another operator, too', async () => {
    const paymentId = await announced(shadow, '5000000');
    const path = `/payments/${paymentId}/approve`;
    const first = await called(mallory, 'POST', path);
    assert.deepEqual([first.code, first.data.state], [OK, 'requested']);
    assert.equal((await called(mallory, 'POST', path)).data.state, 'requested', 'once more');
    assert.equal((await called(olga, 'POST', path)).data.state, 'done');
  });

  test('requests add up with each other, and with what is booked by hand', async () => {
    const states: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      const paymentId = await announced(shadow, '4000');
      states.push((await called(mallory, 'POST', `/payments/${paymentId}/approve`)).data.state);
    }
    assert.deepEqual(states, ['done', 'done', 'requested']);
    const pit = await account();
    assert.equal(await code(mallory, 'POST', `/accounts/${pit}/deposits`, usdt('2001')), WAITS);
    assert.equal(await code(mallory, 'POST', `/accounts/${pit}/deposits`, usdt('2000')), OK);
    assert.equal(await code(mallory, 'POST', '/insurance', usdt('1')), WAITS);
  });

  test('nobody approves, or books alone, what an account gains that is theirs to use', async () => {
    const own = mallory.accountId;
    const request = await announced(mallory, '5');
    assert.notEqual(await code(mallory, 'POST', `/payments/${request}/approve`), OK);
    const rights = { permissions: ['read', 'trade'] };
    const paths = `/people/v1/accounts/${shadow.accountId}`;
    const made = await shadow.done('POST', `${paths}/access-codes`, rights);
    await mallory.done('POST', '/people/v1/access-codes', { code: made.data.code });
    const shared = await announced(shadow, '5');
    assert.notEqual(await code(mallory, 'POST', `/payments/${shared}/approve`), OK);
    assert.equal(await code(mallory, 'POST', `/accounts/${own}/deposits`, usdt('5')), WAITS);
    const asked = await newest();
    assert.equal(await code(mallory, 'POST', `/approvals/${asked.approvalId}/approve`), OWN);
    await called(olga, 'POST', `/accounts/${own}/deposits`, usdt('20000'));
    const { approvalId } = await newest();
    assert.equal(await code(mallory, 'POST', `/approvals/${approvalId}/approve`), OWN, 'it gains');
    await shadow.done('DELETE', `${paths}/people/${mallory.personId}`);
  });

  test("another's account is given, and opened by a key, by two", async () => {
    const pit = await account('50000');
    const grant = (person: string) => `/people/${person}/accounts/${pit}`;
    const all = { permissions: ['read', 'trade', 'transfer', 'withdraw'] };
    assert.equal(await code(mallory, 'PUT', grant(shadow.personId), all), WAITS);
    const asked = await newest();
    assert.deepEqual([asked.kind, asked.coin, asked.accountId], ['grant', 'USDT', pit]);
    const approve = `/approvals/${asked.approvalId}/approve`;
    assert.equal(await code(mallory, 'POST', approve), OWN);
    assert.equal(await code(olga, 'POST', approve), OK);
    assert.equal(await code(mallory, 'PUT', grant(victim.personId), all), WAITS, 'of another');
    assert.equal(await code(mallory, 'PUT', grant(shadow.personId), all), OK, 'what was approved');
    await called(olga, 'DELETE', grant(shadow.personId));
    assert.equal(await code(mallory, 'PUT', grant(shadow.personId), all), WAITS, 'and once');
    assert.equal(await code(mallory, 'PUT', grant(victim.personId), { permissions: ['read'] }), OK);
    const keys = `/accounts/${pit}/keys`;
    assert.equal(await code(mallory, 'POST', keys, { permissions: ['trade'] }), WAITS);
    assert.equal(await code(mallory, 'POST', keys, { permissions: ['read'] }), OK);
  });

  test('an account is not given to oneself, however little is in it', async () => {
    const pit = await account();
    const own = `/people/${mallory.personId}/accounts/${pit}`;
    assert.equal(await code(mallory, 'PUT', own, { permissions: ['read', 'trade'] }), WAITS);
    const { approvalId } = await newest();
    assert.equal(await code(mallory, 'POST', `/approvals/${approvalId}/approve`), OWN);
  });

  test('a competition pays by two, and cancelling one opens no door', async () => {
    const pits = [await account(), await account()];
    const money = [usdt('4000')];
    const { data } = await called(mallory, 'POST', '/competitions', { name: 'Cup', money });
    const cup = `/competitions/${data.competitionId}`;
    await called(mallory, 'POST', `${cup}/entries`, { accounts: pits });
    const state = async (): Promise<Row> => {
      const seen = await called(mallory, 'GET', cup);
      const { rounds } = seen.data;
      return Object(Array.isArray(rounds) ? rounds.at(-1) : undefined);
    };
    assert.equal(await code(mallory, 'POST', `${cup}/rounds`, { durationMs: 60_000 }), OK);
    await eventually(state, (round) => assert.equal(round.state, 'running', String(round.note)));
    assert.equal(await code(mallory, 'POST', `${cup}/rounds/1/cancel`), OK);
    assert.equal(await code(mallory, 'POST', `${cup}/rounds`, { durationMs: 60_000 }), OK);
    await eventually(state, (round) => assert.match(String(round.note), /another operator/));
    const { kind, approvalId, amount } = await newest();
    assert.deepEqual([kind, Number(amount)], ['competition', 8000]);
    const approve = `/approvals/${approvalId}/approve`;
    assert.equal(await code(mallory, 'POST', approve), OWN);
    assert.equal(await code(mallory, 'PATCH', cup, { money: [usdt('9000')] }), '60862');
    assert.equal(await code(olga, 'POST', approve), OK);
    await eventually(state, (round) => assert.equal(round.state, 'running', String(round.note)));
    assert.equal(await code(mallory, 'POST', `${cup}/cancel`), OK);
  });

  test('an import adds to what was moved, and pays nobody alone who is in it', async () => {
    const csv = 'account,balances\nimp-1,USDT=6000\nimp-2,USDT=3000\n';
    const imported = (text: string, reference: string) =>
      called(mallory, 'POST', '/account-imports', { reference, csv: text });
    assert.equal((await imported(csv, 'course')).data.state, 'waiting');
    assert.equal((await imported(csv.replaceAll('imp', 'more'), 'more')).data.state, 'checked');
    const own = 'account,email,balances\nmine,mallory@example.com,USDT=1\n';
    assert.equal((await imported(own, 'own')).data.state, 'checked');
  });
});
