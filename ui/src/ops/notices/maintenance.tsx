/** Maintenance windows: planned, under way and past. */

import { useState } from 'react';
import { admin } from '#client';
import {
  type Column,
  Field,
  Mark,
  Refusal,
  Section,
  Table,
  Time,
  useTimes,
} from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { SpanFields, spanFromNow, spanIn } from './span-fields.tsx';

const EVERY_MS = 3_000;
const HOUR_MS = 3_600_000;
const TONES = { planned: 'plain', beginning: 'warning', begun: 'fault', over: 'good' } as const;

export function Maintenance() {
  const { notices } = useDeskTexts();
  const { data, failure, reload } = useLoaded(admin.maintenanceWindows, {}, EVERY_MS);
  const [isPlanning, setPlanning] = useState(false);
  const [ended, setEnded] = useState<admin.MaintenanceWindowsRow>();
  return (
    <Section
      title={notices.maintenance}
      actions={<Act onClick={() => setPlanning(true)}>{notices.plan}</Act>}
    >
      <Refusal failure={failure} />
      <WindowTable rows={data} onEnd={setEnded} />
      {isPlanning ? <PlanDialog onDone={reload} onClose={() => setPlanning(false)} /> : null}
      {ended === undefined ? null : (
        <EndDialog row={ended} onDone={reload} onClose={() => setEnded(undefined)} />
      )}
    </Section>
  );
}

interface TableProps {
  readonly rows: readonly admin.MaintenanceWindowsRow[] | undefined;
  readonly onEnd: (row: admin.MaintenanceWindowsRow) => void;
}

function WindowTable({ rows, onEnd }: TableProps) {
  const { notices } = useDeskTexts();
  const times = useTimes();
  const columns: readonly Column<admin.MaintenanceWindowsRow>[] = [
    { name: 'from', title: notices.from, cell: ({ from }) => <Time at={Number(from)} /> },
    { name: 'until', title: notices.until, cell: ({ until }) => <Time at={Number(until)} /> },
    {
      name: 'markets',
      title: notices.markets,
      cell: ({ markets }) => (markets.length === 0 ? notices.allMarkets : markets.join(', ')),
    },
    { name: 'halted', title: notices.halted, cell: ({ halted }) => halted.join(', ') || '–' },
    {
      name: 'state',
      title: notices.state,
      cell: ({ state }) => <Mark tone={TONES[state]}>{notices.states[state]}</Mark>,
    },
    {
      name: 'action',
      title: <span className="only-read-out">{notices.end}</span>,
      cell: (row) =>
        row.state === 'over' ? null : (
          <Act
            aria-label={notices.endOf(times.dateTime(Number(row.from)))}
            onClick={() => onEnd(row)}
          >
            {notices.end}
          </Act>
        ),
    },
  ];
  return (
    <Table
      label={notices.maintenance}
      columns={columns}
      rows={rows}
      keyOf={({ windowId }) => windowId}
      empty={notices.noWindows}
    />
  );
}

interface DoneProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function PlanDialog({ onDone, onClose }: DoneProps) {
  const { notices } = useDeskTexts();
  const times = useTimes();
  const [span, setSpan] = useState(() => spanFromNow(times, HOUR_MS));
  const [markets, setMarkets] = useState('');
  const [textEn, setEnglish] = useState('');
  const [textZh, setChinese] = useState('');
  const run = async (): Promise<string> => {
    const when = spanIn(times, span);
    if (when === undefined) throw new Error(notices.badTime);
    const names = markets.split(',').map((name) => name.trim());
    const asked = { ...when, textEn, textZh, markets: names.filter((name) => name !== '') };
    await operator.call(admin.planMaintenance, asked);
    onDone();
    return notices.planned;
  };
  return (
    <ActionDialog title={notices.plan} action={notices.plan} {...{ run, onClose }}>
      <p>{notices.planMeans}</p>
      <SpanFields span={span} onSpan={setSpan} />
      <Field
        label={notices.markets}
        placeholder={notices.marketsHint}
        value={markets}
        onValue={setMarkets}
      />
      <Field label={notices.textEn} value={textEn} onValue={setEnglish} />
      <Field label={notices.textZh} value={textZh} onValue={setChinese} />
      <p className="remark">{notices.eitherLanguage}</p>
    </ActionDialog>
  );
}

function EndDialog({
  row,
  onDone,
  onClose,
}: DoneProps & { readonly row: admin.MaintenanceWindowsRow }) {
  const { notices } = useDeskTexts();
  const from = useTimes().dateTime(Number(row.from));
  const run = async (): Promise<string> => {
    await operator.call(admin.endMaintenance, { window: row.windowId });
    onDone();
    return notices.ended;
  };
  return (
    <ActionDialog
      title={notices.endOf(from)}
      action={notices.end}
      question={notices.endQuestion(from)}
      {...{ run, onClose }}
    />
  );
}
