/**
 * Links that prove an address and choose a password. A mail carries them, in a demo its terminal
 * shows them, or an operator hands them out: that makes a token, under the name of the operator and
 * with a reason, and is told to the person. Nobody can look a token up.
 */
import { isRefused, type Refused, refuse } from '#domain';
import {
  FROM_OPERATOR,
  type From,
  note,
  occasionOf,
  type PeopleContext,
  refuseSaying,
} from '../context.ts';
import { LINK_MS, linkMail, linkPath } from '../mail/mail.ts';
import type { LinkKind } from '../mail/mail-texts.ts';
import type { ActingOperator } from '../operators/port.ts';
import type { PeopleStore } from '../port.ts';
import { isToken, newId, newToken, tokenHash } from '../secrets/tokens.ts';
import { NO_MAKER } from './invitation-port.ts';
import { refuseForOperators } from './persons.ts';
import type { Person, WaitingLink } from './port.ts';

const LISTED_MAX = 500;

interface LinkTerms {
  /** Which address it makes the person's, and goes to; without it, it goes to the person's. */
  readonly email?: string;
  /** Who asked for it. */
  readonly from?: From;
}

/** Makes a link in place of those of its kind: mailed, shown, or waiting for an operator. */
export async function makeLink(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  kind: LinkKind,
  { email, from = FROM_OPERATOR }: LinkTerms = {},
): Promise<WaitingLink> {
  const { settings, mailer, terminal } = context;
  // Where it is not sent nobody learns this token: handing the link out makes another one.
  const token = newToken();
  const createdMs = context.nowMs();
  const { personId } = person;
  await store.dropLinks(personId, kind);
  const named = { linkId: newId(createdMs), kind, personId, isMailed: mailer !== undefined };
  const times = { createdMs, expiresMs: createdMs + LINK_MS[kind] };
  const link = { ...named, ...times, madeBy: NO_MAKER };
  await store.addLink({ ...link, tokenHash: tokenHash(token), email });
  const to = email ?? person.email;
  const path = linkPath(kind, token);
  const occasion = occasionOf(context, from);
  const url = `${settings.url ?? ''}${path}`;
  mailer?.send({ to, ...linkMail(kind, person.language, occasion, url) });
  terminal?.({ to, subject: linkMail(kind, 'en', occasion, url).subject, path });
  return { ...link, email: to };
}

export function takeLink({ nowMs }: PeopleContext, store: PeopleStore, token: string) {
  return isToken(token) ? store.takeLink(tokenHash(token), nowMs()) : Promise.resolve(undefined);
}

/** Those of a person, or of everybody those that no mail carries. */
export async function waitingLinks(
  { people, nowMs }: PeopleContext,
  personId: string | undefined,
): Promise<readonly WaitingLink[]> {
  const store = await people.get();
  return store.waitingLinks({ personId, nowMs: nowMs(), limit: LISTED_MAX });
}

export interface HandedLink {
  readonly link: WaitingLink;
  /** Behind the address of the venue. */
  readonly path: string;
}

/**
 * Gives a link to an operator: what was mailed or handed out of it before is worth nothing, and it
 * ends with the role. Those to operators are for owners.
 */
export async function handOutLink(
  context: PeopleContext,
  by: ActingOperator,
  { personId, linkId }: Pick<WaitingLink, 'personId' | 'linkId'>,
  reason: string,
): Promise<HandedLink | Refused> {
  if (reason === '') return refuse('reason_needed');
  const store = await context.people.get();
  const nowMs = context.nowMs();
  const link = await store.waitingLink(linkId, nowMs);
  if (link === undefined || link.personId !== personId) return refuse('link_wrong');
  const { kind } = link;
  const refused = await refuseForOperators(context, by, personId);
  if (refused !== undefined) return refused;
  const token = newToken();
  const madeBy = { id: by.id, name: by.name };
  const made = { tokenHash: tokenHash(token), madeBy, nowMs };
  if (!(await store.handOutLink(linkId, made))) return refuse('link_wrong');
  await note(context, store, personId, 'link_handed_out', FROM_OPERATOR, `${kind}: ${reason}`);
  return { link: { ...link, madeBy }, path: linkPath(kind, token) };
}

/** A link to choose a new password for somebody who asks for help; it is handed out apart. */
export async function resetByOperator(
  context: PeopleContext,
  personId: string,
): Promise<WaitingLink | Refused> {
  const store = await context.people.get();
  const person = (await store.person(personId)) ?? refuse('person_unknown');
  if (isRefused(person)) return person;
  if (person.state === 'suspended') return refuseSaying('person_unknown', 'suspended');
  await note(context, store, personId, 'reset_asked', FROM_OPERATOR);
  return makeLink(context, store, person, person.passwordHash === undefined ? 'welcome' : 'reset');
}
