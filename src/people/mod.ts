/**
 * Door of people: who may sign in, how they prove who they are, which accounts they may use. It is
 * kept beside the engine and knows no HTTP.
 */

export * from './account-csv.ts';
export { type ExportedAccounts, exportAccounts } from './account-exports.ts';
export * from './account-imports.ts';
export { dropLostAccess } from './account-resets.ts';
export { ActionLog, type LogVerdict } from './action-log.ts';
export * from './approvals.ts';
export { pruneTimes } from './attempts.ts';
export * from './by-operator.ts';
export {
  FROM_OPERATOR,
  type From,
  type HeldOff,
  LINK_WAYS,
  type LinkWay,
  note,
  type PeopleContext,
  type Sealing,
  type Terminal,
} from './context.ts';
export * from './email-change.ts';
export * from './fee-levels.ts';
export { noteKeyOfOperator } from './key-by-operator.ts';
export { LANGUAGES, type Language, languageOf } from './language.ts';
export { LaterWork } from './later-work.ts';
export * from './leaving.ts';
export { type HandedLink, handOutLink, resetByOperator, waitingLinks } from './links.ts';
export { type KeyFollower, LiveSession, LiveSessions, type SessionEnd } from './live-sessions.ts';
export { Mailer } from './mail.ts';
export { maintain } from './maintenance.ts';
export type { Maker, Makers } from './makers.ts';
export * from './movements.ts';
export * from './notices.ts';
export { LazyPeople, openPeople, type PeoplePlace } from './open.ts';
export * from './operators.ts';
export * from './own-accounts.ts';
export * from './own-security.ts';
export * from './payments/door.ts';
export {
  ACCESS_RIGHTS,
  type Access,
  type AccessRight,
  type AccountMember,
  LINK_KINDS,
  type LinkKind,
  type NewSecurityEvent,
  type PeopleStore,
  type Person,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventKind,
  type SessionRecord,
  type WaitingLink,
} from './port.ts';
export {
  ACTION_OUTCOMES,
  type ActionOutcome,
  type ActionsQuery,
  type LoggedAction,
  type NewAction,
} from './ports/action-log.ts';
export {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalState,
  type MoneyMovement,
} from './ports/approvals.ts';
export {
  type Competition,
  type CompetitionStore,
  type CompetitionTerms,
  type Entry,
  type EntryAdded,
  JOIN_MODES,
  type JoinMode,
  RANKINGS,
  type Ranking,
  ROUND_STATES,
  type Round,
  type RoundChanges,
  type RoundState,
  type RoundSummary,
  type Sample,
  type Seat,
  type StartingMoney,
} from './ports/competition.ts';
export type { Invitation } from './ports/invitation.ts';
export {
  type ActingOperator,
  DUTIES,
  type Duty,
  OPERATOR_ROLES,
  type OperatorRecord,
  type OperatorRole,
  rolesOf,
  TOKEN_OPERATOR,
} from './ports/operators.ts';
export {
  DELIVERY_STATES,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type Payment,
  type PaymentApproval,
  type PaymentEvent,
  type PaymentKind,
  type PaymentMove,
} from './ports/payments.ts';
export { PASSWORD_LENGTH, type PasswordCost, Passwords } from './secrets/passwords.ts';
export { codeHash, newCode, newId } from './secrets/tokens.ts';
export * from './sessions-by-operator.ts';
export {
  type FeeLevel,
  type FeeLevelSettings,
  OPERATOR_DEFAULTS,
  type OperatorSettings,
  PEOPLE_DEFAULTS,
  type PeopleSettings,
  SIGN_UP_MODES,
  type SignUp,
  type SmtpSettings,
} from './settings.ts';
export {
  type Begun,
  confirmSession,
  isHeldOff,
  type Outcome,
  type Proof,
  signIn,
  signOut,
} from './signing-in.ts';
export {
  askReset,
  completeReset,
  type Next,
  nextOfSignUp,
  signUp,
} from './signing-up.ts';
export { checkPeople, copyPeople } from './sqlite/copy.ts';
