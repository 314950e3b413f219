/** Rows of the tables as what they stand for. */
import type { Selectable } from 'kysely';
import { accountId } from '#domain';
import { LANGUAGES } from '../language.ts';
import {
  ACCESS_RIGHTS,
  type Access,
  type AccessCode,
  type AccessRight,
  LINK_KINDS,
  type LinkRecord,
  type Person,
  type PersonState,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventKind,
  type SessionRecord,
} from '../port.ts';
import type { Invitation } from '../ports/invitation.ts';
import type { PeopleDatabase } from './tables.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

const STATES: readonly PersonState[] = ['pending', 'active', 'suspended'];

/** A word of a closed list; a database that says another one was not written by us. */
export function word<T extends string>(words: readonly T[], found: string): T {
  const known = words.find((one) => one === found);
  if (known === undefined) throw new Error(`people: ${found} is none of ${words.join(', ')}`);
  return known;
}

export function rightsText(rights: readonly AccessRight[]): string {
  return rights.join(',');
}

function rightsOf(text: string): AccessRight[] {
  const found = text.split(',');
  return ACCESS_RIGHTS.filter((right) => found.includes(right));
}

export function personOf(row: Row<'people'>): Person {
  return {
    personId: row.person_id,
    email: row.email,
    name: row.name,
    state: word(STATES, row.state),
    createdMs: row.created_ms,
    passwordHash: row.password_hash ?? undefined,
    sealedFactor: row.sealed_factor ?? undefined,
    sealedNewFactor: row.sealed_new_factor ?? undefined,
    accountsCount: row.accounts_count,
    language: word(LANGUAGES, row.language),
    keysSinceMs: row.keys_since_ms,
  };
}

export function accessOf(row: Omit<Row<'access'>, 'created_ms' | 'manage_place'>): Access {
  return {
    personId: row.person_id,
    accountId: accountId(row.account_id),
    label: row.label,
    rights: rightsOf(row.rights),
  };
}

export function sessionOf(row: Row<'sessions'>): SessionRecord {
  return {
    sessionId: row.session_id,
    tokenHash: row.token_hash,
    personId: row.person_id,
    address: row.address,
    agent: row.agent,
    createdMs: row.created_ms,
    confirmedMs: row.confirmed_ms,
    lastSeenMs: row.last_seen_ms,
    expiresMs: row.expires_ms,
  };
}

export function sessionRow(session: SessionRecord): Row<'sessions'> {
  return {
    session_id: session.sessionId,
    token_hash: session.tokenHash,
    person_id: session.personId,
    address: session.address,
    agent: session.agent,
    created_ms: session.createdMs,
    confirmed_ms: session.confirmedMs,
    last_seen_ms: session.lastSeenMs,
    expires_ms: session.expiresMs,
  };
}

export function linkOf(row: Row<'links'>): LinkRecord {
  return {
    linkId: row.link_id,
    tokenHash: row.token_hash,
    kind: word(LINK_KINDS, row.kind),
    personId: row.person_id,
    isMailed: row.is_mailed === 1,
    madeBy: { id: row.made_by, name: row.made_by_name },
    email: row.email ?? undefined,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
  };
}

export function invitationOf(row: Row<'invitations'>): Invitation {
  return {
    invitationId: row.invitation_id,
    label: row.label,
    uses: row.uses,
    used: row.used,
    madeBy: { id: row.made_by, name: row.made_by_name },
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
  };
}

export function accessCodeOf(row: Row<'access_codes'>): AccessCode {
  return {
    codeId: row.code_id,
    codeHash: row.code_hash,
    accountId: accountId(row.account_id),
    rights: rightsOf(row.rights),
    madeBy: row.made_by,
    expiresMs: row.expires_ms,
  };
}

export function eventOf(row: Row<'security_events'>): SecurityEvent {
  return {
    eventId: row.event_id,
    personId: row.person_id,
    kind: word<SecurityEventKind>(SECURITY_EVENTS, row.kind),
    address: row.address,
    agent: row.agent,
    detail: row.detail,
    timeMs: row.time_ms,
  };
}
