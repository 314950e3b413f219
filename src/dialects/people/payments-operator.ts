/** What operators do with requests for money to come or go, under /admin/v1. */
import { accountId, isRefused, LIMITS, type Refused, refuse } from '#domain';
import { formatDecimal } from '#kernel';
import {
  approvePayment,
  DELIVERY_STATES,
  failPayment,
  type Held,
  heldByCoin,
  listPaymentEvents,
  listPayments,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type PaymentApproval,
  type PaymentEvent,
  type PaymentSeen,
  paymentDone,
  paymentSent,
  refusePayment,
  resendEvent,
  seePayment,
} from '#people';
import { BASE } from '../admin/context.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { optionalText, pageLimit, wholeNumber } from '../kit/request.ts';
import {
  columnsOf,
  decimal,
  jsonList,
  listOf,
  oneOf,
  row,
  rows,
  text,
  timeMs,
  whole,
} from '../kit/row.ts';
import type { PeopleDialectContext } from './context.ts';
import { longText, optionalLongText, PAYMENT, PAYMENT_ID, wordOf } from './payment-rows.ts';
import { DONE, PERSON_ID } from './rows.ts';

const PAYMENTS = `${BASE}/payments`;
const PAYMENT_PATH = `${PAYMENTS}/:payment`;

const APPROVAL = row<PaymentApproval>()({
  operatorId: text('Who approved it', PERSON_ID, ({ operatorId }) => operatorId),
  operator: text('As shown', 'ada@example.com', ({ operatorName }) => operatorName),
  time: timeMs('When', TIME_MS, ({ timeMs: approvedMs }) => approvedMs),
});

const SEEN = row<PaymentSeen>()({
  ...columnsOf(PAYMENT, ({ payment }: PaymentSeen) => payment),
  approvals: rows(APPROVAL, ({ approvals }: PaymentSeen) => approvals, []),
});

const HELD = row<Held>()({
  coin: text('Coin', 'USDT', ({ coin }) => coin),
  requests: whole('Withdrawals under way', 2, ({ requestsCount }) => requestsCount),
  locked: decimal('What they keep apart', '502.00000000', ({ locked, scale }) =>
    formatDecimal(locked, scale),
  ),
  moving: decimal('Of those whose money is moving now', '0.00000000', ({ moving, scale }) =>
    formatDecimal(moving, scale),
  ),
  held: decimal('In the account payments-holding', '502.00000000', ({ held, scale }) =>
    formatDecimal(held, scale),
  ),
});

const EVENT = row<PaymentEvent>()({
  eventId: text('Event id, growing', '17', ({ eventId }) => String(eventId)),
  paymentId: text('Request id', PAYMENT_ID, ({ paymentId }) => paymentId),
  kind: text('What happened', 'withdrawal.approved', ({ kind }) => kind),
  state: oneOf(DELIVERY_STATES, 'Whether it was delivered', 'delivered', ({ state }) => state),
  tries: whole('How often it was sent', 1, ({ tries }) => tries),
  fault: text('What the last try met; may be empty', '', ({ fault }) => fault),
  time: timeMs('When it happened', TIME_MS, ({ timeMs: happenedMs }) => happenedMs),
  nextTime: timeMs('When it is tried next, while it waits', TIME_MS, ({ nextMs }) => nextMs),
});

const REASON = longText('Why; the person sees it');
const LIMIT = pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax);

async function shown(seen: Promise<PaymentSeen | Refused>): Promise<string | Refused> {
  const found = await seen;
  return isRefused(found) ? found : SEEN.write(found);
}

type Path = Readonly<Record<string, string | undefined>>;

const paymentIn = ({ payment = '' }: Path): string => payment;

function eventIn({ event = '' }: Path): number {
  return /^[1-9][0-9]{0,14}$/.test(event) ? Number(event) : 0;
}

export const PAYMENT_OPERATOR_ENDPOINTS = {
  listPayments: operatorEndpoint({
    method: 'GET',
    path: PAYMENTS,
    summary: 'Requests for money to come or go, newest first',
    request: {
      kind: wordOf('Only these', PAYMENT_KINDS),
      state: wordOf('Only in this state', PAYMENT_STATES),
      coin: optionalText('Only of this coin'),
      account: wholeNumber('Account id: only of this account'),
      person: optionalText('Person id: only of this person'),
      before: optionalText('Request id: those made before it'),
      limit: LIMIT,
    },
    response: listOf(PAYMENT),
    answer: async ({ payments }: PeopleDialectContext, asked) => {
      const { kind, state, coin, account, person, before, limit } = asked;
      const orAny = (given: string) => (given === '' ? undefined : given);
      const query = {
        ...{ kind, state, limit },
        coin: orAny(coin.toUpperCase()),
        accountId: account === undefined || account === 0 ? undefined : accountId(account),
        personId: orAny(person),
        before: orAny(before),
      };
      return jsonList(await listPayments(payments, query), PAYMENT.write);
    },
  }),
  payment: operatorEndpoint({
    method: 'GET',
    path: PAYMENT_PATH,
    summary: 'One request, with who approved it',
    request: {},
    response: SEEN,
    answer: ({ payments }: PeopleDialectContext, _asked, { path }) =>
      shown(seePayment(payments, paymentIn(path))),
  }),
  approvePayment: operatorEndpoint({
    method: 'POST',
    path: `${PAYMENT_PATH}/approve`,
    duty: 'run',
    summary: 'Approve a request; an operator counts once. With enough a deposit is credited',
    request: {},
    response: SEEN,
    example: { data: { ...SEEN.example, state: 'approved', approvals: [APPROVAL.example] } },
    answer: ({ payments, operators }: PeopleDialectContext, _asked, { path, operator }) =>
      shown(approvePayment(payments, paymentIn(path), operator, operators)),
  }),
  refusePayment: operatorEndpoint({
    method: 'POST',
    path: `${PAYMENT_PATH}/refuse`,
    duty: 'run',
    summary: 'Refuse a request that was not sent; what was kept apart is returned',
    request: { reason: REASON },
    response: SEEN,
    example: {
      request: { reason: 'unknown address' },
      data: { ...SEEN.example, state: 'refused', reason: 'unknown address' },
    },
    answer: ({ payments }: PeopleDialectContext, { reason }, { path }) =>
      shown(refusePayment(payments, paymentIn(path), reason)),
  }),
  paymentSent: operatorEndpoint({
    method: 'POST',
    path: `${PAYMENT_PATH}/sent`,
    duty: 'run',
    summary: 'Say that an approved withdrawal is on its way outside',
    request: { reference: longText('Of the payment outside, as a transaction id') },
    response: SEEN,
    example: {
      request: { reference: 'c0ffee' },
      data: { ...SEEN.example, state: 'sent', reference: 'c0ffee' },
    },
    answer: ({ payments }: PeopleDialectContext, { reference }, { path }) =>
      shown(paymentSent(payments, paymentIn(path), reference)),
  }),
  paymentDone: operatorEndpoint({
    method: 'POST',
    path: `${PAYMENT_PATH}/done`,
    duty: 'run',
    summary: 'Say that a withdrawal has arrived: its amount leaves the venue, its fee stays',
    request: { reference: optionalLongText('Of the payment outside; as before when left out') },
    response: SEEN,
    example: {
      request: { reference: 'c0ffee' },
      data: { ...SEEN.example, state: 'done', reference: 'c0ffee' },
    },
    answer: ({ payments }: PeopleDialectContext, { reference }, { path }) =>
      shown(paymentDone(payments, paymentIn(path), reference)),
  }),
  failPayment: operatorEndpoint({
    method: 'POST',
    path: `${PAYMENT_PATH}/fail`,
    duty: 'run',
    summary: 'Say that an approved withdrawal could not be paid; what was kept apart is returned',
    request: { reason: REASON },
    response: SEEN,
    example: {
      request: { reason: 'bounced' },
      data: { ...SEEN.example, state: 'failed', reason: 'bounced' },
    },
    answer: ({ payments }: PeopleDialectContext, { reason }, { path }) =>
      shown(failPayment(payments, paymentIn(path), reason)),
  }),
  paymentsHeld: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/payments-held`,
    summary: 'What withdrawals keep apart, by coin, and what the venue holds for them',
    request: {},
    response: listOf(HELD),
    answer: async ({ payments }: PeopleDialectContext) =>
      jsonList(await heldByCoin(payments), HELD.write),
  }),
  paymentEvents: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/payment-events`,
    summary: 'What the payment system outside is told, newest first',
    request: {
      state: wordOf('Only in this state', DELIVERY_STATES),
      before: wholeNumber('Event id: events before it'),
      limit: LIMIT,
    },
    response: listOf(EVENT),
    answer: async ({ payments }: PeopleDialectContext, asked) =>
      jsonList(await listPaymentEvents(payments, asked), EVENT.write),
  }),
  resendPaymentEvent: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/payment-events/:event/resend`,
    duty: 'run',
    summary: 'Send an event once more, from the first try on',
    request: {},
    response: DONE,
    answer: async ({ payments }: PeopleDialectContext, _asked, { path }) => {
      const eventId = eventIn(path);
      if (eventId === 0) return refuse('payment_unknown');
      return (await resendEvent(payments, eventId)) ?? DONE.write();
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;
