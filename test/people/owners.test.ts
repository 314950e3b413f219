/** An account has one owner, whom no guest puts out; a person has one account in a competition. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';

const tidyUps: (() => void | Promise<void>)[] = [];
const venue = await PeopleVenue.open({ after: (one) => tidyUps.push(one) });
after(async () => {
  for (const tidyUp of tidyUps.reverse()) await tidyUp();
});

const ALL = ['read', 'trade', 'transfer', 'withdraw', 'manage'];
const OK = '00000';
let people = 0;

async function somebody(): Promise<Browser> {
  people += 1;
  return venue.person(`person-${people}@example.com`);
}

/** Lets another one into an account, and gives what it may do there. */
async function letIn(
  by: Browser,
  guest: Browser,
  account: string,
  permissions = ALL,
): Promise<void> {
  const path = `/people/v1/accounts/${account}/access-codes`;
  const { data } = await by.done('POST', path, { permissions });
  await guest.done('POST', '/people/v1/access-codes', { code: data.code });
}

const rowOf = (account: string, of: Browser) =>
  `/people/v1/accounts/${account}/people/${of.personId}`;

async function members(by: Browser, account: string): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await by.done('GET', `/people/v1/accounts/${account}/people`);
  return rows.map((row) => [row.personId, row.owner]);
}

test('a guest who manages an account neither cuts nor removes its owner', async () => {
  const [owner, guest, other] = [await somebody(), await somebody(), await somebody()];
  const account = owner.accountId;
  await letIn(owner, guest, account);
  await letIn(guest, other, account, ['read']);
  const cut = { permissions: ['read'] };
  await guest.refused('40014', 'PATCH', rowOf(account, owner), cut);
  await guest.refused('40014', 'DELETE', rowOf(account, owner));
  await guest.done('PATCH', rowOf(account, other), { permissions: ALL });
  await other.refused('40014', 'DELETE', rowOf(account, owner));
  await other.done('DELETE', rowOf(account, guest));
  await letIn(owner, guest, account);
  assert.deepEqual(
    (await members(owner, account)).filter(([, isOwner]) => isOwner === true),
    [[owner.personId, true]],
  );
  await owner.done('DELETE', rowOf(account, guest));
});

test('who leaves hands it to who has managed it the longest', async () => {
  const [owner, reader, guest] = [await somebody(), await somebody(), await somebody()];
  const account = owner.accountId;
  await letIn(owner, reader, account, ['read']);
  await letIn(owner, guest, account);
  await owner.done('PATCH', rowOf(account, reader), { permissions: ALL });
  await owner.done('DELETE', rowOf(account, owner));
  assert.deepEqual(
    (await members(guest, account)).filter(([, isOwner]) => isOwner === true),
    [[guest.personId, true]],
  );
  await reader.refused('40014', 'DELETE', rowOf(account, guest));
  await guest.done('DELETE', rowOf(account, reader));
});

test('an operator changes an owner', async () => {
  const [owner, guest] = [await somebody(), await somebody()];
  const account = owner.accountId;
  await letIn(owner, guest, account);
  const path = `/people/${owner.personId}/accounts/${account}`;
  const cut = await venue.operator.call('PUT', path, { permissions: ['read'] });
  assert.equal(cut.code, OK, cut.msg);
  await guest.done('DELETE', rowOf(account, owner));
  assert.deepEqual(await members(guest, account), [[guest.personId, true]]);
});

test('of five accounts that one person joins with at once, one takes part', async () => {
  const ada = await somebody();
  const accounts = [ada.accountId];
  for (let at = 1; at < 5; at += 1) {
    const { data } = await ada.done('POST', '/people/v1/accounts', { label: `nr ${at}` });
    accounts.push(String(data.accountId));
  }
  const terms = { name: 'Cup', money: [{ coin: 'USDT', amount: '500' }] };
  const made = await venue.operator.call('POST', '/competitions', { ...terms, joinBy: 'open' });
  const coded = await venue.operator.call('POST', '/competitions', terms);
  const cup = `/competitions/${coded.data.competitionId}`;
  const { data } = await venue.operator.call('POST', `${cup}/codes`, { uses: 5 });
  for (const [by, path] of [
    [{ competition: made.data.competitionId }, `/competitions/${made.data.competitionId}`],
    [{ code: data.code }, cup],
  ] as const) {
    const joins = accounts.map((account) =>
      ada.call('POST', '/people/v1/competitions', { ...by, account }),
    );
    const codes = (await Promise.all(joins)).map(({ code }) => code).sort();
    assert.deepEqual(codes, [OK, '60862', '60862', '60862', '60862']);
    const seen = await venue.operator.call('GET', path);
    const { entries, codes: left } = seen.data;
    assert.ok(Array.isArray(entries) && Array.isArray(left));
    assert.equal(entries.length, 1);
    const used = left.map((one: Row) => one.used);
    assert.deepEqual(used, left.length === 0 ? [] : [1], 'a code that was not used is left');
  }
});
