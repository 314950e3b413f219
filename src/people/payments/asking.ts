/** What a person asks for: money in, money out, and between the accounts it may use. */
import {
  type AccountId,
  type Amount,
  type Asset,
  isRefused,
  isReject,
  type Refused,
  refuse,
} from '#domain';
import { refuseRight } from '../access/own-accounts.ts';
import { type PeopleContext, refuseSaying } from '../context.ts';
import type { LiveSession } from '../identities/live-sessions.ts';
import { refuseUnconfirmed } from '../identities/own-security.ts';
import { newId } from '../secrets/tokens.ts';
import { DAY_MS } from './clerk.ts';
import { systemAccounts, transferOf } from './parts.ts';
import type { Payments } from './payments.ts';
import type { NewMove, Payment, PaymentsQuery, PaymentTerms } from './port.ts';
import { approvalsFor, refuseAddress, refuseAmount, rulesOf, termsOf } from './rules.ts';

/** Of one account, that no operator has dealt with. */
const OPEN_MAX = 20;
/** Of a person or an account, within a day. */
const PER_DAY_MAX = 200;

export interface AskedAmount {
  readonly coin: Asset;
  readonly amount: Amount;
  /** Empty for one that the venue makes up. */
  readonly clientId: string;
}

export interface AskedDeposit extends AskedAmount {
  readonly chain: string;
  readonly reference: string;
}

export interface AskedWithdrawal extends AskedAmount {
  readonly chain: string;
  readonly address: string;
  readonly tag: string;
}

export interface AskedTransfer extends AskedAmount {
  readonly to: AccountId;
}

export interface Asking {
  readonly people: PeopleContext;
  readonly payments: Payments;
  readonly session: LiveSession;
  readonly accountId: AccountId;
}

type Made = Promise<Payment | Refused>;

const NO_TEXTS = { chain: '', address: '', tag: '', reference: '' } as const;

/** Announces money that comes in: it is credited once operators have approved it. */
export async function askDeposit(
  { payments, session, accountId }: Asking,
  asked: AskedDeposit,
): Made {
  const refused = refuseRight(session, accountId, 'transfer');
  if (refused !== undefined) return refused;
  const { coin, amount, chain, reference } = asked;
  const terms = termsOf(payments.parts.settings, 'deposit', coin, chain);
  if (isRefused(terms)) return terms;
  const unfit = refuseAmount(terms, amount, coin);
  if (unfit !== undefined) return unfit;
  const of = { kind: 'deposit', fee: 0n, chain: terms.chain, reference } as const;
  return add(payments, session, accountId, { ...asked, ...of }, []);
}

/** Asks for money to go out: it is taken from what can be traded with, and kept apart. */
export async function askWithdrawal(asking: Asking, asked: AskedWithdrawal): Made {
  const { people, payments, session, accountId } = asking;
  const refused = refuseRight(session, accountId, 'withdraw') ?? refuseUnconfirmed(people, session);
  if (refused !== undefined) return refused;
  const { coin, amount, address, tag } = asked;
  const terms = termsOf(payments.parts.settings, 'withdrawal', coin, asked.chain);
  if (isRefused(terms)) return terms;
  const unfit = refuseAmount(terms, amount, coin) ?? refuseAddress(terms, asked);
  if (unfit !== undefined) return unfit;
  const kept = await systemAccounts(payments.parts);
  if (isRefused(kept)) return kept;
  const total = amount + terms.fee;
  const moves = [transferOf(accountId, kept.holding, total)];
  const { chain, fee } = terms;
  const of = { kind: 'withdrawal', fee, chain, address, tag } as const;
  return add(payments, session, accountId, { ...asked, ...of }, moves);
}

/** Between two accounts of the person, at once. */
export async function askTransfer(asking: Asking, asked: AskedTransfer): Made {
  const { people, payments, session, accountId } = asking;
  const { coin, amount, to } = asked;
  const refused =
    refuseRight(session, accountId, 'withdraw') ??
    refuseRight(session, to, 'read') ??
    refuseUnconfirmed(people, session);
  if (refused !== undefined) return refused;
  if (to === accountId) return refuse('transfer_route_invalid');
  if (!coin.transferable) return refuse('transfer_not_allowed');
  if (amount <= 0n) return refuse('amount_invalid');
  const moves = [transferOf(accountId, to, amount)];
  const of = { kind: 'transfer', fee: 0n, toAccountId: to } as const;
  return add(payments, session, accountId, { ...asked, ...of }, moves);
}

type AskedTerms = AskedAmount &
  Pick<PaymentTerms, 'kind' | 'fee'> &
  Partial<Pick<PaymentTerms, 'toAccountId' | 'chain' | 'address' | 'tag' | 'reference'>>;

async function add(
  payments: Payments,
  session: LiveSession,
  accountId: AccountId,
  asked: AskedTerms,
  moves: readonly NewMove[],
): Made {
  const { parts } = payments;
  const { personId } = session;
  const { coin, amount, kind } = asked;
  const account = await parts.venue.read((state) => state.account(accountId)?.frozen);
  if (account === undefined) return refuse('account_unknown');
  if (account) return refuse('account_frozen');
  const store = await parts.people.get();
  const createdMs = parts.nowMs();
  const sinceMs = createdMs - DAY_MS;
  const query = { personId, accountId, coin: coin.code, sinceMs, except: '' };
  if ((await store.asked(query)).count >= PER_DAY_MAX) {
    return refuseSaying('people_exceeded', `${PER_DAY_MAX} requests within 24 hours`);
  }
  if (kind !== 'transfer' && (await store.openPaymentsCount(accountId)) >= OPEN_MAX) {
    return refuseSaying('people_exceeded', `${OPEN_MAX} open requests of one account`);
  }
  const rules = rulesOf(parts.settings, coin.code);
  const paymentId = newId(createdMs);
  const terms: PaymentTerms = {
    ...NO_TEXTS,
    toAccountId: undefined,
    ...asked,
    ...{ personId, accountId, coin: coin.code, assetId: coin.assetId, scale: coin.scale },
    clientId: asked.clientId === '' ? paymentId : asked.clientId,
    approvalsNeeded:
      kind === 'transfer' || rules === undefined ? 0 : approvalsFor(rules, amount, coin.scale),
  };
  // The session may have ended, or lost the account, while this was looked at.
  if (session.rightsOf(accountId) === undefined) return refuse('account_unknown');
  if (!(await store.addPayment(paymentId, terms, createdMs, moves))) {
    return refuseSaying('client_order_id_in_use', terms.clientId);
  }
  return asCalled(await payments.settled(paymentId));
}

/** What the venue has refused at once is a refusal of the call, too. */
function asCalled(payment: Payment | Refused): Payment | Refused {
  if (isRefused(payment) || payment.state !== 'refused') return payment;
  const { reason, coin } = payment;
  if (!isReject(reason)) return payment;
  return reason === 'balance_insufficient'
    ? refuse(reason, { is: 'coin', code: coin })
    : refuse(reason);
}

/** Payments of an account, newest first. */
export async function ownPayments(
  { payments, session, accountId }: Asking,
  query: Pick<PaymentsQuery, 'before' | 'limit' | 'kind'>,
): Promise<readonly Payment[] | Refused> {
  const refused = refuseRight(session, accountId, 'read');
  if (refused !== undefined) return refused;
  return (await payments.parts.people.get()).payments({ ...query, accountId });
}

/** Takes a request back that no operator has approved; what was kept apart is returned. */
export async function cancelPayment(
  { payments, session, accountId }: Asking,
  paymentId: string,
): Made {
  const { parts } = payments;
  const store = await parts.people.get();
  const payment = await store.payment(paymentId);
  const right = payment?.kind === 'deposit' ? 'transfer' : 'withdraw';
  const refused = refuseRight(session, accountId, right);
  if (refused !== undefined) return refused;
  if (payment === undefined || payment.accountId !== accountId) return refuse('payment_unknown');
  const moves = await movesBack(payments, payment);
  if (isRefused(moves)) return moves;
  const change = { from: ['requested'], to: 'cancelled', timeMs: parts.nowMs(), moves } as const;
  const changed = await store.changePayment(paymentId, change);
  return changed === undefined ? refuse('payment_state_wrong') : payments.settled(paymentId);
}

/** What gives back what was kept apart. */
export async function movesBack(
  payments: Payments,
  { kind, accountId, amount, fee }: Payment,
): Promise<readonly NewMove[] | Refused> {
  if (kind !== 'withdrawal') return [];
  const kept = await systemAccounts(payments.parts);
  if (isRefused(kept)) return kept;
  return [transferOf(kept.holding, accountId, amount + fee)];
}
