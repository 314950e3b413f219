/**
 * Links that act for a person are handed out in the open, by who runs the venue, for as long as
 * that one does. By attacker's role.
 */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { handOutPath, tokenOf } from '../support/operator.ts';
import { operatorIn } from '../support/operator-hands.ts';
import { type Browser, PASSWORD, PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually } from '../support/until.ts';
import { startSmtp } from './smtp-server.ts';

const venue = await PeopleVenue.open({ after });
const LINKS = '/admin/v1/people-links';
const COMPLETE = '/people/v1/password-resets/complete';
const NEW_PASSWORD = 'five blue trees dream';
const TOKEN = /[\w-]{43}/;
const { browser: owner } = await operatorIn(venue, 'owner');
const { browser: support } = await operatorIn(venue, 'support');
const { browser: mallory } = await operatorIn(venue, 'operator', 'mallory@example.com');

/** A person who has asked for help, and the link that waits. */
async function waiting(email: string): Promise<{ readonly person: Browser; readonly link: Row }> {
  const person = await venue.person(email);
  const path = `/admin/v1/people/${person.personId}/password-reset`;
  const { data } = await support.done('POST', path, {});
  return { person, link: data };
}

async function handedOut(by: Browser, link: Row, reason = 'seen in person'): Promise<string> {
  const { data } = await by.done('POST', `/admin/v1${handOutPath(link)}`, { reason });
  return tokenOf(String(data.path));
}

async function isWorth(token: string): Promise<boolean> {
  const chosen = { token, password: 'short' };
  const { code } = await venue.browser().call('POST', COMPLETE, chosen);
  assert.ok(code === '60808' || code === '60809', code);
  // A password that is refused costs nobody the link.
  return code === '60809';
}

test('support: what opens a link is in no answer, whatever it asks for', async () => {
  const { person, link } = await waiting('helped@example.com');
  const { personId } = person;
  const answers = [
    link,
    await support.done('GET', LINKS).then(({ rows }) => rows),
    await support.done('GET', `${LINKS}?person=${personId}`).then(({ rows }) => rows),
    await support.done('GET', `/admin/v1/people/${personId}`).then(({ data }) => data),
    await support.done('GET', `/admin/v1/people/${personId}/events`).then(({ rows }) => rows),
  ];
  for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer), TOKEN);
  const { rows } = await support.done('GET', LINKS);
  assert.ok(rows.some(({ linkId, madeBy }) => linkId === link.linkId && madeBy === ''));
  const handOut = `/admin/v1${handOutPath(link)}`;
  await support.refused('60823', 'POST', handOut, { reason: 'curious' });
  const made = await owner.done('POST', '/admin/v1/people', { email: 'new@example.com' });
  assert.doesNotMatch(JSON.stringify(made.data), TOKEN);
});

test('operator: a link is handed out with a reason, logged and told to the person', async () => {
  const { person, link } = await waiting('told@example.com');
  const handOut = `/admin/v1${handOutPath(link)}`;
  await mallory.refused('60828', 'POST', handOut, {});
  await mallory.refused('60828', 'POST', handOut, { reason: ' ' });
  const reason = 'came to the office, passport seen';
  const token = await handedOut(mallory, link, reason);
  assert.equal(await isWorth(token), true);
  const events = await person.done('GET', '/people/v1/events');
  const [told] = events.rows.filter(({ kind }) => kind === 'link_handed_out');
  assert.equal(told?.detail, `reset: ${reason}`);
  const { rows } = await owner.done('GET', `/admin/v1/actions?text=${person.personId}`);
  const [action] = rows.filter((one) => String(one.path).endsWith('/hand-out'));
  assert.deepEqual([action?.operator, action?.reason], ['mallory@example.com', reason]);
  assert.equal(JSON.stringify(rows).includes(token), false);
  const listed = await support.done('GET', LINKS);
  const seen = listed.rows.find(({ linkId }) => linkId === link.linkId);
  assert.equal(seen?.madeBy, 'mallory@example.com');
});

test('operator: handed out again, a link is worth nothing to who had it before', async () => {
  const { person, link } = await waiting('again@example.com');
  const first = await handedOut(mallory, link);
  const second = await handedOut(owner, link);
  assert.equal(await isWorth(first), false);
  const ada = venue.browser();
  await ada.done('POST', COMPLETE, { token: second, password: NEW_PASSWORD });
  await ada.signIn('again@example.com', NEW_PASSWORD);
  await person.refused('60801', 'GET', '/people/v1/session');
});

test('operator: no link of another operator is handed out but by an owner', async () => {
  const { data } = await owner.done(
    'POST',
    `/admin/v1/people/${support.personId}/password-reset`,
    {},
  );
  const handOut = `/admin/v1${handOutPath(data)}`;
  await mallory.refused('60823', 'POST', handOut, { reason: 'curious' });
  assert.equal(await isWorth(await handedOut(owner, data)), true);
});

test('operator: links and codes end when the role of their maker changes or ends', async () => {
  const email = 'leaving@example.com';
  const { browser: leaving } = await operatorIn(venue, 'operator', email);
  const { personId } = leaving;
  const appoint = (role: string) => owner.done('POST', '/admin/v1/operators', { personId, role });
  const cup = { name: 'Cup', money: [{ coin: 'USDT', amount: '1' }], joinBy: 'code' };
  const { data } = await owner.done('POST', '/admin/v1/competitions', cup);
  const { link } = await waiting('of-leaving@example.com');
  const make = async () => {
    const token = await handedOut(leaving, link);
    const invited = await leaving.done('POST', '/admin/v1/invitations', { uses: 9 });
    const codes = `/admin/v1/competitions/${data.competitionId}/codes`;
    const joined = await leaving.done('POST', codes, { uses: 9 });
    return { token, invitation: invited.data.code, join: joined.data.code };
  };
  const areWorth = async ({ token, invitation, join }: Awaited<ReturnType<typeof make>>) => {
    const asked = { email: `guest-${token.slice(0, 4)}@example.com`, invitation };
    const signedUp = await venue.browser().call('POST', '/people/v1/sign-up', asked);
    const joining = '/people/v1/competitions';
    const entered = await mallory.call('POST', joining, {
      ...{ code: join, account: mallory.accountId, name: 'M' },
    });
    const isJoined = entered.code !== '60815';
    return [await isWorth(token), signedUp.code === '00000', isJoined];
  };
  const first = await make();
  assert.deepEqual(await areWorth(first), [true, true, true]);
  const lists = [
    await owner.done('GET', '/admin/v1/invitations').then(({ rows }) => rows),
    Object((await owner.done('GET', `/admin/v1/competitions/${data.competitionId}`)).data).codes,
  ];
  for (const rows of lists) assert.ok(rows.some((one: Row) => one.madeBy === email));
  await appoint('owner');
  assert.deepEqual(await areWorth(first), [false, false, false]);
  const again = await waiting('of-leaving-again@example.com');
  const second = {
    ...(await make().catch(() => first)),
    token: await handedOut(leaving, again.link),
  };
  assert.equal(await isWorth(second.token), true);
  await owner.done('DELETE', `/admin/v1/operators/${personId}`);
  assert.deepEqual(await areWorth(second), [false, false, false]);
});

test('operator: a role that another process has taken ends links, too', async () => {
  const { browser: gone } = await operatorIn(venue, 'operator', 'gone@example.com');
  const { link } = await waiting('of-gone@example.com');
  const token = await handedOut(gone, link);
  assert.equal(await isWorth(token), true);
  const db = new Sqlite(`${venue.server.directory}/people.sqlite`);
  db.prepare('delete from operators where person_id = ?').run(gone.personId);
  db.close();
  assert.equal(await isWorth(token), false);
});

test('operator: with mail set up the person hears of a link that is handed out', async (t) => {
  const smtp = await startSmtp(t);
  const mailing = await PeopleVenue.open(t, {
    people: [
      'signUp: open',
      'url: http://venue.example',
      `smtp: { host: 127.0.0.1, port: ${smtp.port}, secure: false, from: v@example.com }`,
    ],
  });
  const email = 'mailed@example.com';
  const person = await mailing.person(email, '', (to) => smtp.token('confirm', to));
  const reset = `/people/${person.personId}/password-reset`;
  const { data } = await mailing.operator.call('POST', reset, {});
  const mailed = await smtp.token('reset', email);
  const handOut = handOutPath(data);
  const handed = await mailing.operator.call('POST', handOut, { reason: 'gets no mails' });
  await eventually(
    () => smtp.mails.filter(({ to, subject }) => to === email && /handed out/.test(subject)).length,
    (count) => assert.equal(count, 1),
  );
  const lost = { token: mailed, password: NEW_PASSWORD };
  await mailing.browser().refused('60808', 'POST', COMPLETE, lost);
  const kept = { token: tokenOf(String(handed.data.path)), password: NEW_PASSWORD };
  await mailing.browser().done('POST', COMPLETE, kept);
  assert.notEqual(PASSWORD, NEW_PASSWORD);
});
