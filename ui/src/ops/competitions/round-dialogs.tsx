/** A round is planned, or changed as far as it has not happened; what changes is shown before. */

import { useState } from 'react';
import { admin } from '#client';
import { Field, FieldRow, type Times, useTimes } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import {
  changesOf,
  draftOf,
  type Fault,
  faultsOf,
  isDecimal,
  MINUTE_MS,
  minutesFault,
  nameFault,
  phaseOf,
} from './round-draft.ts';

type RoundRow = admin.CompetitionAnswer['rounds'][number];

interface DialogProps {
  readonly competitionId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function PlanDialog({ competitionId, onDone, onClose }: DialogProps) {
  const { desk } = useCompetitionTexts();
  const { listings } = useDeskTexts();
  const [draft, setDraft] = useState({ name: '', startsIn: '5', minutes: '60', scenario: '' });
  const faults: Readonly<Record<string, Fault | undefined>> = {
    name: nameFault(draft.name),
    startsIn: isDecimal(draft.startsIn) ? undefined : 'startsIn',
    minutes: minutesFault(draft.minutes),
  };
  const run = async (): Promise<string> => {
    if (Object.values(faults).some((one) => one !== undefined)) throw new Error(listings.seeFields);
    const round = await operator.call(admin.makeRound, {
      competition: competitionId,
      ...{ name: draft.name.trim(), scenario: draft.scenario.trim() },
      startsInMs: Math.round(Number(draft.startsIn) * MINUTE_MS),
      durationMs: Math.round(Number(draft.minutes) * MINUTE_MS),
    });
    onDone();
    return desk.planned(round.number);
  };
  const field = (name: keyof typeof draft, label: string, isNumber = false) => {
    const fault = faults[name];
    return (
      <Field
        label={label}
        value={draft[name]}
        onValue={(value) => setDraft({ ...draft, [name]: value })}
        fault={fault === undefined ? undefined : desk.faults[fault]}
        isNumber={isNumber}
        required={isNumber}
      />
    );
  };
  return (
    <ActionDialog title={desk.plan} action={desk.plan} {...{ run, onClose }}>
      {field('name', desk.roundName)}
      <FieldRow>
        {field('startsIn', desk.startsIn, true)}
        {field('minutes', desk.minutes, true)}
      </FieldRow>
      {field('scenario', desk.scenario)}
      <p className="remark">{desk.planMeans}</p>
    </ActionDialog>
  );
}

const TIME_FIELD = { type: 'datetime-local', required: true } as const;
const NAMES = ['name', 'start', 'minutes', 'end'] as const;

interface ChangeDialogProps extends DialogProps {
  readonly round: RoundRow;
}

export function ChangeRoundDialog({ round, competitionId, onDone, onClose }: ChangeDialogProps) {
  const { desk } = useCompetitionTexts();
  const { listings } = useDeskTexts();
  const times: Times = useTimes();
  const [before] = useState(() => draftOf(round, times));
  const [draft, setDraft] = useState(before);
  const phase = phaseOf(round);
  const faults = faultsOf(draft, times);
  const isFaulty = Object.values(faults).some((one) => one !== undefined);
  const labels = {
    ...{ name: desk.roundName, start: desk.starts, minutes: desk.minutes, end: desk.ends },
  };
  const lines = NAMES.filter((name) => draft[name] !== before[name]).map((name) => {
    const [was, is] = [before[name], draft[name]].map((text) => text.replace('T', ' '));
    return `${labels[name]}: ${was || desk.nothing} → ${is || desk.nothing}`;
  });
  const run = async (): Promise<string> => {
    if (isFaulty) throw new Error(listings.seeFields);
    const changes = changesOf(before, draft, phase, times);
    await operator.call(admin.changeRound, {
      competition: competitionId,
      round: round.number,
      ...changes,
    });
    onDone();
    return desk.saved;
  };
  const question = isFaulty || lines.length === 0 ? undefined : [listings.preview, ...lines];
  const field = (name: (typeof NAMES)[number]) => {
    const fault = faults[name];
    return (
      <Field
        label={labels[name]}
        value={draft[name]}
        onValue={(value) => setDraft({ ...draft, [name]: value })}
        fault={fault === undefined ? undefined : desk.faults[fault]}
        isNumber={name === 'minutes'}
        {...(name === 'start' || name === 'end' ? TIME_FIELD : {})}
      />
    );
  };
  return (
    <ActionDialog
      title={desk.changeRound(round.number)}
      action={desk.save}
      question={question?.join('\n')}
      isMild
      {...{ run, onClose }}
    >
      {field('name')}
      {phase === 'planned' ? (
        <FieldRow>
          {field('start')}
          {field('minutes')}
        </FieldRow>
      ) : null}
      {phase === 'running' ? field('end') : null}
      <p className="remark">{desk.changeMeans[phase]}</p>
    </ActionDialog>
  );
}
