/** How much a person who has signed in can write: every endpoint has a rate, every list a cap. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMPETITION_ENDPOINTS,
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  LEGACY_ENDPOINTS,
  PEOPLE_ENDPOINTS,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
} from '#dialects';
import { type Browser, PeopleVenue } from '../support/people-venue.ts';

const OF_PERSONS = [PEOPLE_ENDPOINTS, COMPETITION_ENDPOINTS].flatMap((table) =>
  Object.values(table),
);
/** What a session may call, too. */
const OF_TRADERS = [
  ...[SPOT_ENDPOINTS, SWAP_ENDPOINTS, LEGACY_ENDPOINTS],
  ...[CURRENT_SPOT_ENDPOINTS, CURRENT_CONTRACT_ENDPOINTS],
].flatMap((table) => Object.values(table));

test('every endpoint that people call has a rate', () => {
  assert.ok(OF_PERSONS.length > 30);
  for (const { method, path, rate } of OF_PERSONS) {
    assert.ok(rate !== null && rate.limit <= 300, `${method} ${path}`);
    const perMinute = (rate.limit * 60_000) / rate.windowMs;
    assert.ok(method === 'GET' || perMinute <= 60, `${method} ${path} writes`);
  }
  for (const { method, path, rate, cost } of OF_TRADERS) {
    assert.ok(rate !== null || cost !== undefined, `${method} ${path}`);
  }
});

function makeCode(ada: Browser) {
  const path = `/people/v1/accounts/${ada.accountId}/access-codes`;
  return ada.call('POST', path, { permissions: ['read'] });
}

test('a person makes so many access codes, and then waits until some are over', async (context) => {
  const venue = await PeopleVenue.open(context);
  const ada = await venue.person('ada@example.com');
  for (let count = 0; count < 50; count += 1) {
    const made = await makeCode(ada);
    assert.equal(made.code, '00000', made.msg);
  }
  assert.equal((await makeCode(ada)).code, '60813');
  await venue.advance(7 * 24 * 3_600_000);
  await ada.signIn('ada@example.com');
  assert.equal((await makeCode(ada)).code, '00000');
});

test('a person who calls one thing again and again is told to wait', async (context) => {
  const venue = await PeopleVenue.open(context, { rateLimits: true });
  const ada = await venue.person('ada@example.com');
  const statuses: number[] = [];
  for (let count = 0; count <= 60; count += 1) {
    const body = { name: `Ada ${count}` };
    statuses.push((await ada.call('PATCH', '/people/v1/person', body)).status);
  }
  assert.deepEqual(new Set(statuses.slice(0, 60)), new Set([200]));
  assert.equal(statuses[60], 429);
  // It is the person who waits, and for that alone.
  const bob = await venue.person('bob@example.com');
  await bob.done('PATCH', '/people/v1/person', { name: 'Bob' });
  await ada.done('GET', '/people/v1/session');
});
