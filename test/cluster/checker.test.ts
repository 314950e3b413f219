/** The checker of the cluster's faults sees each of them: sound evidence, and one thing wrong. */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Evidence, type Judgement, judge, type LogEntry } from './checker.ts';

const GENESIS = 'a genesis';

function entry(before: string, firstSeq: number, claim: number): LogEntry {
  const payload = `payload of ${firstSeq}`;
  const hash = createHash('sha256')
    .update(`${before}\n${firstSeq}\n2\n5\n${payload}`)
    .digest('hex');
  return { firstSeq, count: 2, rules: 5, claim, payload, hash };
}

const first = entry(GENESIS, 1, 1);
const second = entry(first.hash, 3, 2);

/** One order acknowledged, one that nobody knows of and that was carried out, one that was not. */
const SOUND: Evidence = {
  sent: [
    { priceCents: 1, during: 'kill', orderId: '10' },
    { priceCents: 2, during: 'kill' },
    { priceCents: 3, during: 'stop' },
  ],
  odd: [],
  entries: [first, second],
  genesisHash: GENESIS,
  placed: [
    { seq: 1, priceCents: 1 },
    { seq: 2, priceCents: 2 },
  ],
  history: [
    { orderId: '10', priceCents: 1 },
    { orderId: '11', priceCents: 2 },
  ],
  seals: [
    { by: 'member-1', seq: 4, stateHash: 's' },
    { by: 'member-2', seq: 4, stateHash: 's' },
  ],
  sealers: ['member-1', 'member-2'],
  lastFaultSeq: 3,
  audits: { 'member-1': '' },
  histories: { 'member-1': '' },
};

interface Planted {
  readonly fault: string;
  readonly found: Judgement;
  readonly evidence: Partial<Evidence>;
}

const PLANTED: readonly Planted[] = [
  { fault: 'an answer that is no outage', found: 'answers', evidence: { odd: ['500'] } },
  {
    fault: 'an acknowledged order that is not in the log',
    found: 'lost',
    evidence: { placed: SOUND.placed.slice(1) },
  },
  {
    fault: 'an acknowledged order under another number',
    found: 'lost',
    evidence: { history: [{ orderId: '12', priceCents: 1 }, ...SOUND.history.slice(1)] },
  },
  {
    fault: 'a resend that is in the log again',
    found: 'twice',
    evidence: { placed: [...SOUND.placed, { seq: 4, priceCents: 1 }] },
  },
  {
    fault: 'a resend that was carried out again',
    found: 'twice',
    evidence: { history: [...SOUND.history, { orderId: '12', priceCents: 2 }] },
  },
  {
    fault: 'an order that no client sent',
    found: 'foreign',
    evidence: { placed: [...SOUND.placed, { seq: 4, priceCents: 9 }] },
  },
  {
    fault: 'an order of the log that is not in the history',
    found: 'history',
    evidence: { history: SOUND.history.slice(0, 1) },
  },
  { fault: 'a gap in the log', found: 'chain', evidence: { entries: [second] } },
  {
    fault: 'a changed command',
    found: 'chain',
    evidence: { entries: [{ ...first, payload: 'another' }, second] },
  },
  {
    fault: 'an entry of a deposed leader',
    found: 'chain',
    evidence: { entries: [{ ...first, claim: 3 }, second] },
  },
  {
    fault: 'another state on one member',
    found: 'states',
    evidence: { seals: [...SOUND.seals, { by: 'replay', seq: 4, stateHash: 't' }] },
  },
  {
    fault: 'a member that seals nothing any more',
    found: 'states',
    evidence: { seals: SOUND.seals.slice(1) },
  },
  { fault: 'money from nowhere', found: 'audit', evidence: { audits: { 'member-1': 'USDT 1' } } },
  {
    fault: 'a row that the log does not have',
    found: 'history',
    evidence: { histories: { 'member-1': 'a row' } },
  },
];

test('sound evidence passes', () => {
  assert.deepEqual(judge(SOUND), []);
});

for (const { fault, found, evidence } of PLANTED) {
  test(`the checker sees ${fault}`, () => {
    const judgements = judge({ ...SOUND, ...evidence }).map(({ judgement }) => judgement);
    assert.deepEqual([...new Set(judgements)], [found]);
  });
}

test('what is wrong with an order is booked to the fault during which it was sent', () => {
  const lost = judge({ ...SOUND, placed: SOUND.placed.slice(1) });
  assert.deepEqual(
    lost.map(({ during }) => during),
    ['kill'],
  );
});
