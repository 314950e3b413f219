/** What is kept of a person, handed out to that person, and deleted on request. */
import { type AccountId, isRefused, type Refused, refuse } from '#domain';
import type { Access } from '../access/port.ts';
import { type From, note, type PeopleContext, refuseSaying } from '../context.ts';
import type { Payment } from '../payments/port.ts';
import { forgetAllAttempts } from './attempts.ts';
import type { LiveSession } from './live-sessions.ts';
import { ownerOf, refuseUnconfirmed } from './own-security.ts';
import type { Person, SecurityEvent, SessionRecord } from './port.ts';

const EVENTS_PER_PAGE = 500;
const ROWS_MAX = 10_000;

/** Everything that is kept of a person and is no secret. */
export interface PersonData {
  readonly person: Person;
  readonly access: readonly Access[];
  readonly sessions: readonly SessionRecord[];
  /** Newest first, 10,000 at most. */
  readonly events: readonly SecurityEvent[];
  /** Deposits, withdrawals and transfers that were asked for; newest first, 10,000 at most. */
  readonly payments: readonly Payment[];
}

export async function exportPerson(
  context: PeopleContext,
  session: LiveSession,
  from: From,
): Promise<PersonData | Refused> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  const { personId } = person;
  await note(context, store, personId, 'exported', from);
  const events: SecurityEvent[] = [];
  for (;;) {
    const query = { personId, before: events.at(-1)?.eventId, limit: EVENTS_PER_PAGE };
    const page = await store.events(query);
    events.push(...page);
    if (page.length < EVENTS_PER_PAGE || events.length >= ROWS_MAX) break;
  }
  const access = await store.accessOf(personId);
  const sessions = await store.sessionsOf(personId);
  const payments = await store.payments({ personId, limit: ROWS_MAX });
  return { person, access, sessions, events, payments };
}

/** Accounts that nobody else manages: they end with the person. */
export async function soleAccounts(
  context: PeopleContext,
  session: LiveSession,
): Promise<readonly AccountId[] | Refused> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const { personId } = session;
  const store = await context.people.get();
  if ((await store.operatorRole(personId)) !== undefined) {
    return refuseSaying('deletion_refused', 'an operator cannot be deleted');
  }
  const underWay = refuseSaying('deletion_refused', 'a deposit or withdrawal is under way');
  if ((await store.openPaymentsOf(personId)) > 0) return underWay;
  const sole: AccountId[] = [];
  for (const { accountId } of await store.accessOf(personId)) {
    const others = (await store.accessTo(accountId)).filter((one) => one.personId !== personId);
    if (others.some(({ rights }) => rights.includes('manage'))) continue;
    if ((await store.openPaymentsCount(accountId)) > 0) return underWay;
    sole.push(accountId);
  }
  return sole;
}

/** Nothing is left of the person but that somebody with this id was deleted. */
export async function deletePerson(
  context: PeopleContext,
  { personId }: LiveSession,
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const person = await store.person(personId);
  if (person === undefined) return refuse('sign_in_needed');
  // The mail goes while the address is known, and the note is what stays.
  await note(context, store, personId, 'deleted', from);
  context.sessions.ended(await store.deletePerson(personId));
  await context.sessions.changed(personId);
  for (const kind of ['sign_in', 'mail'] as const)
    await forgetAllAttempts(store, kind, person.email);
  const nobody = { address: '', network: '', agent: '' };
  await note(context, store, personId, 'deleted', nobody);
  return undefined;
}
