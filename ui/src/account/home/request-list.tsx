/** Requests of an account for money to come or go, with what may be asked for. */

import { type ReactNode, useState } from 'react';
import { people } from '#client';
import {
  ActionDialog,
  Button,
  type Column,
  Refusal,
  Section,
  Table,
  Time,
} from '../../look/mod.ts';
import { detailsOf, PaymentState, plainAmount } from '../../ops/money/payment-parts.tsx';
import { person } from '../../session/person.ts';
import { type CsvColumn, RowsCsvButton } from '../../terminal/trade/csv-button.tsx';
import { useRequestTexts } from '../../texts/requests.ts';
import type { Access } from '../../wire/person.ts';
import { proven } from './proof.tsx';
import { type AskedKind, RequestDialog } from './request-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { useOwn } from './use-own.ts';

const EVERY_MS = 10_000;

interface RequestListProps {
  readonly account: Access;
  /** Those of the person, this one included. */
  readonly accounts: readonly Access[];
}

export function RequestList({ account, accounts }: RequestListProps) {
  const texts = useRequestTexts();
  const rules = useOwn(people.paymentRules, {});
  const payments = useOwn(people.payments, { account: account.accountId, limit: 100 }, EVERY_MS);
  const [asked, setAsked] = useState<AskedKind | 'transfer'>();
  const [cancelled, setCancelled] = useState<people.PaymentsRow>();
  const done = { onDone: payments.reload, onClose: () => setAsked(undefined) };
  const others = accounts.filter(({ accountId }) => accountId !== account.accountId);
  return (
    <Section
      title={texts.title}
      actions={
        <>
          <Actions
            {...{ account, rules: rules.data ?? [] }}
            hasOthers={others.length > 0}
            onAsk={setAsked}
          />
          <RowsCsvButton name="requests" columns={CSV_COLUMNS} rows={payments.data} />
        </>
      }
    >
      <Refusal failure={payments.failure ?? rules.failure} />
      <PaymentTable account={account} rows={payments.data} onCancel={setCancelled} />
      {asked === 'deposit' || asked === 'withdrawal' ? (
        <RequestDialog
          kind={asked}
          accountId={account.accountId}
          rules={rules.data ?? []}
          {...done}
        />
      ) : null}
      {asked === 'transfer' ? (
        <TransferDialog accountId={account.accountId} others={others} {...done} />
      ) : null}
      {cancelled === undefined ? null : (
        <CancelDialog
          accountId={account.accountId}
          row={cancelled}
          onDone={payments.reload}
          onClose={() => setCancelled(undefined)}
        />
      )}
    </Section>
  );
}

interface ActionsProps {
  readonly account: Access;
  readonly rules: readonly people.PaymentRulesRow[];
  readonly hasOthers: boolean;
  readonly onAsk: (kind: AskedKind | 'transfer') => void;
}

/** What the permissions, and the rules of the coins, leave. */
function Actions({ account: { permissions }, rules, hasOthers, onAsk }: ActionsProps): ReactNode {
  const texts = useRequestTexts();
  const chains = rules.flatMap((one) => one.chains);
  const mayDeposit = permissions.includes('transfer') && chains.some((one) => one.depositable);
  const mayTakeOut = permissions.includes('withdraw');
  return (
    <>
      {mayDeposit ? <Button onClick={() => onAsk('deposit')}>{texts.deposit}</Button> : null}
      {mayTakeOut && chains.some((one) => one.withdrawable) ? (
        <Button onClick={() => onAsk('withdrawal')}>{texts.withdraw}</Button>
      ) : null}
      {mayTakeOut && hasOthers ? (
        <Button onClick={() => onAsk('transfer')}>{texts.transfer}</Button>
      ) : null}
    </>
  );
}

const CSV_COLUMNS: readonly CsvColumn<people.PaymentsRow>[] = (
  [
    ...([
      'paymentId',
      'kind',
      'state',
      'coin',
      'amount',
      'fee',
      'chain',
      'address',
      'tag',
    ] as const),
    ...(['reference', 'reason', 'accountId', 'toAccountId', 'cTime', 'uTime'] as const),
  ] as const
).map((name) => ({ title: name, text: (row) => row[name] }));

interface PaymentTableProps {
  readonly account: Access;
  readonly rows: readonly people.PaymentsRow[] | undefined;
  readonly onCancel: (row: people.PaymentsRow) => void;
}

function PaymentTable({ account, rows, onCancel }: PaymentTableProps) {
  const texts = useRequestTexts();
  const { permissions, accountId } = account;
  const mayCancel = ({ kind, state, settled }: people.PaymentsRow): boolean =>
    settled &&
    state === 'requested' &&
    permissions.includes(kind === 'deposit' ? 'transfer' : 'withdraw');
  const columns: readonly Column<people.PaymentsRow>[] = [
    { name: 'time', title: texts.time, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
    { name: 'kind', title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { name: 'state', title: texts.state, cell: (row) => <PaymentState row={row} /> },
    { name: 'coin', title: texts.coin, cell: ({ coin }) => coin },
    {
      name: 'amount',
      title: texts.amount,
      cell: ({ kind, amount, toAccountId }) => {
        const isOut = kind === 'withdrawal' || (kind === 'transfer' && toAccountId !== accountId);
        return `${isOut ? '−' : '+'}${plainAmount(amount)}`;
      },
      isNumber: true,
    },
    { name: 'fee', title: texts.fee, cell: ({ fee }) => plainAmount(fee), isNumber: true },
    { name: 'details', title: texts.details, cell: (row) => detailsOf(row, texts) },
    {
      name: 'actions',
      title: <span className="only-read-out">{texts.cancel}</span>,
      cell: (row) =>
        mayCancel(row) ? (
          <Button aria-label={texts.cancelOf(amountOf(row))} onClick={() => onCancel(row)}>
            {texts.cancel}
          </Button>
        ) : null,
    },
  ];
  if (rows?.length === 0) return <p className="empty">{texts.none}</p>;
  return (
    <Table label={texts.title} columns={columns} rows={rows} keyOf={({ paymentId }) => paymentId} />
  );
}

function amountOf({ amount, coin }: people.PaymentsRow): string {
  return `${plainAmount(amount)} ${coin}`;
}

interface CancelDialogProps {
  readonly accountId: string;
  readonly row: people.PaymentsRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function CancelDialog({ accountId, row, onDone, onClose }: CancelDialogProps) {
  const texts = useRequestTexts();
  const run = async (): Promise<string> => {
    await proven(() =>
      person.call(people.cancelPayment, { account: accountId, payment: row.paymentId }),
    );
    onDone();
    return texts.cancelled;
  };
  return (
    <ActionDialog
      title={texts.cancel}
      action={texts.cancel}
      question={texts.cancelQuestion(amountOf(row))}
      {...{ run, onClose }}
    />
  );
}
