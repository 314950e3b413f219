/** A session as its page is told of it, and the cookie of a new token. */

import { type Refused, refuse } from '#domain';
import type { Begun, LiveSession, PeopleContext } from '#people';
import type { Visit } from '../access/calls.ts';
import { SESSION } from './rows.ts';

/** Of a session that has just begun, or goes by another token: the answer sets its cookie. */
export async function sessionText(
  context: PeopleContext,
  { token }: Begun,
  visit: Visit,
): Promise<string | Refused> {
  const session = await context.sessions.find(token, context.nowMs());
  if (session === undefined) return refuse('sign_in_needed');
  visit.setToken(token);
  return describe(context, session);
}

export async function describe(
  { people }: PeopleContext,
  session: LiveSession,
): Promise<string | Refused> {
  const store = await people.get();
  const { personId, record } = session;
  const person = await store.person(personId);
  if (person === undefined) return refuse('sign_in_needed');
  const recoveryCodesLeft =
    person.sealedFactor === undefined ? 0 : await store.recoveryCodesLeft(personId);
  const access = await store.accessOf(personId);
  const { sessionId, csrfToken, confirmedMs } = session;
  const { expiresMs } = record;
  const about = { sessionId, csrfToken, confirmedMs, expiresMs };
  return SESSION.write({ ...about, person, recoveryCodesLeft, access });
}
