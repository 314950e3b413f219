/** The rounds of a competition: planned, and brought from state to state. */
import { useState } from 'react';
import type { RoundRow } from '#dialects';
import {
  Button,
  type Column,
  Field,
  FieldRow,
  Mark,
  Section,
  Table,
  Time,
} from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

const MINUTE_MS = 60_000;

type Action = 'prepare' | 'start' | 'force' | 'end' | 'cancel' | 'close';

/** What can be done in which state. */
const ACTIONS: Readonly<Record<RoundRow['state'], readonly Action[]>> = {
  scheduled: ['prepare', 'start', 'cancel'],
  preparing: ['start', 'force', 'cancel'],
  running: ['end', 'cancel'],
  ended: ['close'],
  closed: [],
  cancelled: [],
};

interface RoundsProps {
  readonly path: string;
  readonly rounds: readonly RoundRow[] | undefined;
  readonly onDone: () => void;
}

interface Asked {
  readonly action: Action;
  readonly round: RoundRow;
}

export function Rounds({ path, rounds, onDone }: RoundsProps) {
  const { desk } = useCompetitionTexts();
  const [isPlanning, setPlanning] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  return (
    <Section
      title={desk.rounds}
      actions={<Button onClick={() => setPlanning(true)}>{desk.plan}</Button>}
    >
      <RoundTable rounds={rounds} onAction={setAsked} />
      {isPlanning ? (
        <PlanDialog path={path} onDone={onDone} onClose={() => setPlanning(false)} />
      ) : null}
      {asked === undefined ? null : (
        <RoundDialog {...asked} {...{ path, onDone }} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

interface RoundTableProps {
  readonly rounds: readonly RoundRow[] | undefined;
  readonly onAction: (asked: Asked) => void;
}

function RoundTable({ rounds, onAction }: RoundTableProps) {
  const texts = useCompetitionTexts();
  const { desk } = texts;
  const columns: readonly Column<RoundRow>[] = [
    { name: 'name', title: desk.name, cell: ({ number, name }) => texts.round(number, name) },
    {
      name: 'state',
      title: desk.state,
      cell: ({ state }) => (
        <Mark tone={state === 'running' ? 'good' : 'plain'}>{texts.states[state]}</Mark>
      ),
    },
    { name: 'starts', title: desk.starts, cell: (row) => <Time at={Number(row.startTime)} /> },
    { name: 'ends', title: desk.ends, cell: (row) => <Time at={Number(row.endTime)} /> },
    { name: 'traders', title: texts.members, isNumber: true, cell: ({ traders }) => traders },
    { name: 'note', title: desk.note, cell: ({ note }) => note },
    {
      name: 'actions',
      title: <span className="only-read-out">{desk.state}</span>,
      cell: (round) => (
        <span className="actions">
          {ACTIONS[round.state].map((action) => (
            <Button key={action} onClick={() => onAction({ action, round })}>
              {desk.actions[action]}
            </Button>
          ))}
        </span>
      ),
    },
  ];
  return (
    <Table
      label={desk.rounds}
      columns={columns}
      rows={rounds}
      keyOf={({ number }) => String(number)}
      empty={desk.noRounds}
    />
  );
}

interface DialogProps {
  readonly path: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function PlanDialog({ path, onDone, onClose }: DialogProps) {
  const { desk } = useCompetitionTexts();
  const [name, setName] = useState('');
  const [startsIn, setStartsIn] = useState('5');
  const [minutes, setMinutes] = useState('60');
  const [scenario, setScenario] = useState('');
  const run = async (): Promise<string> => {
    const round = await operator.call<RoundRow>('POST', `${path}/rounds`, {
      ...{ name, scenario: scenario.trim() },
      startsInMs: Math.round(Number(startsIn) * MINUTE_MS),
      durationMs: Math.round(Number(minutes) * MINUTE_MS),
    });
    onDone();
    return desk.planned(round.number);
  };
  return (
    <ActionDialog title={desk.plan} action={desk.plan} {...{ run, onClose }}>
      <Field label={desk.name} value={name} onValue={setName} />
      <FieldRow>
        <Field label={desk.startsIn} value={startsIn} onValue={setStartsIn} isNumber required />
        <Field label={desk.minutes} value={minutes} onValue={setMinutes} isNumber required />
      </FieldRow>
      <Field label={desk.scenario} value={scenario} onValue={setScenario} />
    </ActionDialog>
  );
}

function RoundDialog({ action, round, path, onDone, onClose }: Asked & DialogProps) {
  const { desk } = useCompetitionTexts();
  const run = async (): Promise<string> => {
    await operator.call('POST', `${path}/rounds/${round.number}/${action}`, {});
    onDone();
    return desk.done;
  };
  return (
    <ActionDialog
      title={desk.actions[action]}
      action={desk.actions[action]}
      question={desk.questions[action]}
      isMild={action === 'start' || action === 'close'}
      {...{ run, onClose }}
    />
  );
}
