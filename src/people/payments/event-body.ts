/** A payment as a system outside is told of it. */
import { formatTrimmed } from '#kernel';
import type { NewPaymentEvent, Payment } from './port.ts';

/** Undefined for what concerns nobody outside: a transfer. */
export function paymentEvent(payment: Payment, timeMs: number): NewPaymentEvent | undefined {
  if (payment.kind === 'transfer') return undefined;
  const { paymentId, state } = payment;
  const kind = `${payment.kind}.${state}`;
  const body = JSON.stringify({ kind, time: String(timeMs), request: shownOf(payment) });
  return { paymentId, kind, body, timeMs };
}

function shownOf(payment: Payment) {
  const { paymentId, kind, state, personId, accountId, coin, scale } = payment;
  const { chain, address, tag, reference, reason } = payment;
  return {
    ...{ paymentId, kind, state, personId, accountId: String(accountId), coin },
    amount: formatTrimmed(payment.amount, scale),
    fee: formatTrimmed(payment.fee, scale),
    ...{ chain, address, tag, reference, reason, cTime: String(payment.createdMs) },
  };
}
