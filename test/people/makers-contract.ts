/** What a store has to do for what operators and persons have made: it ends with their right. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '#domain';
import type { PeopleStore } from '#people';

const NOW_MS = 1_795_235_652_453;
const FIRST = accountId(1);
interface Opened {
  readonly now: PeopleStore;
}

let people = 0;

async function addPerson(store: PeopleStore): Promise<string> {
  people += 1;
  const personId = `maker-${people}`;
  const named = { personId, email: `${personId}@makers.example`, name: '' };
  const made = { ...named, state: 'active', createdMs: NOW_MS, passwordHash: undefined } as const;
  assert.equal(await store.addPerson(made), true);
  return personId;
}

export function makerTests(stores: Opened): void {
  test('says of makers of keys what they may do, and nothing of who may not sign in', async () => {
    const { now } = stores;
    const [one, other] = [await addPerson(now), await addPerson(now)];
    await now.addAccess({ personId: one, accountId: FIRST, label: '', rights: ['read'] }, NOW_MS);
    await now.changePerson(one, { keysSinceMs: 7 });
    await now.changePerson(other, { state: 'suspended' });
    const found = await now.activeMakers([one, other, 'nobody']);
    assert.deepEqual(
      found.map(({ access, ...maker }) => [maker, access.map(({ accountId }) => accountId)]),
      [[{ personId: one, keysSinceMs: 7 }, [FIRST]]],
    );
    assert.deepEqual(await now.activeMakers([]), []);
    await now.removeAccess(one, FIRST);
  });

  test('what an operator has made works as long as the role does', async () => {
    const { now } = stores;
    const personId = await addPerson(now);
    const maker = await addPerson(now);
    const madeBy = { id: maker, name: 'a maker' };
    const times = { createdMs: NOW_MS, expiresMs: NOW_MS + 10 };
    const link = { isMailed: false, kind: 'reset', personId, ...times, madeBy } as const;
    await now.addLink({ ...link, linkId: 'of a maker', tokenHash: 'of-a-maker' });
    const code = { invitationId: 'of a maker', label: '', uses: 9, used: 0, madeBy, ...times };
    await now.addInvitation(code, 'code of a maker');
    const works = async () => {
      const isSeen = (await now.seeLink('of-a-maker', NOW_MS)) !== undefined;
      return [isSeen, (await now.takeInvitation('code of a maker', NOW_MS)) !== undefined];
    };
    assert.deepEqual(await works(), [false, false]);
    for (const [role, does] of [
      ['operator', true],
      ['support', false],
      ['owner', true],
      ['auditor', false],
    ] as const) {
      await now.setOperator(maker, role, NOW_MS);
      assert.deepEqual(await works(), [does, does], role);
    }
    await now.setOperator(maker, 'owner', NOW_MS);
    await now.changePerson(maker, { state: 'suspended' });
    assert.deepEqual(await works(), [false, false]);
    await now.changePerson(maker, { state: 'active' });
    await now.dropMadeBy(maker);
    assert.deepEqual(await works(), [false, false]);
    assert.equal(await now.waitingLink('of a maker', NOW_MS), undefined);
    await now.removeOperator(maker);
  });
}
