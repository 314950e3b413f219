/** The tables of operators: roles, the log of what they do, money that waits for a second one. */

export interface OperatorTables {
  readonly operators: { person_id: string; role: string; since_ms: number };
  readonly operator_log: {
    entry_id: number;
    action_id: number;
    time_ms: number;
    operator_id: string;
    operator_name: string;
    role: string;
    kind: string;
    path: string;
    account: string;
    address: string;
    request_id: string;
    reason: string;
    asked: string;
    outcome: string;
    answer: string;
    hash: string;
  };
  /** One row, `trimmed`: the newest entry that was deleted. */
  readonly operator_log_ends: { name: string; entry_id: number; hash: string };
  readonly approvals: {
    approval_id: string;
    kind: string;
    account_id: number;
    wallet: string;
    coin: string;
    amount: string;
    asked_by_id: string;
    asked_by_name: string;
    reason: string;
    created_ms: number;
    expires_ms: number;
    state: string;
    decided_by_id: string;
    decided_by_name: string;
    decided_ms: number;
    outcome: string;
  };
}
