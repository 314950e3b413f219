/** Requests for money to come or go: operators approve, decline, send and end them. */

import { useState } from 'react';
import { admin } from '#client';
import { type Column, Field, Refusal, Section, Select, Table, Time } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { useRequestTexts } from '../../texts/requests.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator, useMay } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { detailsOf, PaymentState, plainAmount } from './payment-parts.tsx';

const EVERY_MS = 5_000;
const ROWS = 100;
const STATES = ['requested', 'approved', 'sent', 'done', 'refused', 'cancelled', 'failed'] as const;
type Shown = (typeof STATES)[number] | 'all';
type Deed = 'approve' | 'refuse' | 'sent' | 'done' | 'fail';

const DEEDS: Readonly<Partial<Record<admin.ListPaymentsRow['state'], readonly Deed[]>>> = {
  requested: ['approve', 'refuse'],
  approved: ['sent', 'done', 'refuse', 'fail'],
  sent: ['done', 'fail'],
};

function nameOf(
  { kind, amount, coin }: admin.ListPaymentsRow,
  kinds: Record<admin.ListPaymentsRow['kind'], string>,
) {
  return `${kinds[kind]} ${plainAmount(amount)} ${coin}`;
}

export function PaymentQueue() {
  const texts = useRequestTexts();
  const [state, setState] = useState<Shown>('requested');
  const shown = { state: state === 'all' ? undefined : state, limit: ROWS };
  const payments = useLoaded(admin.listPayments, shown, EVERY_MS);
  const held = useLoaded(admin.paymentsHeld, {}, EVERY_MS);
  const [asked, setAsked] = useState<{
    readonly row: admin.ListPaymentsRow;
    readonly deed: Deed;
  }>();
  const reload = (): void => {
    payments.reload();
    held.reload();
  };
  const choices = [
    ...STATES.map((one) => [one, texts.states[one]] as const),
    ['all', texts.all],
  ] as const;
  return (
    <>
      <Section
        title={texts.queue}
        actions={<Select label={texts.show} value={state} choices={choices} onValue={setState} />}
      >
        <Refusal failure={payments.failure} />
        <Queue rows={payments.data} onAsk={(row, deed) => setAsked({ row, deed })} />
        {asked === undefined ? null : (
          <DeedDialog {...asked} onDone={reload} onClose={() => setAsked(undefined)} />
        )}
      </Section>
      <HeldTable rows={held.data} />
    </>
  );
}

interface QueueProps {
  readonly rows: readonly admin.ListPaymentsRow[] | undefined;
  readonly onAsk: (row: admin.ListPaymentsRow, deed: Deed) => void;
}

function Queue({ rows, onAsk }: QueueProps) {
  const texts = useRequestTexts();
  const ops = useOpsTexts();
  const mayDecide = useMay('run');
  const deeds = ({ kind, state, settled }: admin.ListPaymentsRow): readonly Deed[] =>
    !mayDecide || !settled || kind === 'transfer' ? [] : (DEEDS[state] ?? []);
  const columns: readonly Column<admin.ListPaymentsRow>[] = [
    { name: 'time', title: texts.time, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
    { name: 'kind', title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { name: 'state', title: texts.state, cell: (row) => <PaymentState row={row} /> },
    {
      name: 'account',
      title: texts.account,
      cell: ({ accountId }) => <a href={`#accounts/${accountId}`}>{accountId}</a>,
    },
    { name: 'coin', title: texts.coin, cell: ({ coin }) => <strong>{coin}</strong> },
    { name: 'amount', title: texts.amount, cell: (row) => plainAmount(row.amount), isNumber: true },
    { name: 'fee', title: texts.fee, cell: ({ fee }) => plainAmount(fee), isNumber: true },
    {
      name: 'details',
      title: texts.details,
      cell: (row) => {
        const needed = row.approvalsNeeded > 1 ? `${texts.needed(row.approvalsNeeded)} · ` : '';
        return needed + detailsOf(row, texts);
      },
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <span className="actions">
          {deeds(row).map((deed) => (
            <Act
              key={deed}
              aria-label={texts.actionOf(texts[deed], nameOf(row, texts.kinds))}
              onClick={() => onAsk(row, deed)}
            >
              {texts[deed]}
            </Act>
          ))}
        </span>
      ),
    },
  ];
  if (rows?.length === 0) return <p className="empty">{texts.noQueue}</p>;
  return (
    <Table label={texts.queue} columns={columns} rows={rows} keyOf={({ paymentId }) => paymentId} />
  );
}

interface DeedDialogProps {
  readonly row: admin.ListPaymentsRow;
  readonly deed: Deed;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeedDialog({ row, deed, onDone, onClose }: DeedDialogProps) {
  const texts = useRequestTexts();
  const [text, setText] = useState('');
  const what = nameOf(row, texts.kinds);
  const isReasoned = deed === 'refuse' || deed === 'fail';
  const said = {
    approve: texts.approved,
    refuse: texts.refused,
    sent: texts.sentDone,
    done: texts.doneDone,
    fail: texts.failed,
  } as const;
  const run = async (): Promise<string> => {
    const seen = await carryOut(deed, row.paymentId, text.trim());
    onDone();
    const { approvals, approvalsNeeded } = seen;
    return deed === 'approve' && approvalsNeeded > 1
      ? texts.approvals(approvals.length, approvalsNeeded)
      : said[deed];
  };
  const title = texts.actionOf(texts[deed], what);
  const frame = { title, action: texts[deed], run, onClose };
  if (deed === 'approve') {
    const question = texts.approveQuestion(`${what} · ${detailsOf(row, texts)}`);
    return <ActionDialog {...frame} question={question} isMild />;
  }
  return (
    <ActionDialog {...frame}>
      <Field
        label={isReasoned ? texts.reason : texts.reference}
        value={text}
        onValue={setText}
        required={deed !== 'done'}
      />
      {isReasoned ? <p className="remark">{texts.reasonMeans}</p> : null}
      {deed === 'done' ? <p className="remark">{texts.doneMeans}</p> : null}
    </ActionDialog>
  );
}

function carryOut(deed: Deed, payment: string, text: string) {
  switch (deed) {
    case 'approve':
      return operator.call(admin.approvePayment, { payment });
    case 'refuse':
      return operator.call(admin.refusePayment, { payment, reason: text });
    case 'fail':
      return operator.call(admin.failPayment, { payment, reason: text });
    case 'sent':
      return operator.call(admin.paymentSent, { payment, reference: text });
    case 'done':
      return operator.call(admin.paymentDone, { payment, reference: text || undefined });
  }
}

function HeldTable({ rows }: { readonly rows: readonly admin.PaymentsHeldRow[] | undefined }) {
  const texts = useRequestTexts();
  const columns: readonly Column<admin.PaymentsHeldRow>[] = [
    { name: 'coin', title: texts.coin, cell: ({ coin }) => <strong>{coin}</strong> },
    { name: 'requests', title: texts.open, cell: (row) => String(row.requests), isNumber: true },
    { name: 'locked', title: texts.locked, cell: (row) => plainAmount(row.locked), isNumber: true },
    {
      name: 'moving',
      title: texts.inMotion,
      cell: (row) => plainAmount(row.moving),
      isNumber: true,
    },
    { name: 'held', title: texts.holding, cell: (row) => plainAmount(row.held), isNumber: true },
  ];
  return (
    <Section title={texts.held}>
      {rows?.length === 0 ? (
        <p className="empty">{texts.noHeld}</p>
      ) : (
        <Table label={texts.held} columns={columns} rows={rows} keyOf={({ coin }) => coin} />
      )}
    </Section>
  );
}
