/** States of the venue that are kept under a name: save, go back, forget. */

import { useState } from 'react';
import { sandbox as api } from '#client';
import { type Column, Field, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { Line } from './line.tsx';
import { useStep } from './use-step.ts';

type CheckpointRow = api.StateAnswer['checkpoints'][number];

const RESET_MAX_MS = 120_000;

interface CheckpointsProps {
  readonly rows: readonly CheckpointRow[];
  readonly onDone: () => void;
}

interface Asked {
  readonly deed: 'reset' | 'drop';
  readonly name: string;
}

export function Checkpoints({ rows, onDone }: CheckpointsProps) {
  const ops = useOpsTexts();
  const { sandbox } = ops;
  const [asked, setAsked] = useState<Asked>();
  const columns: readonly Column<CheckpointRow>[] = [
    { name: 'name', title: sandbox.name, cell: ({ name }) => <strong>{name}</strong> },
    { name: 'time', title: sandbox.savedAt, cell: ({ time }) => <Time at={time} /> },
    count('seq', sandbox.sequence, ({ seq }) => seq),
    count('rows', sandbox.rows, (row) => row.rows),
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: ({ name }) => (
        <span className="actions">
          <Act
            aria-label={`${sandbox.reset}: ${name}`}
            onClick={() => setAsked({ deed: 'reset', name })}
          >
            {sandbox.reset}
          </Act>
          <Act
            aria-label={`${sandbox.drop}: ${name}`}
            onClick={() => setAsked({ deed: 'drop', name })}
          >
            {sandbox.drop}
          </Act>
        </span>
      ),
    },
  ];
  return (
    <Section title={sandbox.checkpoints} actions={<Save onDone={onDone} />}>
      <Table
        label={sandbox.checkpoints}
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        empty={sandbox.noCheckpoints}
      />
      {asked === undefined ? null : (
        <DeedDialog asked={asked} onDone={onDone} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

function count(
  name: string,
  title: string,
  read: (row: CheckpointRow) => number,
): Column<CheckpointRow> {
  return { name, title, cell: (row) => grouped(String(read(row))), isNumber: true };
}

function Save({ onDone }: Pick<CheckpointsProps, 'onDone'>) {
  const { sandbox } = useOpsTexts();
  const [name, setName] = useState('');
  const step = useStep(onDone);
  const save = (): void =>
    step.run(async () => {
      await operator.call(api.saveCheckpoint, { name });
      setName('');
      return sandbox.saved(name);
    });
  return (
    <>
      <Refusal failure={step.failure} />
      <Line {...step} label={sandbox.save} action={sandbox.save} onSubmit={save}>
        <Field label={sandbox.newName} value={name} onValue={setName} required />
      </Line>
    </>
  );
}

interface DeedDialogProps {
  readonly asked: Asked;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DeedDialog({ asked: { deed, name }, onDone, onClose }: DeedDialogProps) {
  const { sandbox } = useOpsTexts();
  const run = async (): Promise<string> => {
    if (deed === 'reset')
      await operator.call(api.resetToCheckpoint, { name }, { timeoutMs: RESET_MAX_MS });
    else await operator.call(api.dropCheckpoint, { name });
    onDone();
    return deed === 'reset' ? sandbox.wasReset(name) : sandbox.dropped(name);
  };
  return (
    <ActionDialog
      title={`${sandbox[deed]}: ${name}`}
      action={sandbox[deed]}
      question={deed === 'reset' ? sandbox.resetQuestion(name) : sandbox.dropQuestion(name)}
      {...{ run, onClose }}
    />
  );
}
