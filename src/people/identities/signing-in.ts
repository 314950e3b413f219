/**
 * Signing in and proving again who one is: password, then the second factor where there is one.
 * Each attempt counts as failed before it is looked at; what is wrong is never said.
 */
import { isRefused, type Refused, refuse } from '#domain';
import {
  type From,
  type HeldOff,
  note,
  type PeopleContext,
  sendNotice,
  shortText,
} from '../context.ts';
import type { PeopleStore } from '../port.ts';
import { looksLikeFactorCode, stepOfCode } from '../secrets/second-factor.ts';
import { codeHash, newId, tokenHash } from '../secrets/tokens.ts';
import {
  beginAttempt,
  forgetAttempts,
  type Tried,
  takeBackAttempt,
  triedAt,
  triedIn,
} from './attempts.ts';
import { csrfTokenOf, type LiveSession } from './live-sessions.ts';
import { isFromNewPlace } from './new-places.ts';
import type { Person } from './port.ts';
import { openFirstAccount } from './signing-up.ts';

/** Sessions of one person; those used longest ago end. */
const SESSIONS_PER_PERSON_MAX = 20;
const AGENT_LENGTH_MAX = 200;

export interface Proof {
  readonly password: string;
  /** Of the second factor, or a recovery code; empty for none. */
  readonly code: string;
}

/** A session with the token that its cookie gets. */
export interface Begun {
  readonly person: Person;
  readonly token: string;
  readonly csrfToken: string;
  readonly sessionId: string;
}

export type Outcome<T> = T | Refused | HeldOff;

export function isHeldOff(outcome: unknown): outcome is HeldOff {
  return typeof outcome === 'object' && outcome !== null && 'waitMs' in outcome;
}

/** Whether it is who it says; undefined when so. Also for a person who does not exist. */
async function prove(
  context: PeopleContext,
  store: PeopleStore,
  { tried, person }: { readonly tried: Tried; readonly person: Person | undefined },
  proof: Proof,
  from: From,
): Promise<Refused | HeldOff | undefined> {
  const waitMs = await beginAttempt(store, tried, context.nowMs());
  if (waitMs > 0) return { refused: refuse('rate_exceeded'), waitMs };
  const isRight = await context.passwords.matches(proof.password, person?.passwordHash);
  if (isRight === 'busy') {
    await takeBackAttempt(store, tried);
    return refuse('venue_busy');
  }
  if (!isRight || person?.state !== 'active') return fail(context, store, person, from, 'password');
  if (person.sealedFactor !== undefined) {
    if (proof.code === '') return refuse('second_factor_needed');
    const isCode = await takeCode(context, store, person, proof.code, from);
    if (!isCode) return fail(context, store, person, from, 'code');
  }
  await forgetAttempts(store, tried);
  return undefined;
}

function fail(
  context: PeopleContext,
  store: PeopleStore,
  person: Person | undefined,
  from: From,
  what: string,
): Refused {
  // It is written for people who exist.
  if (person !== undefined) {
    context.later.add(() => note(context, store, person.personId, 'sign_in_failed', from, what));
  }
  return refuse('sign_in_failed');
}

/** Uses up a code of the authenticator, or a recovery code. */
export async function takeCode(
  context: PeopleContext,
  store: PeopleStore,
  { personId, sealedFactor }: Person,
  code: string,
  from: From,
): Promise<boolean> {
  if (sealedFactor === undefined) return false;
  if (!looksLikeFactorCode(code)) {
    const isTaken = await store.takeRecoveryCode(personId, codeHash(code));
    if (isTaken) await note(context, store, personId, 'recovery_code_used', from);
    return isTaken;
  }
  const seed = context.sealing.open(`factor ${personId}`, sealedFactor);
  const step = await stepOfCode(seed, code, context.nowMs());
  return step !== undefined && store.takeFactorStep(personId, step);
}

export async function signIn(
  context: PeopleContext,
  asked: Proof & { readonly email: string },
  from: From,
  earlier: LiveSession | undefined,
): Promise<Outcome<Begun>> {
  const store = await context.people.get();
  const person = await store.personByEmail(asked.email);
  const tried = triedAt('sign_in', asked.email, from.network);
  const refused = await prove(context, store, { tried, person }, asked, from);
  if (refused !== undefined) return refused;
  if (person === undefined) return refuse('sign_in_failed');
  await openFirstAccount(context, store, person, from);
  if (earlier !== undefined) await endOne(context, store, earlier);
  return begin(context, store, person, from);
}

async function begin(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  from: From,
): Promise<Begun> {
  const { settings, sessions } = context;
  const nowMs = context.nowMs();
  const token = sessions.newToken();
  const sessionId = newId(nowMs);
  const { personId } = person;
  const isMailed = context.mailer !== undefined;
  const isNewPlace = isMailed && (await isFromNewPlace(context, store, person, from));
  const ended = await store.addSession(
    {
      ...{ sessionId, personId, tokenHash: tokenHash(token) },
      address: shortText(from.address, AGENT_LENGTH_MAX),
      agent: shortText(from.agent, AGENT_LENGTH_MAX),
      ...{ createdMs: nowMs, confirmedMs: nowMs, lastSeenMs: nowMs },
      expiresMs: nowMs + settings.sessionMaxMs,
    },
    SESSIONS_PER_PERSON_MAX,
  );
  sessions.ended(ended);
  await note(context, store, personId, 'signed_in', from);
  if (isNewPlace) sendNotice(context, person, 'signed_in', from);
  return { person, token, csrfToken: csrfTokenOf(token), sessionId };
}

export async function signOut(
  context: PeopleContext,
  session: LiveSession,
  from: From,
): Promise<void> {
  const store = await context.people.get();
  await endOne(context, store, session);
  await note(context, store, session.personId, 'signed_out', from);
}

async function endOne(
  { sessions }: PeopleContext,
  store: PeopleStore,
  { personId, sessionId }: LiveSession,
): Promise<void> {
  await store.endSession(personId, sessionId);
  sessions.ended([sessionId]);
}

/** Proves again who one is: what is worth more than reading asks for it. The token changes. */
export async function confirmSession(
  context: PeopleContext,
  session: LiveSession,
  proof: Proof,
  from: From,
): Promise<Outcome<Begun>> {
  const store = await context.people.get();
  const person = await store.person(session.personId);
  if (person === undefined) return refuse('sign_in_needed');
  const tried = triedIn(session);
  const refused = await prove(context, store, { tried, person }, proof, from);
  if (refused !== undefined) return refused;
  const renewed = await renew(context, store, person, session, context.nowMs());
  if (!isRefused(renewed)) {
    await note(context, store, person.personId, 'session_confirmed', from);
  }
  return renewed;
}

/** The same session under another token: the one before is worth nothing from now on. */
export async function renew(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  session: LiveSession,
  confirmedMs: number | undefined,
): Promise<Begun | Refused> {
  const token = context.sessions.newToken();
  const changes = {
    tokenHash: tokenHash(token),
    ...(confirmedMs === undefined ? {} : { confirmedMs }),
  };
  if (!(await store.renewSession(session.sessionId, changes))) return refuse('sign_in_needed');
  context.sessions.renewed(session, token, confirmedMs);
  const { sessionId } = session;
  return { person, token, csrfToken: csrfTokenOf(token), sessionId };
}
