/** The fault rules in force: calls and messages that go wrong on purpose. */

import { useState } from 'react';
import { sandbox as api } from '#client';
import { type Column, Refusal, Section, Table } from '../../look/mod.ts';
import { percentText } from '../../model/numbers.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { FaultDialog } from './fault-dialog.tsx';
import { useStep } from './use-step.ts';

type FaultRow = api.StateAnswer['faults'][number];
type FaultEffectRow = api.StateAnswer['faults'][number]['effect'];

const PERCENT_DECIMALS = 1;

interface FaultsProps {
  readonly rows: readonly FaultRow[];
  readonly onDone: () => void;
}

export function Faults({ rows, onDone }: FaultsProps) {
  const { sandbox } = useOpsTexts();
  const [asked, setAsked] = useState<'add' | 'clear'>();
  const step = useStep(onDone);
  const close = (): void => setAsked(undefined);
  const remove = ({ faultId }: FaultRow): void =>
    step.run(async () => {
      await operator.call(api.removeFault, { faultId });
      return sandbox.faultRemoved(String(faultId));
    });
  return (
    <Section
      title={sandbox.faults}
      actions={
        <>
          <Act onClick={() => setAsked('add')}>{sandbox.addFault}</Act>
          <Act disabled={rows.length === 0} onClick={() => setAsked('clear')}>
            {sandbox.clearFaults}
          </Act>
        </>
      }
    >
      <Refusal failure={step.failure} />
      <FaultTable rows={rows} isBusy={step.isBusy} onRemove={remove} />
      {asked === 'add' ? <FaultDialog onDone={onDone} onClose={close} /> : null}
      {asked === 'clear' ? <ClearDialog {...{ rows, onDone }} onClose={close} /> : null}
    </Section>
  );
}

interface FaultTableProps {
  readonly rows: readonly FaultRow[];
  readonly isBusy: boolean;
  readonly onRemove: (row: FaultRow) => void;
}

function FaultTable({ rows, isBusy, onRemove }: FaultTableProps) {
  const ops = useOpsTexts();
  const { sandbox } = ops;
  const columns: readonly Column<FaultRow>[] = [
    { name: 'id', title: sandbox.number, cell: ({ faultId }) => String(faultId) },
    { name: 'label', title: sandbox.label, cell: ({ label }) => label },
    {
      name: 'effect',
      title: sandbox.effect,
      cell: ({ effect }) => `${sandbox.effects(effect.kind)} ${figuresOf(effect)}`,
    },
    {
      name: 'target',
      title: sandbox.target,
      cell: ({ target }) => (target === '' ? sandbox.everything : <code>{target}</code>),
    },
    {
      name: 'key',
      title: sandbox.key,
      cell: ({ key }) => (key === '' ? sandbox.everybody : <code>{key}</code>),
    },
    {
      name: 'probability',
      title: sandbox.probability,
      cell: ({ probability }) => percentText(probability, PERCENT_DECIMALS),
      isNumber: true,
    },
    { name: 'skip', title: sandbox.skip, cell: ({ skip }) => String(skip), isNumber: true },
    {
      name: 'count',
      title: sandbox.count,
      cell: ({ count }) => (count === 0 ? '∞' : String(count)),
      isNumber: true,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <Act
          aria-label={`${sandbox.remove} ${row.faultId}`}
          isBusy={isBusy}
          onClick={() => onRemove(row)}
        >
          {sandbox.remove}
        </Act>
      ),
    },
  ];
  return (
    <Table
      label={sandbox.faults}
      columns={columns}
      rows={rows}
      keyOf={({ faultId }) => String(faultId)}
      empty={sandbox.noFaults}
    />
  );
}

/** As in 200–500 ms, or 503. */
function figuresOf({ ms, jitterMs = 0, retryAfterMs, status }: FaultEffectRow): string {
  if (ms !== undefined) return jitterMs === 0 ? `${ms} ms` : `${ms}–${ms + jitterMs} ms`;
  if (retryAfterMs !== undefined) return `${retryAfterMs} ms`;
  return status === undefined ? '' : String(status);
}

interface ClearDialogProps extends FaultsProps {
  readonly onClose: () => void;
}

function ClearDialog({ rows, onDone, onClose }: ClearDialogProps) {
  const { sandbox } = useOpsTexts();
  const run = async (): Promise<string> => {
    await operator.call(api.removeFaults, {});
    onDone();
    return sandbox.faultsCleared;
  };
  return (
    <ActionDialog
      title={sandbox.clearFaults}
      action={sandbox.clearFaults}
      question={sandbox.clearQuestion(String(rows.length))}
      {...{ run, onClose }}
    />
  );
}
