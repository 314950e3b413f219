/** Who runs the venue: persons with roles, and the money that waits for a second one of them. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Field, Mark, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { useHasPeople } from '../../session/use-venue.ts';
import { useOperatorTexts } from '../../texts/operators.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { VenueError } from '../../wire/failure.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator, useMay } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { Approvals } from './approvals.tsx';
import { OperatorLimits } from './limits.tsx';
import { type Role, RoleSelect } from './role-select.tsx';

const EVERY_MS = 5_000;
const PERSON_UNKNOWN = '60811';

export function Operators() {
  const hasPeople = useHasPeople();
  return (
    <div className="ops-page">
      {hasPeople === true ? <OperatorList /> : null}
      <Approvals />
      <OperatorLimits />
    </div>
  );
}

type Asked = 'appoint' | { readonly row: admin.OperatorsRow; readonly to: 'change' | 'remove' };

function OperatorList() {
  const texts = useOperatorTexts();
  const { data, failure, reload } = useLoaded(admin.operators, {}, EVERY_MS);
  const [asked, setAsked] = useState<Asked>();
  const mayOwn = useMay('own');
  const close = (): void => setAsked(undefined);
  const add = mayOwn ? <Button onClick={() => setAsked('appoint')}>{texts.appoint}</Button> : null;
  return (
    <Section title={texts.title} actions={add}>
      <Refusal failure={failure} />
      <OperatorTable rows={data} onAsk={mayOwn ? setAsked : undefined} />
      {asked === 'appoint' ? <AppointDialog onDone={reload} onClose={close} /> : null}
      {typeof asked === 'object' && asked.to === 'change' ? (
        <ChangeDialog row={asked.row} onDone={reload} onClose={close} />
      ) : null}
      {typeof asked === 'object' && asked.to === 'remove' ? (
        <RemoveDialog row={asked.row} onDone={reload} onClose={close} />
      ) : null}
    </Section>
  );
}

interface OperatorTableProps {
  readonly rows: readonly admin.OperatorsRow[] | undefined;
  /** Undefined for who may not appoint. */
  readonly onAsk: ((asked: Asked) => void) | undefined;
}

function OperatorTable({ rows, onAsk }: OperatorTableProps) {
  const texts = useOperatorTexts();
  const ops = useOpsTexts();
  const columns: readonly Column<admin.OperatorsRow>[] = [
    { name: 'person', title: texts.person, cell: ({ email }) => email },
    { name: 'role', title: texts.role, cell: ({ role }) => texts.roles[role] ?? role },
    { name: 'factor', title: texts.factor, cell: (row) => <FactorMark row={row} /> },
    { name: 'since', title: texts.since, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
    ...(onAsk === undefined
      ? []
      : [
          {
            name: 'action',
            title: <span className="only-read-out">{ops.actions}</span>,
            cell: (row: admin.OperatorsRow) => <RowActions row={row} onAsk={onAsk} />,
          },
        ]),
  ];
  return (
    <Table
      label={texts.title}
      columns={columns}
      rows={rows}
      keyOf={({ personId }) => personId}
      empty={texts.none}
    />
  );
}

function FactorMark({ row }: { readonly row: admin.OperatorsRow }) {
  const texts = useOperatorTexts();
  if (row.suspended) return <Mark tone="fault">{texts.suspended}</Mark>;
  return row.secondFactor ? (
    <Mark tone="good">{texts.factorOn}</Mark>
  ) : (
    <Mark tone="warning">{texts.factorOff}</Mark>
  );
}

interface RowActionsProps {
  readonly row: admin.OperatorsRow;
  readonly onAsk: (asked: Asked) => void;
}

function RowActions({ row, onAsk }: RowActionsProps) {
  const texts = useOperatorTexts();
  return (
    <div className="actions">
      <Button aria-label={texts.changeOf(row.email)} onClick={() => onAsk({ row, to: 'change' })}>
        {texts.change}
      </Button>
      <Button aria-label={texts.removeOf(row.email)} onClick={() => onAsk({ row, to: 'remove' })}>
        {texts.remove}
      </Button>
    </div>
  );
}

interface DoneProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

async function idOf(email: string, otherwise: string): Promise<string> {
  const [person] = await operator.call(admin.people, {
    email: email.trim().toLowerCase(),
  });
  if (person === undefined) throw new VenueError(PERSON_UNKNOWN, otherwise, 0);
  return person.personId;
}

function AppointDialog({ onDone, onClose }: DoneProps) {
  const texts = useOperatorTexts();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const run = async (): Promise<string> => {
    const personId = await idOf(email, texts.noPerson);
    await operator.call(admin.appoint, { personId, role });
    onDone();
    return texts.appointed(email.trim(), texts.roles[role] ?? role);
  };
  return (
    <ActionDialog title={texts.appoint} action={texts.appoint} duty="own" {...{ run, onClose }}>
      <Field label={texts.person} type="email" value={email} onValue={setEmail} required />
      <RoleSelect value={role} onValue={setRole} />
    </ActionDialog>
  );
}

interface RowProps extends DoneProps {
  readonly row: admin.OperatorsRow;
}

function ChangeDialog({ row, onDone, onClose }: RowProps) {
  const texts = useOperatorTexts();
  const [role, setRole] = useState<Role>(row.role);
  const run = async (): Promise<string> => {
    await operator.call(admin.appoint, { personId: row.personId, role });
    onDone();
    return texts.appointed(row.email, texts.roles[role] ?? role);
  };
  const title = texts.changeOf(row.email);
  return (
    <ActionDialog title={title} action={texts.change} duty="own" {...{ run, onClose }}>
      <RoleSelect value={role} onValue={setRole} />
    </ActionDialog>
  );
}

function RemoveDialog({ row, onDone, onClose }: RowProps) {
  const texts = useOperatorTexts();
  const run = async (): Promise<string> => {
    await operator.call(admin.dismiss, { person: row.personId });
    onDone();
    return texts.removed(row.email);
  };
  return (
    <ActionDialog
      title={texts.removeOf(row.email)}
      action={texts.remove}
      question={texts.removeQuestion(row.email)}
      duty="own"
      {...{ run, onClose }}
    />
  );
}
