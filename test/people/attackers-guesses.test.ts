/** Who guesses at an address waits, and its owner does not. By attacker's role. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Browser, PASSWORD, PeopleVenue } from '../support/people-venue.ts';

const SESSIONS = '/people/v1/sessions';
const CONFIRM = '/people/v1/session/confirm';
const QUARTER_MS = 15 * 60_000;

/** Behind a proxy that says which network a call is from, on a clock of the test's. */
const networks = await PeopleVenue.open(
  { after },
  { sections: "server:\n  trustedProxies: ['127.0.0.1']\n" },
);

function browserIn(address: string): Browser {
  const browser = networks.browser();
  browser.headers['x-forwarded-for'] = address;
  return browser;
}

/** From one network, so often, whenever it may. */
async function guess(email: string, address: string, times: number): Promise<void> {
  const thief = browserIn(address);
  for (let at = 0; at < times; at += 1) {
    const said = await thief.call('POST', SESSIONS, { email, password: 'a wrong password' });
    assert.ok(said.code === '60802' || said.code === '429', said.msg);
    await networks.advance(1_000 * Number(said.headers.get('retry-after') ?? 0));
  }
}

/** So many of many networks have guessed before at every address that was tried. */
function haveGuessed(count: number): void {
  const db = new Sqlite(`${networks.server.directory}/people.sqlite`);
  db.prepare("update failures set count = ? where network = 'all'").run(count);
  db.close();
}

/** From as many networks: none of them is held off by itself. */
async function guessFromAll(email: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await guess(email, `203.0.${at}.9`, 1);
}

test('stranger: wrong guesses of an address keep only their own network out', async () => {
  const email = 'guessed@example.com';
  const ada = await networks.person(email);
  await guess(email, '198.51.100.7', 14);
  await browserIn('198.51.100.7').refused('429', 'POST', SESSIONS, { email, password: PASSWORD });
  ada.headers['x-forwarded-for'] = '192.0.2.1';
  await ada.signIn(email);
  // The owner's own success lifts no wait of others.
  await browserIn('198.51.100.7').refused('429', 'POST', SESSIONS, { email, password: PASSWORD });
});

test('stranger: one customer with 2^64 addresses is one network', async () => {
  const email = 'wide@example.com';
  await networks.person(email);
  for (let at = 0; at < 6; at += 1) await guess(email, `2001:db8:1:1::${at + 1}`, 1);
  const other = browserIn('2001:db8:1:1:ffff::1');
  await other.refused('429', 'POST', SESSIONS, { email, password: PASSWORD });
});

test('strangers of many networks: guesses wait over all, until a link is used', async () => {
  const email = 'everywhere@example.com';
  const known = await networks.person(email);
  await guessFromAll(email, 1);
  haveGuessed(98);
  await guessFromAll(email, 3);
  const ada = browserIn('192.0.2.2');
  const held = await ada.refused('429', 'POST', SESSIONS, { email, password: PASSWORD });
  assert.ok(Number(held.headers.get('retry-after')) >= 1);
  // A session that is there proves itself apart.
  await known.done('POST', CONFIRM, { password: PASSWORD });
  await networks.operator.call('POST', `/people/${known.personId}/password-reset`, {});
  await networks.choose(ada, await networks.linkOf(email), 'five blue trees dream');
  await ada.signIn(email, 'five blue trees dream');
});

test('stranger: an address that nobody has is held off as others are', async () => {
  const email = 'nobody-at-all@example.com';
  await guessFromAll(email, 1);
  haveGuessed(98);
  await guessFromAll(email, 3);
  const guesser = browserIn('198.51.100.9');
  await guesser.refused('429', 'POST', SESSIONS, { email, password: PASSWORD });
});

test('person: guesses in a session keep nobody from signing in', async () => {
  const email = 'taken-over@example.com';
  const ada = await networks.person(email);
  const taken = browserIn('198.51.100.10');
  await taken.signIn(email);
  for (let at = 0; at < 6; at += 1) {
    await taken.refused('60802', 'POST', CONFIRM, { password: 'a wrong password' });
  }
  await taken.refused('429', 'POST', CONFIRM, { password: PASSWORD });
  const changed = { password: PASSWORD, newPassword: 'five blue trees dream' };
  await taken.refused('429', 'POST', '/people/v1/password', changed);
  await ada.done('POST', CONFIRM, { password: PASSWORD });
  await browserIn('198.51.100.10').signIn(email);
  await networks.advance(QUARTER_MS);
  await taken.done('POST', CONFIRM, { password: PASSWORD });
});

test('operator: the wait of an address is shown, lifted with a reason, and logged', async () => {
  const email = 'lifted@example.com';
  const { personId } = await networks.person(email);
  const path = `/people/${personId}`;
  assert.equal((await networks.operator.call('GET', path)).data.signInWaitsUntil, '0');
  await guess(email, '198.51.100.11', 8);
  const held = { email, password: PASSWORD };
  await browserIn('198.51.100.11').refused('429', 'POST', SESSIONS, held);
  const seen = await networks.operator.call('GET', path);
  assert.ok(Number(seen.data.signInWaitsUntil) > networks.clock.nowMs());
  const unsaid = await networks.operator.call('DELETE', `${path}/sign-in-wait`, {});
  assert.equal(unsaid.code, '60828', unsaid.msg);
  const reason = 'called back under the known number';
  const lifted = await networks.operator.call('DELETE', `${path}/sign-in-wait`, { reason });
  assert.equal(lifted.code, '00000', lifted.msg);
  assert.equal(lifted.data.signInWaitsUntil, '0');
  await browserIn('198.51.100.11').signIn(email);
  const events = await networks.operator.call('GET', `${path}/events`);
  assert.ok(events.rows.some((one) => one.kind === 'sign_in_wait_lifted' && one.detail === reason));
  const actions = await networks.operator.call('GET', `/actions?text=${personId}`);
  assert.ok(actions.rows.some((one) => one.reason === reason && one.outcome === 'done'));
});
