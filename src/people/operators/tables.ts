/** The tables of operators: roles, the log of what they do, money that they move. */
import { type Described, TEXT, WHOLE } from '../store/table.ts';

export const OPERATOR_TABLES = {
  operators: {
    key: ['personId'],
    columns: {
      personId: TEXT,
      role: TEXT,
      sinceMs: WHOLE,
    },
  },
  operator_log: {
    key: ['entryId'],
    columns: {
      entryId: WHOLE,
      actionId: WHOLE,
      timeMs: WHOLE,
      operatorId: TEXT,
      operatorName: TEXT,
      role: TEXT,
      kind: TEXT,
      path: TEXT,
      account: TEXT,
      address: TEXT,
      requestId: TEXT,
      reason: TEXT,
      asked: TEXT,
      outcome: TEXT,
      answer: TEXT,
      hash: TEXT,
    },
    indexes: { operator_log_action: ['actionId'], operator_log_time: ['timeMs'] },
  },
  /** One row, `trimmed`: the newest entry that was deleted. */
  operator_log_ends: {
    key: ['name'],
    columns: {
      name: TEXT,
      entryId: WHOLE,
      hash: TEXT,
    },
  },
  approvals: {
    key: ['approvalId'],
    columns: {
      approvalId: TEXT,
      kind: TEXT,
      accountId: WHOLE,
      wallet: TEXT,
      coin: TEXT,
      amount: TEXT,
      clientOid: TEXT,
      askedById: TEXT,
      askedByName: TEXT,
      reason: TEXT,
      createdMs: WHOLE,
      expiresMs: WHOLE,
      state: TEXT,
      decidedById: TEXT,
      decidedByName: TEXT,
      decidedMs: WHOLE,
      outcome: TEXT,
    },
    indexes: { approvals_state: ['state'] },
  },
  operator_movements: {
    key: ['movementId'],
    columns: {
      movementId: TEXT,
      operatorId: TEXT,
      coin: TEXT,
      amount: TEXT,
      accountId: WHOLE,
      timeMs: WHOLE,
    },
    indexes: { operator_movements_time: ['coin', 'timeMs'] },
  },
  operator_limits: {
    key: ['coin'],
    columns: {
      coin: TEXT,
      amount: TEXT,
      changedBy: TEXT,
      changedMs: WHOLE,
    },
  },
} as const satisfies Readonly<Record<string, Described>>;
