/** Nobody keeps others out at the door: what a network wastes is its own. By attacker's role. */
import { strict as assert } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { COMPETITION_PART } from '#competition';
import { LazyPeople, LiveSessions, openPeople, PEOPLE_DEFAULTS } from '#people';
import { PeopleVenue } from '../support/people-venue.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';

const SESSION = '/people/v1/session';
const GUESSES = 300;

const venue = await PeopleVenue.open({ after }, { rateLimits: true });

function madeUp(bytes = 32): string {
  return `outcry-session=${randomBytes(bytes).toString('base64url')}`;
}

/** So many calls at once with cookies of sessions that do not exist. */
async function flood(cookies: readonly string[]): Promise<readonly number[]> {
  const calls = cookies.map((cookie) => fetch(venue.url + SESSION, { headers: { cookie } }));
  return (await Promise.all(calls)).map(({ status }) => status);
}

test('stranger: cookies of no session refuse no session of the same network', async () => {
  const ada = await venue.person('flooded@example.com');
  const bob = await venue.person('not-yet-seen@example.com');
  const { cookie } = bob;
  // In another life the process knows nobody: both sessions have to be looked up.
  await venue.restart();
  const [said, statuses] = await Promise.all([
    Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(venue.url + SESSION, { headers: { cookie: ada.cookie } }),
      ),
    ),
    flood(Array.from({ length: GUESSES }, () => madeUp())),
  ]);
  assert.deepEqual([...new Set(said.map(({ status }) => status))], [200]);
  assert.ok(statuses.includes(429), 'the network hears that it has shown too many');
  assert.ok(statuses.every((status) => status === 401 || status === 429));
  const late = await fetch(venue.url + SESSION, { headers: { cookie } });
  assert.equal(late.status, 200);
});

test('person: a cookie of an ended session refuses nobody else', async () => {
  const eve = await venue.person('ended@example.com');
  const { cookie } = eve;
  await eve.done('DELETE', SESSION);
  const ada = await venue.person('beside-ended@example.com');
  await venue.restart();
  const statuses = await flood(Array.from({ length: GUESSES }, () => cookie));
  assert.ok(statuses.includes(429));
  const said = await fetch(venue.url + SESSION, { headers: { cookie: ada.cookie } });
  assert.equal(said.status, 200);
});

test('stranger: a made-up token costs no look into the store', async (t) => {
  const place = { kind: 'sqlite', file: join(scratchDirectory(t), 'people.sqlite') } as const;
  const opened = await openPeople(place, COMPETITION_PART);
  let looks = 0;
  const counted = new LazyPeople(async () => {
    const openSessions: typeof opened.openSessions = (hashes) => {
      looks += 1;
      return opened.openSessions(hashes);
    };
    return { ...opened, openSessions };
  });
  const sessions = new LiveSessions({
    ...{ people: counted, settings: PEOPLE_DEFAULTS, masterKey: Buffer.alloc(32, 1) },
    ...{ nowMs: () => 1, freshMs: 1e9, onFault: (error) => assert.fail(String(error)) },
  });
  t.after(() => opened.close());
  t.after(() => sessions.close());
  for (let at = 0; at < GUESSES; at += 1) {
    assert.equal(await sessions.find(randomBytes(32).toString('base64url'), 1), undefined);
    assert.equal(await sessions.findNow(randomBytes(32).toString('base64url'), 1), undefined);
  }
  assert.equal(looks, 0);
  const ended = sessions.newToken();
  for (let at = 0; at < GUESSES; at += 1) assert.equal(await sessions.find(ended, 1), undefined);
  assert.equal(looks, 1);
});

test('a person whose session is over signs in beside cookies of no session', async () => {
  const ada = await venue.person('over@example.com');
  const { cookie } = ada;
  await ada.done('DELETE', SESSION);
  await flood(Array.from({ length: GUESSES }, () => madeUp()));
  ada.cookie = cookie;
  await ada.signIn('over@example.com');
  await ada.done('GET', SESSION);
});

async function operators(headers: Readonly<Record<string, string>>): Promise<number> {
  return (await fetch(`${venue.url}/admin/v1/operator`, { headers })).status;
}

test('foreign page: its images show no admin token, and lock none out', async () => {
  const basic = `Basic ${Buffer.from('admin:guess').toString('base64')}`;
  const shown: readonly Readonly<Record<string, string>>[] = [
    { referer: 'https://evil.example/', 'sec-fetch-site': 'cross-site' },
    { authorization: basic },
  ];
  for (const headers of shown) {
    const images = Array.from({ length: GUESSES }, () => operators(headers));
    assert.deepEqual([...new Set(await Promise.all(images))], [401]);
  }
  assert.equal(await operators({ authorization: `Bearer ${ADMIN_TOKEN}` }), 200);
});

test('foreign page: nothing tells it to send headers of an operator', async () => {
  const asked = {
    origin: 'https://evil.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization, x-csrf-token',
  };
  const answer = await fetch(`${venue.url}/admin/v1/operator`, {
    ...{ method: 'OPTIONS', headers: asked },
  });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('access-control-allow-headers'), null);
});

test('colleague: wrong admin tokens of a network lock the right one out of nothing', async () => {
  const guess = (at: number) => operators({ authorization: `Bearer guess-${at}` });
  const guesses = Array.from({ length: GUESSES }, (_, at) => guess(at));
  const right = operators({ authorization: `Bearer ${ADMIN_TOKEN}` });
  const statuses = await Promise.all(guesses);
  assert.ok(statuses.includes(429), 'whoever guesses hears to wait');
  assert.equal(await right, 200);
  assert.equal(await operators({ authorization: `Bearer ${ADMIN_TOKEN}` }), 200);
});
