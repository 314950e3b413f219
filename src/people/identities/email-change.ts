/**
 * Another e-mail address: asked for with a fresh proof, confirmed by a link to the new address, and
 * taken back by a link to the old one, which somebody who took a session over does not read.
 */
import { isRefused, type Refused, refuse } from '#domain';
import {
  type From,
  type HeldOff,
  type LinkWay,
  linkWayOf,
  note,
  occasionOf,
  type PeopleContext,
  sendKnown,
} from '../context.ts';
import { changedMail } from '../mail/mail.ts';
import type { PeopleStore } from '../port.ts';
import { beginAttempt, triedAt } from './attempts.ts';
import { makeLink, takeLink } from './links.ts';
import type { LiveSession } from './live-sessions.ts';
import { ownerOf, refuseUnconfirmed } from './own-security.ts';
import { takeAddress } from './persons.ts';
import type { Person } from './port.ts';

/** Links that an address was sent which is no longer the person's. */
const SENT_BEFORE = ['reset', 'confirm', 'email'] as const;

/** The answer is the same whether or not the address is taken. */
export async function askEmailChange(
  context: PeopleContext,
  session: LiveSession,
  email: string,
  from: From,
): Promise<LinkWay | Refused | HeldOff> {
  const unconfirmed = refuseUnconfirmed(context, session);
  if (unconfirmed !== undefined) return unconfirmed;
  const store = await context.people.get();
  const person = await ownerOf(store, session);
  if (isRefused(person)) return person;
  if (email === person.email) return refuse('email_in_use');
  // Somebody may fill a mailbox with these.
  const tried = triedAt('mail', email, from.network);
  const waitMs = await beginAttempt(store, tried, context.nowMs());
  if (waitMs > 0) return { refused: refuse('rate_exceeded'), waitMs };
  context.later.add(() => sendLink(context, store, person, email, from));
  return linkWayOf(context);
}

async function sendLink(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  email: string,
  from: From,
): Promise<void> {
  const owner = await store.personByEmail(email);
  // One who has proved nothing keeps nobody from the address.
  const isFree = owner === undefined || owner.state === 'pending';
  if (isFree) await makeLink(context, store, person, 'email', { email, from });
  else sendKnown(context, email, owner.language);
  await note(context, store, person.personId, 'email_change_asked', from, email);
}

/** Uses up the link to the new address. */
export async function completeEmailChange(
  context: PeopleContext,
  token: string,
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const found = await personOfLink(context, store, token, 'email');
  if (isRefused(found)) return found;
  const { person, email } = found;
  const { personId } = person;
  if (person.state !== 'active') return refuse('link_wrong');
  if (!(await takeAddress(store, personId, email, context.nowMs()))) return refuse('email_in_use');
  await context.sessions.changed(personId);
  for (const kind of SENT_BEFORE) await store.dropLinks(personId, kind);
  await note(context, store, personId, 'email_changed', from, `${person.email} → ${email}`);
  // One at a time, the first: changing it twice takes the way back from nobody.
  if (await store.hasLink(personId, 'email_undo', context.nowMs())) {
    const mail = changedMail(person.language, occasionOf(context, from), undefined);
    context.mailer?.send({ to: person.email, ...mail });
  } else await makeLink(context, store, person, 'email_undo', { email: person.email, from });
  return undefined;
}

/**
 * The old address is the person's again, the password is worth nothing any more, and every session
 * ends: whoever changed the address knew the one and had the other.
 */
export async function undoEmailChange(
  context: PeopleContext,
  token: string,
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const found = await personOfLink(context, store, token, 'email_undo');
  if (isRefused(found)) return found;
  const { person, email } = found;
  const { personId } = person;
  if (!(await takeAddress(store, personId, email, context.nowMs()))) return refuse('email_in_use');
  const keysSinceMs = context.nowMs();
  await store.changePerson(personId, { passwordHash: undefined, keysSinceMs });
  await store.dropAccessCodes(personId);
  await context.sessions.changed(personId);
  for (const kind of SENT_BEFORE) await store.dropLinks(personId, kind);
  context.sessions.ended(await store.endSessions(personId));
  await note(context, store, personId, 'email_change_undone', from, email);
  if (person.state !== 'suspended') {
    await makeLink(context, store, { ...person, email }, 'reset', { from });
  }
  return undefined;
}

async function personOfLink(
  context: PeopleContext,
  store: PeopleStore,
  token: string,
  kind: 'email' | 'email_undo',
): Promise<{ readonly person: Person; readonly email: string } | Refused> {
  const link = await takeLink(context, store, token);
  const person = link?.kind === kind ? await store.person(link.personId) : undefined;
  if (person === undefined || link?.email === undefined) return refuse('link_wrong');
  return { person, email: link.email };
}
