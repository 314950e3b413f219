/** The tables of operators: roles, the log of what they do, money that waits for a second one. */
import { type Described, TEXT, WHOLE } from './table.ts';

export const OPERATOR_TABLES = {
  operators: {
    key: ['person_id'],
    columns: {
      person_id: TEXT,
      role: TEXT,
      since_ms: WHOLE,
    },
  },
  operator_log: {
    key: ['entry_id'],
    columns: {
      entry_id: WHOLE,
      action_id: WHOLE,
      time_ms: WHOLE,
      operator_id: TEXT,
      operator_name: TEXT,
      role: TEXT,
      kind: TEXT,
      path: TEXT,
      account: TEXT,
      address: TEXT,
      request_id: TEXT,
      reason: TEXT,
      asked: TEXT,
      outcome: TEXT,
      answer: TEXT,
      hash: TEXT,
    },
    indexes: { operator_log_action: ['action_id'], operator_log_time: ['time_ms'] },
  },
  /** One row, `trimmed`: the newest entry that was deleted. */
  operator_log_ends: {
    key: ['name'],
    columns: {
      name: TEXT,
      entry_id: WHOLE,
      hash: TEXT,
    },
  },
  approvals: {
    key: ['approval_id'],
    columns: {
      approval_id: TEXT,
      kind: TEXT,
      account_id: WHOLE,
      wallet: TEXT,
      coin: TEXT,
      amount: TEXT,
      client_oid: TEXT,
      asked_by_id: TEXT,
      asked_by_name: TEXT,
      reason: TEXT,
      created_ms: WHOLE,
      expires_ms: WHOLE,
      state: TEXT,
      decided_by_id: TEXT,
      decided_by_name: TEXT,
      decided_ms: WHOLE,
      outcome: TEXT,
    },
    indexes: { approvals_state: ['state'] },
  },
} as const satisfies Readonly<Record<string, Described>>;
