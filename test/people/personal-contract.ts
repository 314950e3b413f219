/** What every store of people does when a person or an account goes, or an address changes. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '#domain';
import type { PeopleStore } from '#people';

const NOW_MS = 1_795_235_652_453;

interface Opened {
  readonly now: PeopleStore;
}

async function addPerson(store: PeopleStore, name: string): Promise<string> {
  const person = { personId: `personal-${name}`, email: `${name}@personal.example`, name };
  const made = { ...person, state: 'active', passwordHash: undefined, createdMs: NOW_MS } as const;
  assert.equal(await store.addPerson(made), true);
  return person.personId;
}

export function personalTests(stores: Opened): void {
  test('keeps the language of a person', async () => {
    const { now } = stores;
    const ada = await addPerson(now, 'ada');
    assert.equal((await now.person(ada))?.language, 'en');
    await now.changePerson(ada, { language: 'zh' });
    assert.equal((await now.person(ada))?.language, 'zh');
    assert.equal((await now.person(ada))?.name, 'ada');
  });

  test('changes an address unless somebody has it', async () => {
    const { now } = stores;
    const bob = await addPerson(now, 'bob');
    await addPerson(now, 'eve');
    assert.equal(await now.changeEmail(bob, 'eve@personal.example'), false);
    assert.equal(await now.changeEmail(bob, 'robert@personal.example'), true);
    assert.equal((await now.personByEmail('robert@personal.example'))?.personId, bob);
    assert.equal(await now.personByEmail('bob@personal.example'), undefined);
    assert.equal(await now.changeEmail('nobody', 'nobody@personal.example'), false);
  });

  test('a link knows its address, and how long it is there', async () => {
    const { now } = stores;
    const personId = await addPerson(now, 'link');
    const times = { createdMs: NOW_MS, expiresMs: NOW_MS + 10 };
    const made = { kind: 'email', personId, isMailed: true, ...times } as const;
    const named = { linkId: 'personal 1', madeBy: { id: '', name: '' } };
    const email = 'new@personal.example';
    await now.addLink({ ...made, ...named, tokenHash: 'personal-1', email });
    assert.equal(await now.hasLink(personId, 'email', NOW_MS), true);
    assert.equal(await now.hasLink(personId, 'email', NOW_MS + 10), false);
    assert.equal(await now.hasLink(personId, 'email_undo', NOW_MS), false);
    assert.equal((await now.takeLink('personal-1', NOW_MS))?.email, 'new@personal.example');
  });
}

export function leavingTests(stores: Opened): void {
  test('nothing is left of an account that is dropped', async () => {
    const { now } = stores;
    const [one, other] = [await addPerson(now, 'one'), await addPerson(now, 'other')];
    const [first, second] = [accountId(9_001), accountId(9_002)];
    const rights = ['read', 'manage'] as const;
    for (const [personId, account] of [
      [one, first],
      [other, first],
      [other, second],
    ] as const) {
      await now.addAccess({ personId, accountId: account, label: '', rights }, NOW_MS);
      await now.noteAccount(personId);
    }
    const codeId = 'personal code';
    const code = {
      codeId,
      codeHash: 'personal-code',
      rights,
      madeBy: other,
      expiresMs: NOW_MS + 10,
    };
    await now.addAccessCode({ ...code, accountId: first }, { nowMs: NOW_MS, liveMax: 1 });
    assert.ok((await now.accountsWithAccess()).includes(first));
    assert.deepEqual([...(await now.dropAccounts([first]))].sort(), [one, other].sort());
    assert.deepEqual(await now.dropAccounts([]), []);
    assert.equal(await now.takeAccessCode('personal-code', NOW_MS), undefined);
    assert.deepEqual(await now.accessOf(one), []);
    assert.equal((await now.person(one))?.accountsCount, 0, 'gets a first one again');
    assert.equal((await now.person(other))?.accountsCount, 1);

    const event = {
      kind: 'signed_in',
      address: '',
      agent: '',
      detail: '',
      timeMs: NOW_MS,
    } as const;
    await now.addEvent({ ...event, personId: other });
    assert.deepEqual(await now.deletePerson(other), []);
    assert.equal(await now.person(other), undefined);
    assert.deepEqual(await now.accessOf(other), []);
    const query = { personId: other, before: undefined, limit: 10 };
    assert.deepEqual(await now.events(query), []);
  });
}
