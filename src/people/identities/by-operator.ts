/** What the operator does for people: makes them, lets them in again, keeps them out. */
import { type AccountId, isRefused, type Refused, refuse } from '#domain';
import type { Access, AccessRight } from '../access/port.ts';
import { FROM_OPERATOR, note, type PeopleContext, refuseSaying } from '../context.ts';
import type { Language } from '../mail/language.ts';
import type { ActingOperator } from '../operators/port.ts';
import { codeHash, newCode, newId } from '../secrets/tokens.ts';
import { forgetAllAttempts, signInWaitsUntil } from './attempts.ts';
import type { Invitation } from './invitation-port.ts';
import { makeLink } from './links.ts';
import { personOf, provedPerson } from './persons.ts';
import type { PeopleQuery, Person, WaitingLink } from './port.ts';

const INVITATION_GROUPS = 4;
const LISTED_MAX = 500;
const DAY_MS = 24 * 3_600_000;

export interface PersonSeen {
  readonly person: Person;
  readonly access: readonly Access[];
  readonly sessionsCount: number;
  /** Zero where signing in at the address waits nowhere. */
  readonly signInWaitsUntilMs: number;
}

export async function listPeople(
  { people }: PeopleContext,
  query: PeopleQuery,
): Promise<readonly Person[]> {
  return (await people.get()).people(query);
}

export async function seePerson(
  { people, nowMs }: PeopleContext,
  personId: string,
): Promise<PersonSeen | Refused> {
  const store = await people.get();
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  const access = await store.accessOf(personId);
  const sessions = await store.sessionsOf(personId);
  const signInWaitsUntilMs = await signInWaitsUntil(store, person, nowMs());
  return { person, access, sessionsCount: sessions.length, signInWaitsUntilMs };
}

interface NewcomerAsked extends Pick<Person, 'email' | 'name'> {
  /** English if absent. */
  readonly language?: Language | undefined;
}

/**
 * A person with a link that proves the address and chooses a password. One who has signed up and
 * proved nothing is let in by it as well: whoever takes an address first keeps nobody out.
 */
export async function makePerson(
  context: PeopleContext,
  { email, name, language = 'en' }: NewcomerAsked,
): Promise<{ readonly person: Person; readonly link: WaitingLink } | Refused> {
  const store = await context.people.get();
  const createdMs = context.nowMs();
  const newcomer = { personId: newId(createdMs), email, name, language, createdMs };
  const made = { ...newcomer, state: 'pending', passwordHash: undefined } as const;
  const isNew = await store.addPerson(made);
  const known = isNew ? undefined : await store.personByEmail(email);
  if (!isNew && known?.state !== 'pending') return refuse('email_in_use');
  const personId = known?.personId ?? made.personId;
  if (!isNew) await store.changePerson(personId, { name, language });
  await note(context, store, personId, 'made_by_operator', FROM_OPERATOR);
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  return { person, link: await makeLink(context, store, person, 'welcome') };
}

export async function setSuspended(
  context: PeopleContext,
  personId: string,
  { suspended, reason }: { readonly suspended: boolean; readonly reason: string },
): Promise<PersonSeen | Refused> {
  const store = await context.people.get();
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  if (suspended) await store.changePerson(personId, { state: 'suspended' });
  // Whoever has chosen no password has not proved the address either: the link does both.
  else if (person.passwordHash === undefined) {
    await store.changePerson(personId, { state: 'pending' });
  } else await store.changePerson(personId, { state: 'active' });
  if (suspended) context.sessions.ended(await store.endSessions(personId));
  await context.sessions.changed(personId);
  const kind = suspended ? 'suspended' : 'unsuspended';
  await note(context, store, personId, kind, FROM_OPERATOR, reason);
  return seePerson(context, personId);
}

/** Whoever is held off by what others have tried at the address may sign in at once. */
export async function liftSignInWait(
  context: PeopleContext,
  personId: string,
  reason: string,
): Promise<PersonSeen | Refused> {
  const store = await context.people.get();
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  await forgetAllAttempts(store, 'sign_in', person.email);
  await note(context, store, personId, 'sign_in_wait_lifted', FROM_OPERATOR, reason);
  return seePerson(context, personId);
}

/** Whoever lost authenticator and recovery codes signs in by password alone, once more. */
export async function removeFactor(
  context: PeopleContext,
  personId: string,
  reason: string,
): Promise<PersonSeen | Refused> {
  const store = await context.people.get();
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  if (person.sealedFactor === undefined) return refuse('second_factor_state_wrong');
  await store.changePerson(personId, { sealedFactor: undefined, sealedNewFactor: undefined });
  await store.replaceRecoveryCodes(personId, []);
  context.sessions.ended(await store.endSessions(personId));
  await note(context, store, personId, 'second_factor_off', FROM_OPERATOR, reason);
  return seePerson(context, personId);
}

export async function endSessionsOf(
  context: PeopleContext,
  personId: string,
): Promise<number | Refused> {
  const store = await context.people.get();
  const person = await personOf(store, personId);
  if (isRefused(person)) return person;
  const ended = await store.endSessions(personId);
  context.sessions.ended(ended);
  await note(context, store, personId, 'session_ended', FROM_OPERATOR, 'all');
  return ended.length;
}

/** What somebody may do with money of the account who may only read otherwise. */
export function movesMoney(rights: readonly AccessRight[]): boolean {
  return rights.some((right) => right !== 'read');
}

/** Gives a person an account, or other rights in it. */
export async function giveAccess(
  context: PeopleContext,
  personId: string,
  accountId: AccountId,
  rights: readonly AccessRight[],
): Promise<PersonSeen | Refused> {
  const store = await context.people.get();
  const person = await provedPerson(store, personId);
  if (isRefused(person)) return person;
  await store.addAccess({ personId, accountId, label: '', rights }, context.nowMs());
  await store.noteAccount(personId);
  await context.sessions.changed(personId);
  const detail = `${accountId}: ${rights}`;
  await note(context, store, personId, 'access_given', FROM_OPERATOR, detail);
  return seePerson(context, personId);
}

export async function takeAccessAway(
  context: PeopleContext,
  personId: string,
  accountId: AccountId,
): Promise<PersonSeen | Refused> {
  const store = await context.people.get();
  if (!(await store.removeAccess(personId, accountId))) return refuse('person_unknown');
  await context.sessions.changed(personId);
  await note(context, store, personId, 'access_taken', FROM_OPERATOR, String(accountId));
  return seePerson(context, personId);
}

export interface MadeInvitation {
  readonly invitation: Invitation;
  readonly code: string;
}

export async function makeInvitation(
  { people, nowMs }: PeopleContext,
  by: ActingOperator,
  { uses, days, label }: { readonly uses: number; readonly days: number; readonly label: string },
): Promise<MadeInvitation | Refused> {
  const store = await people.get();
  if ((await store.invitations(LISTED_MAX)).length >= LISTED_MAX) {
    return refuseSaying('people_exceeded', `${LISTED_MAX} invitations`);
  }
  const createdMs = nowMs();
  const code = newCode(INVITATION_GROUPS);
  const times = { createdMs, expiresMs: createdMs + days * DAY_MS };
  const madeBy = { id: by.id, name: by.name };
  const invitation = { invitationId: newId(createdMs), label, uses, used: 0, madeBy, ...times };
  await store.addInvitation(invitation, codeHash(code));
  return { invitation, code };
}

export async function listInvitations({ people }: PeopleContext): Promise<readonly Invitation[]> {
  return (await people.get()).invitations(LISTED_MAX);
}

export async function dropInvitation(
  { people }: PeopleContext,
  invitationId: string,
): Promise<Refused | undefined> {
  const isDropped = await (await people.get()).dropInvitation(invitationId);
  return isDropped ? undefined : refuse('invitation_wrong');
}
