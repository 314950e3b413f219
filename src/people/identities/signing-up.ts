/**
 * How people come in: they sign up, or the operator makes them. What a stranger is answered does
 * not depend on whether an address is known: not in words and not in time.
 */
import { isRefused, type Refused, refuse } from '#domain';
import { ACCESS_RIGHTS } from '../access/port.ts';
import {
  type From,
  type LinkWay,
  linkWayOf,
  note,
  type PeopleContext,
  refuseSaying,
  sendKnown,
} from '../context.ts';
import type { Language } from '../mail/language.ts';
import type { LinkKind } from '../mail/mail-texts.ts';
import type { PeopleStore } from '../port.ts';
import { accountNameOf, codeHash, isToken, newId, tokenHash } from '../secrets/tokens.ts';
import { beginAttempt, forgetAttempts, triedAt } from './attempts.ts';
import { makeLink, takeLink } from './links.ts';
import type { Person } from './port.ts';

/** What a person does next. */
export type Next = `confirm_${LinkWay}`;

export interface SignUpRequest {
  readonly email: string;
  readonly name: string;
  readonly invitation: string;
  /** What mails are written in. */
  readonly language: Language;
}

export function nextOfSignUp(context: PeopleContext): Next {
  return `confirm_${linkWayOf(context)}`;
}

/** The names that a password must not contain. */
export function namesOf({ email, name }: Pick<Person, 'email' | 'name'>): string[] {
  return [email.split('@', 1)[0] ?? '', ...name.split(/\s+/)];
}

/**
 * Whoever signs up has proved nothing yet, with or without an invitation: the link to the address
 * does, and chooses the password.
 */
export async function signUp(
  context: PeopleContext,
  asked: SignUpRequest,
  from: From,
): Promise<Next | Refused> {
  const { settings, people } = context;
  if (settings.signUp === 'closed') return refuse('sign_up_closed');
  const store = await people.get();
  if (settings.signUp === 'invitation') {
    const nowMs = context.nowMs();
    const taken = await store.takeInvitation(codeHash(asked.invitation), nowMs);
    if (taken === undefined) return refuse('invitation_wrong');
  }
  context.later.add(() => admit(context, store, asked, from));
  return nextOfSignUp(context);
}

async function admit(
  context: PeopleContext,
  store: PeopleStore,
  { email, name, language }: SignUpRequest,
  from: From,
): Promise<void> {
  const createdMs = context.nowMs();
  const personId = newId(createdMs);
  const made = { personId, email, name, state: 'pending', createdMs, language } as const;
  if (await store.addPerson({ ...made, passwordHash: undefined })) {
    await note(context, store, personId, 'signed_up', from);
    const person = await store.person(personId);
    if (person !== undefined) await makeLink(context, store, person, 'confirm');
    return;
  }
  // Somebody may fill a mailbox with these: they are held off as sign-ins are.
  const tried = triedAt('mail', email, from.network);
  const waitMs = await beginAttempt(store, tried, createdMs);
  const known = await store.personByEmail(email);
  if (waitMs > 0 || known === undefined) return;
  // Whoever came first has proved nothing, so the owner of the address may still be this one.
  if (known.state === 'pending') await makeLink(context, store, known, 'confirm');
  else sendKnown(context, email, known.language);
}

/** Opens the first account of a person; where it cannot be opened now, at the next sign-in. */
export async function openFirstAccount(
  context: PeopleContext,
  store: PeopleStore,
  { personId, accountsCount }: Person,
  from: From,
): Promise<void> {
  if (accountsCount > 0) return;
  const opened = await openAccount(context, store, personId, { number: 0, label: '' }, from);
  if (!isRefused(opened)) await store.noteAccount(personId);
}

export async function openAccount(
  context: PeopleContext,
  store: PeopleStore,
  personId: string,
  { number, label }: { readonly number: number; readonly label: string },
  from: From,
) {
  const name = accountNameOf(personId, number);
  const isFirst = number === 0;
  const accountId = await (isFirst ? context.openFirstAccount(name) : context.openAccount(name));
  if (isRefused(accountId)) return accountId;
  const access = { personId, accountId, label, rights: ACCESS_RIGHTS };
  await store.addAccess(access, context.nowMs());
  await note(context, store, personId, 'account_opened', from, String(accountId));
  await context.sessions.changed(personId);
  return access;
}

/** Where the mail goes, whether or not anybody has the address. */
export async function askReset(
  context: PeopleContext,
  email: string,
  from: From,
): Promise<LinkWay> {
  const store = await context.people.get();
  const tried = triedAt('mail', email, from.network);
  const waitMs = await beginAttempt(store, tried, context.nowMs());
  if (waitMs === 0) context.later.add(() => sendReset(context, store, email, from));
  return linkWayOf(context);
}

async function sendReset(
  context: PeopleContext,
  store: PeopleStore,
  email: string,
  from: From,
): Promise<void> {
  const person = await store.personByEmail(email);
  if (person === undefined || person.state === 'suspended') return;
  // Also for one not confirmed yet: whoever reads the mails chooses the password anew.
  await makeLink(context, store, person, 'reset');
  await note(context, store, person.personId, 'reset_asked', from);
}

/** Links that prove an address and choose a password. */
const CHOOSING = ['confirm', 'reset', 'welcome'] as const;

function isChoosing(kind: LinkKind): boolean {
  return CHOOSING.some((one) => one === kind);
}

/**
 * Proves the address by a link and chooses the password anew: whatever was known before is worth
 * nothing. Every session ends, every other such link too, and what the person has made before, keys
 * and access codes; the second factor stays.
 */
export async function completeReset(
  context: PeopleContext,
  { token, password }: { readonly token: string; readonly password: string },
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const link = isToken(token) && (await store.seeLink(tokenHash(token), context.nowMs()));
  if (!link || !isChoosing(link.kind)) return refuse('link_wrong');
  const { personId, kind } = link;
  const person = await store.person(personId);
  if (person === undefined || person.state === 'suspended') return refuse('link_wrong');
  const unfit = await context.passwords.unfit(password, namesOf(person));
  if (unfit === 'busy') return refuse('venue_busy');
  if (unfit !== undefined) return refuseSaying('password_unfit', unfit);
  const passwordHash = await context.passwords.hash(password);
  if (passwordHash === 'busy') return refuse('venue_busy');
  // Used up last: a password that is refused, or a busy venue, costs nobody the link.
  if ((await takeLink(context, store, token)) === undefined) return refuse('link_wrong');
  // The hash took its time: meanwhile the person may have been suspended.
  const keysSinceMs = context.nowMs();
  if (!(await store.choosePassword(personId, { passwordHash, keysSinceMs }))) {
    return refuse('link_wrong');
  }
  for (const one of CHOOSING) await store.dropLinks(personId, one);
  await store.dropAccessCodes(personId);
  context.sessions.ended(await store.endSessions(personId));
  await context.sessions.changed(personId);
  // Whoever has proved the address need not wait for what others have tried at it.
  await forgetAttempts(store, triedAt('sign_in', person.email, from.network));
  await note(context, store, personId, kind === 'reset' ? 'password_reset' : 'confirmed', from);
  return undefined;
}
