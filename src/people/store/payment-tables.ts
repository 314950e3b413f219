/** The tables of payments. Amounts are whole numbers as text: a database would round them. */
import type { Generated } from 'kysely';

export interface PaymentTables {
  readonly payments: {
    payment_id: string;
    kind: string;
    person_id: string;
    account_id: number;
    to_account_id: number | null;
    coin: string;
    asset_id: number;
    scale: number;
    amount: string;
    fee: string;
    chain: string;
    address: string;
    tag: string;
    reference: string;
    client_id: string;
    approvals_needed: number;
    state: string;
    reason: string;
    is_settled: number;
    created_ms: number;
    changed_ms: number;
  };
  readonly payment_moves: {
    payment_id: string;
    number: number;
    kind: string;
    account_id: number;
    /** Of a transfer. */
    to_account_id: number | null;
    amount: string;
    is_done: number;
    gateway: string | null;
    request: number | null;
  };
  readonly payment_approvals: {
    payment_id: string;
    operator_id: string;
    operator_name: string;
    time_ms: number;
  };
  readonly payment_events: {
    event_id: Generated<number>;
    payment_id: string;
    kind: string;
    body: string;
    time_ms: number;
    state: string;
    tries: number;
    next_ms: number;
    fault: string;
  };
}
