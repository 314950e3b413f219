/** Who reads the numbers of a venue, how often they are made, and who is told of nothing. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { Seldom } from '#api/testing';
import { operatorIn } from '../support/operator-hands.ts';
import { PeopleVenue } from '../support/people-venue.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';
import { eventually } from '../support/until.ts';

const SCRAPER = '203.0.113.5';
const STRANGER = '198.51.100.7';
const PATHS = ['/metrics', '/metrics/past'] as const;
/** As a browser of a page elsewhere, or behind a proxy on this machine that nobody trusts. */
const FROM_AFAR = { 'x-forwarded-for': STRANGER };

const behindProxy = await startHere({
  server: { trustedProxies: ['127.0.0.1', '::1'], scrapers: ['203.0.113.0/24', '2001:db8::/32'] },
});
const alone = await startHere();
after(async () => {
  await behindProxy.close();
  await alone.close();
});

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, { headers });
  await answer.body?.cancel();
  return answer.status;
}

for (const path of PATHS) {
  test(`${path} is for this machine, and not for whom a proxy on it calls`, async () => {
    assert.equal(await statusOf(`${alone.url}${path}`), 200);
    for (const field of ['X-Forwarded-For', 'Forwarded', 'Via']) {
      assert.equal(await statusOf(`${alone.url}${path}`, { [field]: STRANGER }), 404, field);
    }
  });

  test(`${path} is for those whom the configuration names`, async () => {
    const url = `${behindProxy.url}${path}`;
    for (const [address, status] of [
      [SCRAPER, 200],
      ['2001:db8::7', 200],
      [STRANGER, 404],
      ['2001:db9::7', 404],
      ['127.0.0.1.example', 404],
    ] as const) {
      assert.equal(await statusOf(url, { 'x-forwarded-for': address }), status, address);
    }
  });

  test(`${path} is for the admin token from anywhere`, async () => {
    const url = `${alone.url}${path}`;
    for (const [token, status] of [
      [ADMIN_TOKEN, 200],
      ['wrong', 401],
    ] as const) {
      const headers = { ...FROM_AFAR, authorization: `Bearer ${token}` };
      assert.equal(await statusOf(url, headers), status);
    }
  });
}

test('they are for the session of an operator, and not for that of others', async (context) => {
  const venue = await PeopleVenue.open(context, {});
  const ada = await venue.person('ada@example.com');
  const { browser } = await operatorIn(venue, 'auditor');
  for (const path of PATHS) {
    const ask = ({ cookie }: { readonly cookie: string }) =>
      statusOf(`${venue.url}${path}`, { ...FROM_AFAR, cookie });
    assert.equal(await ask(browser), 200);
    assert.equal(await ask(ada), 403);
    assert.equal(await ask({ cookie: `outcry-session=${'A'.repeat(43)}` }), 401);
  }
});

test('the text is made once a second, however many ask', async () => {
  const read = async () => (await fetch(`${alone.url}/metrics`)).text();
  const first = await read();
  const texts = await Promise.all(Array.from({ length: 20 }, read));
  // A second may end in the middle of them.
  assert.ok(new Set([first, ...texts]).size <= 2);
  await eventually(read, (text) => assert.notEqual(text, first, 'it is made again'));
});

test('a caller has a hundred in ten seconds', async (context) => {
  const limited = await startHere({ rateLimits: true });
  context.after(() => limited.close());
  const statuses: number[] = [];
  for (let count = 0; count <= 100; count += 1) {
    statuses.push(await statusOf(`${limited.url}/metrics`));
  }
  assert.deepEqual(new Set(statuses.slice(0, 100)), new Set([200]));
  assert.equal(statuses[100], 429);
});

test('what could not be made is tried again', async () => {
  let made = 0;
  let nowMs = 0;
  const make = async (): Promise<number> => {
    made += 1;
    if (made === 1) throw new Error('not now');
    return made;
  };
  const seldom = new Seldom(make, 1_000, () => nowMs);
  await assert.rejects(seldom.get());
  assert.deepEqual(await Promise.all([seldom.get(), seldom.get()]), [2, 2]);
  nowMs = 999;
  assert.equal(await seldom.get(), 2);
  nowMs = 1_000;
  assert.equal(await seldom.get(), 3);
});
