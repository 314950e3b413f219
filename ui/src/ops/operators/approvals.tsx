/** Money above a limit: what waits for a second operator, and what became of it. */

import { useState } from 'react';
import { admin } from '#client';
import {
  Button,
  Check,
  type Column,
  Field,
  Mark,
  Refusal,
  Section,
  Table,
  Time,
} from '../../look/mod.ts';
import { useOperatorTexts } from '../../texts/operators.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator, useActing, useMay } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';

const EVERY_MS = 3_000;
const TONES: Readonly<Record<admin.ApprovalsRow['state'], 'good' | 'warning' | 'fault' | 'plain'>> =
  {
    pending: 'warning',
    approved: 'warning',
    done: 'good',
    failed: 'fault',
    refused: 'plain',
    expired: 'plain',
  };

interface Asked {
  readonly row: admin.ApprovalsRow;
  readonly to: 'approve' | 'refuse' | 'settle';
}

/** As in "Deposit 25,000 USDT". */
function useName(): (row: admin.ApprovalsRow) => string {
  const texts = useOperatorTexts();
  return ({ kind, amount, coin }) =>
    `${texts.approvalKinds[kind] ?? kind} ${amount || texts.noLimit} ${coin}`;
}

export function Approvals() {
  const texts = useOperatorTexts();
  const { data, failure, reload } = useLoaded(admin.approvals, {}, EVERY_MS);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  return (
    <Section title={texts.approvals}>
      <Refusal failure={failure} />
      <ApprovalTable rows={data} onAsk={setAsked} />
      {asked === undefined ? null : asked.to === 'settle' ? (
        <SettleDialog row={asked.row} onDone={reload} onClose={close} />
      ) : (
        <DecideDialog row={asked.row} to={asked.to} onDone={reload} onClose={close} />
      )}
    </Section>
  );
}

interface ApprovalTableProps {
  readonly rows: readonly admin.ApprovalsRow[] | undefined;
  readonly onAsk: (asked: Asked) => void;
}

function ApprovalTable({ rows, onAsk }: ApprovalTableProps) {
  const texts = useOperatorTexts();
  const ops = useOpsTexts();
  const nameOf = useName();
  const columns: readonly Column<admin.ApprovalsRow>[] = [
    { name: 'what', title: texts.what, cell: nameOf },
    {
      name: 'account',
      title: texts.account,
      cell: ({ accountId }) =>
        accountId === '' ? '–' : <a href={`#accounts/${accountId}`}>{accountId}</a>,
    },
    { name: 'askedBy', title: texts.askedBy, cell: ({ askedBy }) => askedBy },
    { name: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { name: 'state', title: texts.state, cell: (row) => <StateMark row={row} /> },
    { name: 'decidedBy', title: texts.decidedBy, cell: ({ decidedBy }) => decidedBy },
    { name: 'until', title: texts.until, cell: (row) => <Time at={Number(row.expiresTime)} /> },
    {
      name: 'action',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => <RowActions row={row} onAsk={onAsk} />,
    },
  ];
  return (
    <Table
      label={texts.approvals}
      columns={columns}
      rows={rows}
      keyOf={({ approvalId }) => approvalId}
      empty={texts.noApprovals}
    />
  );
}

function StateMark({ row }: { readonly row: admin.ApprovalsRow }) {
  const texts = useOperatorTexts();
  return <Mark tone={TONES[row.state]}>{texts.approvalStates[row.state] ?? row.state}</Mark>;
}

interface RowActionsProps {
  readonly row: admin.ApprovalsRow;
  readonly onAsk: (asked: Asked) => void;
}

/** Whoever asked for it may take it back, and not approve it. */
function RowActions({ row, onAsk }: RowActionsProps) {
  const texts = useOperatorTexts();
  const name = useName()(row);
  const mayRun = useMay('run');
  const acting = useActing();
  if (!mayRun) return null;
  if (row.unsettled) {
    return (
      <Button aria-label={texts.settleOf(name)} onClick={() => onAsk({ row, to: 'settle' })}>
        {texts.settle}
      </Button>
    );
  }
  if (row.state !== 'pending') return null;
  return (
    <div className="actions">
      <Button
        aria-label={texts.approveOf(name)}
        disabled={row.askedById === acting?.id}
        onClick={() => onAsk({ row, to: 'approve' })}
      >
        {texts.approve}
      </Button>
      <Button aria-label={texts.refuseOf(name)} onClick={() => onAsk({ row, to: 'refuse' })}>
        {texts.refuse}
      </Button>
    </div>
  );
}

interface RowProps {
  readonly row: admin.ApprovalsRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DecideDialog({
  row,
  to,
  onDone,
  onClose,
}: RowProps & { readonly to: 'approve' | 'refuse' }) {
  const texts = useOperatorTexts();
  const name = useName()(row);
  const run = async (): Promise<string> => {
    const deed = to === 'approve' ? admin.approve : admin.refuseApproval;
    await operator.call(deed, { approval: row.approvalId }).finally(onDone);
    return to === 'approve' ? texts.approvedNow(name) : texts.refusedNow(name);
  };
  const isApproval = to === 'approve';
  return (
    <ActionDialog
      title={isApproval ? texts.approveOf(name) : texts.refuseOf(name)}
      action={isApproval ? texts.approve : texts.refuse}
      question={isApproval ? texts.approveQuestion(name) : texts.refuseQuestion(name)}
      isMild={!isApproval}
      {...{ run, onClose }}
    />
  );
}

function SettleDialog({ row, onDone, onClose }: RowProps) {
  const texts = useOperatorTexts();
  const name = useName()(row);
  const [moved, setMoved] = useState(false);
  const [outcome, setOutcome] = useState('');
  const run = async (): Promise<string> => {
    await operator.call(admin.settleApproval, { approval: row.approvalId, moved, outcome });
    onDone();
    return texts.settled;
  };
  return (
    <ActionDialog title={texts.settleOf(name)} action={texts.settle} {...{ run, onClose }}>
      <p className="remark">{texts.settleMeans}</p>
      <Check label={texts.moved} value={moved} onValue={setMoved} />
      <Field label={texts.seen} value={outcome} onValue={setOutcome} required />
    </ActionDialog>
  );
}
