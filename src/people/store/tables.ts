/** The tables of people, the same in every database. Lists are text, yes and no are 1 and 0. */
import type { Generated } from 'kysely';
import type { CompetitionTables } from './competition-tables.ts';
import type { DeskTables } from './desk-tables.ts';
import type { MovementTables } from './movement-tables.ts';
import type { OperatorTables } from './operator-tables.ts';
import type { PaymentTables } from './payment-tables.ts';

export interface PeopleDatabase
  extends CompetitionTables,
    PaymentTables,
    MovementTables,
    OperatorTables,
    DeskTables {
  readonly people: {
    person_id: string;
    email: string;
    name: string;
    state: string;
    created_ms: number;
    password_hash: string | null;
    sealed_factor: string | null;
    sealed_new_factor: string | null;
    factor_step: number;
    accounts_count: number;
    language: string;
  };
  readonly access: {
    person_id: string;
    account_id: number;
    label: string;
    rights: string;
    created_ms: number;
  };
  readonly sessions: {
    session_id: string;
    token_hash: string;
    person_id: string;
    address: string;
    agent: string;
    created_ms: number;
    confirmed_ms: number;
    last_seen_ms: number;
    expires_ms: number;
  };
  readonly links: {
    token_hash: string;
    kind: string;
    person_id: string;
    sealed_token: string | null;
    email: string | null;
    created_ms: number;
    expires_ms: number;
  };
  readonly invitations: {
    invitation_id: string;
    code_hash: string;
    /** Set for a code to join a competition with. */
    competition_id: string | null;
    label: string;
    uses: number;
    used: number;
    created_ms: number;
    expires_ms: number;
  };
  readonly access_codes: {
    code_hash: string;
    account_id: number;
    rights: string;
    made_by: string;
    expires_ms: number;
  };
  readonly recovery_codes: { person_id: string; code_hash: string };
  readonly security_events: {
    event_id: Generated<number>;
    person_id: string;
    kind: string;
    address: string;
    agent: string;
    detail: string;
    time_ms: number;
  };
  readonly failures: { subject: string; count: number; last_ms: number; until_ms: number };
}
