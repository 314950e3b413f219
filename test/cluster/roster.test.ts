/** The processes of a cluster as one of them sees them: real connections, and what the log said. */
import { strict as assert } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LinkServer, Roster, type SentStatus } from '#cluster/testing';
import type { MemberRecord, MemberReport } from '#log';
import { reportOf } from '../support/shared-hands.ts';

const SECRET = 's'.repeat(32);
const SNAPSHOTS = { newestFile: () => undefined };

function statusOf(role: SentStatus['role'], seq: number): SentStatus {
  return { role, claim: 4, seq, lagCommands: 0, lagMs: 0, isSuspended: false };
}

function recordOf(name: string, url: string): MemberRecord {
  const kind = name.startsWith('gateway') ? 'gateway' : 'member';
  return { name, kind, isCandidate: kind === 'member', url, release: '1.0.0' };
}

/** A process that says this of itself until the test ends. */
async function process(context: TestContext, name: string, said: SentStatus | string) {
  const statusText = () => (typeof said === 'string' ? said : JSON.stringify(said));
  const options = { host: '127.0.0.1', port: 0, secret: SECRET, snapshots: SNAPSHOTS };
  const server = new LinkServer({ ...options, statusText });
  const url = await server.listen();
  context.after(() => server.close());
  return { server, record: recordOf(name, url) };
}

interface Known {
  records: readonly MemberRecord[];
  reports?: readonly MemberReport[];
  secret?: string;
}

function rosterOf(known: Known): Roster {
  return new Roster({
    name: 'member-1',
    secret: known.secret ?? SECRET,
    records: () => known.records,
    reports: () => known.reports ?? [],
    agreed: () => ({ format: 1, rules: 3 }),
    claim: () => ({ number: 4, token: '9', holder: 'member-1' }),
  });
}

test('every process is asked, and how far each is behind the furthest', async (context) => {
  const all = await Promise.all([
    process(context, 'member-1', statusOf('leader', 120)),
    process(context, 'member-2', statusOf('follower', 117)),
    process(context, 'gateway-1', statusOf('gateway', 120)),
  ]);
  const { leader, claim, rows } = await rosterOf({
    records: all.map(({ record }) => record),
  }).look();
  assert.deepEqual([leader, claim], ['member-1', 4]);
  assert.deepEqual(
    rows.map(({ name, status, behindCommands }) => [name, status?.role, behindCommands]),
    [
      ['gateway-1', 'gateway', 0],
      ['member-1', 'leader', 0],
      ['member-2', 'follower', 3],
    ],
  );
});

test('a process that falls silent keeps its last word, and how old that is', async (context) => {
  const { server, record } = await process(context, 'member-2', statusOf('follower', 50));
  const roster = rosterOf({ records: [record] });
  await roster.look();
  await server.close();
  const heardMs = performance.now();
  const [row] = (await roster.look()).rows;
  assert.equal(row?.status?.seq, 50);
  assert.ok((row?.heardAgeMs ?? 0) >= performance.now() - heardMs - 1);
});

for (const [what, said, secret] of [
  ['speaks in other words', '{"role":"king","seq":1}', SECRET],
  ['is of another cluster', '{}', 'x'.repeat(32)],
] as const) {
  test(`a process that ${what} is shown as one that was never heard`, async (context) => {
    const { record } = await process(context, 'member-2', said);
    const [row] = (await rosterOf({ records: [record], secret }).look()).rows;
    assert.equal(row?.name, 'member-2');
    assert.equal(row?.status, undefined);
  });
}

const seal = (seq: number, stateHash: string) => ({ seq, stateHash: `1.0.0:${stateHash}` });
const report = (member: string, ...seals: MemberReport['seals']): MemberReport =>
  reportOf(member, seals.at(-1)?.seq ?? 0, seals);

for (const [what, reports, agree] of [
  ['equal states', [report('a', seal(10, 'x')), report('b', seal(10, 'x'))], [true, true]],
  [
    'states of no common command',
    [report('a', seal(10, 'x')), report('b')],
    [undefined, undefined],
  ],
  [
    'one state of three that differs',
    [report('a', seal(10, 'x')), report('b', seal(10, 'x')), report('c', seal(10, 'y'))],
    [true, true, false],
  ],
] as const) {
  test(`members that have reported and are gone are shown: ${what}`, async () => {
    const { rows } = await rosterOf({ records: [], reports }).look();
    assert.deepEqual(
      rows.map(({ record, sealsAgree }) => [record, sealsAgree]),
      agree.map((one) => [undefined, one]),
    );
  });
}
