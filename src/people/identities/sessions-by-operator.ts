/** Sessions of a person, as the operator sees and ends them. */
import { type Refused, refuse } from '#domain';
import { FROM_OPERATOR, note, type PeopleContext } from '../context.ts';
import type { SessionRecord } from './port.ts';

export async function sessionsOf(
  { people }: PeopleContext,
  personId: string,
): Promise<readonly SessionRecord[] | Refused> {
  const store = await people.get();
  const person = await store.person(personId);
  return person === undefined ? refuse('person_unknown') : store.sessionsOf(personId);
}

/** Ends one session; its streams close in every process. */
export async function endSessionOf(
  context: PeopleContext,
  personId: string,
  sessionId: string,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  if (!(await store.endSession(personId, sessionId))) return refuse('session_unknown');
  context.sessions.ended([sessionId]);
  await note(context, store, personId, 'session_ended', FROM_OPERATOR, 'one');
  return undefined;
}
