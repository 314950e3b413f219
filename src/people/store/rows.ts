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
  const { factorStep: _step, ...person } = row;
  return {
    ...person,
    state: word(STATES, row.state),
    passwordHash: row.passwordHash ?? undefined,
    sealedFactor: row.sealedFactor ?? undefined,
    sealedNewFactor: row.sealedNewFactor ?? undefined,
    language: word(LANGUAGES, row.language),
  };
}

export function accessOf(row: Omit<Row<'access'>, 'createdMs' | 'managePlace'>): Access {
  return {
    personId: row.personId,
    accountId: accountId(row.accountId),
    label: row.label,
    rights: rightsOf(row.rights),
  };
}

export function linkOf(row: Row<'links'>): LinkRecord {
  const { madeByName, ...link } = row;
  return {
    ...link,
    kind: word(LINK_KINDS, row.kind),
    isMailed: row.isMailed === 1,
    madeBy: { id: row.madeBy, name: madeByName },
    email: row.email ?? undefined,
  };
}

export function invitationOf(row: Row<'invitations'>): Invitation {
  const { codeHash: _hash, competitionId: _id, madeByName, ...invitation } = row;
  return { ...invitation, madeBy: { id: row.madeBy, name: madeByName } };
}

export function accessCodeOf(row: Row<'access_codes'>): AccessCode {
  return { ...row, accountId: accountId(row.accountId), rights: rightsOf(row.rights) };
}

export function eventOf(row: Row<'security_events'>): SecurityEvent {
  return { ...row, kind: word<SecurityEventKind>(SECURITY_EVENTS, row.kind) };
}
