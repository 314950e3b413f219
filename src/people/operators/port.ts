/**
 * Operators: who runs the venue, what each role may do, and what they did. They own the tables
 * `operators`, `operator_log`, `operator_log_ends`, `approvals`, `operator_movements` and
 * `operator_limits`, the duties of roles, and no mails. What operators do to persons, payments or
 * markets is of those: here is only who may, who else must agree, and what is written down of it.
 */

/**
 * An owner appoints operators and may do everything; an operator runs markets, money and accounts;
 * support reads and helps people to sign in; an auditor reads.
 */
export const OPERATOR_ROLES = ['owner', 'operator', 'support', 'auditor'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What a call of an operator is for: each role may do what those after it may. */
export const DUTIES = ['own', 'run', 'help', 'read'] as const;
export type Duty = (typeof DUTIES)[number];

const ROLES_OF: Readonly<Record<Duty, readonly OperatorRole[]>> = {
  own: ['owner'],
  run: ['owner', 'operator'],
  help: ['owner', 'operator', 'support'],
  read: OPERATOR_ROLES,
};

/** Roles that may make a call with this duty. */
export function rolesOf(duty: Duty): readonly OperatorRole[] {
  return ROLES_OF[duty];
}

/** Whoever makes a call: two calls with the same id were made by the same operator. */
export interface ActingOperator {
  /** The id of the person, or the one of the admin token. */
  readonly id: string;
  /** As it is shown: the address of the person, or `admin token`. */
  readonly name: string;
  readonly role: OperatorRole;
}

/** Whoever has the admin token. No person has this id. */
export const TOKEN_OPERATOR: ActingOperator = {
  id: 'admin-token',
  name: 'admin token',
  role: 'owner',
};

/** A person with a role. */
export interface OperatorRecord {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly hasSecondFactor: boolean;
  readonly isSuspended: boolean;
  readonly sinceMs: number;
}

export interface OperatorsStore {
  /** By the time of their appointment. */
  operators(limit: number): Promise<readonly OperatorRecord[]>;
  operatorRole(personId: string): Promise<OperatorRole | undefined>;
  /** Gives the role, or another one than before. */
  setOperator(personId: string, role: OperatorRole, nowMs: number): Promise<void>;
  removeOperator(personId: string): Promise<boolean>;
}
