/**
 * Payments: requests to bring money in, to take it out, and to move it between a person's
 * accounts; what each makes the engine do; who approved it; and what a payment system outside is
 * sent. They own the tables `payments`, `payment_moves`, `payment_approvals` and `payment_events`,
 * and mails that a payment was asked for and how it ended. Who may ask is the right `withdraw` or
 * `transfer` of access; balances are the engine's alone. Amounts are in units of the coin, times of
 * the venue, in milliseconds.
 */
import type { AccountId, Amount, AssetId } from '#domain';

export const PAYMENT_KINDS = ['deposit', 'withdrawal', 'transfer'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/**
 * A withdrawal goes from requested to approved, sent and done. It ends refused by an operator or by
 * the venue, cancelled by its person, or failed once it was approved. A deposit is done when it is
 * approved, a transfer at once.
 */
export const PAYMENT_STATES = [
  'requested',
  'approved',
  'sent',
  'done',
  'refused',
  'cancelled',
  'failed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** In which money is kept apart, or waited for. */
export const STATES_UNDER_WAY = ['requested', 'approved', 'sent'] as const;

export interface PaymentTerms {
  readonly kind: PaymentKind;
  readonly personId: string;
  readonly accountId: AccountId;
  /** Of a transfer. */
  readonly toAccountId: AccountId | undefined;
  readonly coin: string;
  readonly assetId: AssetId;
  readonly scale: number;
  /** What arrives. */
  readonly amount: Amount;
  /** What is taken besides. */
  readonly fee: Amount;
  /** Texts that may be empty. */
  readonly chain: string;
  readonly address: string;
  readonly tag: string;
  /** Of the payment outside: that of a deposit comes from its person. */
  readonly reference: string;
  /** The person's own; no two payments of a person have the same. */
  readonly clientId: string;
  readonly approvalsNeeded: number;
}

export interface Payment extends PaymentTerms {
  readonly paymentId: string;
  readonly state: PaymentState;
  /** Why it ended without being done; may be empty. */
  readonly reason: string;
  /** Whether all money has moved that this state moves. */
  readonly isSettled: boolean;
  readonly createdMs: number;
  readonly changedMs: number;
}

/** Whose number a command of the engine has: the engine carries each out once. */
export interface MoveOrigin {
  readonly sender: string;
  readonly request: number;
}

export const MOVE_KINDS = ['deposit', 'withdraw', 'transfer'] as const;

export interface NewMove {
  readonly kind: (typeof MOVE_KINDS)[number];
  readonly accountId: AccountId;
  /** Of a transfer alone. */
  readonly toAccountId?: AccountId | undefined;
  readonly amount: Amount;
}

/** A command of the engine that a payment needs, in the order of `number`. */
export interface PaymentMove extends NewMove {
  readonly paymentId: string;
  readonly number: number;
  readonly isDone: boolean;
  /** Undefined until it is first tried. */
  readonly origin: MoveOrigin | undefined;
}

export interface PaymentApproval {
  readonly operatorId: string;
  readonly operatorName: string;
  readonly timeMs: number;
}

export interface PaymentsQuery {
  readonly kind?: PaymentKind | undefined;
  readonly state?: PaymentState | undefined;
  readonly coin?: string | undefined;
  readonly accountId?: AccountId | undefined;
  readonly personId?: string | undefined;
  /** Payment id: those made before it, newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Another state of a payment that is settled in one of these. */
export interface PaymentChange {
  readonly from: readonly PaymentState[];
  readonly to: PaymentState;
  readonly reason?: string;
  readonly reference?: string;
  readonly timeMs: number;
  /** What the engine has to do for it. */
  readonly moves: readonly NewMove[];
}

/** What a person or an account has asked for since some time. */
export interface Asked {
  readonly count: number;
  /** Of this coin, withdrawn or about to be. */
  readonly withdrawn: Amount;
}

export interface AskedQuery {
  readonly personId: string;
  readonly accountId: AccountId;
  readonly coin: string;
  readonly sinceMs: number;
  /** Not counted. */
  readonly except: string;
}

/**
 * `moving`: the money of it is under way, which takes less than a second. `requested`: it waits for
 * operators, `approved`: to be sent, `sent`: to arrive. `undelivered`: the payment system has not
 * taken an event.
 */
export const PAYMENT_STAGES = ['moving', 'requested', 'approved', 'sent', 'undelivered'] as const;
export type PaymentStage = (typeof PAYMENT_STAGES)[number];

/** Since when the oldest of a stage has been in it. */
export type WaitingSince = Readonly<Partial<Record<PaymentStage, number>>>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Something to tell the payment system outside. */
export interface PaymentEvent {
  readonly eventId: number;
  readonly paymentId: string;
  readonly kind: string;
  readonly body: string;
  readonly timeMs: number;
  readonly state: DeliveryState;
  readonly tries: number;
  /** When it is tried next. */
  readonly nextMs: number;
  /** What the last try met; may be empty. */
  readonly fault: string;
}

export type NewPaymentEvent = Pick<PaymentEvent, 'paymentId' | 'kind' | 'body' | 'timeMs'>;

export interface PaymentStore {
  /** False when the person has one with this client id. */
  addPayment(
    paymentId: string,
    terms: PaymentTerms,
    createdMs: number,
    moves: readonly NewMove[],
  ): Promise<boolean>;
  payment(paymentId: string): Promise<Payment | undefined>;
  payments(query: PaymentsQuery): Promise<readonly Payment[]>;
  /** Undefined when it is in no such state, or its money is still moving. */
  changePayment(paymentId: string, change: PaymentChange): Promise<Payment | undefined>;
  /** Counts an operator once, and changes the payment when there are enough. */
  approvePayment(
    paymentId: string,
    /** From now on it takes so many at least. */
    approval: PaymentApproval & { readonly approvalsMin: number },
    change: PaymentChange,
  ): Promise<Payment | undefined>;
  approvalsOf(paymentId: string): Promise<readonly PaymentApproval[]>;
  /** Those whose money is moving, oldest first. */
  unsettledPayments(after: string, limit: number): Promise<readonly Payment[]>;
  movesOf(paymentId: string): Promise<readonly PaymentMove[]>;
  /** Gives a move its origin unless it has one, and says which it has. */
  takeMove(move: PaymentMove, origin: MoveOrigin): Promise<MoveOrigin | undefined>;
  /** It was refused and is not on its way: the next try has another origin. */
  letGoMove(move: PaymentMove, origin: MoveOrigin): Promise<void>;
  moveDone(move: PaymentMove): Promise<void>;
  /** All money has moved; what is told outside is written along. False when it was so before. */
  settlePayment(paymentId: string, event: NewPaymentEvent | undefined): Promise<boolean>;
  /** The engine has refused its first move: it ends refused, with nothing moved. */
  dropPayment(paymentId: string, reason: string, timeMs: number): Promise<boolean>;
  asked(query: AskedQuery): Promise<Asked>;
  /** Deposits and withdrawals of an account that are under way. */
  openPaymentsCount(accountId: AccountId): Promise<number>;
  /** Payments that a person has asked for, of any account, and that are under way. */
  openPaymentsOf(personId: string): Promise<number>;

  paymentsWaiting(): Promise<WaitingSince>;

  dueEvents(nowMs: number, limit: number): Promise<readonly PaymentEvent[]>;
  changeEvent(
    eventId: number,
    changes: Partial<Pick<PaymentEvent, 'state' | 'tries' | 'nextMs' | 'fault'>>,
  ): Promise<boolean>;
  paymentEvents(query: {
    readonly state?: DeliveryState | undefined;
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<readonly PaymentEvent[]>;
  /** Deletes what was delivered, or given up, and is that old. */
  prunePaymentEvents(beforeMs: number): Promise<void>;
}
