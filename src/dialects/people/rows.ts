/** What the endpoints of people answer with. */
import Type from 'typebox';
import {
  ACCESS_RIGHTS,
  type Access,
  type AccessRight,
  LANGUAGES,
  type LiveSession,
  type Person,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SessionRecord,
} from '#people';
import { TIME_MS } from '../kit/examples.ts';
import { type Column, encoded, oneOf, row, rows, text, timeMs, truth, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';

export const PERSON_ID = '019a1b2c3d4e5f60718293a4';
const SESSION_ID = '019a1b2c3d4e00112233aabb';

export const DONE = row<void>()({ done: truth('It is done', true, () => true) });

export function rightsColumn<V>(of: (value: V) => readonly AccessRight[]): Column<V, string[]> {
  return encoded(
    {
      schema: Type.Array(schema.oneOf(ACCESS_RIGHTS, 'What may be done there')),
      example: ['read', 'trade'],
    },
    (value) => JSON.stringify(of(value)),
  );
}

export const ACCESS = row<Access>()({
  accountId: text('Account id', '1', ({ accountId }) => String(accountId)),
  label: text('What its person calls it; may be empty', 'main', ({ label }) => label),
  permissions: rightsColumn(({ rights }: Access) => rights),
});

/** A person as that person sees itself. */
export interface OwnPerson {
  readonly person: Person;
  readonly recoveryCodesLeft: number;
}

export const OWN_PERSON = row<OwnPerson>()({
  personId: text('Person id', PERSON_ID, ({ person }) => person.personId),
  email: text('E-mail address', 'ada@example.com', ({ person }) => person.email),
  name: text('Name; may be empty', 'Ada', ({ person }) => person.name),
  language: oneOf(LANGUAGES, 'What mails are written in', 'en', ({ person }) => person.language),
  secondFactor: truth(
    'Signs in with a second factor',
    false,
    ({ person }) => person.sealedFactor !== undefined,
  ),
  recoveryCodesLeft: whole('Recovery codes left', 0, ({ recoveryCodesLeft }) => recoveryCodesLeft),
  cTime: timeMs('When it came in', TIME_MS, ({ person }) => person.createdMs),
});

/** A person as what is kept of it is handed out. */
export const KEPT_PERSON = row<Person>()({
  personId: text('Person id', PERSON_ID, ({ personId }) => personId),
  email: text('E-mail address', 'ada@example.com', ({ email }) => email),
  name: text('Name; may be empty', 'Ada', ({ name }) => name),
  language: oneOf(LANGUAGES, 'What mails are written in', 'en', ({ language }) => language),
  secondFactor: truth('Has a second factor', false, (one) => one.sealedFactor !== undefined),
  cTime: timeMs('When it came in', TIME_MS, ({ createdMs }) => createdMs),
});

export const KEPT_SESSION = row<SessionRecord>()({
  sessionId: text('Session id', SESSION_ID, ({ sessionId }) => sessionId),
  address: text('Where it began', '203.0.113.7', ({ address }) => address),
  agent: text('What the browser said that it is', 'Mozilla/5.0', ({ agent }) => agent),
  cTime: timeMs('When it began', TIME_MS, ({ createdMs }) => createdMs),
  lastSeenTime: timeMs('When it was last used', TIME_MS, ({ lastSeenMs }) => lastSeenMs),
  expiresTime: timeMs('When it ends', TIME_MS, ({ expiresMs }) => expiresMs),
});

/** A session as its page needs it. */
export interface ShownSession extends OwnPerson {
  readonly sessionId: string;
  readonly csrfToken: string;
  readonly confirmedMs: number;
  readonly expiresMs: number;
  readonly access: readonly Access[];
}

export const SESSION = row<ShownSession>()({
  sessionId: text('Session id', SESSION_ID, ({ sessionId }) => sessionId),
  csrfToken: text(
    'For the header X-CSRF-Token of every call that changes something',
    'rW0kT8yq4bV1nN2aXc3mZ5pL7sD9fG0hJ2kQ4wE6rT8',
    ({ csrfToken }) => csrfToken,
  ),
  confirmedTime: timeMs(
    'When the person last proved who it is',
    TIME_MS,
    ({ confirmedMs }) => confirmedMs,
  ),
  expiresTime: timeMs('When it ends, however much it is used', TIME_MS, (one) => one.expiresMs),
  person: encoded(OWN_PERSON, (one: ShownSession) => OWN_PERSON.write(one)),
  accounts: rows(ACCESS, ({ access }: ShownSession) => access),
});

/** One of a person's sessions, and whether the call came with it. */
export interface ListedSession {
  readonly record: SessionRecord;
  readonly current: Pick<LiveSession, 'sessionId'>;
}

export const LISTED_SESSION = row<ListedSession>()({
  sessionId: text('Session id', SESSION_ID, ({ record }) => record.sessionId),
  current: truth('This one', true, ({ record, current }) => record.sessionId === current.sessionId),
  address: text('Where it began', '203.0.113.7', ({ record }) => record.address),
  agent: text('What the browser said that it is', 'Mozilla/5.0', ({ record }) => record.agent),
  cTime: timeMs('When it began', TIME_MS, ({ record }) => record.createdMs),
  lastSeenTime: timeMs('When it was last used', TIME_MS, ({ record }) => record.lastSeenMs),
  expiresTime: timeMs('When it ends', TIME_MS, ({ record }) => record.expiresMs),
});

export const ENDED = row<number>()({
  ended: whole('Sessions that have ended', 2, (count) => count),
});

export const EVENT = row<SecurityEvent>()({
  eventId: whole('Event id, growing', 17, ({ eventId }) => eventId),
  personId: text('Person id', PERSON_ID, ({ personId }) => personId),
  kind: oneOf(SECURITY_EVENTS, 'What happened', 'signed_in', ({ kind }) => kind),
  address: text('Where it came from; empty for the operator', '203.0.113.7', (one) => one.address),
  agent: text('What the browser said that it is', 'Mozilla/5.0', ({ agent }) => agent),
  detail: text('More about it; may be empty', '', ({ detail }) => detail),
  time: timeMs('When it happened', TIME_MS, ({ timeMs: happenedMs }) => happenedMs),
});
