/** The processes of the cluster that a venue may be one of, as the one that is asked sees them. */
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { nullOr, oneOf, orNull, row, rows, text, truth, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type AdminContext, BASE, type ClusterProcess, type ClusterView } from './context.ts';

/** A venue of its own has no other process. */
const ALONE: ClusterView = {
  name: '',
  leader: '',
  claim: 0,
  agreed: { format: 0, rules: 0 },
  rows: [],
};

/** A process that was heard of longer ago than this does not answer. */
const SILENT_MS = 3_000;

const STATES = ['leads', 'follows', 'suspended', 'silent', 'gone'] as const;
type State = (typeof STATES)[number];

function stateOf({ record, status, heardAgeMs = Infinity }: ClusterProcess): State {
  if (record === undefined) return 'gone';
  if (status === undefined || heardAgeMs > SILENT_MS) return 'silent';
  if (status.isSuspended) return 'suspended';
  return status.role === 'leader' ? 'leads' : 'follows';
}

function known(
  description: string,
  example: number,
  of: (process: ClusterProcess) => number | undefined,
) {
  const column = whole(description, example, (one: ClusterProcess) => Math.round(of(one) ?? 0));
  return nullOr(description, column, (one) => of(one) === undefined);
}

const PROCESS = row<ClusterProcess>()({
  name: text('Name of the process', 'member-1', ({ name }) => name),
  kind: oneOf(
    ['member', 'gateway'],
    'A gateway never leads and holds nothing that others rely on',
    'member',
    ({ kind }) => kind,
  ),
  state: oneOf(
    STATES,
    'silent: it is there and does not answer; gone: it is not there, others still count with it',
    'leads',
    stateOf,
  ),
  candidate: truth('May lead', true, ({ record }) => record?.isCandidate ?? false),
  address: orNull(
    schema.text('Where other processes reach it'),
    'Where other processes reach it',
    'ws://10.0.0.11:7001',
    ({ record }) => record?.url ?? null,
  ),
  release: orNull(
    schema.text('Version of the program'),
    'Version of the program',
    '1.0.0',
    ({ release }) => release ?? null,
  ),
  formatMax: known('Newest format of entries that it can read', 1, ({ knows }) => knows?.formatMax),
  rulesMin: known('Oldest rules of entries that it knows', 1, ({ knows }) => knows?.rulesMin),
  rulesMax: known('Newest of them', 1, ({ knows }) => knows?.rulesMax),
  seq: known('Last command whose effects it shows', 128, ({ status }) => status?.seq),
  behind: known('Commands behind the furthest', 0, ({ behindCommands }) => behindCommands),
  lagMs: known('Behind what it knows of the log, in ms', 0, ({ status }) => status?.lagMs),
  heardAgeMs: known('Milliseconds since it has answered', 3, ({ heardAgeMs }) => heardAgeMs),
  sealedSeq: known('Command of its newest snapshot', 100, ({ seal }) => seal?.seq),
  stateHash: orNull(
    schema.text('Release and hash of its state then'),
    'Release and hash of its state then',
    '1.0.0:9f86d081884c7d65',
    ({ seal }) => seal?.stateHash ?? null,
  ),
  sealsAgree: nullOr(
    'Its states are those of the others; null while none has a snapshot of the same command',
    truth('', true, ({ sealsAgree }: ClusterProcess) => sealsAgree === true),
    ({ sealsAgree }) => sealsAgree === undefined,
  ),
});

const CLUSTER = row<ClusterView>()({
  process: text('Who answers; empty for a venue of its own', 'member-1', ({ name }) => name),
  leader: text('Who leads; empty for nobody', 'member-1', ({ leader }) => leader),
  claim: whole('Number of its claim', 4, ({ claim }) => claim),
  format: whole('Format that entries are written in', 1, ({ agreed }) => agreed.format),
  rules: whole('Rules that entries are made by', 3, ({ agreed }) => agreed.rules),
  processes: rows(PROCESS, ({ rows }: ClusterView) => rows),
});

export const CLUSTER_ENDPOINTS = {
  cluster: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/cluster`,
    summary: 'The processes of the cluster: who leads, who is behind, whose states are equal',
    request: {},
    response: CLUSTER,
    answer: async ({ cluster }: AdminContext) => CLUSTER.write((await cluster?.()) ?? ALONE),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;
