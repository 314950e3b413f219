/** What a person is written about a payment: that it was asked for, and how it ended. */
import { formatTrimmed } from '#kernel';
import type { Mail } from '../mail.ts';
import type { Payment } from '../ports/payments.ts';
import type { PeopleSettings } from '../settings.ts';

/** Undefined where there is nothing to say. */
export function paymentMail(
  payment: Payment,
  { name, url }: Pick<PeopleSettings, 'name' | 'url'>,
): Omit<Mail, 'to'> | undefined {
  const { kind, state, scale, coin, reason, address, reference } = payment;
  if (kind === 'transfer') return undefined;
  const amount = `${formatTrimmed(payment.amount, scale)} ${coin}`;
  const what = kind === 'deposit' ? 'Deposit' : 'Withdrawal';
  const page = url === undefined ? '' : `${url}/account`;
  const mail = (how: string, ...lines: readonly string[]): Omit<Mail, 'to'> => ({
    subject: `${what} of ${amount} ${how} at ${name}`,
    text: `${[...lines, page].filter((line) => line !== '').join('\n\n')}\n`,
  });
  const why = reason === '' ? '' : `Reason: ${reason}`;
  const paid = reference === '' ? '' : `Reference: ${reference}`;
  const to = address === '' ? '' : `To: ${address}`;
  switch (state) {
    case 'requested':
      if (kind === 'deposit') return undefined;
      return mail('requested', to, 'If this was not you, cancel it and change your password.');
    case 'done':
      return mail('completed', to, paid);
    case 'refused':
      return mail('refused', why, kind === 'deposit' ? '' : 'The amount is available again.');
    case 'failed':
      return mail('failed', why, 'The amount is available again.');
    default:
      return undefined;
  }
}
