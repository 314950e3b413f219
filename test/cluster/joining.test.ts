/** Before a process follows the log: its copy goes on, begins at a snapshot, or is refused. */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { prepareCopy, Suspension, seedLog } from '#cluster';
import {
  Holdings,
  Holds,
  introduce,
  LinkServer,
  Replica,
  signed,
  THIS_RELEASE,
} from '#cluster/testing';
import { Engine } from '#engine';
import {
  type Leadership,
  type MemberReport,
  type SharedLog,
  SharedLogFault,
  verifyJournal,
} from '#log';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { entryAt, fill, lead, reportOf } from '../support/shared-hands.ts';
import { until } from '../support/until.ts';
import { newLog } from './memory-logs.ts';

const GENESIS_HASH = createHash('sha256').update('outcry journal 1').digest('hex');
const SECRET = 's'.repeat(32);
const RELEASE = '1.0.0';
const MASTER_KEY = Buffer.alloc(32, 3);

/** Brings the copy of a directory into line; gives what it has said, and its hold. */
async function prepareHeld(log: SharedLog, directory: string, replayMax = 1_000) {
  const notices: string[] = [];
  const hold = await prepareCopy({
    name: 'newcomer',
    kind: 'member',
    secret: SECRET,
    release: RELEASE,
    log,
    copy: logOf(directory),
    suspension: new Suspension(directory),
    replayMax,
    onNotice: (text) => notices.push(text),
  });
  return { hold, notices };
}

async function prepare(log: SharedLog, directory: string, replayMax = 1_000): Promise<string[]> {
  const { hold, notices } = await prepareHeld(log, directory, replayMax);
  await hold?.end();
  return notices;
}

/** A directory whose copy has the log up to where it ends now. */
async function copied(context: TestContext, log: SharedLog): Promise<string> {
  const directory = scratchDirectory(context);
  const journal = await logOf(directory).openWriter();
  for await (const chunk of log.read(1)) {
    for (const { firstSeq, count, payload, rules } of chunk) {
      await journal.append(firstSeq, count, payload, rules);
    }
  }
  await journal.close();
  return directory;
}

/** A member that is there, with a snapshot of these rows. */
async function serving(context: TestContext, log: SharedLog, seq: number, rows: string[]) {
  const directory = scratchDirectory(context);
  const { snapshots } = logOf(directory);
  const { hash } = snapshots.write(seq, rows);
  const options = { host: '127.0.0.1', port: 0, secret: SECRET, snapshots, statusText: () => '' };
  const server = new LinkServer(options);
  const url = await server.listen();
  context.after(() => server.close());
  const record = {
    name: 'one',
    kind: 'member',
    isCandidate: true,
    url,
    release: '1',
  };
  await log.announce({ ...record, kind: 'member' });
  return { server, url, hash, directory };
}

async function endOf(directory: string) {
  const reader = await logOf(directory).openReader();
  try {
    return { base: reader.base.nextSeq, end: await reader.end() };
  } finally {
    await reader.close();
  }
}

/** A log of so many commands, one entry each. */
async function filled(log: SharedLog, count: number) {
  const leadership: Leadership = await lead(log);
  await fill(log, leadership, count);
  return { log, leadership };
}

const SNAPSHOT = ['["a row"]', '["another"]'];

describe('a copy', () => {
  test('of a short log that is whole begins at its start', async (context) => {
    const { log } = await filled(newLog(), 5);
    const directory = scratchDirectory(context);
    assert.deepEqual(await prepare(log, directory), []);
    assert.equal(logOf(directory).exists(), false);
  });

  test('that the log goes on after is used as it is', async (context) => {
    const { log, leadership } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    const before = await endOf(directory);
    await fill(log, leadership, 5);
    assert.deepEqual(await prepare(log, directory), []);
    assert.deepEqual(await endOf(directory), before);
  });

  test('that knows more than the log is refused', async (context) => {
    const { log } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    const { log: shorter } = await filled(newLog(), 3);
    await assert.rejects(prepare(shorter, directory), /goes to command 5, the log .* only to 3\. /);
    assert.equal((await endOf(directory)).end.nextSeq, 6, 'it is as it was');
  });

  test('that knows something else than the log is refused', async (context) => {
    const { log } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    const other = newLog();
    const { claim } = await lead(other);
    await other.append(claim, entryAt(1, 5, 'another'));
    await assert.rejects(prepare(other, directory), /has another command 5 than the copy/);
  });

  test('of which a power cut has taken the end is refused', async (context) => {
    const { log } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    logOf(directory).snapshots.write(8, SNAPSHOT);
    await assert.rejects(prepare(log, directory), /snapshot of 8.*on an empty data directory/);
  });

  test('is none in the directory of a venue of one process', async (context) => {
    const { log } = await filled(newLog(), 5);
    const directory = scratchDirectory(context);
    await (await logOf(directory, { masterKey: MASTER_KEY }).openWriter()).close();
    await assert.rejects(prepare(log, directory), /belongs to a venue of one process.*--seed/);
  });
});

describe('a snapshot of another member', () => {
  test('is where a copy begins when the log is trimmed', async (context) => {
    const { log, leadership } = await filled(newLog(), 20);
    const { hash } = await serving(context, log, 12, SNAPSHOT);
    const seals = [{ seq: 12, stateHash: signed(RELEASE, hash) }];
    await log.report(reportOf('one', 12, seals));
    await log.report(reportOf('newcomer', 18));
    await log.trim(leadership.claim, 10);
    const directory = scratchDirectory(context);
    assert.deepEqual(await prepare(log, directory), [
      'joined the cluster with the snapshot of command 12',
    ]);
    assert.deepEqual([...(newest(directory)?.rows ?? [])], SNAPSHOT);
    const { base, end } = await endOf(directory);
    assert.deepEqual([base, end.nextSeq], [13, 13]);
    const held = (await log.reports()).map(({ member, heldSeq }) => [member, heldSeq]);
    const forgotten = [
      ['newcomer', 0],
      ['one', 12],
    ];
    assert.deepEqual(held, forgotten, 'what it held before is no longer relied on');
    await followedOn(log, directory);
  });

  test('takes the place of a copy that the log has left behind', async (context) => {
    const { log, leadership } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    await fill(log, leadership, 15);
    await serving(context, log, 12, SNAPSHOT);
    await log.trim(leadership.claim, 10);
    const [left, joined] = await prepare(log, directory);
    assert.match(left ?? '', /ends at command 5, and the log starts at 10 now/);
    assert.match(joined ?? '', /snapshot of command 12/);
    await followedOn(log, directory);
  });

  test('is not for a suspended member, until its directory is emptied', async (context) => {
    const { log, leadership } = await filled(newLog(), 5);
    const directory = await copied(context, log);
    const suspension = new Suspension(directory);
    suspension.note('its state is another');
    await fill(log, leadership, 15);
    await serving(context, log, 12, SNAPSHOT);
    await log.trim(leadership.claim, 10);
    assert.deepEqual(await prepare(log, directory), []);
    const { base, end } = await endOf(directory);
    assert.deepEqual([base, end.nextSeq], [1, 6], 'what an inquiry needs is there');
    suspension.note('another reason');
    assert.equal(new Suspension(directory).reason, 'its state is another');
    for (const name of readdirSync(directory).filter((name) => name !== 'suspended.txt')) {
      rmSync(join(directory, name), { recursive: true });
    }
    assert.match((await prepare(log, directory)).join(), /snapshot of command 12/);
    assert.equal(suspension.reason, undefined);
  });

  test('spares a long replay, and is not needed for it', async (context) => {
    const { log } = await filled(newLog(), 20);
    const [without, directory] = [scratchDirectory(context), scratchDirectory(context)];
    assert.deepEqual(await prepare(log, without, 19), []);
    await serving(context, log, 12, SNAPSHOT);
    assert.equal((await prepare(log, directory, 19)).length, 1);
    assert.equal((await endOf(directory)).base, 13);
  });

  test('is not taken when most members have another state', async (context) => {
    const { log } = await filled(newLog(), 20);
    await serving(context, log, 12, SNAPSHOT);
    const seals = [{ seq: 12, stateHash: signed(RELEASE, 'f'.repeat(64)) }];
    await log.report(reportOf('two', 12, seals));
    const directory = scratchDirectory(context);
    const [notice] = await prepare(log, directory, 19);
    assert.match(notice ?? '', /no snapshot of one: .* most members have another state/);
    assert.equal(newest(directory), undefined);
  });

  test('is followed by a log that is not trimmed before it is read', async (context) => {
    const { log, leadership } = await filled(newLog(), 20);
    await serving(context, log, 12, SNAPSHOT);
    const directory = scratchDirectory(context);
    const { hold } = await prepareHeld(log, directory, 19);
    const { holdings, notices } = holdingsOf(context, log, 21);
    holdings.lead(leadership.claim);
    await until('the leader has seen the hold', () => notices.length === 1);
    assert.match(notices.join(), /the log stays from command 1 on/);
    assert.equal((await log.base()).nextSeq, 1);
    await followedOn(log, directory);
    await hold?.end();
    await hold?.end();
    assert.deepEqual(await log.holds(), []);
    holdings.see(heldByTwo(21));
    await until('the log is trimmed', async () => (await log.base()).nextSeq === 21);
  });

  test('goes to nobody without the secret, and from nobody suspended', async (context) => {
    const { log } = await filled(newLog(), 20);
    const { url, server } = await serving(context, log, 12, SNAPSHOT);
    const from = `${url.replace('ws', 'http')}/snapshot`;
    const ask = async (method: string) => {
      const signal = AbortSignal.timeout(5_000);
      const authorization = await introduce(url, SECRET, `${method} /snapshot`, signal);
      return fetch(from, { method, headers: { authorization } });
    };
    assert.equal((await fetch(from)).status, 401);
    assert.equal((await ask('POST')).status, 404);
    const sent = await ask('GET');
    assert.deepEqual([sent.status, sent.headers.get('outcry-seq')], [200, '12']);
    assert.match(await sent.text(), /^\["a row"\]\n/);
    server.suspend();
    assert.equal((await ask('GET')).status, 404);
  });
});

describe('a hold', () => {
  const alpha = { name: 'alpha', fromSeq: 10 };

  test('keeps what it names and what follows, for a minute', () => {
    const holds = new Holds();
    assert.equal(holds.limit(5, [alpha], 0), 5);
    assert.equal(holds.limit(50, [alpha, { name: 'beta', fromSeq: 30 }], 59_999), 10);
    assert.equal(holds.limit(50, [alpha, { name: 'beta', fromSeq: 30 }], 60_000), 30);
    assert.equal(holds.limit(50, [{ ...alpha, fromSeq: 50 }], 60_001), 50, 'it has come further');
    assert.equal(holds.limit(60, [], 60_002), 60);
  });

  test('keeps no more than the log has room for', () => {
    const holds = new Holds();
    assert.equal(holds.limit(500_010, [alpha], 0), 10);
    assert.equal(holds.limit(500_011, [alpha], 0), 500_011);
  });
});

/** Two members hold so much. */
function heldByTwo(seq: number): MemberReport[] {
  return ['one', 'two'].map((member) => reportOf(member, seq - 1));
}

/** Those of a member that may trim everything before `seq`. */
function holdingsOf(context: TestContext, log: SharedLog, seq: number) {
  const notices: string[] = [];
  const holdings = new Holdings({
    log,
    name: 'one',
    kind: 'member',
    release: RELEASE,
    knows: THIS_RELEASE,
    appliedSeq: () => seq - 1,
    nowMs: () => 0,
    heldSeq: seq - 1,
    keepCommands: 0,
    electorate: () => ({ present: [], leader: 'one' }),
    onMinority: assert.fail,
    onNotice: (text) => notices.push(text),
  });
  context.after(() => holdings.stop());
  holdings.see(heldByTwo(seq));
  return { holdings, notices };
}

describe('a venue of one process', () => {
  async function venue(context: TestContext, snapshotSeq: number) {
    const directory = scratchDirectory(context);
    const own = logOf(directory, { masterKey: MASTER_KEY });
    const journal = await own.openWriter();
    for (let seq = 1; seq <= 6; seq += 1) await journal.append(seq, 1, `from ${seq}`);
    await journal.close();
    own.snapshots.write(snapshotSeq, SNAPSHOT);
    return { directory, own };
  }

  test('becomes the first member of a cluster', async (context) => {
    const log = newLog();
    const { directory, own } = await venue(context, 6);
    const seed = { name: 'newcomer', log, journal: own, copy: logOf(directory) };
    assert.equal(await seedLog(seed), 6);
    assert.equal((await log.base()).nextSeq, 7);
    assert.deepEqual(await prepare(log, directory), []);
    const kept = logOf(join(directory, 'before-cluster'), { masterKey: MASTER_KEY });
    assert.equal((await verifyJournal(kept, () => undefined)).kind, 'sound');
    await fill(log, await lead(log), 3);
    await followedOn(log, directory);
    assert.equal(await seedLog(seed), undefined, 'a second time changes nothing');
  });

  test('begins no cluster without a snapshot of everything', async (context) => {
    const log = newLog();
    const { directory, own } = await venue(context, 5);
    const seed = { name: 'newcomer', log, journal: own, copy: logOf(directory) };
    await assert.rejects(seedLog(seed), /no snapshot of the last command.*SIGTERM/);
    assert.equal((await log.base()).nextSeq, 1);
    assert.deepEqual(readdirSync(directory).includes('before-cluster'), false);
  });

  test('begins no cluster that has a venue already', async (context) => {
    const { log } = await filled(newLog(), 2);
    const { directory, own } = await venue(context, 6);
    const seed = { name: 'newcomer', log, journal: own, copy: logOf(directory) };
    await assert.rejects(seedLog(seed), /holds a venue already/);
  });
});

function newest(directory: string) {
  return logOf(directory).snapshots.newest(Number.MAX_SAFE_INTEGER, () => undefined);
}

/** What follows in the log goes on after the copy. */
async function followedOn(log: SharedLog, directory: string): Promise<void> {
  const { end } = await endOf(directory);
  const signal = AbortSignal.timeout(5_000);
  const from = { fromSeq: end.nextSeq, previousHash: end.hash, signal };
  for await (const [first] of log.follow(from)) {
    assert.equal(first?.firstSeq, end.nextSeq);
    return;
  }
  assert.fail('nothing follows');
}

test('who waits for a replica whose log is trimmed hears of it, also later', async (context) => {
  const log = newLog();
  const leadership = await lead(log);
  await log.seed(leadership.claim, { nextSeq: 11, hash: 'a'.repeat(64) });
  const mirror = await logOf(scratchDirectory(context)).openWriter();
  context.after(() => mirror.close());
  const failed = Promise.withResolvers<unknown>();
  const replica = new Replica({
    engine: Engine.empty(),
    log,
    mirror,
    previousHash: GENESIS_HASH,
    knows: THIS_RELEASE,
    heed: () => assert.fail('there is nothing to keep'),
    onStep: () => assert.fail('there is nothing to apply'),
    onAnswered: () => assert.fail('there is nothing to answer'),
    onFault: failed.resolve,
  });
  const before = assert.rejects(replica.reach(11), SharedLogFault);
  replica.start();
  assert.ok((await failed.promise) instanceof SharedLogFault);
  await before;
  await assert.rejects(replica.reach(11), SharedLogFault);
});
