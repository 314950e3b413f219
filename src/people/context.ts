/** What the parts of this room work with, and the notes they make of what happens. */
import { type AccountId, type Refused, type RejectKind, refuse } from '#domain';
import type { LiveSessions } from './live-sessions.ts';
import { knownMail, LINK_MS, linkMail, linkPath, type Mailer } from './mail.ts';
import type { LazyPeople } from './open.ts';
import type { LinkKind, PeopleStore, Person, SecurityEventKind } from './port.ts';
import type { Passwords } from './secrets/passwords.ts';
import { newToken, tokenHash } from './secrets/tokens.ts';
import type { PeopleSettings } from './settings.ts';

/** Seals text under the master key of the venue; the name is authenticated along. */
export interface Sealing {
  seal(name: string, text: string): string;
  open(name: string, sealed: string): string;
}

export interface PeopleContext {
  readonly people: LazyPeople;
  readonly settings: PeopleSettings;
  readonly nowMs: () => number;
  readonly passwords: Passwords;
  readonly sealing: Sealing;
  readonly sessions: LiveSessions;
  /** Undefined where the operator hands links out. */
  readonly mailer: Mailer | undefined;
  /** Opens an account of the venue; with a name that is taken, the account of that name. */
  openAccount(name: string): Promise<AccountId | Refused>;
  /** Of work that no caller waits for. */
  onFault(error: unknown): void;
}

/** Where a call comes from, as the events of a person show it. */
export interface From {
  readonly address: string;
  readonly agent: string;
}

export const FROM_OPERATOR: From = { address: '', agent: 'operator' };

export function refuseSaying(reject: RejectKind, text: string): Refused {
  return refuse(reject, { is: 'text', text });
}

/** Refused for so long. */
export interface HeldOff {
  readonly refused: Refused;
  readonly waitMs: number;
}

const DETAIL_LENGTH_MAX = 200;
const AGENT_LENGTH_MAX = 200;

/** Printable and short: it is shown on the operator's terminal. */
export function shortText(text: string, max = DETAIL_LENGTH_MAX): string {
  return text.replace(/\p{C}/gu, '?').slice(0, max);
}

export async function note(
  { nowMs }: PeopleContext,
  store: PeopleStore,
  personId: string,
  kind: SecurityEventKind,
  { address, agent }: From,
  detail = '',
): Promise<void> {
  const from = { address: shortText(address, 64), agent: shortText(agent, AGENT_LENGTH_MAX) };
  await store.addEvent({ personId, kind, ...from, detail: shortText(detail), timeMs: nowMs() });
}

/** A link that works once, with its token. */
export interface MadeLink {
  readonly kind: LinkKind;
  readonly path: string;
  readonly url: string;
  readonly expiresMs: number;
}

/** Makes a link, mails it where there is a server, and keeps it for the operator where not. */
export async function makeLink(
  context: PeopleContext,
  store: PeopleStore,
  person: Person,
  kind: LinkKind,
): Promise<MadeLink> {
  const { settings, sealing, mailer } = context;
  const token = newToken();
  const hash = tokenHash(token);
  const createdMs = context.nowMs();
  const expiresMs = createdMs + LINK_MS[kind];
  await store.dropLinks(person.personId, kind);
  const sealedToken = mailer === undefined ? sealing.seal(`link ${hash}`, token) : undefined;
  const times = { createdMs, expiresMs };
  const { personId } = person;
  await store.addLink({ tokenHash: hash, kind, personId, sealedToken, ...times });
  const path = linkPath(kind, token);
  const url = `${settings.url ?? ''}${path}`;
  mailer?.send({ to: person.email, ...linkMail(kind, settings.name, url) });
  return { kind, path, url, expiresMs };
}

export function sendKnown({ mailer, settings }: PeopleContext, email: string): void {
  mailer?.send({ to: email, ...knownMail(settings.name) });
}
