/** Persons who run a venue of the tests: with a role, a second factor and a session. */
import { strict as assert } from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { OperatorRole } from '#people';
import type { Browser, PeopleVenue } from './people-venue.ts';

const FACTOR = '/people/v1/second-factor';
const STEP_MS = 30_000;

/** Sets a second factor up; the result makes the code of the next step, each once. */
export async function withFactor(venue: PeopleVenue, browser: Browser) {
  const { data } = await browser.done('POST', FACTOR);
  const { searchParams } = new URL(String(data.uri));
  const totp = new TOTP({ secret: searchParams.get('secret') ?? '' });
  const nextCode = async (): Promise<string> => {
    await venue.advance(STEP_MS);
    return totp.generate({ timestamp: venue.clock.nowMs() });
  };
  await browser.done('POST', `${FACTOR}/enable`, { code: await nextCode() });
  return nextCode;
}

/** Somebody with this role, signed in with a second factor, and what makes the next code. */
export async function operatorIn(
  venue: PeopleVenue,
  role: OperatorRole,
  email = `${role}@example.com`,
): Promise<{ readonly browser: Browser; readonly nextCode: () => Promise<string> }> {
  const browser = await venue.person(email);
  const nextCode = await withFactor(venue, browser);
  const { personId } = browser;
  const said = await venue.operator.call('POST', '/operators', { personId, role, reason: 'helps' });
  assert.equal(said.code, '00000', said.msg);
  return { browser, nextCode };
}
