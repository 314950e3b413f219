/** Rows of identities as what they stand for. */
import type { Selectable } from 'kysely';
import { LANGUAGES } from '../mail/language.ts';
import { LINK_KINDS } from '../mail/mail-texts.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import type { Invitation } from './invitation-port.ts';
import {
  type LinkRecord,
  type Person,
  type PersonState,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventKind,
} from './port.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

const STATES: readonly PersonState[] = ['pending', 'active', 'suspended'];

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
  const { codeHash: _hash, belongsTo: _id, madeByName, ...invitation } = row;
  return { ...invitation, madeBy: { id: row.madeBy, name: madeByName } };
}

export function eventOf(row: Row<'security_events'>): SecurityEvent {
  return { ...row, kind: word<SecurityEventKind>(SECURITY_EVENTS, row.kind) };
}
