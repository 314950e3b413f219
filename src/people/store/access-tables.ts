/** The tables of persons: what they may do, how they prove who they are, what they did. */
import { type Described, NUMBERED, TEXT, TEXT_OR_NONE, WHOLE } from './table.ts';

export const ACCESS_TABLES = {
  people: {
    key: ['person_id'],
    columns: {
      person_id: TEXT,
      email: TEXT,
      name: TEXT,
      state: TEXT,
      created_ms: WHOLE,
      password_hash: TEXT_OR_NONE,
      sealed_factor: TEXT_OR_NONE,
      sealed_new_factor: TEXT_OR_NONE,
      factor_step: WHOLE,
      accounts_count: WHOLE,
      language: TEXT,
      keys_since_ms: WHOLE,
    },
    unique: { people_email: ['email'] },
  },
  access: {
    key: ['person_id', 'account_id'],
    columns: {
      person_id: TEXT,
      account_id: WHOLE,
      label: TEXT,
      rights: TEXT,
      created_ms: WHOLE,
      manage_place: WHOLE,
    },
    indexes: { access_account: ['account_id'] },
  },
  sessions: {
    key: ['session_id'],
    columns: {
      session_id: TEXT,
      token_hash: TEXT,
      person_id: TEXT,
      address: TEXT,
      agent: TEXT,
      created_ms: WHOLE,
      confirmed_ms: WHOLE,
      last_seen_ms: WHOLE,
      expires_ms: WHOLE,
    },
    unique: { sessions_token: ['token_hash'] },
    indexes: { sessions_person: ['person_id'] },
  },
  links: {
    key: ['token_hash'],
    columns: {
      token_hash: TEXT,
      kind: TEXT,
      person_id: TEXT,
      sealed_token: TEXT_OR_NONE,
      email: TEXT_OR_NONE,
      created_ms: WHOLE,
      expires_ms: WHOLE,
    },
    indexes: { links_person: ['person_id'] },
  },
  invitations: {
    key: ['invitation_id'],
    columns: {
      invitation_id: TEXT,
      code_hash: TEXT,
      /** Set for a code to join a competition with. */
      competition_id: TEXT_OR_NONE,
      label: TEXT,
      uses: WHOLE,
      used: WHOLE,
      created_ms: WHOLE,
      expires_ms: WHOLE,
    },
    unique: { invitations_code: ['code_hash'] },
  },
  access_codes: {
    key: ['code_hash'],
    columns: {
      code_hash: TEXT,
      account_id: WHOLE,
      rights: TEXT,
      made_by: TEXT,
      expires_ms: WHOLE,
    },
  },
  recovery_codes: {
    key: ['person_id', 'code_hash'],
    columns: {
      person_id: TEXT,
      code_hash: TEXT,
    },
  },
  security_events: {
    key: ['event_id'],
    columns: {
      event_id: NUMBERED,
      person_id: TEXT,
      kind: TEXT,
      address: TEXT,
      agent: TEXT,
      detail: TEXT,
      time_ms: WHOLE,
    },
    indexes: { security_events_person: ['person_id', 'event_id'] },
  },
  failures: {
    key: ['subject'],
    columns: {
      subject: TEXT,
      count: WHOLE,
      last_ms: WHOLE,
      until_ms: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
