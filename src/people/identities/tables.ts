/** The tables of identities: persons, how they prove who they are, what happened to that. */
import { type Described, NUMBERED, TEXT, TEXT_OR_NONE, WHOLE } from '../store/table.ts';

export const IDENTITY_TABLES = {
  people: {
    key: ['personId'],
    columns: {
      personId: TEXT,
      email: TEXT,
      name: TEXT,
      state: TEXT,
      createdMs: WHOLE,
      passwordHash: TEXT_OR_NONE,
      sealedFactor: TEXT_OR_NONE,
      sealedNewFactor: TEXT_OR_NONE,
      factorStep: WHOLE,
      accountsCount: WHOLE,
      language: TEXT,
      keysSinceMs: WHOLE,
    },
    unique: { people_email: ['email'] },
  },
  sessions: {
    key: ['sessionId'],
    columns: {
      sessionId: TEXT,
      tokenHash: TEXT,
      personId: TEXT,
      address: TEXT,
      agent: TEXT,
      createdMs: WHOLE,
      confirmedMs: WHOLE,
      lastSeenMs: WHOLE,
      expiresMs: WHOLE,
    },
    unique: { sessions_token: ['tokenHash'] },
    indexes: { sessions_person: ['personId'] },
  },
  links: {
    key: ['linkId'],
    columns: {
      linkId: TEXT,
      tokenHash: TEXT,
      kind: TEXT,
      personId: TEXT,
      isMailed: WHOLE,
      madeBy: TEXT,
      madeByName: TEXT,
      email: TEXT_OR_NONE,
      createdMs: WHOLE,
      expiresMs: WHOLE,
    },
    unique: { links_token: ['tokenHash'] },
    indexes: { links_person: ['personId'] },
  },
  invitations: {
    key: ['invitationId'],
    columns: {
      invitationId: TEXT,
      codeHash: TEXT,
      /** What else than the sign-up a code is for, by its id; a competition to join. */
      belongsTo: TEXT_OR_NONE,
      label: TEXT,
      uses: WHOLE,
      used: WHOLE,
      madeBy: TEXT,
      madeByName: TEXT,
      createdMs: WHOLE,
      expiresMs: WHOLE,
    },
    unique: { invitations_code: ['codeHash'] },
  },
  recovery_codes: {
    key: ['personId', 'codeHash'],
    columns: {
      personId: TEXT,
      codeHash: TEXT,
    },
  },
  security_events: {
    key: ['eventId'],
    columns: {
      eventId: NUMBERED,
      personId: TEXT,
      kind: TEXT,
      address: TEXT,
      agent: TEXT,
      detail: TEXT,
      timeMs: WHOLE,
    },
    indexes: { security_events_person: ['personId', 'eventId'] },
  },
  failures: {
    key: ['subject', 'network'],
    columns: {
      subject: TEXT,
      network: TEXT,
      count: WHOLE,
      lastMs: WHOLE,
      untilMs: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
