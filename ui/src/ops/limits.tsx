/** How often each endpoint may be called, and how it is being called now. */
import { useEffect, useState } from 'react';
import { type Column, Field, Refusal, Section, Table } from '../look/mod.ts';
import { grouped } from '../model/numbers.ts';
import { useStore } from '../store/store.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { describeFailure } from '../wire/failure.ts';
import { type EndpointFacts, endpointFacts } from '../wire/vitals.ts';
import { vitals } from './health/sampler.ts';
import type { Sample } from './health/samples.ts';
import type { Failure } from './use-loaded.ts';

const LOOK_BACK_MS = 10_000;

export function Limits() {
  const { limits } = useOpsTexts();
  const { endpoints, failure } = useEndpoints();
  const [typed, setTyped] = useState('');
  const samples = useStore(vitals, (now) => now.samples);
  const search = typed.trim().toLowerCase();
  const rows = endpoints?.filter(({ method, path, summary }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(search),
  );
  return (
    <div className="ops-page">
      <Section
        title={limits.title}
        actions={<Field label={limits.search} value={typed} onValue={setTyped} />}
      >
        <p className="remark ops-note">{limits.meaning}</p>
        <Refusal failure={failure} />
        <LimitTable rows={rows} samples={samples} />
      </Section>
    </div>
  );
}

function useEndpoints() {
  const [endpoints, setEndpoints] = useState<readonly EndpointFacts[]>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    endpointFacts().then(setEndpoints, (error: unknown) => setFailure(describeFailure(error)));
  }, []);
  return { endpoints, failure };
}

interface LimitTableProps {
  readonly rows: readonly EndpointFacts[] | undefined;
  readonly samples: readonly Sample[];
}

function LimitTable({ rows, samples }: LimitTableProps) {
  const { limits } = useOpsTexts();
  const now = samples.at(-1);
  const counts = ({ method, path }: EndpointFacts) => now?.routes.get(`${method} ${path}`);
  const columns: readonly Column<EndpointFacts>[] = [
    { name: 'method', title: limits.method, cell: ({ method }) => <code>{method}</code> },
    { name: 'path', title: limits.path, cell: ({ path }) => <code>{path}</code> },
    { name: 'who', title: limits.who, cell: (row) => limits.permission(row.permission) },
    {
      name: 'limit',
      title: limits.limit,
      cell: ({ rate }) =>
        rate === null
          ? limits.unlimited
          : limits.per(String(rate.limit), String(rate.windowMs / 1_000)),
      isNumber: true,
    },
    {
      name: 'now',
      title: limits.now,
      cell: (row) => callsPerS(samples, `${row.method} ${row.path}`).toFixed(1),
      isNumber: true,
    },
    {
      name: 'calls',
      title: limits.calls,
      cell: (row) => grouped(String(counts(row)?.calls ?? 0)),
      isNumber: true,
    },
    {
      name: 'limited',
      title: limits.limited,
      cell: (row) => grouped(String(counts(row)?.limited ?? 0)),
      isNumber: true,
    },
  ];
  return (
    <Table
      label={limits.title}
      columns={columns}
      rows={rows}
      keyOf={({ method, path }) => `${method} ${path}`}
    />
  );
}

/** Over the last ten seconds. */
function callsPerS(samples: readonly Sample[], route: string): number {
  const now = samples.at(-1);
  const start = samples.find(
    ({ timeMs, startedS }) =>
      now !== undefined && timeMs >= now.timeMs - LOOK_BACK_MS && startedS === now.startedS,
  );
  if (now === undefined || start === undefined || start === now) return 0;
  const calls = (now.routes.get(route)?.calls ?? 0) - (start.routes.get(route)?.calls ?? 0);
  return calls / ((now.timeMs - start.timeMs) / 1_000);
}
