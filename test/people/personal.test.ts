/** Mails in a person's language, another address, and what is handed out and deleted. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Browser, PASSWORD, PeopleVenue } from '../support/people-venue.ts';
import { eventually, until } from '../support/until.ts';
import { type Mail, startSmtp } from './smtp-server.ts';

const smtp = await startSmtp({ after });
const venue = await PeopleVenue.open(
  { after },
  {
    sections: 'server: { trustedProxies: ["127.0.0.1"] }\n',
    people: [
      'signUp: open',
      'url: http://venue.example',
      'name: Pit',
      `smtp: { host: 127.0.0.1, port: ${smtp.port}, secure: false, from: "Pit <pit@example.com>" }`,
    ],
  },
);

const SESSIONS = '/people/v1/sessions';
const CHANGES = '/people/v1/email-changes';
const NEW_PASSWORD = 'five blue trees dream';

async function person(email: string, languages = '', language?: string): Promise<Browser> {
  const browser = venue.browser();
  if (languages !== '') browser.headers['accept-language'] = languages;
  const asked = { email, ...(language === undefined ? {} : { language }) };
  const before = confirmMails(email);
  await browser.done('POST', '/people/v1/sign-up', asked);
  await until(`a mail to ${email}`, () => confirmMails(email) > before);
  const token = await smtp.token('confirm', email);
  await browser.done('POST', '/people/v1/password-resets/complete', { token, password: PASSWORD });
  await browser.signIn(email);
  return browser;
}

function confirmMails(email: string): number {
  return smtp.mails.filter(({ to, text }) => to === email && text.includes('#confirm=')).length;
}

/** The newest mail to an address whose subject fits, once it is there. */
function mailTo(email: string, subject: RegExp): Promise<Mail> {
  return eventually(
    () => smtp.mails.findLast((mail) => mail.to === email && subject.test(mail.subject)),
    (mail) => assert.ok(mail !== undefined, `a mail to ${email} about ${subject}`),
  ).then((mail) => mail ?? assert.fail());
}

test('mails are in the language of the sign-up, and in another one once it is chosen', async () => {
  const ada = await person('ada@example.com', 'fr;q=0.9, zh-CN;q=0.8, en;q=0.5');
  const confirm = await mailTo('ada@example.com', /Pit/);
  assert.equal(confirm.subject, '请验证您在 Pit 的邮箱');
  assert.match(confirm.text, /24 小时内有效.*http:\/\/venue\.example\/account#confirm=/s);
  await ada.done('POST', '/people/v1/password', { password: PASSWORD, newPassword: NEW_PASSWORD });
  const changed = await mailTo('ada@example.com', /密码已修改/);
  assert.match(changed.text, /时间：2026-\d\d-\d\d \d\d:\d\d:\d\d（UTC），IP：127\.0\.0\.1/);
  assert.match(changed.text, /\/account#forgotten/);

  await ada.done('PATCH', '/people/v1/person', { language: 'en' });
  const { data } = await ada.done('PATCH', '/people/v1/person', { name: 'Ada' });
  assert.deepEqual([data.name, data.language], ['Ada', 'en']);
  const keys = `/people/v1/accounts/${ada.accountId}/keys`;
  await ada.done('POST', keys, { permissions: ['read'] });
  const made = await mailTo('ada@example.com', /New API key at Pit/);
  assert.match(made.text, /An API key was created\..*UTC, from 127\.0\.0\.1.*reset your password/s);
  await ada.refused('40017', 'PATCH', '/people/v1/person', { language: 'fr' });

  const named = await person('named@example.com', 'zh', 'en');
  assert.equal(
    (await mailTo('named@example.com', /./)).subject,
    'Confirm your e-mail address at Pit',
  );
  await named.done('DELETE', '/people/v1/session');
});

test('a sign-in from a new device or network is mailed, a later one is not', async () => {
  const signIns = (to: string) =>
    smtp.mails.filter((mail) => mail.to === to && /New sign-in at Pit|新的登录/.test(mail.subject));
  const email = 'lin@example.com';
  const known = await person(email, 'zh');
  await known.signIn(email);
  const next = venue.browser();
  next.headers['user-agent'] = 'Mozilla/5.0 (X11) Chrome/156.0.0.0';
  await next.signIn(email);
  const mail = await mailTo(email, /您在 Pit 的账户有新的登录/);
  assert.match(mail.text, /新的设备或地点登录.*IP：127\.0\.0\.1.*请立即重置密码/s);
  // The same browser a version later is the same device.
  next.headers['user-agent'] = 'Mozilla/5.0 (X11) Chrome/157.1.2';
  await next.signIn(email);
  next.headers['x-forwarded-for'] = '203.0.113.7';
  await next.signIn(email);
  next.headers['x-forwarded-for'] = '203.0.113.9';
  await next.signIn(email);
  // A mail that comes later shows that there was none before.
  const keys = `/people/v1/accounts/${next.accountId}/keys`;
  await next.done('POST', keys, { permissions: ['read'] });
  await mailTo(email, /API Key/);
  const addresses = signIns(email).map(({ text }) => /IP：([0-9.]+)/.exec(text)?.[1]);
  assert.deepEqual(addresses, ['127.0.0.1', '203.0.113.7']);
});

test('a key that the operator makes is mailed to those who manage the account', async () => {
  const owner = await person('kay@example.com');
  const { accountId } = owner;
  await venue.operator.done('createKey', `/accounts/${accountId}/keys`, { permissions: ['read'] });
  const mail = await mailTo('kay@example.com', /New API key at Pit/);
  assert.match(mail.text, /An API key was created\..*UTC, by the operator of the venue/s);
  const { rows } = await owner.done('GET', '/people/v1/events');
  assert.ok(rows.some(({ kind, agent }) => kind === 'key_made' && agent === 'operator'));
});

test('an address is changed by a link to the new one, and back by one to the old', async () => {
  const owner = await person('old@example.com');
  const thief = venue.browser();
  await thief.signIn('old@example.com');
  await owner.refused('60816', 'POST', CHANGES, { email: 'old@example.com' });
  const { data } = await thief.done('POST', CHANGES, { email: 'new@example.com' });
  assert.deepEqual(data, { next: 'mail' });
  const stranger = venue.browser();
  await stranger.done('POST', '/people/v1/password-resets', { email: 'old@example.com' });
  const reset = await smtp.token('reset', 'old@example.com');
  const token = await smtp.token('email', 'new@example.com');
  await stranger.refused('60808', 'POST', `${CHANGES}/undo`, { token: reset.replace(/^./, 'x') });
  await stranger.done('POST', `${CHANGES}/complete`, { token });
  await stranger.refused('60808', 'POST', `${CHANGES}/complete`, { token });
  const chosen = { token: reset, password: NEW_PASSWORD };
  await stranger.refused('60808', 'POST', '/people/v1/password-resets/complete', chosen);
  await stranger.refused('60802', 'POST', SESSIONS, {
    email: 'old@example.com',
    password: PASSWORD,
  });
  await thief.signIn('new@example.com');

  // Changing it once more takes the way back from nobody.
  await thief.done('POST', CHANGES, { email: 'third@example.com' });
  const next = await smtp.token('email', 'third@example.com');
  await stranger.done('POST', `${CHANGES}/complete`, { token: next });
  const notice = await mailTo('new@example.com', /was changed/);
  assert.doesNotMatch(notice.text, /email_undo/);

  const undo = await smtp.token('email_undo', 'old@example.com');
  await stranger.done('POST', `${CHANGES}/undo`, { token: undo });
  await thief.refused('60801', 'GET', '/people/v1/session');
  await thief.refused('60802', 'POST', SESSIONS, { email: 'old@example.com', password: PASSWORD });
  const again = await eventually(
    () => smtp.token('reset', 'old@example.com'),
    (one) => assert.notEqual(one, reset),
  );
  const mine = { token: again, password: NEW_PASSWORD };
  await owner.done('POST', '/people/v1/password-resets/complete', mine);
  await owner.signIn('old@example.com', NEW_PASSWORD);
  const { rows } = await owner.done('GET', '/people/v1/events');
  const kinds = rows.map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'email_changed').length, 2);
  assert.ok(kinds.includes('email_change_undone'));
});

test('a taken address is not told to whoever asks for it', async () => {
  await person('taken@example.com');
  const asker = await person('asker@example.com');
  const { data } = await asker.done('POST', CHANGES, { email: 'taken@example.com' });
  assert.deepEqual(data, { next: 'mail' });
  await mailTo('taken@example.com', /already have an account/);
  await venue.advance(16 * 60_000);
  await asker.refused('60804', 'POST', CHANGES, { email: 'fresh@example.com' });
});

test('a person reads what is kept of it, and is deleted when nothing is owed', async () => {
  const ada = await person('leaving@example.com');
  const keys = `/people/v1/accounts/${ada.accountId}/keys`;
  const { data: key } = await ada.done('POST', keys, { permissions: ['read'], label: 'bot' });
  const { data } = await ada.done('GET', '/people/v1/export');
  const text = JSON.stringify(data);
  for (const word of ['leaving@example.com', 'signed_in', ada.personId, String(key.key)]) {
    assert.ok(text.includes(word), word);
  }
  for (const word of ['argon2', 'sealed', 'Hash', String(key.secret)]) {
    assert.ok(!text.includes(word), word);
  }
  const money = { coin: 'USDT', amount: '5', wallet: 'spot' };
  const deposits = `/accounts/${ada.accountId}/deposits`;
  assert.equal((await venue.operator.call('POST', deposits, money)).code, '00000');
  const { msg } = await ada.refused('60817', 'DELETE', '/people/v1/person');
  assert.match(msg, /holds money/);
  assert.equal((await ada.trade('GET', '/api/spot/v1/account/assets')).code, '00000');
  const order = { symbol: 'BTCUSDT_SPBL', side: 'buy', orderType: 'limit', force: 'normal' };
  const bid = { ...order, price: '20000', quantity: '0.0001' };
  const placed = await ada.trade('POST', '/api/spot/v1/trade/orders', bid);
  assert.equal(placed.code, '00000', 'the account goes on as it was');
  const symbol = 'BTCUSDT_SPBL';
  const cancelled = { symbol, orderId: placed.data.orderId };
  await ada.trade('POST', '/api/spot/v1/trade/cancel-order', cancelled);
  const withdrawals = `/accounts/${ada.accountId}/withdrawals`;
  assert.equal((await venue.operator.call('POST', withdrawals, money)).code, '00000');

  const { accountId, personId } = ada;
  await ada.done('DELETE', '/people/v1/person');
  await ada.refused('60801', 'GET', '/people/v1/session');
  await ada.refused('60802', 'POST', SESSIONS, {
    email: 'leaving@example.com',
    password: PASSWORD,
  });
  await mailTo('leaving@example.com', /deleted/);
  const listed = await venue.operator.call('GET', `/accounts/${accountId}/keys`);
  assert.deepEqual(listed.rows, []);
  const account = await venue.operator.call('GET', `/accounts/${accountId}`);
  assert.equal(account.data.frozen, true);
  assert.doesNotMatch(JSON.stringify(account.data), /leaving@/);
  const events = await venue.operator.call('GET', `/people/${personId}/events`);
  assert.deepEqual(
    events.rows.map(({ kind, detail, address }) => [kind, detail, address]),
    [['deleted', '', '']],
  );
  const anew = await person('leaving@example.com');
  assert.notEqual(anew.personId, personId);
});
