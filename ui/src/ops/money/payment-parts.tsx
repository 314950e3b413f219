/** Parts of a request's row, on the account page and on the desk. */
import type { admin } from '#client';
import { Mark } from '../../look/mod.ts';
import { cut, grouped } from '../../model/numbers.ts';
import type { RequestTexts } from '../../texts/en-requests.ts';
import { useRequestTexts } from '../../texts/requests.ts';

/** Longer than any coin's. */
const DECIMALS_MAX = 18;

const TONES = {
  requested: 'warning',
  approved: 'plain',
  sent: 'plain',
  done: 'good',
  refused: 'fault',
  cancelled: 'plain',
  failed: 'fault',
} as const;

export function PaymentState({
  row,
}: {
  readonly row: Pick<admin.ListPaymentsRow, 'state' | 'settled'>;
}) {
  const texts = useRequestTexts();
  return (
    <Mark tone={TONES[row.state]}>{row.settled ? texts.states[row.state] : texts.moving}</Mark>
  );
}

/** Network, address, tag and reference, and why it ended undone. */
export function detailsOf(row: admin.ListPaymentsRow, { reasons }: RequestTexts): string {
  const { chain, address, tag, reference, toAccountId, reason } = row;
  const to = toAccountId === '' ? '' : `→ ${toAccountId}`;
  return [chain, address, tag, to, reference, reasons[reason] ?? reason]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Without the zeros at its end: "1234.50000000" is "1,234.5". */
export function plainAmount(amount: string): string {
  return grouped(cut(amount, DECIMALS_MAX));
}
