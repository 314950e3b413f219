/** What every store of people keeps of operators: roles, the log of actions, approvals. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { ActionLog, LazyPeople, type NewAction, type PeopleStore } from '#people';

const NOW_MS = 1_795_235_652_453;

interface Opened {
  readonly now: PeopleStore;
}

const ACTION: NewAction = {
  operatorId: 'ada',
  operatorName: 'ada@example.com',
  role: 'operator',
  kind: 'POST /admin/v1/accounts/:account/deposits',
  path: '/admin/v1/accounts/1/deposits',
  account: '1',
  address: '127.0.0.1',
  requestId: 'a-1',
  reason: '100% of it, why_not',
  asked: '{"amount":"1"}',
};

function logOver(stores: Opened, nowMs = () => NOW_MS): ActionLog {
  const people = new LazyPeople(async () => stores.now);
  const masterKey = Buffer.alloc(32, 1);
  const onFault = (error: unknown) => assert.fail(String(error));
  return new ActionLog({ people, masterKey, nowMs, keepMs: 1_000, keepMax: 50, onFault });
}

const ALL = {
  ...{ who: undefined, kind: undefined, account: undefined, text: undefined },
  ...{ fromMs: undefined, untilMs: undefined, before: undefined, limit: 500 },
};

export function operatorTests(stores: Opened): void {
  roleTests(stores);
  chainTests(stores);
  boundTests(stores);
  approvalTests(stores);
}

function roleTests(stores: Opened): void {
  test('keeps the role of a person, and another one after it', async () => {
    const person = { personId: 'ada', email: 'op-ada@example.com', name: 'Ada', createdMs: 1 };
    await stores.now.addPerson({ ...person, state: 'active', passwordHash: undefined });
    assert.equal(await stores.now.operatorRole('ada'), undefined);
    await stores.now.setOperator('ada', 'support', NOW_MS);
    await stores.now.setOperator('ada', 'owner', NOW_MS + 1);
    assert.equal(await stores.now.operatorRole('ada'), 'owner');
    assert.deepEqual(await stores.now.operators(5), [
      {
        ...{ personId: 'ada', email: 'op-ada@example.com', name: 'Ada', role: 'owner' },
        ...{ hasSecondFactor: false, isSuspended: false, sinceMs: NOW_MS },
      },
    ]);
    assert.equal(await stores.now.removeOperator('ada'), true);
    assert.equal(await stores.now.removeOperator('ada'), false);
  });
}

function chainTests(stores: Opened): void {
  test('several writers of the log keep one chain', async () => {
    const [first, second] = [logOver(stores), logOver(stores)];
    const begin = (log: ActionLog, at: number) => log.begin({ ...ACTION, requestId: `r-${at}` });
    const begun = Array.from({ length: 20 }, (_, at) => begin(at % 2 === 0 ? first : second, at));
    const numbers = await Promise.all(begun);
    assert.equal(new Set(numbers).size, numbers.length);
    for (const number of numbers) first.end(number, ACTION, 'done', '');
    const found = await first.actions({ ...ALL, kind: 'DEPOSITS' });
    assert.equal(found.length, numbers.length);
    assert.ok(found.every(({ outcome, reason }) => outcome === 'done' && reason !== ''));
    const { intact, entriesCount, head } = await second.verify();
    assert.deepEqual([intact, entriesCount], [true, 2 * numbers.length]);
    assert.equal(head.entryId, 2 * numbers.length);
    const other = new ActionLog({
      ...{ people: new LazyPeople(async () => stores.now), masterKey: Buffer.alloc(32, 2) },
      ...{
        nowMs: () => NOW_MS,
        keepMs: 1,
        keepMax: 1,
        onFault: (error) => assert.fail(String(error)),
      },
    });
    assert.equal((await other.verify()).brokenAt, 1);
  });

  test('what is searched for stands for itself, in any case', async () => {
    const log = logOver(stores);
    const some = { ...ALL, limit: 1 };
    assert.equal((await log.actions({ ...some, text: '100% OF IT, WHY_NOT' })).length, 1);
    assert.equal((await log.actions({ ...some, text: '100_ of' })).length, 0);
    assert.equal((await log.actions({ ...some, who: 'ADA@' })).length, 1);
    assert.equal((await log.actions({ ...some, who: 'ada' })).length, 1);
    assert.equal((await log.actions({ ...some, account: '2' })).length, 0);
    assert.equal((await log.actions({ ...some, fromMs: NOW_MS, untilMs: NOW_MS + 1 })).length, 1);
    assert.equal((await log.actions({ ...some, untilMs: NOW_MS })).length, 0);
  });
}

function boundTests(stores: Opened): void {
  test('what is made all the time is written once in a minute, with a count', async () => {
    let nowMs = NOW_MS;
    const log = logOver(stores, () => nowMs);
    const asked = { ...ACTION, operatorId: 'feed', kind: 'POST /index', asked: '{}' };
    assert.notEqual(await log.beginFrequent(asked), undefined);
    for (let calls = 0; calls < 5; calls += 1) {
      assert.equal(await log.beginFrequent(asked), undefined);
    }
    nowMs += 60_000;
    assert.notEqual(await log.beginFrequent(asked), undefined);
    const found = await log.actions({ ...ALL, who: 'feed' });
    assert.deepEqual(
      found.map((one) => one.asked),
      ['5 more like this before; {}', '{}'],
    );
  });

  test('what is old or too much is trimmed from the log, and the rest still holds', async () => {
    const log = logOver(stores, () => NOW_MS + 1_001);
    await log.begin(ACTION);
    await log.trim();
    const { intact, entriesCount } = await log.verify();
    assert.deepEqual([intact, entriesCount], [true, 2]);
    for (let count = 0; count < 60; count += 1) await log.begin(ACTION);
    await log.trim();
    const after = await log.verify();
    assert.deepEqual([after.intact, after.entriesCount], [true, 50]);
  });
}

function approvalTests(stores: Opened): void {
  test('an approval is decided once, in its time, and ends once', async () => {
    const approval = {
      kind: 'deposit',
      ...{ accountId: 1, wallet: 'spot', coin: 'USDT', amount: '5', clientOid: 'mine' },
      ...{ approvalId: 'a1', askedById: 'ada', askedByName: 'Ada', reason: 'why' },
      ...{ createdMs: NOW_MS, expiresMs: NOW_MS + 10 },
    } as const;
    assert.equal(await stores.now.addApproval(approval, 1), true);
    assert.equal(await stores.now.addApproval({ ...approval, approvalId: 'a2' }, 1), false);
    const openAt = async (nowMs: number, changes = {}) => {
      const { kind, accountId, clientOid } = { ...approval, ...changes };
      return (await stores.now.openApproval({ kind, accountId, clientOid, nowMs }))?.approvalId;
    };
    assert.equal(await openAt(NOW_MS + 9), 'a1');
    assert.equal(await openAt(NOW_MS + 10), undefined, 'nobody can approve it any more');
    for (const other of [{ kind: 'withdraw' }, { accountId: 2 }, { clientOid: 'other' }]) {
      assert.equal(await openAt(NOW_MS, other), undefined, JSON.stringify(other));
    }
    const decision = { to: 'approved', byId: 'bob', byName: 'Bob', outcome: '' } as const;
    const decide = (nowMs: number) => stores.now.decideApproval('a1', { ...decision, nowMs });
    assert.equal(await decide(NOW_MS + 10), undefined);
    const decided = await Promise.all([decide(NOW_MS + 9), decide(NOW_MS + 9)]);
    assert.equal(decided.filter((one) => one?.state === 'approved').length, 1);
    assert.equal(await openAt(NOW_MS + 10), 'a1', 'it is being carried out');
    const end = () => stores.now.endApproval('a1', 'done', '17');
    assert.equal((await end())?.outcome, '17');
    assert.equal(await openAt(NOW_MS), undefined);
    assert.equal(await end(), undefined);
    assert.equal((await stores.now.approval('a1'))?.decidedByName, 'Bob');
    const page = { state: undefined, before: undefined, limit: 5 };
    assert.equal((await stores.now.approvals({ ...page, state: 'done' })).length, 1);
    assert.equal((await stores.now.approvals({ ...page, before: 'a1' })).length, 0);
    await stores.now.pruneApprovals(NOW_MS + 1);
    assert.equal(await stores.now.approval('a1'), undefined);
  });
}
