/** The processes of the cluster, live: who leads, how far each is, and whose states are equal. */
import { admin } from '#client';
import { type Column, Fact, Mark, Refusal, Section, Table } from '../look/mod.ts';
import { grouped } from '../model/numbers.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { useLoaded } from './use-loaded.ts';

type ClusterProcess = admin.ClusterAnswer['processes'][number];

const EVERY_MS = 1_000;
const HASH_CHARACTERS = 12;

const TONES = {
  leads: 'good',
  follows: 'plain',
  suspended: 'fault',
  silent: 'warning',
  gone: 'warning',
} as const;

/** Whether the venue is one process of several. */
export function useIsClustered(): boolean {
  return (useLoaded(admin.cluster, {}).data?.processes.length ?? 0) > 0;
}

export function Cluster() {
  const { cluster } = useOpsTexts();
  const { data, failure } = useLoaded(admin.cluster, {}, EVERY_MS);
  return (
    <div className="ops-page">
      <section className="panel fact-line" aria-label={cluster.leader}>
        <Fact label={cluster.leader} text={data && (data.leader || cluster.nobody)} />
        <Fact label={cluster.claim} text={data && grouped(String(data.claim))} />
        <Fact label={cluster.format} text={data && String(data.format)} />
        <Fact label={cluster.rules} text={data && String(data.rules)} />
      </section>
      <Section title={cluster.title}>
        <Refusal failure={failure} />
        <Table
          label={cluster.title}
          columns={useColumns()}
          rows={data?.processes}
          keyOf={({ name }) => name}
        />
      </Section>
    </div>
  );
}

function useColumns(): readonly Column<ClusterProcess>[] {
  const { cluster } = useOpsTexts();
  const count = (name: 'seq' | 'behind', title: string): Column<ClusterProcess> => ({
    name,
    title,
    cell: (row) => whole(row[name]),
    isNumber: true,
  });
  return [
    { name: 'name', title: cluster.name, cell: ({ name }) => <code>{name}</code> },
    { name: 'kind', title: cluster.kind, cell: ({ kind }) => cluster.kinds[kind] },
    {
      name: 'state',
      title: cluster.state,
      cell: ({ state }) => <Mark tone={TONES[state]}>{cluster.states[state]}</Mark>,
    },
    { name: 'address', title: cluster.address, cell: ({ address }) => address ?? '–' },
    count('seq', cluster.seq),
    count('behind', cluster.behind),
    { name: 'lag', title: cluster.lag, cell: ({ lagMs }) => inMs(lagMs), isNumber: true },
    {
      name: 'heard',
      title: cluster.heard,
      cell: ({ heardAgeMs: ageMs }) =>
        ageMs === null ? '–' : cluster.ago((ageMs / 1_000).toFixed(1)),
      isNumber: true,
    },
    ...sealColumns(cluster),
    { name: 'release', title: cluster.release, cell: ({ release }) => release ?? '–' },
    {
      name: 'format',
      title: cluster.format,
      cell: ({ formatMax }) => whole(formatMax),
      isNumber: true,
    },
    {
      name: 'rules',
      title: cluster.rules,
      cell: ({ rulesMin, rulesMax }) => `${whole(rulesMin)}-${whole(rulesMax)}`,
      isNumber: true,
    },
  ];
}

type Words = ReturnType<typeof useOpsTexts>['cluster'];

function sealColumns(cluster: Words): readonly Column<ClusterProcess>[] {
  return [
    {
      name: 'seal',
      title: cluster.seal,
      cell: ({ sealedSeq }) => whole(sealedSeq),
      isNumber: true,
    },
    {
      name: 'hash',
      title: cluster.hash,
      cell: ({ stateHash }) => <code title={stateHash ?? ''}>{shortHash(stateHash)}</code>,
    },
    {
      name: 'seals',
      title: cluster.seals,
      cell: ({ sealsAgree: areEqual }) =>
        areEqual === null ? (
          '–'
        ) : (
          <Mark tone={areEqual ? 'good' : 'fault'}>
            {areEqual ? cluster.agree : cluster.differ}
          </Mark>
        ),
    },
  ];
}

/** The release stands before it, which has a column of its own. */
function shortHash(stateHash: string | null): string {
  return stateHash === null ? '–' : (stateHash.split(':').at(-1) ?? '').slice(0, HASH_CHARACTERS);
}

function whole(count: number | null): string {
  return count === null ? '–' : grouped(String(count));
}

function inMs(durationMs: number | null): string {
  return durationMs === null ? '–' : `${grouped(String(durationMs))} ms`;
}
