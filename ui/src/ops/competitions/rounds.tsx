/** The rounds of a competition: planned, and brought from state to state. */

import { useState } from 'react';
import { admin } from '#client';
import { type Column, Mark, Section, Table, Time } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { ChangeRoundDialog, PlanDialog } from './round-dialogs.tsx';

type RoundRow = admin.CompetitionAnswer['rounds'][number];

type Action = 'change' | 'prepare' | 'start' | 'force' | 'end' | 'cancel' | 'close';

/** What can be done in which state. */
const ACTIONS: Readonly<Record<RoundRow['state'], readonly Action[]>> = {
  scheduled: ['change', 'prepare', 'start', 'cancel'],
  preparing: ['change', 'start', 'force', 'cancel'],
  running: ['change', 'end', 'cancel'],
  ended: ['change', 'close'],
  closed: ['change'],
  cancelled: [],
};

const DEEDS = {
  prepare: admin.prepareRound,
  start: admin.startRound,
  force: admin.forceRound,
  end: admin.endRound,
  cancel: admin.cancelRound,
  close: admin.closeRound,
};

interface RoundsProps {
  readonly competitionId: string;
  readonly seen: admin.CompetitionAnswer | undefined;
  readonly onDone: () => void;
}

interface Asked {
  readonly action: Action;
  readonly round: RoundRow;
}

export function Rounds({ competitionId, seen, onDone }: RoundsProps) {
  const { desk } = useCompetitionTexts();
  const [isPlanning, setPlanning] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  return (
    <Section
      title={desk.rounds}
      actions={mayPlan(seen) ? <Act onClick={() => setPlanning(true)}>{desk.plan}</Act> : null}
    >
      <RoundTable rounds={seen?.rounds} onAction={setAsked} />
      {isPlanning ? (
        <PlanDialog
          competitionId={competitionId}
          onDone={onDone}
          onClose={() => setPlanning(false)}
        />
      ) : null}
      {asked?.action === 'change' ? (
        <ChangeRoundDialog
          round={asked.round}
          {...{ competitionId, onDone }}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {asked === undefined || asked.action === 'change' ? null : (
        <RoundDialog
          action={asked.action}
          round={asked.round}
          {...{ competitionId, onDone }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

/** One round is planned at a time. */
function mayPlan(seen: admin.CompetitionAnswer | undefined): boolean {
  if (seen === undefined || seen.isCancelled) return false;
  return seen.rounds.every(({ state }) => /^(ended|closed|cancelled)$/.test(state));
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
            <Act key={action} onClick={() => onAction({ action, round })}>
              {desk.actions[action]}
            </Act>
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
  readonly competitionId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface RoundDialogProps extends DialogProps {
  readonly action: Exclude<Action, 'change'>;
  readonly round: RoundRow;
}

function RoundDialog({ action, round, competitionId, onDone, onClose }: RoundDialogProps) {
  const { desk } = useCompetitionTexts();
  const run = async (): Promise<string> => {
    const named = { competition: competitionId, round: String(round.number) };
    await operator.call(DEEDS[action], named);
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
