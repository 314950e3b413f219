/** What operators do with payments: approve, refuse, and say how they went outside. */
import { type Amount, isRefused, type Refused, refuse } from '#domain';
import { formatDecimal } from '#kernel';
import { refuseSaying } from '../context.ts';
import {
  type AloneMoved,
  type ApprovalContext,
  type Beyond,
  isOwnGain,
  moveAlone,
} from '../operators/movements.ts';
import type { ActingOperator } from '../operators/port.ts';
import { movesBack } from './asking.ts';
import { HOLDING_ACCOUNT, systemAccounts, transferOf } from './parts.ts';
import type { Payments } from './payments.ts';
import {
  type NewMove,
  type Payment,
  type PaymentApproval,
  type PaymentEvent,
  type PaymentMove,
  type PaymentState,
  type PaymentStore,
  type PaymentsQuery,
  STATES_UNDER_WAY,
} from './port.ts';

const OPEN_STATES: readonly PaymentState[] = STATES_UNDER_WAY;
const PAGE = 500;

export interface PaymentSeen {
  readonly payment: Payment;
  readonly approvals: readonly PaymentApproval[];
  readonly moves: readonly PaymentMove[];
}

type Decided = Promise<PaymentSeen | Refused>;

export async function listPayments(
  { parts }: Payments,
  query: PaymentsQuery,
): Promise<readonly Payment[]> {
  return (await parts.people.get()).payments(query);
}

export async function seePayment({ parts }: Payments, paymentId: string): Decided {
  const store = await parts.people.get();
  const payment = await store.payment(paymentId);
  if (payment === undefined) return refuse('payment_unknown');
  const approvals = await store.approvalsOf(paymentId);
  return { payment, approvals, moves: await store.movesOf(paymentId) };
}

/**
 * The same operator counts once, and nobody approves what they have asked for themselves, or what
 * an account gains that they may use. More than one may move alone takes two, whatever the rules
 * of the coin say.
 */
export async function approvePayment(
  payments: Payments,
  paymentId: string,
  operator: ActingOperator,
  desk?: ApprovalContext,
): Decided {
  return decide(payments, paymentId, async (payment, store, timeMs) => {
    const { kind, accountId, amount, personId, state } = payment;
    const isOwn = personId === operator.id;
    if (isOwn || (await isOwnGain(await payments.parts.people.get(), operator, { accountId }))) {
      return refuseSaying('permission_missing', 'it is your own request');
    }
    if (state !== 'requested') return undefined;
    const alone = await aloneIn(store, payment, operator, desk);
    const isIn = kind === 'deposit';
    const moves: readonly NewMove[] = isIn ? [{ kind, accountId, amount }] : [];
    const approval = { operatorId: operator.id, operatorName: operator.name, timeMs };
    const to = isIn ? 'done' : 'approved';
    const change = { from: ['requested'], to, timeMs, moves } as const;
    const approvalsMin = 'beyond' in alone ? 2 : 1;
    const changed = await store.approvePayment(paymentId, { ...approval, approvalsMin }, change);
    if (changed === undefined && 'forget' in alone) await alone.forget();
    return changed;
  });
}

/** Whether it counts as moved by this operator alone: the only one who approves it. */
async function aloneIn(
  store: PaymentStore,
  { paymentId, accountId, amount, fee, coin, scale, approvalsNeeded }: Payment,
  operator: ActingOperator,
  desk: ApprovalContext | undefined,
): Promise<AloneMoved | Beyond> {
  const others = await store.approvalsOf(paymentId);
  const isSecond = others.some(({ operatorId }) => operatorId !== operator.id);
  if (desk === undefined || approvalsNeeded > 1 || isSecond)
    return { forget: async () => undefined };
  const moved = { coin, amount: formatDecimal(amount + fee, scale), accountId };
  return moveAlone(desk, operator, [{ ...moved, movementId: `request ${paymentId}` }]);
}

/** As long as it was not sent. */
export function refusePayment(payments: Payments, paymentId: string, reason: string): Decided {
  return giveBack(payments, paymentId, ['requested', 'approved'], 'refused', reason);
}

/** It was approved, and could not be paid. */
export function failPayment(payments: Payments, paymentId: string, reason: string): Decided {
  return giveBack(payments, paymentId, ['approved', 'sent'], 'failed', reason);
}

function giveBack(
  payments: Payments,
  paymentId: string,
  from: readonly PaymentState[],
  to: PaymentState,
  reason: string,
): Decided {
  return decide(payments, paymentId, async (payment, store, timeMs) => {
    const moves = await movesBack(payments, payment);
    if (isRefused(moves)) return moves;
    return store.changePayment(paymentId, { from, to, reason, timeMs, moves });
  });
}

/** It is on its way outside, under this reference. */
export function paymentSent(payments: Payments, paymentId: string, reference: string): Decided {
  return decide(payments, paymentId, (_payment, store, timeMs) =>
    store.changePayment(paymentId, {
      ...{ from: ['approved', 'sent'], to: 'sent', reference, timeMs, moves: [] },
    }),
  );
}

/** It has arrived: what was kept apart leaves the venue, the fee stays. */
export function paymentDone(payments: Payments, paymentId: string, reference: string): Decided {
  return decide(payments, paymentId, async ({ amount, fee, kind }, store, timeMs) => {
    if (kind !== 'withdrawal') return refuse('payment_state_wrong');
    const kept = await systemAccounts(payments.parts);
    if (isRefused(kept)) return kept;
    const out: NewMove = { kind: 'withdraw', accountId: kept.holding, amount };
    const moves = fee > 0n ? [out, transferOf(kept.holding, kept.fees, fee)] : [out];
    const named = reference === '' ? {} : { reference };
    const change = { from: ['approved', 'sent'], to: 'done', timeMs, moves } as const;
    return store.changePayment(paymentId, { ...change, ...named });
  });
}

async function decide(
  payments: Payments,
  paymentId: string,
  change: (
    payment: Payment,
    store: PaymentStore,
    timeMs: number,
  ) => Promise<Payment | Refused | undefined>,
): Decided {
  const { parts } = payments;
  const store = await parts.people.get();
  const payment = await store.payment(paymentId);
  if (payment === undefined || payment.kind === 'transfer') return refuse('payment_unknown');
  const changed = await change(payment, store, parts.nowMs());
  if (changed === undefined) return refuse('payment_state_wrong');
  if (isRefused(changed)) return changed;
  if (!changed.isSettled) await payments.settled(paymentId);
  return seePayment(payments, paymentId);
}

/** What is kept apart of a coin, by the requests and by the venue. */
export interface Held {
  readonly coin: string;
  readonly scale: number;
  readonly requestsCount: number;
  /** Of withdrawals under way whose money is not moving now. */
  readonly locked: Amount;
  /** Of those whose money is: it may be counted in the account or not. */
  readonly moving: Amount;
  /** What the holding account has. */
  readonly held: Amount;
}

/** Without money moving, what is locked is what the venue holds. */
export async function heldByCoin({ parts }: Payments): Promise<readonly Held[]> {
  const store = await parts.people.get();
  const held = await parts.venue.read((state) => {
    const account = state.accountByName(HOLDING_ACCOUNT);
    const balances = [...(account?.spotBalances() ?? [])];
    return balances.flatMap(({ assetId, balance }) => {
      const asset = state.listings.asset(assetId);
      if (asset === undefined || balance === 0n) return [];
      return [{ coin: asset.code, scale: asset.scale, balance }];
    });
  });
  const found = new Map<string, Held>();
  const none = { requestsCount: 0, locked: 0n, moving: 0n, held: 0n };
  for (const { coin, scale, balance } of held) {
    found.set(coin, { coin, scale, ...none, held: balance });
  }
  for await (const { coin, scale, amount, fee, isSettled } of underWay(store)) {
    const known = found.get(coin) ?? { coin, scale, ...none };
    const total = amount + fee;
    found.set(coin, {
      ...known,
      requestsCount: known.requestsCount + 1,
      locked: known.locked + (isSettled ? total : 0n),
      moving: known.moving + (isSettled ? 0n : total),
    });
  }
  return [...found.values()].sort((one, other) => (one.coin < other.coin ? -1 : 1));
}

/** Withdrawals that money is kept apart for, or that move it. */
async function* underWay(store: PaymentStore): AsyncGenerator<Payment> {
  for (const state of OPEN_STATES) {
    let before: string | undefined;
    for (;;) {
      const page = await store.payments({ kind: 'withdrawal', state, before, limit: PAGE });
      yield* page;
      if (page.length < PAGE) break;
      before = page.at(-1)?.paymentId;
    }
  }
  let after = '';
  for (;;) {
    const page = await store.unsettledPayments(after, PAGE);
    for (const one of page) {
      if (one.kind === 'withdrawal' && !OPEN_STATES.includes(one.state)) yield one;
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.paymentId ?? '';
  }
}

export async function listPaymentEvents(
  { parts }: Payments,
  query: Parameters<PaymentStore['paymentEvents']>[0],
): Promise<readonly PaymentEvent[]> {
  return (await parts.people.get()).paymentEvents(query);
}

/** Once more from the start, however often it was tried. */
export async function resendEvent(
  payments: Payments,
  eventId: number,
): Promise<Refused | undefined> {
  const { parts, webhooks } = payments;
  if (parts.settings.webhook === undefined) return refuse('payments_closed');
  const store = await parts.people.get();
  const again = { state: 'waiting', tries: 0, nextMs: parts.nowMs(), fault: '' } as const;
  if (!(await store.changeEvent(eventId, again))) return refuse('payment_unknown');
  void webhooks.nudge();
  return undefined;
}
