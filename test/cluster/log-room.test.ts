/** A shared log that fills: what is said of it, what is trimmed, and what becomes of commands. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Holdings, THIS_RELEASE } from '#cluster/testing';
import type { Command, Event } from '#domain';
import { type Fullness, fullnessOf, type LogRoom } from '#log';
import { KeySpace, MemoryKeys, MemoryStore, StoredSharedLog } from '#log/testing';
import { opening } from '../support/random-days.ts';
import { REAL_TIME } from '../support/real-time.ts';
import { fill, lead, reportOf } from '../support/shared-hands.ts';
import { until } from '../support/until.ts';
import { LocalCluster } from './local-cluster.ts';

const QUOTA_BYTES = 1_000_000;

function roomOf(percent: number, isFull = false, filePercent = percent): LogRoom {
  const usedBytes = (percent * QUOTA_BYTES) / 100;
  const fileBytes = (filePercent * QUOTA_BYTES) / 100;
  return { usedBytes, fileBytes, quotaBytes: QUOTA_BYTES, isFull };
}

/** A level is reached at its bound, and left five percent below it. */
const LEVELS: readonly (readonly [percent: number, before: Fullness, Fullness])[] = [
  [59, 'roomy', 'roomy'],
  [60, 'roomy', 'filling'],
  [56, 'filling', 'filling'],
  [54, 'filling', 'roomy'],
  [86, 'filling', 'scarce'],
  [81, 'scarce', 'scarce'],
  [79, 'scarce', 'filling'],
  [95, 'roomy', 'full'],
  [91, 'full', 'full'],
  [89, 'full', 'scarce'],
  [10, 'full', 'roomy'],
];

test('how full a log is', () => {
  for (const [percent, before, expected] of LEVELS) {
    assert.equal(fullnessOf(roomOf(percent), before), expected, `${percent} % after ${before}`);
  }
  assert.equal(fullnessOf(roomOf(3, true)), 'full', 'its store says so');
  assert.equal(fullnessOf(roomOf(40, false, 99)), 'roomy', 'what was deleted is room');
  assert.equal(fullnessOf(roomOf(80, false, 96)), 'full', 'what is free is in pieces');
});

interface Filling {
  readonly cluster: LocalCluster;
  readonly keys: MemoryKeys;
}

async function filling(): Promise<Filling> {
  const [keys, space] = [new MemoryKeys(), new KeySpace('test', 'main')];
  const open = () => new StoredSharedLog(new MemoryStore(keys, REAL_TIME), space);
  const cluster = new LocalCluster(undefined, open);
  for (const name of ['member-1', 'member-2']) await cluster.start(name);
  await cluster.start('gateway-1', { kind: 'gateway' });
  return { cluster, keys };
}

function seen({ cluster }: Filling, fullness: Fullness): Promise<void> {
  return until(`all have seen that it is ${fullness}`, () =>
    cluster.processes.every(({ member }) => member.room.fullness === fullness),
  );
}

const [OPENING] = opening();
assert.ok(OPENING !== undefined);
const COIN: Command = OPENING;

let coinsMade = 0;

function coin(code: string): Command {
  assert.ok(COIN.kind === 'list_asset');
  coinsMade += 1;
  return { ...COIN, spec: { ...COIN.spec, code, coinId: 100 + coinsMade } };
}

async function lastSeq({ cluster }: Filling): Promise<number> {
  const log = cluster.openLog();
  const head = await log.head();
  await log.close();
  return head.lastSeq;
}

test('a command for which there is no room is refused, and nothing of it is done', async (t) => {
  const venue = await filling();
  t.after(() => venue.cluster.close());
  const { cluster, keys } = venue;
  await cluster.processes[0]?.submit(coin('AAA'));
  keys.room = roomOf(96);
  await seen(venue, 'full');
  const before = await lastSeq(venue);
  for (const { name, member } of cluster.processes) {
    const [refused] = await member.venue.submit(coin('BBB'));
    const facts = { kind: 'refused', reject: 'venue_busy' };
    const detail = { is: 'obstacle', obstacle: 'log_full' };
    assert.deepEqual(refused, { ...facts, detail }, name);
    assert.match(member.room.trouble ?? '', /96 % of its quota of 1 MiB and is full/);
  }
  assert.equal(await lastSeq(venue), before);
  keys.room = roomOf(40);
  await seen(venue, 'roomy');
  const kinds: Event['kind'][] = [];
  for (const [at, one] of cluster.processes.entries()) {
    const [first] = await one.submit(coin(`CC${'ABC'[at]}`));
    kinds.push(first?.kind ?? 'refused');
  }
  assert.deepEqual(kinds, ['asset_listed', 'asset_listed', 'asset_listed']);
  for (const { ends } of cluster.processes) assert.deepEqual(ends, []);
  await cluster.stateHash();
});

test('what was taken before the store said that it is full waits, and nobody ends', async (t) => {
  const venue = await filling();
  t.after(() => venue.cluster.close());
  const { cluster, keys } = venue;
  const leader = await cluster.leader();
  keys.room = roomOf(99, true);
  const waiting = leader.submit(coin('AAA'));
  await seen(venue, 'full');
  const [later] = await leader.submit(coin('BBB'));
  assert.equal(later?.kind, 'refused');
  keys.room = roomOf(40);
  const [first] = await waiting;
  assert.equal(first?.kind, 'asset_listed');
  await seen(venue, 'roomy');
  await leader.submit(coin('BBB'));
  for (const { ends } of cluster.processes) assert.deepEqual(ends, []);
  await cluster.stateHash();
});

test('while there is little room the log forgets all that two members hold', async (t) => {
  const keys = new MemoryKeys();
  const log = new StoredSharedLog(new MemoryStore(keys, REAL_TIME), new KeySpace('test', 'main'));
  t.after(() => log.close());
  const leadership = await lead(log);
  await fill(log, leadership, 50);
  const notices: string[] = [];
  const holdings = new Holdings({
    log,
    name: 'one',
    kind: 'member',
    release: '1',
    knows: THIS_RELEASE,
    appliedSeq: () => 50,
    nowMs: () => 0,
    heldSeq: 40,
    keepCommands: 100,
    electorate: () => ({ present: [], leader: 'one' }),
    onMinority: assert.fail,
    onNotice: (text) => notices.push(text),
  });
  t.after(() => holdings.stop());
  holdings.lead(leadership.claim);
  holdings.see(['one', 'two'].map((member) => reportOf(member, 40)));
  holdings.press('filling');
  assert.deepEqual([(await log.base()).nextSeq, notices], [1, []]);
  holdings.press('scarce');
  await until('it is trimmed', () => notices.length > 0);
  assert.equal((await log.base()).nextSeq, 41);
});
