/**
 * How people come in: they sign up, or the operator makes them. What a stranger is answered does
 * not depend on whether an address is known: not in words and not in time.
 */
import { isRefused, type Refused, refuse } from '#domain';
import { beginAttempt } from './attempts.ts';
import {
  type From,
  makeLink,
  note,
  type PeopleContext,
  refuseSaying,
  sendKnown,
} from './context.ts';
import type { Language } from './language.ts';
import { ACCESS_RIGHTS, type PeopleStore, type Person } from './port.ts';
import { unfitPassword } from './secrets/passwords.ts';
import { accountNameOf, codeHash, isToken, newId, tokenHash } from './secrets/tokens.ts';

/** What a person does next. */
export type Next = 'sign_in' | 'confirm_mail' | 'confirm_operator';

export interface SignUpRequest {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly invitation: string;
  /** What mails are written in. */
  readonly language: Language;
}

export function nextOfSignUp({ settings, mailer }: PeopleContext): Next {
  if (settings.signUp === 'invitation') return 'sign_in';
  return mailer === undefined ? 'confirm_operator' : 'confirm_mail';
}

/** The names that a password must not contain. */
export function namesOf({ email, name }: Pick<Person, 'email' | 'name'>): string[] {
  return [email.split('@', 1)[0] ?? '', ...name.split(/\s+/)];
}

export async function signUp(
  context: PeopleContext,
  asked: SignUpRequest,
  from: From,
): Promise<Next | Refused> {
  const { settings, passwords, people } = context;
  if (settings.signUp === 'closed') return refuse('sign_up_closed');
  const unfit = unfitPassword(asked.password, namesOf(asked));
  if (unfit !== undefined) return refuseSaying('password_unfit', unfit);
  const store = await people.get();
  const passwordHash = await passwords.hash(asked.password);
  if (passwordHash === 'busy') return refuse('venue_busy');
  const isInvited = settings.signUp === 'invitation';
  if (isInvited) {
    const nowMs = context.nowMs();
    const taken = await store.takeInvitation(codeHash(asked.invitation), nowMs);
    if (taken === undefined) return refuse('invitation_wrong');
  }
  const admitted = admit(context, store, { ...asked, passwordHash, isInvited }, from);
  // Whoever was invited signs in next. Others wait for a link: nothing shows them in the time
  // whether the address was known.
  if (isInvited) await admitted;
  else admitted.catch((error) => context.onFault(error));
  return nextOfSignUp(context);
}

async function admit(
  context: PeopleContext,
  store: PeopleStore,
  asked: SignUpRequest & { readonly passwordHash: string; readonly isInvited: boolean },
  from: From,
): Promise<void> {
  const { email, name, passwordHash, isInvited, language } = asked;
  const createdMs = context.nowMs();
  const personId = newId(createdMs);
  const state = isInvited ? 'active' : 'pending';
  const made = { personId, email, name, state, passwordHash, createdMs, language } as const;
  const added = await store.addPerson(made);
  if (!added) {
    // Somebody may fill a mailbox with these: they are held off as sign-ins are.
    const waitMs = await beginAttempt(store, 'mail', email, createdMs);
    const known = await store.personByEmail(email);
    if (waitMs === 0) sendKnown(context, email, known?.language ?? language);
    return;
  }
  await note(context, store, personId, 'signed_up', from);
  const person = await store.person(personId);
  if (!isInvited && person !== undefined) await makeLink(context, store, person, 'confirm');
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
  const accountId = await context.openAccount(accountNameOf(personId, number));
  if (isRefused(accountId)) return accountId;
  const access = { personId, accountId, label, rights: ACCESS_RIGHTS };
  await store.addAccess(access, context.nowMs());
  await note(context, store, personId, 'account_opened', from, String(accountId));
  await context.sessions.changed(personId);
  return access;
}

/** Uses up the link of a confirmation. */
export async function confirm(
  context: PeopleContext,
  token: string,
  from: From,
): Promise<Refused | undefined> {
  const store = await context.people.get();
  const link = await takeLink(context, store, token);
  if (link === undefined || link.kind !== 'confirm') return refuse('link_wrong');
  const person = await store.person(link.personId);
  if (person === undefined) return refuse('link_wrong');
  if (person.state === 'pending') {
    await store.changePerson(person.personId, { state: 'active' });
    await note(context, store, person.personId, 'confirmed', from);
  }
  return undefined;
}

export function takeLink({ nowMs }: PeopleContext, store: PeopleStore, token: string) {
  return isToken(token) ? store.takeLink(tokenHash(token), nowMs()) : Promise.resolve(undefined);
}

/** Where the mail goes, whether or not anybody has the address. */
export async function askReset(
  context: PeopleContext,
  email: string,
  from: From,
): Promise<'mail' | 'operator'> {
  const store = await context.people.get();
  const waitMs = await beginAttempt(store, 'mail', email, context.nowMs());
  const person = await store.personByEmail(email);
  // Not awaited: who knows the address must not see it in the time.
  if (waitMs === 0 && person !== undefined) void sendReset(context, store, person, from);
  return context.mailer === undefined ? 'operator' : 'mail';
}

async function sendReset(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  from: From,
): Promise<void> {
  if (person.state === 'suspended') return;
  try {
    // Also for one not confirmed yet: whoever reads the mails chooses the password anew.
    await makeLink(context, store, person, 'reset');
    await note(context, store, person.personId, 'reset_asked', from);
  } catch (error) {
    context.onFault(error);
  }
}

/** A new password by a link; every session ends, and the second factor stays. */
export async function completeReset(
  context: PeopleContext,
  { token, password }: { readonly token: string; readonly password: string },
  from: From,
): Promise<Refused | undefined> {
  const unfit = unfitPassword(password, []);
  if (unfit !== undefined) return refuseSaying('password_unfit', unfit);
  const passwordHash = await context.passwords.hash(password);
  if (passwordHash === 'busy') return refuse('venue_busy');
  const store = await context.people.get();
  const link = await takeLink(context, store, token);
  if (link?.kind !== 'reset' && link?.kind !== 'welcome') return refuse('link_wrong');
  const { personId, kind } = link;
  const person = await store.person(personId);
  if (person === undefined || person.state === 'suspended') return refuse('link_wrong');
  await store.changePerson(personId, { passwordHash, state: 'active' });
  context.sessions.ended(await store.endSessions(personId));
  await note(context, store, personId, kind === 'reset' ? 'password_reset' : 'confirmed', from);
  return undefined;
}
