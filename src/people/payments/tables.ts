/** The tables of payments. Amounts are whole numbers as text: a database would round them. */
import {
  type Described,
  NUMBERED,
  TEXT,
  TEXT_OR_NONE,
  WHOLE,
  WHOLE_OR_NONE,
} from '../store/table.ts';

export const PAYMENT_TABLES = {
  payments: {
    key: ['paymentId'],
    columns: {
      paymentId: TEXT,
      kind: TEXT,
      personId: TEXT,
      accountId: WHOLE,
      toAccountId: WHOLE_OR_NONE,
      coin: TEXT,
      assetId: WHOLE,
      scale: WHOLE,
      amount: TEXT,
      fee: TEXT,
      chain: TEXT,
      address: TEXT,
      tag: TEXT,
      reference: TEXT,
      clientId: TEXT,
      approvalsNeeded: WHOLE,
      state: TEXT,
      reason: TEXT,
      isSettled: WHOLE,
      createdMs: WHOLE,
      changedMs: WHOLE,
    },
    unique: { payments_client: ['personId', 'clientId'] },
    indexes: {
      payments_account: ['accountId', 'paymentId'],
      payments_person: ['personId', 'createdMs'],
      payments_state: ['state', 'paymentId'],
      payments_moving: ['isSettled', 'paymentId'],
    },
  },
  payment_moves: {
    key: ['paymentId', 'number'],
    columns: {
      paymentId: TEXT,
      number: WHOLE,
      kind: TEXT,
      accountId: WHOLE,
      /** Of a transfer. */
      toAccountId: WHOLE_OR_NONE,
      amount: TEXT,
      isDone: WHOLE,
      sender: TEXT_OR_NONE,
      request: WHOLE_OR_NONE,
    },
  },
  payment_approvals: {
    key: ['paymentId', 'operatorId'],
    columns: {
      paymentId: TEXT,
      operatorId: TEXT,
      operatorName: TEXT,
      timeMs: WHOLE,
    },
  },
  payment_events: {
    key: ['eventId'],
    columns: {
      eventId: NUMBERED,
      paymentId: TEXT,
      kind: TEXT,
      body: TEXT,
      timeMs: WHOLE,
      state: TEXT,
      tries: WHOLE,
      nextMs: WHOLE,
      fault: TEXT,
    },
    indexes: { payment_events_due: ['state', 'nextMs'] },
  },
} as const satisfies Readonly<Record<string, Described>>;
