/**
 * Door of people: who may sign in, how they prove who they are, which accounts they may use. It is
 * kept beside the engine and knows no HTTP.
 */

export { dropLostAccess } from './access/account-resets.ts';
export { noteKeyOfOperator } from './access/key-by-operator.ts';
export type { Maker, Makers } from './access/makers.ts';
export * from './access/own-accounts.ts';
export { ACCESS_RIGHTS, type Access, type AccessRight, type AccountMember } from './access/port.ts';
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
export * from './fee-levels/fee-levels.ts';
export { pruneTimes } from './identities/attempts.ts';
export * from './identities/by-operator.ts';
export * from './identities/email-change.ts';
export type { Invitation } from './identities/invitation-port.ts';
export { LaterWork } from './identities/later-work.ts';
export * from './identities/leaving.ts';
export { type HandedLink, handOutLink, resetByOperator, waitingLinks } from './identities/links.ts';
export {
  type KeyFollower,
  LiveSession,
  LiveSessions,
  type SessionEnd,
} from './identities/live-sessions.ts';
export * from './identities/own-security.ts';
export { refuseForOperators } from './identities/persons.ts';
export {
  type NewSecurityEvent,
  type Person,
  SECURITY_EVENTS,
  type SecurityEvent,
  type SecurityEventKind,
  type SessionRecord,
  type WaitingLink,
} from './identities/port.ts';
export * from './identities/sessions-by-operator.ts';
export {
  type Begun,
  confirmSession,
  isHeldOff,
  type Outcome,
  type Proof,
  signIn,
  signOut,
} from './identities/signing-in.ts';
export {
  askReset,
  completeReset,
  type Next,
  nextOfSignUp,
  signUp,
} from './identities/signing-up.ts';
export * from './imports/account-csv.ts';
export { type ExportedAccounts, exportAccounts } from './imports/account-exports.ts';
export * from './imports/account-imports.ts';
export { LANGUAGES, type Language, languageOf } from './mail/language.ts';
export { Mailer } from './mail/mail.ts';
export { LINK_KINDS, type LinkKind } from './mail/mail-texts.ts';
export { maintain } from './notices/maintenance.ts';
export * from './notices/notices.ts';
export { LazyPeople, openPeople, type PeoplePlace } from './open.ts';
export { ActionLog, type LogVerdict } from './operators/action-log.ts';
export {
  ACTION_OUTCOMES,
  type ActionOutcome,
  type ActionsQuery,
  type LoggedAction,
  type NewAction,
} from './operators/action-log-port.ts';
export * from './operators/approvals.ts';
export {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalState,
  type MoneyMovement,
} from './operators/approvals-port.ts';
export * from './operators/movements.ts';
export * from './operators/operators.ts';
export {
  type ActingOperator,
  DUTIES,
  type Duty,
  OPERATOR_ROLES,
  type OperatorRecord,
  type OperatorRole,
  rolesOf,
  TOKEN_OPERATOR,
} from './operators/port.ts';
export * from './payments/door.ts';
export {
  DELIVERY_STATES,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type Payment,
  type PaymentApproval,
  type PaymentEvent,
  type PaymentKind,
  type PaymentMove,
} from './payments/port.ts';
export type { PeopleStore } from './port.ts';
export { PASSWORD_LENGTH, type PasswordCost, Passwords } from './secrets/passwords.ts';
export { codeHash, newCode, newId } from './secrets/tokens.ts';
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
export { checkPeople, copyPeople } from './sqlite/copy.ts';
export type { DropCodesOf, StorePart } from './store/part.ts';
export * from './store/table.ts';
export type { PeopleDatabase } from './store/tables.ts';
export { word } from './store/words.ts';
