/** The tables of payments. Amounts are whole numbers as text: a database would round them. */
import { type Described, NUMBERED, TEXT, TEXT_OR_NONE, WHOLE, WHOLE_OR_NONE } from './table.ts';

export const PAYMENT_TABLES = {
  payments: {
    key: ['payment_id'],
    columns: {
      payment_id: TEXT,
      kind: TEXT,
      person_id: TEXT,
      account_id: WHOLE,
      to_account_id: WHOLE_OR_NONE,
      coin: TEXT,
      asset_id: WHOLE,
      scale: WHOLE,
      amount: TEXT,
      fee: TEXT,
      chain: TEXT,
      address: TEXT,
      tag: TEXT,
      reference: TEXT,
      client_id: TEXT,
      approvals_needed: WHOLE,
      state: TEXT,
      reason: TEXT,
      is_settled: WHOLE,
      created_ms: WHOLE,
      changed_ms: WHOLE,
    },
    unique: { payments_client: ['person_id', 'client_id'] },
    indexes: {
      payments_account: ['account_id', 'payment_id'],
      payments_person: ['person_id', 'created_ms'],
      payments_state: ['state', 'payment_id'],
      payments_moving: ['is_settled', 'payment_id'],
    },
  },
  payment_moves: {
    key: ['payment_id', 'number'],
    columns: {
      payment_id: TEXT,
      number: WHOLE,
      kind: TEXT,
      account_id: WHOLE,
      /** Of a transfer. */
      to_account_id: WHOLE_OR_NONE,
      amount: TEXT,
      is_done: WHOLE,
      gateway: TEXT_OR_NONE,
      request: WHOLE_OR_NONE,
    },
  },
  payment_approvals: {
    key: ['payment_id', 'operator_id'],
    columns: {
      payment_id: TEXT,
      operator_id: TEXT,
      operator_name: TEXT,
      time_ms: WHOLE,
    },
  },
  payment_events: {
    key: ['event_id'],
    columns: {
      event_id: NUMBERED,
      payment_id: TEXT,
      kind: TEXT,
      body: TEXT,
      time_ms: WHOLE,
      state: TEXT,
      tries: WHOLE,
      next_ms: WHOLE,
      fault: TEXT,
    },
    indexes: { payment_events_due: ['state', 'next_ms'] },
  },
} as const satisfies Readonly<Record<string, Described>>;
