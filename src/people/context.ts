/** What the parts of this room work with, and the notes they make of what happens. */
import { type AccountId, type Refused, type RejectKind, refuse } from '#domain';
import type { LaterWork } from './identities/later-work.ts';
import type { LiveSessions } from './identities/live-sessions.ts';
import type { Person, SecurityEventKind } from './identities/port.ts';
import type { Language } from './mail/language.ts';
import { knownMail, type Mailer, noticeMail } from './mail/mail.ts';
import { NOTICES, type NoticeKind, type Occasion } from './mail/mail-texts.ts';
import type { LazyPeople } from './open.ts';
import type { PeopleStore } from './port.ts';
import type { Passwords } from './secrets/passwords.ts';
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
  /** What no caller waits for, so that no answer shows whether an address is known. */
  readonly later: LaterWork;
  /** Undefined where no mails are sent. */
  readonly mailer: Mailer | undefined;
  /** Shows on the terminal of a demo what a mail would bring; undefined in other venues. */
  readonly terminal: Terminal | undefined;
  /** Opens an account of the venue; with a name that is taken, the account of that name. */
  openAccount(name: string): Promise<AccountId | Refused>;
  /** As openAccount, with the money that whoever signs up is given; each once. */
  openFirstAccount(name: string): Promise<AccountId | Refused>;
  /** Of work that no caller waits for. */
  onFault(error: unknown): void;
}

export interface TerminalNote {
  readonly to: string;
  readonly subject: string;
  /** Of a link, behind the address of the venue. */
  readonly path?: string;
}

export type Terminal = (note: TerminalNote) => void;

/** Where a person finds a link that was asked for. */
export const LINK_WAYS = ['mail', 'terminal', 'operator'] as const;
export type LinkWay = (typeof LINK_WAYS)[number];

export function linkWayOf({
  mailer,
  terminal,
}: Pick<PeopleContext, 'mailer' | 'terminal'>): LinkWay {
  if (mailer !== undefined) return 'mail';
  return terminal === undefined ? 'operator' : 'terminal';
}

/** Where a call comes from, as the events of a person show it. */
export interface From {
  readonly address: string;
  /** What an address counts for where attempts are held off. */
  readonly network: string;
  readonly agent: string;
}

export const FROM_OPERATOR: From = { address: '', network: '', agent: 'operator' };

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

/** As a mail says it: to the second, in UTC. */
export function occasionOf(
  { settings, nowMs }: PeopleContext,
  { address }: Pick<From, 'address'>,
): Occasion {
  const time = new Date(nowMs()).toISOString().slice(0, 19).replace('T', ' ');
  return { venue: settings.name, time, address: shortText(address, 64) };
}

/** Writes down what happened, and lets the person know where it is worth a mail. */
export async function note(
  context: PeopleContext,
  store: PeopleStore,
  personId: string,
  kind: SecurityEventKind,
  { address, agent }: From,
  detail = '',
): Promise<void> {
  const { nowMs, mailer } = context;
  const from = { address: shortText(address, 64), agent: shortText(agent, AGENT_LENGTH_MAX) };
  await store.addEvent({ personId, kind, ...from, detail: shortText(detail), timeMs: nowMs() });
  const notice = NOTICES.find((one) => one === kind);
  const person = notice && mailer && (await store.person(personId));
  if (notice !== undefined && person) sendNotice(context, person, notice, from);
}

/** Mails a person what has happened, where there is a server for mails. */
export function sendNotice(
  context: PeopleContext,
  person: Person,
  notice: NoticeKind,
  from: Pick<From, 'address'>,
): void {
  const { mailer, settings } = context;
  const resetUrl = `${settings.url ?? ''}/account#forgotten`;
  const mail = noticeMail(notice, person.language, occasionOf(context, from), resetUrl);
  mailer?.send({ to: person.email, ...mail });
}

export function sendKnown(
  { mailer, terminal, settings }: PeopleContext,
  email: string,
  language: Language,
): void {
  mailer?.send({ to: email, ...knownMail(language, settings.name) });
  terminal?.({ to: email, subject: knownMail('en', settings.name).subject });
}
