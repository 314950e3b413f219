/** What persons do about their own way in: password, second factor, sessions, links by mail. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import { type Browser, PASSWORD, PeopleVenue } from '../support/people-venue.ts';
import { until } from '../support/until.ts';
import { startSmtp } from './smtp-server.ts';

const smtp = await startSmtp({ after });
const venue = await PeopleVenue.open(
  { after },
  {
    people: [
      'signUp: open',
      'url: http://venue.example',
      'name: Pit',
      `smtp: { host: 127.0.0.1, port: ${smtp.port}, secure: false, from: "Pit <pit@example.com>" }`,
    ],
  },
);

const SIGN_UP = '/people/v1/sign-up';
const SESSIONS = '/people/v1/sessions';
const SESSION = '/people/v1/session';
const FACTOR = '/people/v1/second-factor';
const RESETS = '/people/v1/password-resets';
const NEW_PASSWORD = 'five blue trees dream';
const STEP_MS = 30_000;

/** Somebody who has confirmed an address by mail and signed in. */
async function person(name: string): Promise<Browser> {
  const email = `${name}@example.com`;
  const browser = venue.browser();
  const { data } = await browser.done('POST', SIGN_UP, { email });
  assert.deepEqual(data, { next: 'confirm_mail' });
  const token = await smtp.token('confirm', email);
  await browser.refused('60802', 'POST', SESSIONS, { email, password: PASSWORD });
  const chosen = { token, password: PASSWORD };
  await browser.done('POST', `${RESETS}/complete`, chosen);
  await browser.refused('60808', 'POST', `${RESETS}/complete`, chosen);
  await browser.signIn(email);
  return browser;
}

function codeOf(uri: unknown): string {
  const { searchParams } = new URL(String(uri));
  const totp = new TOTP({ secret: searchParams.get('secret') ?? '' });
  return totp.generate({ timestamp: venue.clock.nowMs() });
}

/** With a second factor: what generates its codes, and the recovery codes. */
async function withFactor(name: string) {
  const browser = await person(name);
  const { data: made } = await browser.done('POST', FACTOR);
  assert.match(String(made.uri), /^otpauth:\/\/totp\/Pit:/);
  const { data } = await browser.done('POST', `${FACTOR}/enable`, { code: codeOf(made.uri) });
  assert.ok(Array.isArray(data.recoveryCodes));
  await venue.advance(STEP_MS);
  return { browser, uri: made.uri, recoveryCodes: data.recoveryCodes.map(String) };
}

test('whoever signs up with a known address is told so by mail, and nobody else', async () => {
  await person('known');
  const before = smtp.mails.length;
  const stranger = venue.browser();
  const asked = { email: 'known@example.com' };
  const { data } = await stranger.done('POST', SIGN_UP, asked);
  assert.deepEqual(data, { next: 'confirm_mail' });
  await until('the mail', () => smtp.mails.length > before);
  assert.match(smtp.mails.at(-1)?.text ?? '', /already has an account/);
  assert.doesNotMatch(smtp.mails.at(-1)?.text ?? '', /#/);
});

test('a password is changed by whoever knows it, and the other sessions end', async () => {
  const ada = await person('change');
  const other = venue.browser();
  await other.signIn('change@example.com');
  const before = ada.cookie;
  const wrong = { password: 'not the password', newPassword: NEW_PASSWORD };
  await ada.refused('60802', 'POST', '/people/v1/password', wrong);
  const easy = { password: PASSWORD, newPassword: 'password12345' };
  await ada.refused('60809', 'POST', '/people/v1/password', easy);
  await ada.done('POST', '/people/v1/password', { password: PASSWORD, newPassword: NEW_PASSWORD });
  assert.notEqual(ada.cookie, before);
  await ada.done('GET', SESSION);
  await other.refused('60801', 'GET', SESSION);
  await other.refused('60802', 'POST', SESSIONS, {
    email: 'change@example.com',
    password: PASSWORD,
  });
  await other.signIn('change@example.com', NEW_PASSWORD);
});

test('a link chooses a new password once, in time, and ends every session', async () => {
  const email = 'reset@example.com';
  const ada = await person('reset');
  const stranger = venue.browser();
  const asked = await stranger.done('POST', RESETS, { email });
  assert.deepEqual(asked.data, { next: 'mail' });
  const token = await smtp.token('reset', email);
  await venue.advance(3_600_000);
  const chosen = { token, password: NEW_PASSWORD };
  await stranger.refused('60808', 'POST', `${RESETS}/complete`, chosen);
  await stranger.done('POST', RESETS, { email });
  await until('another link', async () => (await smtp.token('reset', email)) !== token);
  const again = { ...chosen, token: await smtp.token('reset', email) };
  await ada.signIn(email);
  await stranger.done('POST', `${RESETS}/complete`, again);
  await stranger.refused('60808', 'POST', `${RESETS}/complete`, again);
  await ada.refused('60801', 'GET', SESSION);
  await ada.signIn(email, NEW_PASSWORD);
});

test('a mailbox is not filled by asking for links', async () => {
  const email = 'filled@example.com';
  await person('filled');
  const stranger = venue.browser();
  for (let at = 0; at < 12; at += 1) await stranger.done('POST', RESETS, { email });
  await venue.advance(3_600_000);
  await stranger.done('POST', RESETS, { email: 'known@example.com' });
  await smtp.token('reset', 'known@example.com');
  const sent = smtp.mails.filter(({ to, text }) => to === email && text.includes('#reset='));
  assert.ok(sent.length <= 6, String(sent.length));
});

test('a second factor is asked for, each code once, and recovery codes replace it', async () => {
  const email = 'factor@example.com';
  const { browser, uri, recoveryCodes } = await withFactor('factor');
  assert.equal(recoveryCodes.length, 10);
  const asked = { email, password: PASSWORD };
  await browser.refused('60803', 'POST', SESSIONS, asked);
  await browser.refused('60802', 'POST', SESSIONS, { ...asked, code: '000000' });
  const code = codeOf(uri);
  await browser.signIn(email, PASSWORD, code);
  await browser.refused('60802', 'POST', SESSIONS, { ...asked, code });
  const [first = '', second = ''] = recoveryCodes;
  await browser.signIn(email, PASSWORD, first.toUpperCase());
  await browser.refused('60802', 'POST', SESSIONS, { ...asked, code: first });
  await browser.signIn(email, PASSWORD, second.replaceAll('-', ' '));
  const { data } = await browser.done('GET', SESSION);
  const shown = JSON.stringify(data.person);
  assert.match(shown, /"secondFactor":true,"recoveryCodesLeft":8/);
  await venue.advance(STEP_MS);
  const renewed = { code: codeOf(uri) };
  const { data: made } = await browser.done('POST', `${FACTOR}/recovery-codes`, renewed);
  assert.ok(Array.isArray(made.recoveryCodes) && !made.recoveryCodes.includes(recoveryCodes[2]));
  await browser.refused('60802', 'POST', SESSIONS, { ...asked, code: recoveryCodes[2] });
});

test('codes are guessed no faster than passwords', async () => {
  const email = 'guessed-code@example.com';
  const { browser } = await withFactor('guessed-code');
  const thief = venue.browser();
  const guess = (code: number) => ({ email, password: PASSWORD, code: String(code) });
  let refused = 0;
  for (let at = 0; at < 12; at += 1) {
    const { code } = await thief.call('POST', SESSIONS, guess(100_000 + at));
    if (code === '429') refused += 1;
  }
  assert.equal(refused, 6);
  await browser.done('GET', SESSION);
});

test('a reset by mail does not get around the second factor', async () => {
  const email = 'around@example.com';
  const { browser, uri } = await withFactor('around');
  await browser.done('POST', RESETS, { email });
  const token = await smtp.token('reset', email);
  await browser.done('POST', `${RESETS}/complete`, { token, password: NEW_PASSWORD });
  const asked = { email, password: NEW_PASSWORD };
  await browser.refused('60803', 'POST', SESSIONS, asked);
  await browser.signIn(email, NEW_PASSWORD, codeOf(uri));
});

test('a second factor goes with a code of it, or by the operator with a reason', async () => {
  const { browser, uri } = await withFactor('off');
  await browser.refused('60815', 'POST', `${FACTOR}/disable`, { code: '000000' });
  await browser.refused('60814', 'POST', FACTOR);
  await browser.done('POST', `${FACTOR}/disable`, { code: codeOf(uri) });
  await browser.refused('60814', 'POST', `${FACTOR}/disable`, { code: codeOf(uri) });
  await browser.signIn('off@example.com');

  const lost = await withFactor('lost');
  const { rows } = await venue.operator.call('GET', '/people?email=lost@example.com');
  const path = `/people/${rows[0]?.personId}`;
  const reason = 'lost the phone; seen in person';
  const { code } = await venue.operator.call('DELETE', `${path}/second-factor`, { reason });
  assert.equal(code, '00000');
  await lost.browser.refused('60801', 'GET', SESSION);
  await lost.browser.signIn('lost@example.com');
  const events = await lost.browser.done('GET', '/people/v1/events');
  assert.ok(events.rows.some((one) => one.kind === 'second_factor_off' && one.detail === reason));
});

test('what is worth more than reading wants a proof of the last quarter of an hour', async () => {
  const ada = await person('fresh');
  await venue.advance(15 * 60_000);
  const keys = `/people/v1/accounts/${ada.accountId}/keys`;
  const wanted = [
    ['POST', FACTOR, undefined],
    ['POST', keys, { permissions: ['read'] }],
    ['POST', `/people/v1/accounts/${ada.accountId}/access-codes`, { permissions: ['read'] }],
  ] as const;
  for (const [method, path, body] of wanted) await ada.refused('60804', method, path, body);
  await ada.refused('60802', 'POST', `${SESSION}/confirm`, { password: 'not the password' });
  const before = ada.cookie;
  await ada.done('POST', `${SESSION}/confirm`, { password: PASSWORD });
  assert.notEqual(ada.cookie, before);
  for (const [method, path, body] of wanted) await ada.done(method, path, body);
  const old = venue.browser();
  old.cookie = before;
  await old.refused('60801', 'GET', SESSION);
});

test('sessions are listed and ended, by their person and by the operator', async () => {
  const ada = await person('list');
  const others = [venue.browser(), venue.browser(), venue.browser()];
  for (const other of others) await other.signIn('list@example.com');
  const { rows } = await ada.done('GET', SESSIONS);
  assert.equal(rows.length, 4);
  assert.deepEqual(rows.map(({ current }) => current).sort(), [false, false, false, true]);
  assert.ok(rows.every(({ agent }) => agent === 'a browser of the tests'));
  const eve = await person('list-eve');
  const foreign = `${SESSIONS}/${rows[0]?.sessionId}`;
  await eve.refused('60812', 'DELETE', foreign);
  await ada.done('DELETE', `${SESSIONS}/${others[0]?.session.sessionId}`);
  await others[0]?.refused('60801', 'GET', SESSION);
  const { data } = await ada.done('DELETE', SESSIONS);
  assert.deepEqual(data, { ended: 2 });
  await ada.done('GET', SESSION);
  const other = venue.browser();
  await other.signIn('list@example.com');
  const path = `/people/${ada.personId}/sessions`;
  const seen = await venue.operator.call('GET', path);
  const open = seen.rows.map(({ sessionId }) => String(sessionId));
  assert.deepEqual(open.sort(), [ada.session.sessionId, other.session.sessionId].sort());
  assert.ok(!JSON.stringify(seen.rows).includes('oken'), 'and nothing to sign in by');
  const one = `${path}/${other.session.sessionId}`;
  const strange = `/people/${eve.personId}/sessions/${other.session.sessionId}`;
  assert.equal((await venue.operator.call('DELETE', strange)).code, '60812');
  assert.equal((await venue.operator.call('DELETE', one)).code, '00000');
  await other.refused('60801', 'GET', SESSION);
  await ada.done('GET', SESSION);
  await venue.operator.call('DELETE', path);
  await ada.refused('60801', 'GET', SESSION);
});

test('a suspended person is out at once, and back when the operator says so', async () => {
  const ada = await person('suspended');
  const path = `/people/${ada.personId}`;
  const asked = { email: 'suspended@example.com', password: PASSWORD };
  await venue.operator.call('PATCH', path, { suspended: true, reason: 'asked for it' });
  await ada.refused('60801', 'GET', SESSION);
  await ada.refused('60802', 'POST', SESSIONS, asked);
  await venue.operator.call('PATCH', path, { suspended: false });
  await ada.signIn('suspended@example.com');
});

test('nothing secret is in what is kept, answered or logged', async () => {
  const ada = await person('secret');
  const { data } = await ada.done('GET', SESSION);
  const shown = JSON.stringify([data, await venue.operator.call('GET', `/people/${ada.personId}`)]);
  assert.doesNotMatch(shown, /argon2|sealed|four green/);
  assert.ok(!shown.includes(ada.cookie.split('=')[1] ?? ''));
  const logged = JSON.stringify(venue.server.lines);
  assert.doesNotMatch(logged, /four green|secret@example/);
});
