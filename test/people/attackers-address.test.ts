/** What a stranger gains who takes an address before its owner does: nothing. By attacker. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Browser, PASSWORD, PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually, reads } from '../support/until.ts';

const venue = await PeopleVenue.open({ after });
const SIGN_UP = '/people/v1/sign-up';
const COMPLETE = '/people/v1/password-resets/complete';
const OWNERS_PASSWORD = 'five blue trees dream';
const HEADER = 'account,email,name,label,permissions,balances';

/** A stranger signs up with somebody else's address and an invitation that anybody may pass on. */
async function takenByStranger(email: string): Promise<Browser> {
  const stranger = venue.browser();
  const invitation = await venue.invitation();
  const { data } = await stranger.done('POST', SIGN_UP, { email, invitation, name: 'Eve' });
  assert.deepEqual(data, { next: 'confirm_operator' });
  return stranger;
}

/** Sign-ups are carried out after their answers. */
async function personOf(email: string): Promise<Row> {
  const people = async () => (await venue.operator.call('GET', `/people?email=${email}`)).rows;
  const [found] = await eventually(people, (rows) => assert.equal(rows.length, 1, email));
  const seen = await venue.operator.call('GET', `/people/${found?.personId}`);
  return seen.data;
}

test('stranger: an invitation does not prove an address, so nobody is signed in', async () => {
  const email = 'victim1@example.com';
  const stranger = await takenByStranger(email);
  await stranger.refused('60802', 'POST', '/people/v1/sessions', { email, password: PASSWORD });
  const seen = await personOf(email);
  assert.deepEqual([seen.state, seen.accounts], ['pending', []]);
});

test('stranger: no password of before the link is worth anything', async () => {
  const email = 'victim2@example.com';
  const stranger = await takenByStranger(email);
  const withPassword = { email, password: PASSWORD, invitation: await venue.invitation() };
  await stranger.refused('40017', 'POST', SIGN_UP, withPassword);
  const token = await venue.linkOf(email);
  const owner = venue.browser();
  await owner.done('POST', COMPLETE, { token, password: OWNERS_PASSWORD });
  await stranger.refused('60802', 'POST', '/people/v1/sessions', { email, password: PASSWORD });
  await owner.signIn(email, OWNERS_PASSWORD);
});

test('stranger: what is imported for an address waits until its link is used', async () => {
  const email = 'victim3@example.com';
  const stranger = await takenByStranger(email);
  const csv = `${HEADER}\nvictims,${email},Victor,main,,USDT=1000\nvictims,boss@example.com,,,,\n`;
  const said = await venue.operator.call('POST', '/account-imports', { reference: 'v3', csv });
  assert.equal(said.code, '00000', said.msg);
  const state = async () => (await venue.operator.call('GET', '/account-imports/v3')).data.state;
  await reads(state, 'done');
  await stranger.refused('60802', 'POST', '/people/v1/sessions', { email, password: PASSWORD });
  // Nor does one that waits count among those who manage the account.
  const boss = venue.browser();
  await boss.done('POST', COMPLETE, {
    ...{ token: await venue.linkOf('boss@example.com'), password: PASSWORD },
  });
  await boss.signIn('boss@example.com');
  const members = `/people/v1/accounts/${boss.accountId}/people`;
  assert.equal((await boss.done('GET', members)).rows.length, 1);
  await boss.refused('40014', 'DELETE', `${members}/${boss.personId}`);
  const owner = venue.browser();
  await owner.done('POST', COMPLETE, {
    ...{ token: await venue.linkOf(email), password: OWNERS_PASSWORD },
  });
  await owner.signIn(email, OWNERS_PASSWORD);
  assert.equal(owner.accountId, boss.accountId);
  assert.equal((await boss.done('GET', members)).rows.length, 2);
});

test('stranger: an operator may still let in whose address was taken', async () => {
  const email = 'victim4@example.com';
  await takenByStranger(email);
  const asked = { email, name: 'Victoria' };
  const made = await venue.operator.call('POST', '/people', asked);
  assert.equal(made.code, '00000', made.msg);
  const seen = await personOf(email);
  assert.deepEqual([seen.name, seen.state], ['Victoria', 'pending']);
});

test('stranger: no operator gives rights or a role to an address that is not proved', async () => {
  const email = 'victim5@example.com';
  await takenByStranger(email);
  const { personId } = await personOf(email);
  const ada = await venue.person('ada5@example.com');
  const path = `/people/${personId}/accounts/${ada.accountId}`;
  const given = await venue.operator.call('PUT', path, { permissions: ['read'] });
  assert.equal(given.code, '60811', given.msg);
  const role = await venue.operator.call('POST', '/operators', { personId, role: 'owner' });
  assert.equal(role.code, '60811', role.msg);
});

test('stranger: to be let in again after a suspension proves no address', async () => {
  const email = 'victim6@example.com';
  await takenByStranger(email);
  const { personId } = await personOf(email);
  for (const suspended of [true, false]) {
    const said = await venue.operator.call('PATCH', `/people/${personId}`, {
      ...{ suspended, reason: 'asked for it' },
    });
    assert.equal(said.code, '00000', said.msg);
  }
  assert.equal((await personOf(email)).state, 'pending');
});
