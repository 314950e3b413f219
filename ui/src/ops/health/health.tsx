/** The health of the venue as live plots, and what it refuses and why. */
import { isReject, REJECTS } from '#domain';
import { type Column, Fact, Refusal, Section, Table, useTimes } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { useTexts } from '../../texts/texts.ts';
import { conditionOf } from '../pulse.tsx';
import { Plot } from './plot.tsx';
import { vitals } from './sampler.ts';
import { type RefusalCount, refusalCounts, type Sample } from './samples.ts';

type Figures = 'whole' | 'decimal' | 'megabytes';

interface PlotFacts {
  readonly name: PlotName;
  readonly read: (sample: Sample) => number | undefined;
  readonly unit?: string;
  readonly figures: Figures;
}

type PlotName =
  | 'commands'
  | 'gateLag'
  | 'projectionLag'
  | 'loopDelay'
  | 'requests'
  | 'requestTime'
  | 'refusals'
  | 'connections'
  | 'unsent'
  | 'cpu'
  | 'memory'
  | 'journal';

const PLOTS: readonly PlotFacts[] = [
  { name: 'commands', read: (of) => of.commandsPerS, unit: '/s', figures: 'decimal' },
  { name: 'gateLag', read: (of) => of.gateLag, figures: 'whole' },
  { name: 'projectionLag', read: (of) => of.projectionLag, figures: 'whole' },
  { name: 'loopDelay', read: (of) => of.loopDelayMs, unit: 'ms', figures: 'decimal' },
  { name: 'requests', read: (of) => of.requestsPerS, unit: '/s', figures: 'decimal' },
  { name: 'requestTime', read: (of) => of.requestP99Ms, unit: 'ms', figures: 'decimal' },
  { name: 'refusals', read: (of) => of.refusalsPerS, unit: '/s', figures: 'decimal' },
  { name: 'connections', read: (of) => of.connections, figures: 'whole' },
  { name: 'unsent', read: (of) => of.unsentBytes, unit: 'MB', figures: 'megabytes' },
  { name: 'cpu', read: (of) => of.cpuPercent, unit: '%', figures: 'decimal' },
  { name: 'memory', read: (of) => of.memoryBytes, unit: 'MB', figures: 'megabytes' },
  { name: 'journal', read: (of) => of.journalBytes, unit: 'MB', figures: 'megabytes' },
];

const MEGABYTE = 1_000_000;

const TEXT_OF: Readonly<Record<Figures, (value: number) => string>> = {
  whole: (value) => grouped(value.toFixed(0)),
  decimal: (value) => grouped(value >= 100 ? value.toFixed(0) : value.toFixed(1)),
  megabytes: (value) => grouped(value.toFixed(value >= 100 ? 0 : 1)),
};

export function Health() {
  const samples = useStore(vitals, (now) => now.samples);
  const isKnown = (read: PlotFacts['read']): boolean => {
    const last = samples.at(-1);
    return last !== undefined && read(last) !== undefined;
  };
  // A figure the venue does not report has no plot; rates need two samples and keep their place.
  const plots = PLOTS.filter(({ name, read }) => name !== 'journal' || isKnown(read));
  return (
    <div className="ops-page">
      <Summary />
      <div className="ops-plots">
        {plots.map((facts) => (
          <NamedPlot key={facts.name} facts={facts} samples={samples} />
        ))}
      </div>
      <Refusals samples={samples} />
    </div>
  );
}

interface NamedPlotProps {
  readonly facts: PlotFacts;
  readonly samples: readonly Sample[];
}

function NamedPlot({ facts, samples }: NamedPlotProps) {
  const ops = useOpsTexts();
  const { name, read, unit = '', figures } = facts;
  const [title = '', meaning = ''] = ops.health.plots[name];
  const factor = figures === 'megabytes' ? 1 / MEGABYTE : 1;
  const points = samples.map((sample) => {
    const value = read(sample);
    return { timeMs: sample.timeMs, value: value === undefined ? undefined : value * factor };
  });
  return <Plot {...{ title, meaning, points, unit }} text={TEXT_OF[figures]} />;
}

function Summary() {
  const ops = useOpsTexts();
  const now = useStore(vitals);
  const last = now.samples.at(-1);
  const condition = conditionOf(now);
  const times = useTimes();
  const startedMs = last?.startedS === undefined ? undefined : last.startedS * 1_000;
  return (
    <section className="panel fact-line" aria-label={ops.health.state}>
      <Fact label={ops.health.state} text={ops.conditions[condition]} />
      <Fact label={ops.health.sequence} text={whole(last?.releasedSeq)} />
      <Fact label={ops.health.applied} text={whole(sum(last?.releasedSeq, last?.gateLag))} />
      <Fact
        label={ops.health.projected}
        text={whole(sum(last?.releasedSeq, last && -last.projectionLag))}
      />
      <Fact label={ops.health.plots.connections[0] ?? ''} text={whole(last?.connections)} />
      <Fact label={ops.health.requestsTotal} text={whole(last?.requests)} />
      <Fact
        label={ops.health.started}
        text={startedMs === undefined ? undefined : times.dateTime(startedMs)}
      />
      {now.notReady === undefined || now.notReady === '' ? null : (
        <p className="fault" role="alert">
          {now.notReady}
        </p>
      )}
      {now.degradations.map(({ kind, subject, text }) => (
        <p className="fault" role="alert" key={`${kind} ${subject}`}>
          <strong>{subject}</strong> {ops.health.degradations[kind] ?? kind}: {text}
        </p>
      ))}
      <Refusal failure={now.failure} />
    </section>
  );
}

function whole(count: number | undefined): string | undefined {
  return count === undefined ? undefined : grouped(String(count));
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function Refusals({ samples }: { readonly samples: readonly Sample[] }) {
  const ops = useOpsTexts();
  const { refusal } = useTexts();
  const columns: readonly Column<RefusalCount>[] = [
    { name: 'reject', title: ops.health.reason, cell: ({ reject }) => <code>{reject}</code> },
    {
      name: 'meaning',
      title: ops.health.meaning,
      cell: ({ reject }) => refusal(meaningOf(reject)),
    },
    {
      name: 'lastMinute',
      title: ops.health.lastMinute,
      cell: ({ lastMinute }) => grouped(String(lastMinute)),
      isNumber: true,
    },
    {
      name: 'total',
      title: ops.health.sinceStart,
      cell: ({ total }) => grouped(String(total)),
      isNumber: true,
    },
  ];
  return (
    <Section title={ops.health.refusalsByReason}>
      <Table
        label={ops.health.refusalsByReason}
        columns={columns}
        rows={samples.length === 0 ? undefined : refusalCounts(samples)}
        keyOf={({ reject }) => reject}
        empty={ops.health.noRefusals}
      />
    </Section>
  );
}

function meaningOf(reject: string): string {
  return isReject(reject) ? REJECTS[reject].meaning : '';
}
