/** What persons do about their own way in: password, second factor, sessions. */
import { isRefused, type Refused, refuse } from '#domain';
import { type From, type HeldOff, note, type PeopleContext, refuseSaying } from '../context.ts';
import type { PeopleStore } from '../port.ts';
import { factorUri, newFactor, stepOfCode } from '../secrets/second-factor.ts';
import { codeHash, newCode } from '../secrets/tokens.ts';
import { beginAttempt, forgetAttempts, takeBackAttempt, triedIn } from './attempts.ts';
import type { LiveSession } from './live-sessions.ts';
import type { EventsQuery, Person, SecurityEvent, SessionRecord } from './port.ts';
import { type Begun, type Outcome, renew, takeCode } from './signing-in.ts';
import { namesOf } from './signing-up.ts';

/** For so long a proof of who one is holds for what needs one. */
const CONFIRMED_MS = 15 * 60_000;
const RECOVERY_CODES = 10;
const RECOVERY_GROUPS = 3;

/** What needs a fresh proof is refused without one. */
export function refuseUnconfirmed(
  { nowMs }: PeopleContext,
  { confirmedMs }: LiveSession,
): Refused | undefined {
  return nowMs() - confirmedMs < CONFIRMED_MS ? undefined : refuse('confirmation_needed');
}

export async function ownerOf(store: PeopleStore, session: LiveSession): Promise<Person | Refused> {
  return (await store.person(session.personId)) ?? refuse('sign_in_needed');
}

/** Guesses of a person who is signed in are held off as those at the door, session by session. */
async function heldOff(
  { nowMs }: PeopleContext,
  store: PeopleStore,
  session: LiveSession,
): Promise<HeldOff | undefined> {
  const waitMs = await beginAttempt(store, triedIn(session), nowMs());
  return waitMs > 0 ? { refused: refuse('rate_exceeded'), waitMs } : undefined;
}

export async function changePassword(
  context: PeopleContext,
  session: LiveSession,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
  from: From,
): Promise<Outcome<Begun>> {
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  const unfit = await context.passwords.unfit(newPassword, namesOf(person));
  if (unfit === 'busy') return refuse('venue_busy');
  if (unfit !== undefined) return refuseSaying('password_unfit', unfit);
  const held = await heldOff(context, store, session);
  if (held !== undefined) return held;
  const isRight = await context.passwords.matches(password, person.passwordHash);
  if (isRight === 'busy') {
    await takeBackAttempt(store, triedIn(session));
    return refuse('venue_busy');
  }
  if (!isRight) return refuse('sign_in_failed');
  const passwordHash = await context.passwords.hash(newPassword);
  if (passwordHash === 'busy') return refuse('venue_busy');
  await forgetAttempts(store, triedIn(session));
  await store.changePerson(person.personId, { passwordHash });
  await store.dropLinks(person.personId, 'reset');
  await note(context, store, person.personId, 'password_changed', from);
  return endOthersAndRenew(context, store, person, session);
}

async function endOthersAndRenew(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  session: LiveSession,
): Promise<Begun | Refused> {
  context.sessions.ended(await store.endSessions(person.personId, session.sessionId));
  return renew(context, store, person, session, undefined);
}

/** What an authenticator is set up with; not in force before a code of it was shown. */
export async function beginFactor(
  context: PeopleContext,
  session: LiveSession,
): Promise<{ readonly secret: string; readonly uri: string } | Refused> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  if (person.sealedFactor !== undefined) return refuse('second_factor_state_wrong');
  const secret = await newFactor();
  const sealedNewFactor = context.sealing.seal(`factor ${person.personId}`, secret);
  await store.changePerson(person.personId, { sealedNewFactor });
  return { secret, uri: await factorUri(secret, context.settings.name, person.email) };
}

export interface WithCodes {
  readonly begun: Begun;
  readonly recoveryCodes: readonly string[];
}

export async function enableFactor(
  context: PeopleContext,
  session: LiveSession,
  code: string,
  from: From,
): Promise<Outcome<WithCodes>> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  const { personId, sealedNewFactor } = person;
  if (sealedNewFactor === undefined) return refuse('second_factor_state_wrong');
  const held = await heldOff(context, store, session);
  if (held !== undefined) return held;
  const seed = context.sealing.open(`factor ${personId}`, sealedNewFactor);
  const step = await stepOfCode(seed, code, context.nowMs());
  if (step === undefined || !(await store.takeFactorStep(personId, step))) {
    return refuse('code_wrong');
  }
  await forgetAttempts(store, triedIn(session));
  const changes = { sealedFactor: sealedNewFactor, sealedNewFactor: undefined };
  await store.changePerson(personId, changes);
  const recoveryCodes = await makeRecoveryCodes(store, personId);
  await note(context, store, personId, 'second_factor_on', from);
  const begun = await endOthersAndRenew(context, store, { ...person, ...changes }, session);
  return isRefused(begun) ? begun : { begun, recoveryCodes };
}

export async function disableFactor(
  context: PeopleContext,
  session: LiveSession,
  code: string,
  from: From,
): Promise<Outcome<Begun>> {
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  const refused = await refuseCode(context, store, session, person, code, from);
  if (refused !== undefined) return refused;
  const changes = { sealedFactor: undefined, sealedNewFactor: undefined };
  await store.changePerson(person.personId, changes);
  await store.replaceRecoveryCodes(person.personId, []);
  await note(context, store, person.personId, 'second_factor_off', from);
  return endOthersAndRenew(context, store, { ...person, ...changes }, session);
}

/** New ones; those before stop working. */
export async function renewRecoveryCodes(
  context: PeopleContext,
  session: LiveSession,
  code: string,
  from: From,
): Promise<Outcome<readonly string[]>> {
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  const refused = await refuseCode(context, store, session, person, code, from);
  if (refused !== undefined) return refused;
  const codes = await makeRecoveryCodes(store, person.personId);
  await note(context, store, person.personId, 'recovery_codes_made', from);
  return codes;
}

async function refuseCode(
  context: PeopleContext,
  store: PeopleStore,
  session: LiveSession,
  person: Person,
  code: string,
  from: From,
): Promise<Refused | HeldOff | undefined> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  if (person.sealedFactor === undefined) return refuse('second_factor_state_wrong');
  const held = await heldOff(context, store, session);
  if (held !== undefined) return held;
  if (!(await takeCode(context, store, person, code, from))) return refuse('code_wrong');
  await forgetAttempts(store, triedIn(session));
  return undefined;
}

async function makeRecoveryCodes(store: PeopleStore, personId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newCode(RECOVERY_GROUPS));
  await store.replaceRecoveryCodes(personId, codes.map(codeHash));
  return codes;
}

export async function ownSessions(
  { people, nowMs, settings }: PeopleContext,
  session: LiveSession,
): Promise<readonly SessionRecord[]> {
  const all = await (await people.get()).sessionsOf(session.personId);
  const now = nowMs();
  return all.filter(
    ({ expiresMs, lastSeenMs }) => expiresMs > now && now - lastSeenMs < settings.sessionIdleMs,
  );
}

export async function endOwnSession(
  context: PeopleContext,
  { personId }: LiveSession,
  sessionId: string,
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  if (!(await store.endSession(personId, sessionId))) return refuse('session_unknown');
  context.sessions.ended([sessionId]);
  await note(context, store, personId, 'session_ended', from);
  return undefined;
}

export async function endOtherSessions(
  context: PeopleContext,
  { personId, sessionId }: LiveSession,
  from: From,
): Promise<number> {
  const store = await context.people.get();
  const ended = await store.endSessions(personId, sessionId);
  context.sessions.ended(ended);
  if (ended.length > 0) await note(context, store, personId, 'session_ended', from, 'all others');
  return ended.length;
}

export async function eventsOf(
  { people }: PeopleContext,
  query: EventsQuery,
): Promise<readonly SecurityEvent[]> {
  return (await people.get()).events(query);
}
