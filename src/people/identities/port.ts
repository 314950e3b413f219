/**
 * Identities: who somebody is and how that is proved. They own the tables `people`, `sessions`,
 * `links`, `invitations`, `recovery_codes`, `security_events` and `failures`, and the mails with a
 * link or of a change that a person did not ask for. What somebody may do in an account is not
 * theirs but that of access, which a session only carries; who runs the venue is of operators.
 */
import type { Access } from '../access/port.ts';
import type { Language } from '../mail/language.ts';
import type { LinkKind } from '../mail/mail-texts.ts';
import type { OperatorRole } from '../operators/port.ts';
import type { Invitation, MadeBy } from './invitation-port.ts';

/** Pending until the address is proved by a link; a suspended person cannot sign in. */
export type PersonState = 'pending' | 'active' | 'suspended';

export interface Person {
  readonly personId: string;
  /** In small letters. */
  readonly email: string;
  readonly name: string;
  readonly state: PersonState;
  readonly createdMs: number;
  /** Undefined until a password was chosen. */
  readonly passwordHash: string | undefined;
  /** Seeds of the second factor under the master key: the one in force, and one not confirmed. */
  readonly sealedFactor: string | undefined;
  readonly sealedNewFactor: string | undefined;
  /** Accounts that were opened for this person, or that the operator gave instead of a first. */
  readonly accountsCount: number;
  /** What mails are written in. */
  readonly language: Language;
  /** When a link last proved who it is: keys that it made before are worth nothing. */
  readonly keysSinceMs: number;
}

export interface NewPerson extends Pick<Person, 'personId' | 'email' | 'name' | 'state'> {
  readonly passwordHash: string | undefined;
  readonly createdMs: number;
  /** English if absent. */
  readonly language?: Language;
}

export type PersonChanges = Partial<
  Pick<
    Person,
    | 'name'
    | 'state'
    | 'passwordHash'
    | 'sealedFactor'
    | 'sealedNewFactor'
    | 'language'
    | 'keysSinceMs'
  >
>;

export interface PeopleQuery {
  /** Persons whose id sorts behind it. */
  readonly after: string | undefined;
  readonly email: string | undefined;
  readonly limit: number;
}

export interface SessionRecord {
  readonly sessionId: string;
  readonly tokenHash: string;
  readonly personId: string;
  readonly address: string;
  readonly agent: string;
  readonly createdMs: number;
  /** When the person last proved who it is. */
  readonly confirmedMs: number;
  readonly lastSeenMs: number;
  /** However much it is used, it ends then. */
  readonly expiresMs: number;
}

/** Who has a session, as an operator's call needs to know. */
export interface SessionHolder {
  readonly email: string;
  readonly hasSecondFactor: boolean;
  readonly role: OperatorRole | undefined;
}

/** A session with what its person may do; only of persons who may sign in. */
export interface OpenSession {
  readonly session: SessionRecord;
  /** Whose it is, with the role of an operator where the person has one. */
  readonly holder: SessionHolder;
  readonly access: readonly Access[];
}

/** A link that works once. Its token is kept nowhere: handing it out makes another one. */
export interface LinkRecord {
  readonly linkId: string;
  readonly tokenHash: string;
  readonly kind: LinkKind;
  readonly personId: string;
  /** Whether a mail carries it, until an operator hands it out. */
  readonly isMailed: boolean;
  /** Which operator handed it out, and works as long as that one has the role; nobody yet. */
  readonly madeBy: MadeBy;
  /** Which address it makes the person's; absent where it changes none. */
  readonly email?: string | undefined;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** A link as it waits, with where it goes. */
export interface WaitingLink extends Omit<LinkRecord, 'tokenHash' | 'email'> {
  readonly email: string;
}

/** What happened to a person's way in; the person and the operator can read it. */
export const SECURITY_EVENTS = [
  'signed_up',
  'confirmed',
  'signed_in',
  'sign_in_failed',
  'sign_in_wait_lifted',
  'signed_out',
  'session_confirmed',
  'session_ended',
  'password_changed',
  'reset_asked',
  'link_handed_out',
  'password_reset',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'recovery_codes_made',
  'account_opened',
  'access_given',
  'access_changed',
  'access_taken',
  'access_code_made',
  'email_change_asked',
  'email_changed',
  'email_change_undone',
  'key_made',
  'key_revoked',
  'made_by_operator',
  'changed_by_operator',
  'suspended',
  'unsuspended',
  'exported',
  'deleted',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

export interface NewSecurityEvent {
  readonly personId: string;
  readonly kind: SecurityEventKind;
  readonly address: string;
  readonly agent: string;
  readonly detail: string;
  readonly timeMs: number;
}

export interface SecurityEvent extends NewSecurityEvent {
  readonly eventId: number;
}

export interface EventsQuery {
  /** Of everybody without it. */
  readonly personId: string | undefined;
  /** Of every kind without it. */
  readonly kind?: SecurityEventKind;
  readonly before: number | undefined;
  readonly limit: number;
}

/** Failed attempts in a row, and until when the next one is not even looked at. */
export interface Failures {
  readonly count: number;
  readonly untilMs: number;
}

/** What attempts are counted of, and from which network. */
export interface AttemptsCounted {
  readonly subject: string;
  readonly network: string;
}

export interface Attempt extends AttemptsCounted {
  readonly nowMs: number;
  readonly forgetBeforeMs: number;
  readonly freeMax: number;
  readonly momentMs: number;
}

export interface IdentitiesStore {
  /** False when the address is taken. */
  addPerson(person: NewPerson): Promise<boolean>;
  person(personId: string): Promise<Person | undefined>;
  personByEmail(email: string): Promise<Person | undefined>;
  people(query: PeopleQuery): Promise<readonly Person[]>;
  changePerson(personId: string, changes: PersonChanges): Promise<boolean>;
  /** False when the address is taken, or the person is gone. */
  changeEmail(personId: string, email: string): Promise<boolean>;
  /** Whoever has proved the address is let in by this password; false while suspended. */
  choosePassword(
    personId: string,
    chosen: { readonly passwordHash: string; readonly keysSinceMs: number },
  ): Promise<boolean>;
  /** Takes a time step of the second factor: false when it, or a later one, was taken before. */
  takeFactorStep(personId: string, step: number): Promise<boolean>;
  /** From now on there is one account at least, whoever opened it. */
  noteAccount(personId: string): Promise<void>;
  /** The number of another account of this person; undefined with `max` of them. */
  takeAccountNumber(personId: string, max: number): Promise<number | undefined>;

  addSession(session: SessionRecord, keepMax: number): Promise<readonly string[]>;
  /** By the hashes of their tokens. */
  openSessions(tokenHashes: readonly string[]): Promise<readonly OpenSession[]>;
  sessionsOf(personId: string): Promise<readonly SessionRecord[]>;
  touchSession(sessionId: string, lastSeenMs: number): Promise<void>;
  /** Gives it another token; false when it is gone. */
  renewSession(
    sessionId: string,
    changes: Partial<Pick<SessionRecord, 'tokenHash' | 'confirmedMs'>>,
  ): Promise<boolean>;
  /** Ends one session of a person, or all but one. */
  endSession(personId: string, sessionId: string): Promise<boolean>;
  endSessions(personId: string, except?: string): Promise<readonly string[]>;

  addLink(link: LinkRecord): Promise<void>;
  /**
   * Uses a link up, whatever it was for: undefined when it is unknown, used or expired, or when
   * whoever handed it out may not run the venue any more.
   */
  takeLink(tokenHash: string, nowMs: number): Promise<LinkRecord | undefined>;
  /** A link as takeLink finds it, which stays. */
  seeLink(tokenHash: string, nowMs: number): Promise<LinkRecord | undefined>;
  /** Links of a person that were made for this stop working. */
  dropLinks(personId: string, kind: LinkKind): Promise<void>;
  hasLink(personId: string, kind: 'email' | 'email_undo', nowMs: number): Promise<boolean>;
  /** The newest: those of a person, or of everybody those that no mail carries. */
  waitingLinks(query: {
    readonly personId: string | undefined;
    readonly nowMs: number;
    readonly limit: number;
  }): Promise<readonly WaitingLink[]>;
  waitingLink(linkId: string, nowMs: number): Promise<WaitingLink | undefined>;
  /** The link has this token from now on, of this operator: false when it is not there any more. */
  handOutLink(
    linkId: string,
    made: { readonly tokenHash: string; readonly madeBy: MadeBy; readonly nowMs: number },
  ): Promise<boolean>;
  /** Links and invitations that an operator has made stop working. */
  dropMadeBy(operatorId: string): Promise<void>;

  addInvitation(invitation: Invitation, codeHash: string): Promise<void>;
  invitations(limit: number): Promise<readonly Invitation[]>;
  dropInvitation(invitationId: string): Promise<boolean>;
  /**
   * Uses an invitation once: undefined when it is unknown, used up or expired, or when whoever made
   * it may not run the venue any more.
   */
  takeInvitation(codeHash: string, nowMs: number): Promise<string | undefined>;

  /** Those before stop working. */
  replaceRecoveryCodes(personId: string, codeHashes: readonly string[]): Promise<void>;
  takeRecoveryCode(personId: string, codeHash: string): Promise<boolean>;
  recoveryCodesLeft(personId: string): Promise<number>;

  addEvent(event: NewSecurityEvent): Promise<void>;
  events(query: EventsQuery): Promise<readonly SecurityEvent[]>;

  failures(counted: AttemptsCounted): Promise<Failures | undefined>;
  /** The latest of all networks; zero where none was held off. */
  heldUntil(subject: string): Promise<number>;
  /**
   * Counts an attempt as failed, before it is looked at, and gives how many there are; undefined
   * when attempts are held off. With more than `freeMax` the next one is, for a moment at least, so
   * that of many at once a single one goes on. It begins anew when the last is long ago.
   */
  noteAttempt(attempt: Attempt): Promise<number | undefined>;
  /** An attempt that was not looked at after all: it is as if it had not been. */
  takeBackAttempt(counted: AttemptsCounted): Promise<void>;
  holdOff(counted: AttemptsCounted, untilMs: number): Promise<void>;
  /** Of all networks without one. */
  forgetFailures(
    counted: Pick<AttemptsCounted, 'subject'> & Partial<AttemptsCounted>,
  ): Promise<void>;
}
