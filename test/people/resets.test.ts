/** A reset of a sandbox takes accounts away: nobody gets at what has their ids afterwards. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { operatorClient } from '../support/operator-client.ts';
import { PeopleVenue, type Row } from '../support/people-venue.ts';
import { ADMIN_TOKEN } from '../support/program.ts';

const venue = await PeopleVenue.open({ after }, { sandbox: true });
const { sandbox } = operatorClient(venue.url, ADMIN_TOKEN);

const ASSETS = '/api/spot/v1/account/assets';

function idsOf(accounts: unknown): string[] {
  assert.ok(Array.isArray(accounts));
  return accounts.map(({ accountId }: Row) => String(accountId));
}

test('whoever had an account that is gone has no access to the next one of its id', async () => {
  const old = await venue.person('old@example.com');
  await sandbox.saveCheckpoint({ name: 'early' });
  const ada = await venue.person('ada@example.com');
  const lostId = ada.accountId;
  const path = `/people/v1/accounts/${lostId}/access-codes`;
  const { data: given } = await ada.done('POST', path, { permissions: ['read'] });
  assert.equal((await ada.trade('GET', ASSETS)).code, '00000');
  const stream = ada.stream(`/spot/v1/stream?account=${lostId}`);
  await new Promise((resolve) => stream.once('open', resolve));
  const closed = new Promise((resolve) => stream.once('close', resolve));

  await sandbox.saveCheckpoint({ name: 'late' });
  await sandbox.resetToCheckpoint({ name: 'early' });
  await closed;
  assert.equal((await old.trade('GET', ASSETS)).code, '00000', 'the checkpoint has this one');
  assert.equal((await ada.trade('GET', ASSETS, undefined, lostId)).code, '60601');
  const bob = await venue.person('bob@example.com');
  assert.equal(bob.accountId, lostId, 'the id is given again');
  assert.equal((await ada.trade('GET', ASSETS, undefined, lostId)).code, '60601');
  await old.refused('60815', 'POST', '/people/v1/access-codes', { code: given.code });
  const { rows } = await ada.done('GET', '/people/v1/events');
  assert.equal(rows[0]?.detail, 'reset to early');

  // The later checkpoint has Ada's account under the id that is Bob's now, at the same moment.
  await sandbox.resetToCheckpoint({ name: 'late' });
  assert.equal((await bob.trade('GET', ASSETS, undefined, lostId)).code, '60601');
  await ada.signIn('ada@example.com');
  assert.deepEqual(idsOf(ada.session.accounts), [lostId], 'she finds her own again');
  assert.equal((await ada.trade('GET', ASSETS)).code, '00000');
});
