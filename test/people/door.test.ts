/** Coming in: signing up, in and out, and what a stranger can learn or break by trying. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { PASSWORD, PeopleVenue, START_MS } from '../support/people-venue.ts';

/** By invitation; every test has people of its own. */
const venue = await PeopleVenue.open({ after });

const SIGN_UP = '/people/v1/sign-up';
const COMPLETE = '/people/v1/password-resets/complete';
const SESSIONS = '/people/v1/sessions';
const SESSION = '/people/v1/session';

test('an invited person signs up, signs in, sees an account and signs out', async () => {
  const ada = venue.browser();
  const invitation = await venue.invitation();
  const asked = { email: 'Ada@Example.com', name: 'Ada', invitation };
  const signedUp = await ada.done('POST', SIGN_UP, asked);
  assert.deepEqual(signedUp.data, { next: 'confirm_operator' });
  await venue.choose(ada, await venue.linkOf('ada@example.com'));
  const signedIn = await ada.signIn('ada@example.com');
  assert.match(signedIn.headers.getSetCookie().join(), /^outcry-session=[\w-]{43}; Path=\/;/);
  assert.match(signedIn.headers.getSetCookie().join(), /HttpOnly; SameSite=Strict$/);
  const { data } = await ada.done('GET', SESSION);
  assert.deepEqual(data.person, {
    personId: ada.personId,
    email: 'ada@example.com',
    name: 'Ada',
    language: 'en',
    secondFactor: false,
    recoveryCodesLeft: 0,
    cTime: String(START_MS),
  });
  const permissions = ['read', 'trade', 'transfer', 'withdraw', 'manage'];
  assert.deepEqual(data.accounts, [{ accountId: ada.accountId, label: '', permissions }]);
  const before = ada.cookie;
  const out = await ada.done('DELETE', SESSION);
  assert.match(out.headers.getSetCookie().join(), /^outcry-session=; .*Max-Age=0$/);
  ada.cookie = before;
  await ada.refused('60801', 'GET', SESSION);
  const events = await venue.operator.call('GET', `/people/${ada.personId}/events`);
  const kinds = events.rows.map(({ kind }) => kind);
  assert.deepEqual(kinds, [
    'signed_out',
    'signed_in',
    'account_opened',
    'confirmed',
    'link_handed_out',
    'signed_up',
  ]);
});

test('a venue that says nothing of it is closed, and the operator lets people in', async (t) => {
  const venue = await PeopleVenue.open(t, { people: ['name: Pit'] });
  const ada = venue.browser();
  const { data } = await ada.done('GET', '/people/v1/venue');
  assert.equal(data.signUp, 'closed');
  await ada.refused('60806', 'POST', SIGN_UP, { email: 'ada@example.com' });
  const made = await venue.operator.call('POST', '/people', { email: 'ada@example.com' });
  assert.equal(made.code, '00000', made.msg);
  const path = await venue.operator.linkFor('ada@example.com', 'welcome');
  const [, token = ''] = /^\/account#welcome=([\w-]{43})$/.exec(path) ?? [];
  const chosen = { token, password: PASSWORD };
  await ada.refused('60802', 'POST', SESSIONS, { email: 'ada@example.com', password: PASSWORD });
  await ada.done('POST', '/people/v1/password-resets/complete', chosen);
  await ada.refused('60808', 'POST', '/people/v1/password-resets/complete', chosen);
  await ada.signIn('ada@example.com');
  const again = await venue.operator.call('POST', '/people', { email: 'ada@example.com' });
  assert.equal(again.code, '60816');
  assert.equal((await venue.operator.call('GET', '/people-links')).rows.length, 0);
});

test('an invitation is good for so many people and so many days', async () => {
  const code = await venue.invitation(2);
  const ada = venue.browser();
  const ask = (email: string, invitation: string) => ({ email, invitation });
  await ada.refused('60807', 'POST', SIGN_UP, ask('a@example.com', 'wrong-code'));
  await ada.done('POST', SIGN_UP, ask('a@example.com', code));
  await ada.done('POST', SIGN_UP, ask('b@example.com', code.toUpperCase().replaceAll('-', ' ')));
  await ada.refused('60807', 'POST', SIGN_UP, ask('c@example.com', code));
  const late = await venue.invitation();
  await venue.advance(7 * 24 * 3_600_000);
  await ada.refused('60807', 'POST', SIGN_UP, ask('c@example.com', late));
});

test('passwords have a length and are not those that everybody tries', async () => {
  const email = 'ada.lovelace@example.com';
  const ada = venue.browser();
  await ada.done('POST', SIGN_UP, { email, invitation: await venue.invitation() });
  const token = await venue.linkOf(email);
  for (const password of [
    'short one',
    'x'.repeat(129),
    'password1234',
    'PassWord!2345',
    'qwertyuiop123',
    'abcabcabcabcabc',
    '111111111111111',
    'ada.lovelace 1815',
  ]) {
    const said = await ada.refused('60809', 'POST', COMPLETE, { token, password });
    assert.ok(!said.msg.includes(password), 'a password is not repeated');
  }
  await ada.done('POST', COMPLETE, { token, password: 'пароль из четырёх слов' });
  await ada.signIn('ada.lovelace@example.com', 'пароль из четырёх слов');
});

test('what a stranger is answered does not depend on who is there', async (t) => {
  const venue = await PeopleVenue.open(t, { people: ['signUp: open'] });
  const made = await venue.operator.call('POST', '/people', { email: 'known@example.com' });
  assert.equal(made.code, '00000');
  const stranger = venue.browser();
  const paths = [
    [SIGN_UP, {}],
    ['/people/v1/password-resets', {}],
    [SESSIONS, { password: 'some wrong password' }],
  ] as const;
  for (const [path, body] of paths) {
    const known = await stranger.call('POST', path, { ...body, email: 'known@example.com' });
    const other = await stranger.call('POST', path, { ...body, email: 'other@example.com' });
    const shown = ({ status, code, msg, data }: typeof known) => ({ status, code, msg, data });
    assert.deepEqual(shown(known), shown(other), path);
  }
});

test('guesses are held off longer and longer, on the clock of the venue', async () => {
  const ada = await venue.person('guessed@example.com');
  const thief = venue.browser();
  for (const email of ['guessed@example.com', 'nobody@example.com']) {
    const guess = { email, password: 'a wrong password' };
    for (let at = 0; at < 6; at += 1) await thief.refused('60802', 'POST', SESSIONS, guess);
    for (const waitSeconds of [1, 2, 4, 8]) {
      const held = await thief.refused('429', 'POST', SESSIONS, guess);
      assert.equal(held.headers.get('retry-after'), String(waitSeconds));
      await venue.advance(waitSeconds * 1_000);
      await thief.refused('60802', 'POST', SESSIONS, guess);
    }
  }
  await ada.refused('429', 'POST', SESSIONS, { email: 'guessed@example.com', password: PASSWORD });
  await venue.advance(16_000);
  await ada.signIn('guessed@example.com');
  await ada.signIn('guessed@example.com');
});

test('of many guesses at once few are looked at', async () => {
  await venue.person('hurried@example.com');
  const thief = venue.browser();
  const guess = (at: number) => ({
    email: 'hurried@example.com',
    password: `a wrong password ${at}`,
  });
  const codes = await Promise.all(
    Array.from(
      { length: 30 },
      async (_, at) => (await thief.call('POST', SESSIONS, guess(at))).code,
    ),
  );
  assert.equal(codes.filter((code) => code === '60802').length, 6);
  assert.equal(codes.filter((code) => code === '429').length, 24);
});

test('a session ends when it is idle, and at its end however much it is used', async () => {
  const ada = await venue.person('idle@example.com');
  await venue.advance(29 * 60_000);
  await ada.done('GET', SESSION);
  await venue.advance(30 * 60_000);
  await ada.refused('60801', 'GET', SESSION);
  await ada.signIn('idle@example.com');
  for (let at = 0; at < 35; at += 1) {
    await venue.advance(20 * 60_000);
    await ada.done('GET', SESSION);
  }
  await venue.advance(20 * 60_000);
  await ada.refused('60801', 'GET', SESSION);
});

test('signing in makes a new token, and ends the session of the cookie before', async () => {
  const ada = await venue.person('fixed@example.com');
  const before = ada.cookie;
  await ada.signIn('fixed@example.com');
  assert.notEqual(ada.cookie, before);
  const old = venue.browser();
  old.cookie = before;
  await old.refused('60801', 'GET', SESSION);
  const fixed = venue.browser();
  fixed.cookie = `outcry-session=${'A'.repeat(43)}`;
  await fixed.signIn('fixed@example.com');
  assert.notEqual(fixed.cookie, `outcry-session=${'A'.repeat(43)}`);
});

test('a page of another venue changes nothing with the cookie', async () => {
  const ada = await venue.person('foreign@example.com');
  const foreign = { origin: 'http://evil.example' };
  const port = { origin: venue.url.replace(/:\d+$/, ':1') };
  const body = { name: 'Mallory' };
  // The guard of the venue knows the names it is served under; the session knows its own origin.
  assert.equal((await ada.call('PATCH', '/people/v1/person', body, foreign)).code, '421');
  assert.equal((await ada.call('PATCH', '/people/v1/person', body, port)).code, '60805');
  assert.equal((await ada.call('POST', SESSIONS, {}, port)).code, '60805');
  for (const token of ['', 'x', ada.csrfToken.slice(1), `${ada.csrfToken}x`]) {
    const said = await ada.call('PATCH', '/people/v1/person', body, { 'x-csrf-token': token });
    assert.equal(said.code, '60805', token);
  }
  const { data } = await ada.done('GET', SESSION);
  assert.notDeepEqual(data.person, 'Mallory');
  await ada.done('PATCH', '/people/v1/person', { name: 'Ada' });
});

test('cookies that a neighbour of the domain has put before ours keep nobody out', async () => {
  const ada = await venue.person('neighbour@example.com');
  const { cookie } = ada;
  const bogus = (letter: string) => `outcry-session=${letter.repeat(43)}`;
  for (const before of [['A'], ['A', 'B', 'C']]) {
    ada.cookie = [...before.map(bogus), 'outcry-session=', 'other=1', cookie].join('; ');
    await ada.done('GET', SESSION);
    await ada.done('PATCH', '/people/v1/person', { name: 'Ada' });
  }
  // Looking each of them up costs: no more than four are.
  ada.cookie = [...['A', 'B', 'C', 'D'].map(bogus), cookie].join('; ');
  await ada.refused('60801', 'GET', SESSION);
});

test('what is sent is read strictly, and is hostile', async () => {
  const ada = await venue.person('hostile@example.com');
  const odd = ['', null, 5, true, [], {}, 'x'.repeat(5_000), '\u0000', "' or 1=1 --"];
  for (const value of odd) {
    for (const [path, field] of [
      [SESSIONS, 'email'],
      [SESSIONS, 'password'],
      [SIGN_UP, 'email'],
      [COMPLETE, 'token'],
      ['/people/v1/access-codes', 'code'],
      ['/people/v1/second-factor/enable', 'code'],
      [`/people/v1/accounts/${ada.accountId}/access-codes`, 'permissions'],
      [`/people/v1/accounts/${ada.accountId}/keys`, 'permissions'],
    ]) {
      const body = { email: 'eve@example.com', password: 'x', ...{ [String(field)]: value } };
      const said = await ada.call('POST', String(path), body);
      assert.ok(said.status >= 400 && said.status < 500, `${path} ${JSON.stringify(value)}`);
    }
  }
});

test('behind TLS the cookie is for this host and for TLS only', async (t) => {
  const people = ['signUp: invitation', 'url: https://Venue.example'];
  const secure = await PeopleVenue.open(t, { people });
  const ada = secure.browser();
  const invitation = await secure.invitation();
  const email = 'ada@example.com';
  const asked = { email, password: PASSWORD };
  const own = { origin: 'https://venue.example' };
  assert.equal((await ada.call('POST', SIGN_UP, { email, invitation }, own)).code, '00000');
  const chosen = { token: await secure.linkOf(email), password: PASSWORD };
  assert.equal((await ada.call('POST', COMPLETE, chosen, own)).code, '00000');
  const signedIn = await ada.call('POST', SESSIONS, asked, own);
  const cookie = /^__Host-outcry-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
  assert.match(signedIn.headers.getSetCookie().join(), cookie);
  await ada.done('GET', SESSION);
});
