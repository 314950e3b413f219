/** What every store of people does, on whatever database: the list that each adapter is given. */
import { strict as assert } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CompetingPeople } from '#competition';
import { accountId } from '#domain';
import type { NewSecurityEvent, PeopleStore, SessionRecord } from '#people';
import { competitionTests } from './competition-contract.ts';
import { deskTests } from './desk-contract.ts';
import { makerTests } from './makers-contract.ts';
import { operatorTests } from './operators-contract.ts';
import { leavingTests, personalTests } from './personal-contract.ts';

const NOW_MS = 1_795_235_652_453;
const FIRST = accountId(1);
const SECOND = accountId(2);
const BOUND = { nowMs: NOW_MS, liveMax: 2 };
const BEFORE = { eventsBeforeMs: NOW_MS, failuresBeforeMs: NOW_MS, unprovedBeforeMs: NOW_MS };
/** A link that waits, of no operator. */
const UNMADE = { isMailed: false, madeBy: { id: '', name: '' } } as const;

export interface StoreKit {
  readonly name: string;
  /** An empty one, or the one of an earlier call again. */
  open(): Promise<CompetingPeople>;
}

/** The store of a suite, once it is open. */
interface Opened {
  readonly now: CompetingPeople;
}

let count = 0;

async function addPerson(store: PeopleStore, email?: string): Promise<string> {
  count += 1;
  const personId = `person${String(count).padStart(4, '0')}`;
  const added = await store.addPerson({
    personId,
    email: email ?? `${personId}@example.com`,
    name: 'Ada',
    state: 'active',
    passwordHash: '$argon2id$',
    createdMs: NOW_MS,
  });
  assert.equal(added, true);
  return personId;
}

function session(personId: string, name: string, lastSeenMs = NOW_MS): SessionRecord {
  return {
    sessionId: `session-${name}`,
    tokenHash: `hash-${name}`,
    personId,
    address: '127.0.0.1',
    agent: 'a browser',
    createdMs: NOW_MS,
    confirmedMs: NOW_MS,
    lastSeenMs,
    expiresMs: NOW_MS + 1_000,
  };
}

function event(personId: string, detail: string, timeMs = NOW_MS): NewSecurityEvent {
  return { personId, kind: 'signed_in', address: '::1', agent: '', detail, timeMs };
}

function personTests(stores: Opened): void {
  test('keeps a person, once under each address', async () => {
    const personId = await addPerson(stores.now, 'ada@example.com');
    const other = { personId: 'other', email: 'ada@example.com', name: '', createdMs: 1 };
    const taken = { ...other, state: 'active', passwordHash: undefined } as const;
    assert.equal(await stores.now.addPerson(taken), false);
    assert.equal(await stores.now.person('other'), undefined);
    assert.deepEqual(await stores.now.personByEmail('ada@example.com'), {
      personId,
      email: 'ada@example.com',
      name: 'Ada',
      state: 'active',
      createdMs: NOW_MS,
      passwordHash: '$argon2id$',
      sealedFactor: undefined,
      sealedNewFactor: undefined,
      keysSinceMs: 0,
      accountsCount: 0,
      language: 'en',
    });
  });

  test('changes what is named and leaves the rest', async () => {
    const personId = await addPerson(stores.now);
    assert.equal(await stores.now.changePerson(personId, { sealedNewFactor: 'sealed' }), true);
    const changes = { sealedFactor: 'sealed', sealedNewFactor: undefined };
    assert.equal(await stores.now.changePerson(personId, { ...changes, state: 'suspended' }), true);
    const person = await stores.now.person(personId);
    assert.equal(person?.sealedFactor, 'sealed');
    assert.equal(person?.sealedNewFactor, undefined);
    assert.equal(person?.state, 'suspended');
    assert.equal(person?.passwordHash, '$argon2id$');
    assert.equal(await stores.now.changePerson('nobody', { name: 'x' }), false);
  });

  test('lists people page by page, and one by address', async () => {
    const ids = [
      await addPerson(stores.now),
      await addPerson(stores.now),
      await addPerson(stores.now),
    ];
    const page = { after: ids[0], email: undefined, limit: 2 };
    const found = await stores.now.people(page);
    assert.deepEqual(
      found.map(({ personId }) => personId),
      ids.slice(1),
    );
    const email = `${ids[1]}@example.com`;
    const [one] = await stores.now.people({ after: undefined, email, limit: 5 });
    assert.equal(one?.personId, ids[1]);
  });

  test('takes a time step once, and none before it', async () => {
    const personId = await addPerson(stores.now);
    const takes = Array.from({ length: 6 }, () => stores.now.takeFactorStep(personId, 7));
    assert.equal((await Promise.all(takes)).filter((isTaken) => isTaken).length, 1);
    assert.equal(await stores.now.takeFactorStep(personId, 6), false);
    assert.equal(await stores.now.takeFactorStep(personId, 8), true);
  });

  test('counts the accounts of a person up to the bound', async () => {
    const personId = await addPerson(stores.now);
    await stores.now.noteAccount(personId);
    await stores.now.noteAccount(personId);
    const numbers = [1, 2, 3].map(() => stores.now.takeAccountNumber(personId, 3));
    assert.deepEqual((await Promise.all(numbers)).sort(), [1, 2, undefined]);
    assert.equal((await stores.now.person(personId))?.accountsCount, 3);
  });
}

function accessTests(stores: Opened): void {
  test('says who may do what in which account', async () => {
    const [ada, bob] = [await addPerson(stores.now), await addPerson(stores.now)];
    const full = { personId: ada, accountId: FIRST, label: 'main', rights: ['read', 'manage'] };
    await stores.now.addAccess({ ...full, rights: ['read', 'manage'] }, NOW_MS);
    const given = { personId: bob, accountId: FIRST, label: '' };
    await stores.now.addAccess({ ...given, rights: ['read'] }, NOW_MS + 1);
    await stores.now.addAccess({ ...given, accountId: SECOND, rights: ['trade', 'read'] }, NOW_MS);
    const people = (await stores.now.accessTo(FIRST)).map(({ personId, rights, name: who }) => [
      ...[personId, who],
      ...rights,
    ]);
    assert.deepEqual(people, [
      [ada, 'Ada', 'read', 'manage'],
      [bob, 'Ada', 'read'],
    ]);
    const accounts = (await stores.now.accessOf(bob)).map(({ accountId: id, rights }) => [
      id,
      ...rights,
    ]);
    assert.deepEqual(accounts, [
      [FIRST, 'read'],
      [SECOND, 'read', 'trade'],
    ]);
    assert.equal(await stores.now.changeAccess(bob, FIRST, { rights: ['read', 'withdraw'] }), true);
    assert.equal(await stores.now.changeAccess(ada, SECOND, { label: 'x' }), false);
    assert.equal(await stores.now.removeAccess(bob, SECOND), true);
    assert.equal(await stores.now.removeAccess(bob, SECOND), false);
    assert.deepEqual(
      (await stores.now.accessOf(bob)).map(({ rights }) => rights),
      [['read', 'withdraw']],
    );
  });
}

function sessionTests(stores: Opened): void {
  test('finds open sessions by their hashes, with what their people may do', async () => {
    const personId = await addPerson(stores.now);
    await stores.now.addAccess({ personId, accountId: FIRST, label: 'a', rights: ['read'] }, 1);
    await stores.now.addSession(session(personId, 'one'), 20);
    const [found, ...others] = await stores.now.openSessions(['hash-one', 'hash-unknown']);
    assert.deepEqual(others, []);
    assert.deepEqual(found?.session, session(personId, 'one'));
    assert.deepEqual(
      found?.access.map(({ accountId: id }) => id),
      [FIRST],
    );
    assert.deepEqual(await stores.now.openSessions([]), []);
    await stores.now.changePerson(personId, { state: 'suspended' });
    assert.deepEqual(await stores.now.openSessions(['hash-one']), []);
  });

  test('gives a session another token, and the one before finds nothing', async () => {
    const personId = await addPerson(stores.now);
    await stores.now.addSession(session(personId, 'old'), 20);
    const changes = { tokenHash: 'hash-new', confirmedMs: NOW_MS + 5 };
    assert.equal(await stores.now.renewSession('session-old', changes), true);
    assert.deepEqual(await stores.now.openSessions(['hash-old']), []);
    const [found] = await stores.now.openSessions(['hash-new']);
    assert.equal(found?.session.confirmedMs, NOW_MS + 5);
    assert.equal(await stores.now.renewSession('session-none', changes), false);
  });

  test('ends sessions: one, the others, and those used longest ago', async () => {
    const [ada, bob] = [await addPerson(stores.now), await addPerson(stores.now)];
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      await stores.now.addSession(session(ada, name, NOW_MS + at), 20);
    }
    assert.equal(await stores.now.endSession(bob, 'session-a'), false);
    await stores.now.touchSession('session-a', NOW_MS + 10);
    await stores.now.touchSession('session-a', NOW_MS + 5);
    const ended = await stores.now.addSession(session(ada, 'd', NOW_MS + 11), 2);
    assert.deepEqual([...ended].sort(), ['session-b', 'session-c']);
    assert.deepEqual(
      (await stores.now.sessionsOf(ada)).map(({ sessionId }) => sessionId),
      ['session-d', 'session-a'],
    );
    assert.deepEqual(await stores.now.endSessions(ada, 'session-d'), ['session-a']);
    assert.equal(await stores.now.endSession(ada, 'session-d'), true);
    assert.deepEqual(await stores.now.endSessions(ada), []);
  });
}

function linkTests(stores: Opened): void {
  test('a chosen password lets in who was not suspended meanwhile', async () => {
    const personId = await addPerson(stores.now);
    await stores.now.changePerson(personId, { state: 'suspended' });
    const chosen = { passwordHash: 'other', keysSinceMs: 9 };
    assert.equal(await stores.now.choosePassword(personId, chosen), false, 'suspended meanwhile');
    assert.equal((await stores.now.person(personId))?.state, 'suspended');
    await stores.now.changePerson(personId, { state: 'pending' });
    assert.equal(await stores.now.choosePassword(personId, chosen), true);
    const { state, passwordHash } = (await stores.now.person(personId)) ?? {};
    assert.deepEqual([state, passwordHash], ['active', 'other']);
  });

  test('a link works once, in time, and only the newest of its kind', async () => {
    const personId = await addPerson(stores.now);
    const times = { createdMs: NOW_MS, expiresMs: NOW_MS + 10 };
    const made = { ...UNMADE, kind: 'reset', personId, ...times } as const;
    await stores.now.addLink({ ...made, linkId: 'link 1', tokenHash: 'link-1' });
    await stores.now.addLink({ ...made, linkId: 'link 2', tokenHash: 'link-2' });
    const third = { ...made, linkId: 'link 3', tokenHash: 'link-3' };
    await stores.now.addLink({ ...third, kind: 'confirm' });
    const taken = [1, 2, 3].map(() => stores.now.takeLink('link-1', NOW_MS));
    const kinds = (await Promise.all(taken)).map((one) => one?.kind);
    assert.deepEqual(kinds.sort(), ['reset', undefined, undefined]);
    assert.equal(await stores.now.takeLink('link-2', NOW_MS + 10), undefined);
    await stores.now.dropLinks(personId, 'reset');
    assert.equal((await stores.now.takeLink('link-3', NOW_MS))?.kind, 'confirm');
  });

  test('lists the links that wait, and gives one another token when it is handed out', async () => {
    const { now } = stores;
    const personId = await addPerson(now);
    const made = { ...UNMADE, kind: 'welcome', personId, createdMs: NOW_MS } as const;
    const expiresMs = NOW_MS + 1_000_000;
    await now.addLink({ ...made, expiresMs, linkId: 'hand 1', tokenHash: 'hand-1' });
    await now.addLink({ ...made, expiresMs, linkId: 'hand 2', tokenHash: 'x', isMailed: true });
    await now.addLink({ ...made, expiresMs: NOW_MS, linkId: 'hand 3', tokenHash: 'hand-3' });
    const found = await now.waitingLinks({ personId: undefined, nowMs: NOW_MS, limit: 10 });
    const idsOf = (links: typeof found) => links.map(({ linkId }) => linkId);
    assert.deepEqual(idsOf(found.filter((one) => one.personId === personId)), ['hand 1']);
    const own = await now.waitingLinks({ personId, nowMs: NOW_MS, limit: 10 });
    assert.deepEqual(idsOf(own), ['hand 1', 'hand 2']);
    const madeBy = { id: 'admin-token', name: 'admin token' };
    const handed = { tokenHash: 'handed', madeBy, nowMs: NOW_MS };
    assert.equal(await now.handOutLink('hand 3', handed), false);
    assert.equal(await now.handOutLink('hand 1', handed), true);
    assert.deepEqual((await now.waitingLink('hand 1', NOW_MS))?.madeBy, madeBy);
    assert.equal(await now.seeLink('hand-1', NOW_MS), undefined);
    assert.equal((await now.seeLink('handed', NOW_MS))?.linkId, 'hand 1');
  });
}

function invitationTests(stores: Opened): void {
  test('an invitation is good for so many, however many come at once', async () => {
    const times = { createdMs: NOW_MS, expiresMs: NOW_MS + 10 };
    const { madeBy } = UNMADE;
    const invitation = { invitationId: 'inv', label: 'course', uses: 3, used: 0, madeBy, ...times };
    await stores.now.addInvitation(invitation, 'code-1');
    const takes = Array.from({ length: 8 }, () => stores.now.takeInvitation('code-1', NOW_MS));
    const taken = (await Promise.all(takes)).filter((one) => one === 'inv');
    assert.equal(taken.length, 3);
    assert.deepEqual(await stores.now.invitations(5), [{ ...invitation, used: 3 }]);
    await stores.now.addInvitation({ ...invitation, invitationId: 'late' }, 'code-2');
    assert.equal(await stores.now.takeInvitation('code-2', NOW_MS + 10), undefined);
    assert.equal(await stores.now.dropInvitation('late'), true);
    assert.equal(await stores.now.dropInvitation('late'), false);
  });
}

function codeTests(stores: Opened): void {
  test('codes are used up: of access, and of recovery', async () => {
    const personId = await addPerson(stores.now);
    const rights = ['read'] as const;
    const named = { codeId: 'access code', codeHash: 'access', accountId: FIRST };
    const code = { ...named, rights, madeBy: personId };
    assert.ok(await stores.now.addAccessCode({ ...code, expiresMs: NOW_MS + 1 }, BOUND));
    const { codeHash: _codeHash, ...shown } = { ...code, expiresMs: NOW_MS + 1 };
    assert.deepEqual(await stores.now.accessCodes(FIRST, NOW_MS, 5), [shown]);
    assert.deepEqual(await stores.now.accessCodes(FIRST, NOW_MS + 1, 5), []);
    const dropped = { codeId: 'dropped', codeHash: 'dropped', expiresMs: NOW_MS + 1 };
    assert.ok(await stores.now.addAccessCode({ ...code, ...dropped }, BOUND));
    assert.equal(await stores.now.dropAccessCode(SECOND, 'dropped'), false);
    assert.equal(await stores.now.dropAccessCode(FIRST, 'dropped'), true);
    const taken = [1, 2].map(() => stores.now.takeAccessCode('access', NOW_MS));
    assert.deepEqual((await Promise.all(taken)).map((one) => one?.madeBy).sort(), [
      personId,
      undefined,
    ]);
    await stores.now.replaceRecoveryCodes(personId, ['r1', 'r2']);
    await stores.now.replaceRecoveryCodes(personId, ['r3', 'r4', 'r5']);
    assert.equal(await stores.now.takeRecoveryCode(personId, 'r1'), false);
    assert.equal(await stores.now.takeRecoveryCode(personId, 'r3'), true);
    assert.equal(await stores.now.takeRecoveryCode(personId, 'r3'), false);
    assert.equal(await stores.now.recoveryCodesLeft(personId), 2);
    await stores.now.replaceRecoveryCodes(personId, []);
    assert.equal(await stores.now.recoveryCodesLeft(personId), 0);
  });
}

function eventTests(stores: Opened): void {
  test('tells what happened, newest first, of one person or of all', async () => {
    const [ada, bob] = [await addPerson(stores.now), await addPerson(stores.now)];
    for (const detail of ['1', '2', '3']) await stores.now.addEvent(event(ada, detail));
    await stores.now.addEvent(event(bob, '4'));
    const all = await stores.now.events({ personId: undefined, before: undefined, limit: 2 });
    assert.deepEqual(
      all.map(({ detail }) => detail),
      ['4', '3'],
    );
    const before = all[1]?.eventId;
    const older = await stores.now.events({ personId: ada, before, limit: 5 });
    assert.deepEqual(
      older.map(({ detail }) => detail),
      ['2', '1'],
    );
  });

  test('lets one attempt through at a time once too many have failed', async () => {
    const who = { subject: 'who', network: '192.0.2.1' };
    const other = { subject: 'who', network: '192.0.2.2' };
    const attempt = (nowMs: number) =>
      stores.now.noteAttempt({
        ...who,
        nowMs,
        forgetBeforeMs: nowMs - 100_000,
        freeMax: 2,
        momentMs: 1_000,
      });
    const first = await Promise.all([1, 2, 3, 4, 5].map(() => attempt(NOW_MS)));
    assert.deepEqual(first.sort(), [1, 2, 3, undefined, undefined]);
    await stores.now.holdOff(who, NOW_MS + 5_000);
    assert.equal(await attempt(NOW_MS + 4_999), undefined);
    assert.deepEqual(await stores.now.failures(who), { count: 3, untilMs: NOW_MS + 5_000 });
    const second = await Promise.all([1, 2].map(() => attempt(NOW_MS + 5_000)));
    assert.deepEqual(second.sort(), [4, undefined]);
    await stores.now.takeBackAttempt(who);
    assert.equal(await attempt(NOW_MS + 5_000), 4);
    assert.equal(await attempt(NOW_MS + 200_000), 1);
    await stores.now.holdOff(who, NOW_MS + 300_000);
    assert.equal(await stores.now.heldUntil('who'), NOW_MS + 300_000);
    assert.equal(await stores.now.failures(other), undefined);
    const bounds = { nowMs: NOW_MS, forgetBeforeMs: 0, freeMax: 2, momentMs: 1_000 };
    assert.equal(await stores.now.noteAttempt({ ...other, ...bounds }), 1);
    await stores.now.forgetFailures(who);
    assert.equal(await stores.now.failures(who), undefined);
    assert.equal((await stores.now.failures(other))?.count, 1);
    await stores.now.forgetFailures({ subject: 'who' });
    assert.equal(await stores.now.failures(other), undefined);
    assert.equal(await stores.now.heldUntil('who'), 0);
  });

  test('deletes what is over', async () => {
    const personId = await addPerson(stores.now);
    await stores.now.addSession(session(personId, 'over'), 20);
    await stores.now.addEvent(event(personId, 'old', NOW_MS - 10));
    await stores.now.addEvent(event(personId, 'new', NOW_MS));
    await stores.now.prune({ ...BEFORE, nowMs: NOW_MS + 1_000 });
    assert.deepEqual(await stores.now.sessionsOf(personId), []);
    const left = await stores.now.events({ personId, before: undefined, limit: 5 });
    assert.deepEqual(
      left.map(({ detail }) => detail),
      ['new'],
    );
  });
}

function unprovedTests(stores: Opened): void {
  const made = { name: '', state: 'pending', passwordHash: undefined } as const;

  test('deletes who has proved nothing, once the last link is over', async () => {
    const { now } = stores;
    const add = async (personId: string, createdMs = NOW_MS - 1) => {
      const email = `${personId}@unproved.example`;
      assert.ok(await now.addPerson({ ...made, personId, email, createdMs }));
      await now.addEvent(event(personId, 'signed up', createdMs));
    };
    await add('unproved');
    await add('unproved-new', NOW_MS);
    await add('unproved-linked');
    const times = { createdMs: NOW_MS - 1, expiresMs: NOW_MS + 10 };
    const link = { ...UNMADE, linkId: 'unproved', kind: 'confirm', ...times } as const;
    await now.addLink({ ...link, tokenHash: 'unproved', personId: 'unproved-linked' });
    await add('unproved-given');
    const access = { accountId: accountId(9_100), label: '', rights: ['read'] } as const;
    await now.addAccess({ ...access, personId: 'unproved-given' }, NOW_MS);
    const left = async () => {
      const all = ['unproved', 'unproved-new', 'unproved-linked', 'unproved-given'];
      const found = await Promise.all(all.map((one) => now.person(one)));
      return found.flatMap((one) => (one === undefined ? [] : [one.personId]));
    };
    await now.prune({ ...BEFORE, eventsBeforeMs: 0, nowMs: NOW_MS });
    assert.deepEqual(await left(), ['unproved-new', 'unproved-linked', 'unproved-given']);
    const events = await now.events({ personId: 'unproved', before: undefined, limit: 5 });
    assert.deepEqual(events, []);
    await now.prune({ ...BEFORE, nowMs: NOW_MS + 10, unprovedBeforeMs: NOW_MS + 1 });
    assert.deepEqual(await left(), ['unproved-given']);
  });

  test('keeps so many access codes of a person that work', async () => {
    const { now } = stores;
    const [ada, bob] = [await addPerson(now), await addPerson(now)];
    const add = (codeHash: string, madeBy: string, lifeMs = 10) => {
      const code = {
        codeId: codeHash,
        codeHash,
        madeBy,
        accountId: FIRST,
        rights: ['read'],
      } as const;
      return now.addAccessCode({ ...code, expiresMs: NOW_MS + lifeMs }, BOUND);
    };
    assert.equal(await add('cap-over', ada, 0), true);
    const added = await Promise.all(
      ['cap-1', 'cap-2', 'cap-3', 'cap-4'].map((one) => add(one, ada)),
    );
    assert.equal(added.filter((one) => one).length, 2);
    assert.equal(await add('cap-5', bob), true);
  });
}

export function storeContract({ name, open }: StoreKit): void {
  describe(`the store of people in ${name}`, () => {
    let store: CompetingPeople;
    const stores: Opened = {
      get now() {
        return store;
      },
    };
    before(async () => {
      store = await open();
    });
    after(() => store.close());

    personTests(stores);
    accessTests(stores);
    sessionTests(stores);
    linkTests(stores);
    makerTests(stores);
    invitationTests(stores);
    codeTests(stores);
    unprovedTests(stores);
    eventTests(stores);
    competitionTests(stores);
    deskTests(stores);
    personalTests(stores);
    leavingTests(stores);
    operatorTests(stores);

    test('keeps everything past its end, and opens what it has made', async () => {
      const personId = await addPerson(stores.now);
      const again = await open();
      try {
        assert.equal((await again.person(personId))?.personId, personId);
      } finally {
        await again.close();
      }
    });
  });
}
